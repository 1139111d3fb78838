/* pprof_write.c - writes a profile as pprof, in the order of its fields, sample by sample.
 *
 * Frames become location + function with one id, given in the order in which the canonical walk
 * meets them; strings likewise. So the bytes follow from what the profile holds. A frame whose name
 * another frame has too gets a label as its name, and its own as system_name. */
#include "base/array.h"
#include "base/fail.h"
#include "base/strtab.h"
#include "base/wire.h"
#include "format/format_row.h"
#include "format/pprof.h"
#include "profile/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct pprof_writer {
    const toll_profile *profile;
    toll_order order;
    toll_labels labels;
    toll_strtab strings; /* ids are indexes of the string table: 0 is "" in both */
    toll_output *out;
    toll_buffer message, inner; /* the message being built, and one within it */
    uint64_t *location;         /* frame -> location id; 0: none yet */
    uint64_t outside;           /* the location of what is outside of any function; 0: none yet */
    toll_frame_id *met;         /* location id - 1 -> frame */
    uint32_t met_count;
    toll_frame_id *path; /* the open frames of the walk, outermost first */
    size_t path_capacity;
    bool failed; /* out of memory */
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

/* The location of a frame; for TOLL_NONE that of what is outside of any: PPROF_OUTSIDE. */
static uint64_t location_of(pprof_writer *w, toll_frame_id frame)
{
    uint64_t *location = frame == TOLL_NONE ? &w->outside : &w->location[frame];
    if (*location == 0) {
        w->met[w->met_count++] = frame;
        *location = w->met_count;
    }
    return *location;
}

static toll_frame met_frame(const pprof_writer *w, uint32_t i)
{
    if (w->met[i] == TOLL_NONE)
        return (toll_frame){ .name = TOLL_OUTSIDE, .file = "" };
    return toll_profile_frame(w->profile, w->met[i]);
}

/* Write one sample: the path from leaf to root, all values, the thread. */
static void put_sample(pprof_writer *w, toll_node_id node, uint32_t depth, uint64_t thread)
{
    toll_buffer_clear(&w->message);
    toll_buffer_clear(&w->inner);
    for (uint32_t i = depth; i-- > 0;)
        toll_wire_put_varint(&w->inner, location_of(w, w->path[i]));
    if (depth == 0)
        toll_wire_put_varint(&w->inner, location_of(w, TOLL_NONE));
    put_inner(w, PPROF_SAMPLE_LOCATION_ID);
    for (uint32_t c = 0; c < toll_profile_column_count(w->profile); c++)
        toll_wire_put_varint(&w->inner, (uint64_t)toll_profile_self(w->profile, node, c));
    put_inner(w, PPROF_SAMPLE_VALUE);
    if (thread) {
        toll_wire_put_int(&w->inner, PPROF_LABEL_KEY, string_id(w, PPROF_THREAD_KEY));
        toll_wire_put_int(&w->inner, PPROF_LABEL_STR, thread);
        put_inner(w, PPROF_SAMPLE_LABEL);
    }
    put_field(w, PPROF_SAMPLE, &w->message);
}

static bool holds_any(const toll_profile *p, toll_node_id node)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
        if (toll_profile_self(p, node, c))
            return true;
    return false;
}

static bool set_path(pprof_writer *w, uint32_t depth, toll_frame_id frame)
{
    if (!toll_array_grow(&w->order.mem, &w->path, &w->path_capacity, 0, depth))
        return false;
    w->path[depth - 1] = frame;
    return true;
}

static void put_samples(pprof_writer *w)
{
    for (uint32_t t = 0; t < w->order.thread_count; t++) {
        toll_thread_id thread = w->order.threads[t];
        uint64_t name = string_id(w, toll_profile_thread_name(w->profile, thread));
        toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->profile, thread));
        while (!w->failed && toll_walk_next(&walk)) {
            if (!walk.entering)
                continue;
            if (walk.depth &&
                !set_path(w, walk.depth, toll_profile_node_frame(w->profile, walk.node)))
                w->failed = true;
            else if (holds_any(w->profile, walk.node))
                put_sample(w, walk.node, walk.depth, name);
        }
    }
}

static int met_kind(const pprof_writer *w, uint32_t i)
{
    return w->met[i] == TOLL_NONE ? PPROF_OUTSIDE : (int)met_frame(w, i).kind;
}

/* Write mappings for the kinds that occur; the mapping's id is the kind. */
static void put_mappings(pprof_writer *w)
{
    static const char *const names[] = PPROF_KIND_NAMES;
    _Static_assert(sizeof names / sizeof *names == PPROF_KIND_COUNT, "a name for each kind");
    for (int kind = 1; kind < PPROF_KIND_COUNT; kind++) {
        bool any = false;
        for (uint32_t i = 0; i < w->met_count && !any; i++)
            any = met_kind(w, i) == kind;
        if (!any)
            continue;
        toll_buffer_clear(&w->message);
        toll_wire_put_int(&w->message, PPROF_MAPPING_ID, (uint64_t)kind);
        toll_wire_put_int(&w->message, PPROF_MAPPING_FILENAME, string_id(w, names[kind]));
        toll_wire_put_int(&w->message, PPROF_MAPPING_HAS_FUNCTIONS, 1);
        put_field(w, PPROF_MAPPING, &w->message);
    }
}

static void put_locations(pprof_writer *w)
{
    for (uint32_t i = 0; i < w->met_count; i++) {
        toll_frame f = met_frame(w, i);
        toll_buffer_clear(&w->message);
        toll_buffer_clear(&w->inner);
        toll_wire_put_int(&w->inner, PPROF_LINE_FUNCTION_ID, (uint64_t)i + 1);
        toll_wire_put_int(&w->inner, PPROF_LINE_LINE, f.line);
        toll_wire_put_int(&w->message, PPROF_LOCATION_ID, (uint64_t)i + 1);
        toll_wire_put_int(&w->message, PPROF_LOCATION_MAPPING_ID, (uint64_t)met_kind(w, i));
        put_inner(w, PPROF_LOCATION_LINE);
        put_field(w, PPROF_LOCATION, &w->message);
    }
}

static void put_functions(pprof_writer *w)
{
    for (uint32_t i = 0; i < w->met_count; i++) {
        toll_frame f = met_frame(w, i);
        toll_buffer_clear(&w->message);
        toll_wire_put_int(&w->message, PPROF_FUNCTION_ID, (uint64_t)i + 1);
        toll_wire_put_int(
            &w->message, PPROF_FUNCTION_NAME,
            string_id(w, w->met[i] == TOLL_NONE ? f.name : toll_label(&w->labels, w->met[i])));
        toll_wire_put_int(&w->message, PPROF_FUNCTION_SYSTEM_NAME, string_id(w, f.name));
        toll_wire_put_int(&w->message, PPROF_FUNCTION_FILENAME, string_id(w, f.file));
        toll_wire_put_int(&w->message, PPROF_FUNCTION_START_LINE, f.line);
        put_field(w, PPROF_FUNCTION, &w->message);
    }
}

/* Write times, period type, notes and comments; all strings must be added before their table. */
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
        char number[40];
        const char *text = toll_profile_note(p, i, &count);
        snprintf(number, sizeof number, PPROF_NOTE_PREFIX "%" PRIu64 " ", count);
        toll_buffer_clear(&w->inner);
        toll_buffer_append_text(&w->inner, number);
        toll_buffer_append_text(&w->inner, text);
        const char *whole = toll_buffer_cstr(&w->inner);
        put_number(w, PPROF_COMMENT, whole ? string_id(w, whole) : 0);
        w->failed |= !whole;
    }
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
    put_locations(w);
    put_functions(w);
    put_facts(w);
    put_strings(w);
}

static toll_status set_up(pprof_writer *w, toll_error *err)
{
    toll_status status = toll_order_create(&w->order, w->profile, err);
    if (status)
        return status;
    size_t frames = (size_t)toll_profile_frame_count(w->profile) + 1;
    w->location = toll_mem_new(&w->order.mem, frames, sizeof *w->location);
    w->met = toll_mem_new(&w->order.mem, frames, sizeof *w->met);
    if (!w->location || !w->met)
        return toll_fail_nomem(err);
    return toll_labels_create(&w->labels, &w->order, err);
}

toll_status toll_pprof_write(const toll_write_job *job, toll_error *err)
{
    pprof_writer w = { .profile = job->profile, .out = job->out };
    const toll_mem *mem = toll_profile_mem(job->profile);
    size_t frames = (size_t)toll_profile_frame_count(w.profile) + 1;
    toll_strtab_init(&w.strings, mem);
    toll_buffer_init(&w.message, mem);
    toll_buffer_init(&w.inner, mem);
    w.labels.mem = *mem;
    w.order.mem = *mem;
    toll_status status = set_up(&w, err);
    if (!status) {
        put_all(&w);
        if (w.failed)
            status = toll_fail_nomem(err);
    }
    toll_labels_free(&w.labels);
    toll_mem_free(mem, w.location, frames, sizeof *w.location);
    toll_mem_free(mem, w.met, frames, sizeof *w.met);
    toll_mem_free(mem, w.path, w.path_capacity, sizeof *w.path);
    toll_order_free(&w.order);
    toll_buffer_free(&w.message);
    toll_buffer_free(&w.inner);
    toll_strtab_free(&w.strings);
    return status;
}
