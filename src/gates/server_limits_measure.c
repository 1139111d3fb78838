/* server_limits_measure.c - measures what a server would get: reads the pprof that Toll has
 * written, in which ids count from 1. See server_limits.h. */
#include "gates/server_limits.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/wire.h"
#include "format/pprof.h"

#include <string.h>

/* By id, the longest name within each function or location; id 0 is unused. */
typedef struct longest {
    uint64_t *sizes;
    size_t count, capacity;
} longest;

typedef struct measurer {
    toll_limits *limits;
    const toll_mem *mem;
    toll_wire file;
    toll_wire *strings;
    size_t string_count, string_capacity;
    longest functions, locations;
    int64_t *values; /* of the sample, by column */
    uint64_t whole[TOLL_MEASURE_COUNT];
    toll_buffer name;   /* of a label, in which other characters than A-Za-z0-9_ are _ */
    toll_strtab names;  /* all of these */
    uint64_t *named_in; /* by the id of such a name: the last sample that has it */
    size_t named_count, named_capacity;
    uint64_t sample; /* number of the current one, from 1 */
    toll_failure failure;
} measurer;

static bool bad(measurer *m)
{
    return toll_ok(&m->failure,
                   toll_fail(m->failure.err, TOLL_E_SYNTAX, "this is not pprof as Toll writes it"));
}

/* --- reading messages --------------------------------------------------------------------------*/

/* Visit each of the file's messages of one kind. */
static bool each(measurer *m, uint32_t number, bool (*visit)(measurer *, toll_wire))
{
    toll_wire at = m->file;
    toll_wire_field field;
    int got;
    while ((got = toll_wire_next(&at, &field)) > 0)
        if (field.number == number && field.type == TOLL_WIRE_BYTES && !visit(m, field.bytes))
            return false;
    return got == 0 || bad(m);
}

static size_t size_of(toll_wire bytes)
{
    return (size_t)(bytes.end - bytes.p);
}

static void keep_most(uint64_t *most, uint64_t value)
{
    *most = *most < value ? value : *most;
}

static uint64_t string_size(const measurer *m, uint64_t id)
{
    return id < m->string_count ? size_of(m->strings[id]) : 0;
}

static bool visit_string(measurer *m, toll_wire text)
{
    if (!toll_array_grow(m->mem, &m->strings, &m->string_capacity, m->string_count, 1))
        return toll_no_memory(&m->failure);
    m->strings[m->string_count++] = text;
    return true;
}

static bool is_plain(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_metric(toll_wire name)
{
    while (name.p < name.end && (is_plain(*name.p) || *name.p == ':'))
        name.p++;
    return name.p == name.end;
}

/* The type of a column or of the period. */
static bool visit_type(measurer *m, toll_wire message)
{
    toll_wire_field field;
    while (toll_wire_next(&message, &field) > 0)
        if (field.value < m->string_count)
            m->whole[TOLL_MEASURE_NO_METRICS] += !is_metric(m->strings[field.value]);
    return true;
}

static bool visit_sample_type(measurer *m, toll_wire message)
{
    toll_wire_field field;
    m->limits->columns++;
    visit_type(m, message);
    while (toll_wire_next(&message, &field) > 0)
        if (field.number == PPROF_TYPE_TYPE && field.value < m->string_count) {
            toll_wire name = m->strings[field.value];
            m->whole[TOLL_MEASURE_DASHES] += size_of(name) && memchr(name.p, '-', size_of(name));
        }
    return true;
}

static bool count_sample(measurer *m, toll_wire message)
{
    (void)message;
    m->whole[TOLL_MEASURE_STACKS]++;
    return true;
}

/* Add the value for the function or location with the next id. */
static bool add_longest(measurer *m, longest *l, uint64_t size)
{
    if (!toll_array_grow(m->mem, &l->sizes, &l->capacity, l->count, 2))
        return toll_no_memory(&m->failure);
    if (!l->count)
        l->sizes[l->count++] = 0;
    l->sizes[l->count++] = size;
    return true;
}

static uint64_t longest_of(const longest *l, uint64_t id)
{
    return id < l->count ? l->sizes[id] : 0;
}

static bool visit_function(measurer *m, toll_wire message)
{
    toll_wire_field field;
    uint64_t most = 0;
    while (toll_wire_next(&message, &field) > 0)
        if (field.number == PPROF_FUNCTION_NAME || field.number == PPROF_FUNCTION_SYSTEM_NAME ||
            field.number == PPROF_FUNCTION_FILENAME)
            keep_most(&most, string_size(m, field.value));
    return add_longest(m, &m->functions, most);
}

static bool visit_location(measurer *m, toll_wire message)
{
    toll_wire_field field, line;
    uint64_t most = 0;
    while (toll_wire_next(&message, &field) > 0)
        while (field.number == PPROF_LOCATION_LINE && toll_wire_next(&field.bytes, &line) > 0)
            if (line.number == PPROF_LINE_FUNCTION_ID)
                keep_most(&most, longest_of(&m->functions, line.value));
    return add_longest(m, &m->locations, most);
}

/* --- samples -----------------------------------------------------------------------------------*/

static void measure_locations(const measurer *m, toll_wire ids, uint64_t *of)
{
    uint64_t id;
    while (toll_wire_take_varint(&ids, &id)) {
        of[TOLL_MEASURE_DEPTH]++;
        keep_most(&of[TOLL_MEASURE_NAME], longest_of(&m->locations, id));
    }
}

static bool measure_values(measurer *m, toll_wire values, uint64_t *of)
{
    uint64_t value;
    uint32_t count = 0;
    while (count < m->limits->columns && toll_wire_take_varint(&values, &value)) {
        m->values[count] = (int64_t)value;
        of[TOLL_MEASURE_NEGATIVE] += m->values[count++] < 0;
    }
    return (count == m->limits->columns && values.p == values.end) || bad(m);
}

/* Put the name of a label into the buffer with _ for each other character. Is it the same? */
static bool make_plain(toll_buffer *out, toll_wire name)
{
    bool is_same = true;
    toll_buffer_clear(out);
    for (; name.p < name.end; name.p++) {
        if ((*name.p & 0xc0) == 0x80)
            continue; /* goes on within a character */
        is_same &= is_plain(*name.p);
        toll_buffer_append_byte(out, is_plain(*name.p) ? *name.p : '_');
    }
    return is_same;
}

static bool measure_label_name(measurer *m, uint64_t string, uint64_t *of)
{
    keep_most(&of[TOLL_MEASURE_LABEL_NAME], string_size(m, string));
    if (string >= m->string_count)
        return true;
    of[TOLL_MEASURE_NO_NAMES] += !make_plain(&m->name, m->strings[string]);
    const char *name = toll_buffer_cstr(&m->name);
    uint32_t id = name ? toll_strtab_add(&m->names, name, m->name.size) : UINT32_MAX;
    if (id == UINT32_MAX ||
        !toll_array_grow(m->mem, &m->named_in, &m->named_capacity, m->named_count, 2))
        return toll_no_memory(&m->failure);
    while (m->named_count <= id)
        m->named_in[m->named_count++] = 0;
    of[TOLL_MEASURE_REPEATED] += m->named_in[id] == m->sample;
    m->named_in[id] = m->sample;
    return true;
}

static bool measure_label(measurer *m, toll_wire message, uint64_t *of)
{
    toll_wire_field field;
    of[TOLL_MEASURE_LABELS]++;
    while (toll_wire_next(&message, &field) > 0) {
        if (field.number == PPROF_LABEL_KEY && !measure_label_name(m, field.value, of))
            return false;
        if (field.number == PPROF_LABEL_STR)
            keep_most(&of[TOLL_MEASURE_LABEL_VALUE], string_size(m, field.value));
    }
    return true;
}

static bool add_sums(measurer *m, toll_limit_result *r)
{
    r->stacks++;
    for (uint32_t c = 0; c < m->limits->columns; c++)
        if (!toll_i64_add(r->sums[c], m->values[c], &r->sums[c]))
            return toll_ok(&m->failure, toll_fail(m->failure.err, TOLL_E_OVERFLOW,
                                                  "a sum of values needs more than 64 bits"));
    return true;
}

static bool visit_sample(measurer *m, toll_wire message)
{
    toll_limits *l = m->limits;
    uint64_t of[TOLL_MEASURE_COUNT];
    toll_wire_field field;
    memcpy(of, m->whole, sizeof of);
    m->sample++;
    memset(m->values, 0, l->columns * sizeof *m->values);
    while (toll_wire_next(&message, &field) > 0) {
        if (field.number == PPROF_SAMPLE_LOCATION_ID)
            measure_locations(m, field.bytes, of);
        else if (field.number == PPROF_SAMPLE_LABEL && !measure_label(m, field.bytes, of))
            return false;
        else if (field.number == PPROF_SAMPLE_VALUE && !measure_values(m, field.bytes, of))
            return false;
    }
    for (size_t i = 0; i < l->count; i++) {
        keep_most(&l->results[i].met, of[l->rows[i].measure]);
        if (of[l->rows[i].measure] > l->rows[i].most && !add_sums(m, &l->results[i]))
            return false;
    }
    return add_sums(m, &l->results[l->count]);
}

/* --- the whole ---------------------------------------------------------------------------------*/

static bool set_up(measurer *m)
{
    toll_limits *l = m->limits;
    size_t columns = l->columns ? l->columns : 1;
    m->values = toll_mem_new(m->mem, columns, sizeof *m->values);
    l->results = toll_mem_new(m->mem, l->count + 1, sizeof *l->results);
    l->sums = toll_mem_new(m->mem, (l->count + 1) * columns, sizeof *l->sums);
    if (!m->values || !l->results || !l->sums)
        return toll_no_memory(&m->failure);
    for (size_t i = 0; i <= l->count; i++)
        l->results[i] = (toll_limit_result){ .met = i < l->count ? m->whole[l->rows[i].measure] : 0,
                                             .sums = l->sums + i * columns };
    memset(l->sums, 0, (l->count + 1) * columns * sizeof *l->sums);
    return true;
}

/* Strings come last in the file, and everything that names one needs them. So each kind of message
 * has a pass of its own. */
static bool measure(measurer *m)
{
    return each(m, PPROF_STRING_TABLE, visit_string) &&
           each(m, PPROF_SAMPLE_TYPE, visit_sample_type) &&
           each(m, PPROF_PERIOD_TYPE, visit_type) && each(m, PPROF_SAMPLE, count_sample) &&
           each(m, PPROF_FUNCTION, visit_function) && each(m, PPROF_LOCATION, visit_location) &&
           set_up(m) && each(m, PPROF_SAMPLE, visit_sample);
}

toll_status toll_limits_measure(toll_limits *out, const toll_mem *mem,
                                const toll_server_limit *rows, size_t count, const void *pprof,
                                size_t size, uint64_t age_s, toll_error *err)
{
    const uint8_t *data = pprof;
    *out = (toll_limits){ .mem = *mem, .rows = rows, .count = count };
    measurer m = { .limits = out,
                   .mem = mem,
                   .file = { data, data ? data + size : data },
                   .whole = { [TOLL_MEASURE_SIZE] = size, [TOLL_MEASURE_AGE] = age_s },
                   .failure = { .err = err } };
    toll_buffer_init(&m.name, mem);
    toll_strtab_init(&m.names, mem);
    measure(&m);
    toll_buffer_free(&m.name);
    toll_strtab_free(&m.names);
    toll_mem_free(mem, m.named_in, m.named_capacity, sizeof *m.named_in);
    toll_mem_free(mem, m.strings, m.string_capacity, sizeof *m.strings);
    toll_mem_free(mem, m.functions.sizes, m.functions.capacity, sizeof *m.functions.sizes);
    toll_mem_free(mem, m.locations.sizes, m.locations.capacity, sizeof *m.locations.sizes);
    toll_mem_free(mem, m.values, out->columns ? out->columns : 1, sizeof *m.values);
    return m.failure.status;
}

void toll_limits_free(toll_limits *l)
{
    size_t columns = l->columns ? l->columns : 1;
    toll_mem_free(&l->mem, l->results, l->count + 1, sizeof *l->results);
    toll_mem_free(&l->mem, l->sums, (l->count + 1) * columns, sizeof *l->sums);
    l->results = NULL;
    l->sums = NULL;
}
