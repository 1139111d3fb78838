/* pprof_read.c - reads the messages of a pprof file, one after the other. See pprof_read.h. */
#include "format/pprof_read.h"

#include "base/array.h"
#include "base/text.h"
#include "format/pprof.h"

#include <inttypes.h>
#include <string.h>

enum { LARGEST_FIELD = 1 << 30, LARGEST_HEAD = 20 };

/* --- recognising -------------------------------------------------------------------------------*/

/* pprof files have no magic number. So the first field must be a sample type (1) with a small
 * message of two small numbers, or at least a well-formed field with a known number. */
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

/* --- messages ----------------------------------------------------------------------------------*/

/* Store the number fields of a message in fields[0..count), by field number; skip others. */
static bool read_fields(toll_wire message, uint64_t *fields, uint32_t count)
{
    toll_wire_field f;
    int more;
    while ((more = toll_wire_next(&message, &f)) == 1)
        if (f.number < count && f.type == TOLL_WIRE_VARINT)
            fields[f.number] = f.value;
    return more == 0;
}

static bool read_type(pprof_reader *r, toll_wire message, pprof_type *type)
{
    uint64_t f[3] = { 0 };
    if (!read_fields(message, f, 3))
        return toll_pprof_bad(r, "a value type is malformed");
    *type = (pprof_type){ f[PPROF_TYPE_TYPE], f[PPROF_TYPE_UNIT] };
    return true;
}

static bool read_sample_type(pprof_reader *r, toll_wire message)
{
    if (r->type_count == TOLL_MAX_COLUMNS)
        return toll_ok(&r->failure,
                       toll_fail_byte(r->in, r->field_offset, r->failure.err, TOLL_E_LIMIT,
                                      "more than %d value types", TOLL_MAX_COLUMNS));
    return read_type(r, message, &r->types[r->type_count++]);
}

static bool read_mapping(pprof_reader *r, toll_wire message)
{
    uint64_t f[11] = { 0 };
    if (!read_fields(message, f, 11))
        return toll_pprof_bad(r, "a mapping is malformed");
    if (f[PPROF_MAPPING_ID] == 0 ||
        toll_u64map_find(&r->mapping_index, f[PPROF_MAPPING_ID]) != UINT32_MAX)
        return toll_pprof_bad(r, "a mapping's id is 0 or taken");
    if (!toll_array_grow(&r->mem, &r->mappings, &r->mapping_capacity, r->mapping_count, 1))
        return toll_no_memory(&r->failure);
    r->mappings[r->mapping_count] = (pprof_mapping){
        .file = f[PPROF_MAPPING_FILENAME],
        .build_id = f[PPROF_MAPPING_BUILD_ID],
        .memory_limit = f[PPROF_MAPPING_MEMORY_LIMIT],
        .has_functions = f[PPROF_MAPPING_HAS_FUNCTIONS],
        .has_filenames = f[PPROF_MAPPING_HAS_FILENAMES],
        .has_lines = f[PPROF_MAPPING_HAS_LINE_NUMBERS],
    };
    if (!toll_u64map_add(&r->mapping_index, f[PPROF_MAPPING_ID], (uint32_t)r->mapping_count))
        return toll_no_memory(&r->failure);
    r->mapping_count++;
    return true;
}

static bool read_function(pprof_reader *r, toll_wire message)
{
    uint64_t f[PPROF_FUNCTION_PART_OF + 1] = { 0 };
    if (!read_fields(message, f, PPROF_FUNCTION_PART_OF + 1))
        return toll_pprof_bad(r, "a function is malformed");
    if (f[PPROF_FUNCTION_ID] == 0 ||
        toll_u64map_find(&r->function_index, f[PPROF_FUNCTION_ID]) != UINT32_MAX)
        return toll_pprof_bad(r, "a function's id is 0 or taken");
    if (!toll_array_grow(&r->mem, &r->functions, &r->function_capacity, r->function_count, 1))
        return toll_no_memory(&r->failure);
    r->functions[r->function_count] = (pprof_function){
        .id = f[PPROF_FUNCTION_ID],
        .name = f[PPROF_FUNCTION_NAME],
        .system_name = f[PPROF_FUNCTION_SYSTEM_NAME],
        .filename = f[PPROF_FUNCTION_FILENAME],
        .start_line = f[PPROF_FUNCTION_START_LINE],
        .part_of = f[PPROF_FUNCTION_PART_OF],
        .defined_at = r->field_offset,
    };
    if (!toll_u64map_add(&r->function_index, f[PPROF_FUNCTION_ID], (uint32_t)r->function_count))
        return toll_no_memory(&r->failure);
    r->function_count++;
    return true;
}

static bool read_line(pprof_reader *r, toll_wire message, pprof_location *location)
{
    uint64_t f[3] = { 0 };
    if (!read_fields(message, f, 3))
        return toll_pprof_bad(r, "a line of a location is malformed");
    location->line_count++;
    return toll_pprof_push(r, &r->lines, f[PPROF_LINE_FUNCTION_ID]) &&
           toll_pprof_push(r, &r->lines, f[PPROF_LINE_LINE]);
}

static bool read_location(pprof_reader *r, toll_wire message)
{
    pprof_location l = { .defined = true,
                         .used_at = r->field_offset,
                         .first_line = r->lines.count };
    toll_wire_field f;
    bool good = true;
    uint32_t number;
    int more = 1;
    while (good && (more = toll_wire_next(&message, &f)) == 1) {
        if (f.number == PPROF_LOCATION_LINE && f.type == TOLL_WIRE_BYTES)
            good = read_line(r, f.bytes, &l);
        else if (f.number == PPROF_LOCATION_ID)
            l.id = f.value;
        else if (f.number == PPROF_LOCATION_MAPPING_ID)
            l.mapping = f.value;
        else if (f.number == PPROF_LOCATION_ADDRESS)
            l.address = f.value;
    }
    if (good && more < 0)
        return toll_pprof_bad(r, "a location is malformed");
    if (!good || !toll_pprof_location(r, l.id, &number))
        return false;
    if (l.id == 0 || r->locations[number].defined)
        return toll_pprof_bad(r, "a location's id is 0 or taken");
    r->locations[number] = l;
    return true;
}

static bool read_string(pprof_reader *r, toll_wire text)
{
    const char *p = (const char *)text.p;
    size_t size = (size_t)(text.end - text.p);
    if (toll_text_check(p, size) < size)
        return toll_pprof_bad(r, "a string is not UTF-8 or holds a NUL");
    if (r->string_count == 0 && size)
        return toll_pprof_bad(r, "the first string is not empty");
    uint32_t id = toll_strtab_add(&r->text, p, size);
    if (id == UINT32_MAX ||
        !toll_array_grow(&r->mem, &r->strings, &r->string_capacity, r->string_count, 1))
        return toll_no_memory(&r->failure);
    r->strings[r->string_count++] = id;
    return true;
}

static bool read_message(pprof_reader *r, uint32_t number, toll_wire message)
{
    toll_wire_field f = { PPROF_COMMENT, TOLL_WIRE_BYTES, 0, message };
    switch (number) {
    case PPROF_SAMPLE_TYPE: return read_sample_type(r, message);
    case PPROF_SAMPLE: return toll_pprof_read_sample(r, message);
    case PPROF_MAPPING: return read_mapping(r, message);
    case PPROF_LOCATION: return read_location(r, message);
    case PPROF_FUNCTION: return read_function(r, message);
    case PPROF_STRING_TABLE: return read_string(r, message);
    case PPROF_PERIOD_TYPE: return read_type(r, message, &r->period_type);
    case PPROF_COMMENT: return toll_pprof_take_numbers(r, &f, &r->comments);
    default: return true;
    }
}

static bool read_number(pprof_reader *r, uint32_t number, uint64_t value)
{
    switch (number) {
    case PPROF_TIME_NANOS: r->time_ns = (int64_t)value; return true;
    case PPROF_DURATION_NANOS: r->duration_ns = (int64_t)value; return true;
    case PPROF_PERIOD: r->period = value; return true;
    case PPROF_DEFAULT_SAMPLE_TYPE: r->default_type = value; return true;
    case PPROF_COMMENT: return toll_pprof_push(r, &r->comments, value);
    default: return true;
    }
}

/* --- the stream --------------------------------------------------------------------------------*/

static bool fail_cut_off(pprof_reader *r, uint64_t claimed, size_t left)
{
    toll_error *err = r->failure.err;
    return toll_ok(&r->failure, toll_input_check(r->in, err)) &&
           toll_ok(&r->failure, toll_fail_byte(r->in, r->field_offset, err, TOLL_E_TRUNCATED,
                                               "a field claims %" PRIu64
                                               " bytes, %zu are left; fetch the file again",
                                               claimed, left));
}

/* Read the rest of a field: the `length` bytes after its head. */
static bool read_bytes(pprof_reader *r, uint32_t number, unsigned type, size_t head,
                       uint64_t length)
{
    size_t got;
    if (length > LARGEST_FIELD)
        return toll_ok(&r->failure,
                       toll_fail_byte(r->in, r->field_offset, r->failure.err, TOLL_E_SYNTAX,
                                      "a field claims %" PRIu64 " bytes; the file is damaged",
                                      length));
    const uint8_t *data = toll_input_peek(r->in, head + (size_t)length, &got);
    if (got < head + length)
        return fail_cut_off(r, length, got - head);
    bool good = type != TOLL_WIRE_BYTES ||
                read_message(r, number, (toll_wire){ data + head, data + head + length });
    toll_input_skip(r->in, head + (size_t)length);
    return good;
}

/* Read one field of the profile; data[size] has its head. */
static bool read_field(pprof_reader *r, const uint8_t *data, size_t size)
{
    toll_wire w = { data, data + (size < LARGEST_HEAD ? size : LARGEST_HEAD) };
    uint64_t tag, length;
    if (!toll_wire_take_varint(&w, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return toll_pprof_bad(r, size < 10 ? "the file is cut off" : "a field has no valid number");
    uint32_t number = (uint32_t)(tag >> 3);
    unsigned type = tag & 7;
    if (type == TOLL_WIRE_FIXED32 || type == TOLL_WIRE_FIXED64) {
        length = type == TOLL_WIRE_FIXED32 ? 4 : 8;
    } else if ((type != TOLL_WIRE_VARINT && type != TOLL_WIRE_BYTES) ||
               !toll_wire_take_varint(&w, &length)) {
        return toll_pprof_bad(r, "a field is malformed");
    }
    size_t head = (size_t)(w.p - data);
    if (type != TOLL_WIRE_VARINT)
        return read_bytes(r, number, type, head, length);
    toll_input_skip(r->in, head);
    return read_number(r, number, length);
}

static bool read_all(pprof_reader *r)
{
    const uint8_t *data;
    size_t size;
    for (;;) {
        r->field_offset = toll_input_offset(r->in);
        data = toll_input_peek(r->in, LARGEST_HEAD, &size);
        if (size == 0)
            return toll_ok(&r->failure, toll_input_check(r->in, r->failure.err));
        if (!read_field(r, data, size))
            return false;
    }
}

static void free_numbers(pprof_reader *r, pprof_numbers *list)
{
    toll_mem_free(&r->mem, list->items, list->capacity, sizeof *list->items);
}

static void clean_up(pprof_reader *r)
{
    toll_pprof_free_stack(r);
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
    pprof_reader r = {
        .in = job->in, .mem = *toll_input_mem(job->in), .failure.err = err, .options = job->options
    };
    toll_tree_init(&r.tree, &r.mem, 0);
    toll_strtab_init(&r.label_sets, &r.mem);
    toll_strtab_init(&r.text, &r.mem);
    toll_u64map_init(&r.location_index, &r.mem);
    toll_u64map_init(&r.function_index, &r.mem);
    toll_u64map_init(&r.mapping_index, &r.mem);
    if (read_all(&r))
        toll_pprof_resolve(&r, &job->profile);
    clean_up(&r);
    return r.failure.status;
}
