/* pprof_state.c - functions on the pprof reader's state that all its parts use. See
 * pprof_read.h. */
#include "base/array.h"
#include "format/pprof_read.h"

#include <inttypes.h>

bool toll_pprof_bad(pprof_reader *r, const char *what)
{
    return toll_ok(&r->failure,
                   toll_fail_byte(r->in, r->field_offset, r->failure.err, TOLL_E_SYNTAX,
                                  "%s; is this a pprof file? fetch or write it again", what));
}

bool toll_pprof_push(pprof_reader *r, pprof_numbers *list, uint64_t value)
{
    if (!toll_array_grow(&r->mem, &list->items, &list->capacity, list->count, 1))
        return toll_no_memory(&r->failure);
    list->items[list->count++] = value;
    return true;
}

bool toll_pprof_take_numbers(pprof_reader *r, toll_wire_field *f, pprof_numbers *list)
{
    uint64_t v;
    if (f->type == TOLL_WIRE_VARINT)
        return toll_pprof_push(r, list, f->value);
    if (f->type != TOLL_WIRE_BYTES)
        return toll_pprof_bad(r, "a list of numbers has the wrong type");
    size_t count = 0;
    for (const uint8_t *p = f->bytes.p; p < f->bytes.end; p++)
        count += *p < 0x80;
    if (!toll_array_grow(&r->mem, &list->items, &list->capacity, list->count, count))
        return toll_no_memory(&r->failure);
    while (f->bytes.p < f->bytes.end) {
        if (!toll_wire_take_varint(&f->bytes, &v))
            return toll_pprof_bad(r, "a list of numbers is cut off");
        list->items[list->count++] = v;
    }
    return true;
}

bool toll_pprof_location(pprof_reader *r, uint64_t id, uint32_t *number)
{
    *number = toll_u64map_find(&r->location_index, id);
    if (*number != UINT32_MAX)
        return true;
    *number = (uint32_t)r->location_count;
    if (!toll_array_grow(&r->mem, &r->locations, &r->location_capacity, r->location_count, 1) ||
        !toll_u64map_add(&r->location_index, id, *number))
        return toll_no_memory(&r->failure);
    r->locations[r->location_count++] = (pprof_location){ .id = id, .used_at = r->field_offset };
    return true;
}

void toll_pprof_leave_out_label(pprof_reader *r, uint64_t key)
{
    r->labels_left_out = true;
    for (size_t i = 0; i < r->label_key_count; i++)
        if (r->label_keys[i] == key)
            return;
    if (r->label_key_count < PPROF_MOST_LABEL_KEYS)
        r->label_keys[r->label_key_count++] = key;
}

bool toll_pprof_text(pprof_reader *r, uint64_t index, const char **text)
{
    *text = "";
    if (index >= r->string_count)
        return toll_ok(&r->failure,
                       toll_fail(r->failure.err, TOLL_E_SYNTAX,
                                 "%s: string %" PRIu64 " is named, but there are only %zu; "
                                 "fetch the file again",
                                 toll_input_name(r->in), index, r->string_count));
    *text = toll_strtab_text(&r->text, r->strings[index]);
    return true;
}
