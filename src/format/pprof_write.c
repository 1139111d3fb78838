/* pprof_write.c - writes a profile as pprof, in the order of its fields, sample by sample.
 *
 * Locations, functions, mappings and strings have ids in the order in which the canonical walk
 * meets them: see pprof_tables.h. So the bytes depend only on what the profile contains. If another
 * function has the same name, a function is written under its label: see pprof.h. */
#include "base/array.h"
#include "base/fail.h"
#include "base/strtab.h"
#include "base/wire.h"
#include "format/format_row.h"
#include "format/pprof_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct pprof_writer {
    const toll_profile *profile;
    toll_order order;
    toll_labels labels;
    pprof_tables tables;
    toll_strtab strings; /* an id is the index in the string table: 0 is "" in both */
    toll_output *out;
    toll_buffer message, inner; /* the message being built, and one nested in it */
    toll_buffer thread_labels;  /* fields of a sample: the name and labels of its thread */
    uint32_t *path;             /* locations of the open frames of the walk, outermost first */
    size_t path_capacity;
    uint64_t lost_names; /* linker's names for which the file has no field */
    bool failed;         /* out of memory */
} pprof_writer;

static uint64_t string_id(pprof_writer *w, const char *text)
{
    uint32_t id = toll_strtab_add(&w->strings, text, strlen(text));
    if (id == UINT32_MAX) {
        w->failed = true;
        return 0;
    }
    return id;
}

static void put_field(pprof_writer *w, uint32_t number, const toll_buffer *body)
{
    toll_buffer head;
    uint8_t room[24];
    toll_buffer_init(&head, &body->mem);
    head.data = room; /* a tag and a length need at most 20 bytes: it never grows */
    head.capacity = sizeof room;
    toll_wire_put_varint(&head, (uint64_t)number << 3 | TOLL_WIRE_BYTES);
    toll_wire_put_varint(&head, body->size);
    toll_output_write(w->out, head.data, head.size);
    toll_output_write(w->out, body->data, body->size);
    w->failed |= body->failed;
}

/* Put the inner message into the message, and empty it. */
static void put_inner(pprof_writer *w, uint32_t number)
{
    toll_wire_put_bytes(&w->message, number, w->inner.data, w->inner.size);
    w->failed |= w->inner.failed;
    toll_buffer_clear(&w->inner);
}

static void put_number(pprof_writer *w, uint32_t number, uint64_t value)
{
    toll_buffer_clear(&w->message);
    toll_wire_put_int(&w->message, number, value);
    toll_output_write(w->out, w->message.data, w->message.size);
    w->failed |= w->message.failed;
}

static void put_type(pprof_writer *w, uint32_t number, toll_value_type v)
{
    toll_buffer_clear(&w->message);
    toll_wire_put_int(&w->message, PPROF_TYPE_TYPE, string_id(w, v.type));
    toll_wire_put_int(&w->message, PPROF_TYPE_UNIT, string_id(w, v.unit));
    put_field(w, number, &w->message);
}

static void put_sample_types(pprof_writer *w)
{
    for (uint32_t c = 0; c < toll_profile_column_count(w->profile); c++)
        put_type(w, PPROF_SAMPLE_TYPE, toll_profile_column(w->profile, c));
}

/* Write one sample: the path from leaf to root, all values, the labels of its thread. The location
 * of an inlined function includes the frames around it. */
static void put_sample(pprof_writer *w, toll_node_id node, uint32_t depth)
{
    toll_buffer_clear(&w->message);
    toll_buffer_clear(&w->inner);
    if (depth == 0)
        toll_wire_put_varint(&w->inner, (uint64_t)w->tables.outside + 1);
    while (depth > 0) {
        uint32_t location = w->path[--depth];
        toll_wire_put_varint(&w->inner, (uint64_t)location + 1);
        while ((location = w->tables.locations[location].outer) != TOLL_NONE)
            depth--;
    }
    put_inner(w, PPROF_SAMPLE_LOCATION_ID);
    for (uint32_t c = 0; c < toll_profile_column_count(w->profile); c++)
        toll_wire_put_varint(&w->inner, (uint64_t)toll_profile_self(w->profile, node, c));
    put_inner(w, PPROF_SAMPLE_VALUE);
    if (w->thread_labels.size)
        toll_buffer_append(&w->message, w->thread_labels.data, w->thread_labels.size);
    put_field(w, PPROF_SAMPLE, &w->message);
}

static void put_label(pprof_writer *w, const char *key, const char *value)
{
    uint64_t value_id = string_id(w, value);
    toll_buffer_clear(&w->inner);
    toll_wire_put_int(&w->inner, PPROF_LABEL_KEY, string_id(w, key));
    toll_wire_put_int(&w->inner, PPROF_LABEL_STR, value_id);
    toll_wire_put_bytes(&w->thread_labels, PPROF_SAMPLE_LABEL, w->inner.data, w->inner.size);
    w->failed |= w->inner.failed || w->thread_labels.failed;
}

static void set_thread_labels(pprof_writer *w, toll_thread_id thread)
{
    const char *name = toll_profile_thread_name(w->profile, thread);
    toll_buffer_clear(&w->thread_labels);
    if (*name)
        put_label(w, PPROF_THREAD_KEY, name);
    for (uint32_t i = 0; i < toll_profile_thread_label_count(w->profile, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(w->profile, thread, i);
        put_label(w, label.key, label.value);
    }
}

static bool holds_any(const toll_profile *p, toll_node_id node)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
        if (toll_profile_self(p, node, c))
            return true;
    return false;
}

/* Set the element of the path at `depth` to the node's location. */
static bool set_path(pprof_writer *w, uint32_t depth, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(w->profile, node);
    uint32_t caller = depth > 1 ? w->path[depth - 2] : TOLL_NONE;
    uint32_t location = toll_pprof_location_of(&w->tables, caller, frame);
    if (location == TOLL_NONE ||
        !toll_array_grow(&w->order.mem, &w->path, &w->path_capacity, 0, (size_t)depth + 1))
        return false;
    if (depth > 0)
        w->path[depth - 1] = location;
    return true;
}

static void put_samples(pprof_writer *w)
{
    for (uint32_t t = 0; t < w->order.thread_count; t++) {
        toll_thread_id thread = w->order.threads[t];
        set_thread_labels(w, thread);
        toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->profile, thread));
        while (!w->failed && toll_walk_next(&walk)) {
            bool holds = walk.entering && holds_any(w->profile, walk.node);
            if (!walk.entering || (walk.depth == 0 && !holds))
                continue;
            if (!set_path(w, walk.depth, walk.node))
                w->failed = true;
            else if (holds)
                put_sample(w, walk.node, walk.depth);
        }
    }
}

/* pprof.h explains the flags. */
static void put_mapping(pprof_writer *w, size_t i)
{
    const pprof_met_mapping *m = &w->tables.mappings[i];
    toll_buffer_clear(&w->message);
    toll_wire_put_int(&w->message, PPROF_MAPPING_ID, i + 1);
    toll_wire_put_int(&w->message, PPROF_MAPPING_FILENAME, string_id(w, m->file));
    toll_wire_put_int(&w->message, PPROF_MAPPING_BUILD_ID, string_id(w, m->build_id));
    toll_wire_put_int(&w->message, PPROF_MAPPING_HAS_FUNCTIONS, 1);
    toll_wire_put_int(&w->message, PPROF_MAPPING_HAS_FILENAMES, !m->addresses);
    toll_wire_put_int(&w->message, PPROF_MAPPING_HAS_LINE_NUMBERS, m->lines);
    toll_wire_put_int(&w->message, PPROF_MAPPING_HAS_INLINE_FRAMES, w->tables.inlined);
    put_field(w, PPROF_MAPPING, &w->message);
}

/* Modules come before kinds: pprof shows the name of the first mapping as the program's. */
static void put_mappings(pprof_writer *w)
{
    for (int kinds = 0; kinds < 2; kinds++)
        for (size_t i = 0; i < w->tables.mapping_count; i++)
            if ((w->tables.mappings[i].file[0] == '[') == kinds)
                put_mapping(w, i);
}

static void put_line(pprof_writer *w, const pprof_met_location *l, uint64_t line)
{
    toll_wire_put_int(&w->inner, PPROF_LINE_FUNCTION_ID, (uint64_t)l->function + 1);
    toll_wire_put_int(&w->inner, PPROF_LINE_LINE, line);
    put_inner(w, PPROF_LOCATION_LINE);
}

static void put_location(pprof_writer *w, uint32_t location)
{
    const pprof_met_location *l = &w->tables.locations[location], *base = l;
    bool lines = l->mapping && w->tables.mappings[l->mapping - 1].lines;
    while (base->outer != TOLL_NONE)
        base = &w->tables.locations[base->outer];
    toll_frame f = toll_pprof_met_frame(&w->tables, base->frame);
    toll_buffer_clear(&w->message);
    toll_buffer_clear(&w->inner);
    toll_wire_put_int(&w->message, PPROF_LOCATION_ID, (uint64_t)location + 1);
    toll_wire_put_int(&w->message, PPROF_LOCATION_MAPPING_ID, l->mapping);
    toll_wire_put_int(&w->message, PPROF_LOCATION_ADDRESS, f.at_address ? f.at_address : f.address);
    for (;; l = &w->tables.locations[l->outer]) {
        f = toll_pprof_met_frame(&w->tables, l->frame);
        put_line(w, l, lines ? f.at_line : f.at_address ? 0 : f.line);
        if (l->outer == TOLL_NONE)
            break;
    }
    put_field(w, PPROF_LOCATION, &w->message);
}

static void put_function(pprof_writer *w, uint32_t function)
{
    const pprof_met_function *met = &w->tables.functions[function];
    toll_frame_id frame = met->first;
    toll_frame f = toll_pprof_met_frame(&w->tables, frame);
    bool is_part = met->part_of != TOLL_NONE;
    const char *name = frame == TOLL_NONE ? f.name : toll_label(&w->labels, frame);
    bool plain = toll_pprof_label_name(name, f.file, f.line) == strlen(f.name);
    w->lost_names += *f.system_name && !plain && !is_part;
    toll_buffer_clear(&w->message);
    toll_wire_put_int(&w->message, PPROF_FUNCTION_ID, (uint64_t)function + 1);
    toll_wire_put_int(&w->message, PPROF_FUNCTION_NAME, string_id(w, name));
    toll_wire_put_int(&w->message, PPROF_FUNCTION_SYSTEM_NAME,
                      string_id(w, *f.system_name && plain ? f.system_name : f.name));
    toll_wire_put_int(&w->message, PPROF_FUNCTION_FILENAME, string_id(w, met->file));
    toll_wire_put_int(&w->message, PPROF_FUNCTION_START_LINE, is_part ? 0 : f.line);
    toll_wire_put_int(&w->message, PPROF_FUNCTION_PART_OF,
                      is_part ? (uint64_t)met->part_of + 1 : 0);
    put_field(w, PPROF_FUNCTION, &w->message);
}

/* Write a comment "PREFIXCOUNT TEXT". */
static void put_counted(pprof_writer *w, const char *prefix, uint64_t count, const char *text)
{
    toll_buffer_clear(&w->inner);
    toll_buffer_append_format(&w->inner, "%s%" PRIu64 " ", prefix, count);
    toll_buffer_append_text(&w->inner, text);
    const char *whole = toll_buffer_cstr(&w->inner);
    put_number(w, PPROF_COMMENT, whole ? string_id(w, whole) : 0);
    w->failed |= !whole;
}

/* Write times, period type, notes, runs and comments. All strings must be added before their table
 * is written. */
static void put_facts(pprof_writer *w)
{
    const toll_profile *p = w->profile;
    put_number(w, PPROF_TIME_NANOS, (uint64_t)toll_profile_start_ns(p));
    put_number(w, PPROF_DURATION_NANOS, (uint64_t)toll_profile_duration_ns(p));
    toll_value_type period = toll_pprof_period_type(p);
    if (period.type) {
        put_type(w, PPROF_PERIOD_TYPE, period);
        put_number(w, PPROF_PERIOD, 1);
    }
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        put_counted(w, PPROF_NOTE_PREFIX, count, text);
    }
    for (uint32_t i = 0; i < toll_profile_run_kind_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_run_kind(p, i, &count);
        put_counted(w, PPROF_RUNS_PREFIX, count, text);
    }
    if (toll_profile_has_unknown_runs(p))
        put_number(w, PPROF_COMMENT, string_id(w, PPROF_UNKNOWN_RUNS));
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++)
        put_number(w, PPROF_COMMENT, string_id(w, toll_profile_comment(p, i)));
    uint32_t shown = toll_profile_default_column(p);
    if (shown != TOLL_NONE)
        put_number(w, PPROF_DEFAULT_SAMPLE_TYPE, string_id(w, toll_profile_column(p, shown).type));
}

static void put_strings(pprof_writer *w)
{
    for (size_t i = 0; i < w->strings.count; i++) {
        toll_buffer_clear(&w->message);
        toll_buffer_append(&w->message, toll_strtab_text(&w->strings, (uint32_t)i),
                           toll_strtab_size(&w->strings, (uint32_t)i));
        put_field(w, PPROF_STRING_TABLE, &w->message);
    }
}

static void put_all(pprof_writer *w)
{
    string_id(w, "");
    put_sample_types(w);
    put_samples(w);
    put_mappings(w);
    for (uint32_t i = 0; i < w->tables.location_count; i++)
        put_location(w, i);
    for (uint32_t i = 0; i < w->tables.function_count; i++)
        put_function(w, i);
    put_facts(w);
    put_strings(w);
}

static toll_status set_up(pprof_writer *w, toll_error *err)
{
    toll_status status = toll_order_create(&w->order, w->profile, err);
    if (status)
        return status;
    status = toll_pprof_tables_create(&w->tables, &w->order, err);
    if (status)
        return status;
    return toll_labels_create(&w->labels, &w->order, err);
}

toll_status toll_pprof_write(const toll_write_job *job, toll_error *err)
{
    pprof_writer w = { .profile = job->profile, .out = job->out };
    const toll_mem *mem = toll_profile_mem(job->profile);
    toll_strtab_init(&w.strings, mem);
    toll_buffer_init(&w.message, mem);
    toll_buffer_init(&w.inner, mem);
    toll_buffer_init(&w.thread_labels, mem);
    w.labels.mem = *mem;
    w.order.mem = *mem;
    toll_status status = set_up(&w, err);
    if (!status) {
        put_all(&w);
        if (w.failed)
            status = toll_fail_nomem(err);
    }
    if (!status && w.lost_names)
        toll_format_warn(job->options,
                         "left out: the linker's names of %" PRIu64
                         " functions whose names and places are alike",
                         w.lost_names);
    toll_labels_free(&w.labels);
    toll_pprof_tables_free(&w.tables);
    toll_mem_free(mem, w.path, w.path_capacity, sizeof *w.path);
    toll_order_free(&w.order);
    toll_buffer_free(&w.message);
    toll_buffer_free(&w.inner);
    toll_buffer_free(&w.thread_labels);
    toll_strtab_free(&w.strings);
    return status;
}
