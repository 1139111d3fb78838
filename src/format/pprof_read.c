/* pprof_read.c - pprof into a profile, streaming.
 *
 * Samples come before the locations, functions and strings that they name, so a tree over location
 * ids is built first (memory goes with distinct stacks, not with samples), and turned into one over
 * frames at the end: pprof_resolve.c. */
#include "format/pprof_read.h"

#include "base/fail.h"
#include "base/text.h"
#include "format/pprof.h"

#include <inttypes.h>
#include <string.h>

enum { LARGEST_FIELD = 1 << 30, LARGEST_HEAD = 20 };

/* --- recognising -------------------------------------------------------------------------------*/

/* The first field is a sample type (1) with a small message of two small numbers, or at least a
 * well-formed field of a known number: pprof has no magic. */
toll_sniff toll_pprof_sniff(const uint8_t *data, size_t size)
{
    toll_wire w = { data, data + size };
    toll_wire_field f, inner;
    if (size == 0 || toll_wire_next(&w, &f) != 1)
        return TOLL_SNIFF_NO;
    if (f.number == PPROF_SAMPLE_TYPE && f.type == TOLL_WIRE_BYTES) {
        int more;
        while ((more = toll_wire_next(&f.bytes, &inner)) == 1)
            if (inner.number > 2 || inner.type != TOLL_WIRE_VARINT)
                return TOLL_SNIFF_NO;
        return more == 0 ? TOLL_SNIFF_SURE : TOLL_SNIFF_NO;
    }
    return f.number <= PPROF_DEFAULT_SAMPLE_TYPE && memchr(data, 0, size) ? TOLL_SNIFF_MAYBE
                                                                          : TOLL_SNIFF_NO;
}

/* --- errors ------------------------------------------------------------------------------------*/

static toll_status bad(pprof_reader *r, toll_error *err, const char *what)
{
    return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_SYNTAX,
                          "%s; is this a pprof file? fetch or write it again", what);
}

/* Room for one more in an array of the reader. */
static bool room(pprof_reader *r, void **array, size_t *capacity, size_t count, size_t size)
{
    return toll_mem_reserve(&r->mem, array, capacity, count + 1, size);
}

/* --- samples -----------------------------------------------------------------------------------*/

static bool push_number(pprof_reader *r, pprof_numbers *list, uint64_t value)
{
    void *items = list->items;
    if (!room(r, &items, &list->capacity, list->count, sizeof *list->items))
        return false;
    list->items = items;
    list->items[list->count++] = value;
    return true;
}

/* Repeated numbers, packed or one by one. */
static toll_status take_numbers(pprof_reader *r, toll_wire_field *f, pprof_numbers *list,
                                toll_error *err)
{
    uint64_t v;
    if (f->type == TOLL_WIRE_VARINT)
        return push_number(r, list, f->value) ? TOLL_OK : toll_fail_nomem(err);
    if (f->type != TOLL_WIRE_BYTES)
        return bad(r, err, "a list of numbers has the wrong type");
    while (f->bytes.p < f->bytes.end) {
        if (!toll_wire_take_varint(&f->bytes, &v))
            return bad(r, err, "a list of numbers is cut off");
        if (!push_number(r, list, v))
            return toll_fail_nomem(err);
    }
    return TOLL_OK;
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

static toll_status take_label(pprof_reader *r, toll_wire label, toll_error *err)
{
    uint64_t fields[5] = { 0 };
    toll_wire_field f;
    int more;
    while ((more = toll_wire_next(&label, &f)) == 1)
        if (f.number <= PPROF_LABEL_NUM_UNIT && f.type == TOLL_WIRE_VARINT)
            fields[f.number] = f.value;
    if (more < 0)
        return bad(r, err, "a label is malformed");
    if (!fields[PPROF_LABEL_STR]) { /* a number tells no thread; each may be another */
        toll_pprof_leave_out_label(r, fields[PPROF_LABEL_KEY]);
        return TOLL_OK;
    }
    for (int i = PPROF_LABEL_KEY; i <= PPROF_LABEL_STR; i++)
        if (!push_number(r, &r->labels, fields[i]))
            return toll_fail_nomem(err);
    return TOLL_OK;
}

/* The root for samples with these very labels: one for each distinct list of labels. */
static toll_node *root_for_labels(pprof_reader *r)
{
    uint32_t id = toll_strtab_add(&r->label_sets, (const char *)r->labels.items,
                                  r->labels.count * sizeof *r->labels.items);
    if (id == UINT32_MAX)
        return NULL;
    while (r->root_count <= id) {
        void *roots = r->roots;
        if (!room(r, &roots, &r->root_capacity, r->root_count, sizeof *r->roots))
            return NULL;
        r->roots = roots;
        r->roots[r->root_count] = NULL;
        r->root_count++;
    }
    if (!r->roots[id])
        r->roots[id] = toll_tree_add_root(&r->tree);
    return r->roots[id];
}

/* The dense number of a location id, defined already or not. */
static bool location_number(pprof_reader *r, uint64_t id, uint32_t *number)
{
    *number = toll_u64map_find(&r->location_index, id);
    if (*number != UINT32_MAX)
        return true;
    void *locations = r->locations;
    if (!room(r, &locations, &r->location_capacity, r->location_count, sizeof *r->locations))
        return false;
    r->locations = locations;
    *number = (uint32_t)r->location_count;
    if (!toll_u64map_add(&r->location_index, id, *number))
        return false;
    r->locations[r->location_count++] = (pprof_location){ .id = id, .used_at = r->field_offset };
    return true;
}

static toll_status add_sample(pprof_reader *r, toll_error *err)
{
    toll_node *node = root_for_labels(r);
    if (!node)
        return toll_fail_nomem(err);
    for (size_t i = r->stack.count; i-- > 0;) { /* stored leaf first */
        uint32_t number;
        if (!location_number(r, r->stack.items[i], &number))
            return toll_fail_nomem(err);
        node = toll_tree_child(&r->tree, node, number);
        if (!node)
            return toll_fail_nomem(err);
    }
    for (size_t i = 0; i < r->values.count; i++)
        if (!toll_i64_add(node->values[i], (int64_t)r->values.items[i], &node->values[i]))
            return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_OVERFLOW,
                                  "the values of one stack do not fit 64 bits");
    return TOLL_OK;
}

/* All samples have as many values; value types may stand behind them. */
static toll_status check_value_count(pprof_reader *r, toll_error *err)
{
    size_t expected = r->tree_made    ? r->tree.width
                      : r->type_count ? r->type_count
                                      : r->values.count;
    if (r->values.count != expected || expected > TOLL_MAX_COLUMNS)
        return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_SYNTAX,
                              "a sample has %zu values, not %zu", r->values.count,
                              expected > TOLL_MAX_COLUMNS ? (size_t)TOLL_MAX_COLUMNS : expected);
    if (!r->tree_made)
        toll_tree_init(&r->tree, &r->mem, (uint32_t)expected);
    r->tree_made = true;
    return TOLL_OK;
}

static toll_status take_sample(pprof_reader *r, toll_wire sample, toll_error *err)
{
    toll_wire_field f;
    toll_status status = TOLL_OK;
    int more = 1;
    r->stack.count = r->values.count = r->labels.count = 0;
    while (!status && (more = toll_wire_next(&sample, &f)) == 1) {
        if (f.number == PPROF_SAMPLE_LOCATION_ID)
            status = take_numbers(r, &f, &r->stack, err);
        else if (f.number == PPROF_SAMPLE_VALUE)
            status = take_numbers(r, &f, &r->values, err);
        else if (f.number == PPROF_SAMPLE_LABEL && f.type == TOLL_WIRE_BYTES)
            status = take_label(r, f.bytes, err);
    }
    if (status)
        return status;
    if (more < 0)
        return bad(r, err, "a sample is malformed");
    status = check_value_count(r, err);
    return status ? status : add_sample(r, err);
}

/* --- the other messages ------------------------------------------------------------------------*/

/* Number fields of a message into fields[0..count), by field number; others are passed over. */
static bool take_fields(toll_wire message, uint64_t *fields, uint32_t count)
{
    toll_wire_field f;
    int more;
    while ((more = toll_wire_next(&message, &f)) == 1)
        if (f.number < count && f.type == TOLL_WIRE_VARINT)
            fields[f.number] = f.value;
    return more == 0;
}

static toll_status take_type(pprof_reader *r, toll_wire message, pprof_type *type, toll_error *err)
{
    uint64_t f[3] = { 0 };
    if (!take_fields(message, f, 3))
        return bad(r, err, "a value type is malformed");
    *type = (pprof_type){ f[PPROF_TYPE_TYPE], f[PPROF_TYPE_UNIT] };
    return TOLL_OK;
}

static toll_status take_sample_type(pprof_reader *r, toll_wire message, toll_error *err)
{
    if (r->type_count == TOLL_MAX_COLUMNS)
        return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_LIMIT, "more than %d value types",
                              TOLL_MAX_COLUMNS);
    return take_type(r, message, &r->types[r->type_count++], err);
}

static toll_status take_mapping(pprof_reader *r, toll_wire message, toll_error *err)
{
    uint64_t f[6] = { 0 };
    void *mappings = r->mappings;
    if (!take_fields(message, f, 6))
        return bad(r, err, "a mapping is malformed");
    if (f[PPROF_MAPPING_ID] == 0 ||
        toll_u64map_find(&r->mapping_index, f[PPROF_MAPPING_ID]) != UINT32_MAX)
        return bad(r, err, "a mapping's id is 0 or taken");
    if (!room(r, &mappings, &r->mapping_capacity, r->mapping_count, sizeof *r->mappings))
        return toll_fail_nomem(err);
    r->mappings = mappings;
    r->mappings[r->mapping_count] = f[PPROF_MAPPING_FILENAME];
    if (!toll_u64map_add(&r->mapping_index, f[PPROF_MAPPING_ID], (uint32_t)r->mapping_count))
        return toll_fail_nomem(err);
    r->mapping_count++;
    return TOLL_OK;
}

static toll_status take_function(pprof_reader *r, toll_wire message, toll_error *err)
{
    uint64_t f[6] = { 0 };
    void *functions = r->functions;
    if (!take_fields(message, f, 6))
        return bad(r, err, "a function is malformed");
    if (f[PPROF_FUNCTION_ID] == 0 ||
        toll_u64map_find(&r->function_index, f[PPROF_FUNCTION_ID]) != UINT32_MAX)
        return bad(r, err, "a function's id is 0 or taken");
    if (!room(r, &functions, &r->function_capacity, r->function_count, sizeof *r->functions))
        return toll_fail_nomem(err);
    r->functions = functions;
    r->functions[r->function_count] = (pprof_function){
        .id = f[PPROF_FUNCTION_ID],
        .name = f[PPROF_FUNCTION_NAME],
        .system_name = f[PPROF_FUNCTION_SYSTEM_NAME],
        .filename = f[PPROF_FUNCTION_FILENAME],
        .start_line = f[PPROF_FUNCTION_START_LINE],
        .defined_at = r->field_offset,
    };
    if (!toll_u64map_add(&r->function_index, f[PPROF_FUNCTION_ID], (uint32_t)r->function_count))
        return toll_fail_nomem(err);
    r->function_count++;
    return TOLL_OK;
}

static toll_status take_line(pprof_reader *r, toll_wire message, pprof_location *location,
                             toll_error *err)
{
    uint64_t f[3] = { 0 };
    if (!take_fields(message, f, 3))
        return bad(r, err, "a line of a location is malformed");
    if (!push_number(r, &r->lines, f[PPROF_LINE_FUNCTION_ID]) ||
        !push_number(r, &r->lines, f[PPROF_LINE_LINE]))
        return toll_fail_nomem(err);
    location->line_count++;
    return TOLL_OK;
}

static toll_status take_location(pprof_reader *r, toll_wire message, toll_error *err)
{
    pprof_location l = { .defined = true,
                         .used_at = r->field_offset,
                         .first_line = r->lines.count };
    toll_wire_field f;
    toll_status status = TOLL_OK;
    uint32_t number;
    int more = 1;
    while (!status && (more = toll_wire_next(&message, &f)) == 1) {
        if (f.number == PPROF_LOCATION_LINE && f.type == TOLL_WIRE_BYTES)
            status = take_line(r, f.bytes, &l, err);
        else if (f.number == PPROF_LOCATION_ID)
            l.id = f.value;
        else if (f.number == PPROF_LOCATION_MAPPING_ID)
            l.mapping = f.value;
        else if (f.number == PPROF_LOCATION_ADDRESS)
            l.address = f.value;
    }
    if (status)
        return status;
    if (more < 0)
        return bad(r, err, "a location is malformed");
    if (!location_number(r, l.id, &number))
        return toll_fail_nomem(err);
    if (l.id == 0 || r->locations[number].defined)
        return bad(r, err, "a location's id is 0 or taken");
    r->locations[number] = l;
    return TOLL_OK;
}

static toll_status take_string(pprof_reader *r, toll_wire text, toll_error *err)
{
    const char *p = (const char *)text.p;
    size_t size = (size_t)(text.end - text.p);
    void *strings = r->strings;
    if (toll_text_check(p, size) < size)
        return bad(r, err, "a string is not UTF-8 or holds a NUL");
    if (r->string_count == 0 && size)
        return bad(r, err, "the first string is not empty");
    uint32_t id = toll_strtab_add(&r->text, p, size);
    if (id == UINT32_MAX ||
        !room(r, &strings, &r->string_capacity, r->string_count, sizeof *r->strings))
        return toll_fail_nomem(err);
    r->strings = strings;
    r->strings[r->string_count++] = id;
    return TOLL_OK;
}

static toll_status take_message(pprof_reader *r, uint32_t number, toll_wire message,
                                toll_error *err)
{
    toll_wire_field f = { PPROF_COMMENT, TOLL_WIRE_BYTES, 0, message };
    switch (number) {
    case PPROF_SAMPLE_TYPE: return take_sample_type(r, message, err);
    case PPROF_SAMPLE: return take_sample(r, message, err);
    case PPROF_MAPPING: return take_mapping(r, message, err);
    case PPROF_LOCATION: return take_location(r, message, err);
    case PPROF_FUNCTION: return take_function(r, message, err);
    case PPROF_STRING_TABLE: return take_string(r, message, err);
    case PPROF_PERIOD_TYPE: return take_type(r, message, &r->period_type, err);
    case PPROF_COMMENT: return take_numbers(r, &f, &r->comments, err);
    default: return TOLL_OK;
    }
}

static toll_status take_number(pprof_reader *r, uint32_t number, uint64_t value, toll_error *err)
{
    switch (number) {
    case PPROF_TIME_NANOS: r->time_ns = (int64_t)value; return TOLL_OK;
    case PPROF_DURATION_NANOS: r->duration_ns = (int64_t)value; return TOLL_OK;
    case PPROF_PERIOD: r->period = value; return TOLL_OK;
    case PPROF_DEFAULT_SAMPLE_TYPE: r->default_type = value; return TOLL_OK;
    case PPROF_COMMENT: return push_number(r, &r->comments, value) ? TOLL_OK : toll_fail_nomem(err);
    default: return TOLL_OK;
    }
}

/* --- the stream --------------------------------------------------------------------------------*/

static toll_status cut_off(pprof_reader *r, toll_error *err, uint64_t claimed, size_t left)
{
    toll_status status = toll_input_check(r->in, err);
    if (status)
        return status;
    return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_TRUNCATED,
                          "a field claims %" PRIu64 " bytes, %zu are left; fetch the file again",
                          claimed, left);
}

/* One field of the profile: its head, and all of its bytes if it has some. */
static toll_status take_field(pprof_reader *r, const uint8_t *data, size_t size, toll_error *err)
{
    toll_wire w = { data, data + (size < LARGEST_HEAD ? size : LARGEST_HEAD) };
    uint64_t tag, length;
    size_t got;
    if (!toll_wire_take_varint(&w, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return bad(r, err, size < 10 ? "the file is cut off" : "a field has no valid number");
    uint32_t number = (uint32_t)(tag >> 3);
    unsigned type = tag & 7;
    if (type == TOLL_WIRE_FIXED32 || type == TOLL_WIRE_FIXED64) {
        length = type == TOLL_WIRE_FIXED32 ? 4 : 8;
    } else if ((type != TOLL_WIRE_VARINT && type != TOLL_WIRE_BYTES) ||
               !toll_wire_take_varint(&w, &length)) {
        return bad(r, err, "a field is malformed");
    }
    size_t head = (size_t)(w.p - data);
    if (type == TOLL_WIRE_VARINT) {
        toll_input_skip(r->in, head);
        return take_number(r, number, length, err);
    }
    if (length > LARGEST_FIELD)
        return toll_fail_byte(r->in, r->field_offset, err, TOLL_E_SYNTAX,
                              "a field claims %" PRIu64 " bytes; the file is damaged", length);
    data = toll_input_peek(r->in, head + (size_t)length, &got);
    if (got < head + length)
        return cut_off(r, err, length, got - head);
    toll_status status = TOLL_OK;
    if (type == TOLL_WIRE_BYTES)
        status = take_message(r, number, (toll_wire){ data + head, data + head + length }, err);
    toll_input_skip(r->in, head + (size_t)length);
    return status;
}

static toll_status take_all(pprof_reader *r, toll_error *err)
{
    toll_status status = TOLL_OK;
    size_t size;
    for (;;) {
        r->field_offset = toll_input_offset(r->in);
        const uint8_t *data = toll_input_peek(r->in, LARGEST_HEAD, &size);
        if (size == 0 || status)
            break;
        status = take_field(r, data, size, err);
    }
    return status ? status : toll_input_check(r->in, err);
}

static void free_numbers(pprof_reader *r, pprof_numbers *list)
{
    toll_mem_free(&r->mem, list->items, list->capacity, sizeof *list->items);
}

static void clean_up(pprof_reader *r)
{
    toll_tree_free(&r->tree);
    toll_strtab_free(&r->label_sets);
    toll_strtab_free(&r->text);
    toll_u64map_free(&r->location_index);
    toll_u64map_free(&r->function_index);
    toll_u64map_free(&r->mapping_index);
    free_numbers(r, &r->stack);
    free_numbers(r, &r->values);
    free_numbers(r, &r->labels);
    free_numbers(r, &r->lines);
    free_numbers(r, &r->comments);
    toll_mem_free(&r->mem, r->roots, r->root_capacity, sizeof *r->roots);
    toll_mem_free(&r->mem, r->locations, r->location_capacity, sizeof *r->locations);
    toll_mem_free(&r->mem, r->functions, r->function_capacity, sizeof *r->functions);
    toll_mem_free(&r->mem, r->mappings, r->mapping_capacity, sizeof *r->mappings);
    toll_mem_free(&r->mem, r->strings, r->string_capacity, sizeof *r->strings);
}

toll_status toll_pprof_read(toll_read_job *job, toll_error *err)
{
    pprof_reader r = { .in = job->in, .mem = *toll_input_mem(job->in), .options = job->options };
    toll_tree_init(&r.tree, &r.mem, 0);
    toll_strtab_init(&r.label_sets, &r.mem);
    toll_strtab_init(&r.text, &r.mem);
    toll_u64map_init(&r.location_index, &r.mem);
    toll_u64map_init(&r.function_index, &r.mem);
    toll_u64map_init(&r.mapping_index, &r.mem);
    toll_status status = take_all(&r, err);
    if (!status)
        status = toll_pprof_resolve(&r, &job->profile, err);
    clean_up(&r);
    return status;
}
