/* callgrind.c - writes files for KCachegrind and callgrind_annotate. Format: "Callgrind Format
 * Specification" in valgrind's manual.
 *
 * For each function: its self costs, then for each of its callees the number of calls and the total
 * cost of these. A pair of caller and callee that occurs several times in a stack counts only where
 * it is outermost, so that recursion does not multiply costs.
 *
 * Names are written once and then replaced by their number ("fn=(3) name", "fn=(3)"), so that no
 * name can be mistaken for a number. */
#include "base/array.h"
#include "base/fail.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/u64map.h"
#include "format/format_row.h"
#include "profile/order.h"

#include <string.h>
#include <toll/version.h>

toll_sniff toll_callgrind_sniff(const uint8_t *data, size_t size)
{
    static const char *const starts[] = { "# callgrind format",
                                          "version: ", "creator: ", "events: " };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (size > strlen(starts[i]) && memcmp(data, starts[i], strlen(starts[i])) == 0)
            return TOLL_SNIFF_SURE;
    return TOLL_SNIFF_NO;
}

typedef struct edge {
    toll_frame_id caller, callee; /* TOLL_NONE as caller: a root */
    uint32_t open;                /* how often it is on the stack now */
    uint32_t next;                /* of the same caller, TOLL_NONE: the last */
} edge;

typedef struct callgrind_writer {
    const toll_profile *p;
    const toll_format_options *options;
    toll_order order;
    toll_labels labels;
    toll_output *out;
    uint32_t columns[TOLL_MAX_COLUMNS]; /* those that are events: all but calls */
    uint32_t column_count, calls;
    int64_t **totals;  /* by column, then node */
    int64_t *self;     /* by frame and event; the last row is what is outside of frames */
    toll_u64map index; /* caller, callee -> edge */
    edge *edges;
    int64_t *edge_values; /* by edge: calls, then events */
    size_t edge_count, edge_capacity, value_capacity;
    uint32_t *first_edge; /* by frame */
    uint32_t *numbers;    /* by frame; 0: its name has not been written yet */
    uint32_t function_count;
    toll_u64map files; /* address of a file's name -> its number */
    uint32_t file_count;
    uint64_t clamped;
} callgrind_writer;

static size_t width(const callgrind_writer *w)
{
    return (size_t)w->column_count + 1;
}

static bool find_edge(callgrind_writer *w, toll_frame_id caller, toll_frame_id callee, uint32_t *id)
{
    uint64_t key = (uint64_t)caller << 32 | callee;
    *id = toll_u64map_find(&w->index, key);
    if (*id != UINT32_MAX)
        return true;
    if (!toll_array_grow(&w->order.mem, &w->edges, &w->edge_capacity, w->edge_count, 1) ||
        !toll_array_grow(&w->order.mem, &w->edge_values, &w->value_capacity,
                         w->edge_count * width(w), width(w)))
        return false;
    *id = (uint32_t)w->edge_count;
    if (!toll_u64map_add(&w->index, key, *id))
        return false;
    w->edges[*id] = (edge){ caller, callee, 0, TOLL_NONE };
    memset(w->edge_values + w->edge_count * width(w), 0, width(w) * sizeof *w->edge_values);
    w->edge_count++;
    return true;
}

static void add(callgrind_writer *w, int64_t *to, int64_t value)
{
    if (value < 0) {
        w->clamped++;
        return;
    }
    if (!toll_i64_add(*to, value, to))
        w->clamped++;
}

static bool enter(callgrind_writer *w, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(w->p, node);
    toll_node_id parent = toll_profile_parent(w->p, node);
    size_t row = frame == TOLL_NONE ? w->order.frame_count : frame;
    uint32_t id;
    for (uint32_t c = 0; c < w->column_count; c++)
        add(w, &w->self[row * w->column_count + c], toll_profile_self(w->p, node, w->columns[c]));
    if (frame == TOLL_NONE || toll_profile_node_frame(w->p, parent) == TOLL_NONE)
        return true;
    if (!find_edge(w, toll_profile_node_frame(w->p, parent), frame, &id))
        return false;
    int64_t *values = w->edge_values + id * width(w);
    add(w, &values[0], w->calls == TOLL_NONE ? 1 : toll_profile_self(w->p, node, w->calls));
    if (w->edges[id].open++ == 0)
        for (uint32_t c = 0; c < w->column_count; c++)
            add(w, &values[1 + c], w->totals[c][node]);
    return true;
}

static void leave(callgrind_writer *w, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(w->p, node);
    if (frame == TOLL_NONE)
        return;
    toll_frame_id caller = toll_profile_node_frame(w->p, toll_profile_parent(w->p, node));
    if (caller != TOLL_NONE)
        w->edges[toll_u64map_find(&w->index, (uint64_t)caller << 32 | frame)].open--;
}

static toll_status collect(callgrind_writer *w, toll_error *err)
{
    for (uint32_t t = 0; t < w->order.thread_count; t++) {
        toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, w->order.threads[t]));
        while (toll_walk_next(&walk)) {
            if (!walk.entering)
                leave(w, walk.node);
            else if (!enter(w, walk.node))
                return toll_fail_nomem(err);
        }
    }
    for (uint32_t i = (uint32_t)w->edge_count; i-- > 0;) { /* the first edge added comes first */
        w->edges[i].next = w->first_edge[w->edges[i].caller];
        w->first_edge[w->edges[i].caller] = i;
    }
    return TOLL_OK;
}

/* --- text --------------------------------------------------------------------------------------*/

static void put_name(toll_output *out, const char *name)
{
    for (; *name; name++) {
        size_t bad = toll_unprintable_size(name);
        toll_output_write(out, bad ? " " : name, 1);
        if (bad)
            name += bad - 1;
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char event_char(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
}

static bool same_event_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (event_char(*a) != event_char(*b))
            return false;
    return *a == *b;
}

/* Write a name of a letter, then letters, digits and _; with a number if two columns would have the
 * same name. */
static void put_event_name(const callgrind_writer *w, uint32_t c)
{
    const char *type = toll_profile_column(w->p, w->columns[c]).type;
    uint32_t same = 0;
    for (uint32_t i = 0; i < c; i++)
        same += same_event_name(toll_profile_column(w->p, w->columns[i]).type, type);
    toll_output_printf(w->out, is_letter(*type) ? " " : " event_");
    for (const char *t = type; *t; t++) {
        char plain = event_char(*t);
        toll_output_write(w->out, &plain, 1);
    }
    if (same)
        toll_output_printf(w->out, "__%u", same + 1);
}

static void put_costs(const callgrind_writer *w, const int64_t *values, uint32_t line)
{
    toll_output_printf(w->out, "%u", line);
    for (uint32_t c = 0; c < w->column_count; c++)
        toll_output_printf(w->out, " %lld", (long long)values[c]);
    toll_output_write(w->out, "\n", 1);
}

static bool put_file(callgrind_writer *w, const char *prefix, const char *file)
{
    uint64_t key = (uintptr_t)file; /* equal names are one string in a profile */
    uint32_t number = toll_u64map_find(&w->files, key);
    bool is_new = number == UINT32_MAX;
    if (is_new) {
        number = ++w->file_count;
        if (!toll_u64map_add(&w->files, key, number))
            return false;
    }
    toll_output_printf(w->out, "%s=(%u)", *prefix ? "cfi" : "fl", number);
    if (is_new) {
        toll_output_write(w->out, " ", 1);
        put_name(w->out, *file ? file : "???");
    }
    toll_output_write(w->out, "\n", 1);
    return true;
}

/* Write the file and the name of a function, or (prefix "c") of its callee; false: no memory. */
static bool put_place(callgrind_writer *w, const char *prefix, toll_frame_id id)
{
    if (!put_file(w, prefix, toll_profile_frame(w->p, id).file))
        return false;
    bool is_new = w->numbers[id] == 0;
    if (is_new)
        w->numbers[id] = ++w->function_count;
    toll_output_printf(w->out, "%sfn=(%u)", prefix, w->numbers[id]);
    if (is_new) {
        toll_output_write(w->out, " ", 1);
        put_name(w->out, toll_label(&w->labels, id));
    }
    toll_output_write(w->out, "\n", 1);
    return true;
}

static bool put_function(callgrind_writer *w, toll_frame_id id)
{
    toll_frame f = toll_profile_frame(w->p, id);
    if (!put_place(w, "", id))
        return false;
    put_costs(w, &w->self[(size_t)id * w->column_count], f.line);
    for (uint32_t e = w->first_edge[id]; e != TOLL_NONE; e = w->edges[e].next) {
        toll_frame callee = toll_profile_frame(w->p, w->edges[e].callee);
        if (!put_place(w, "c", w->edges[e].callee))
            return false;
        toll_output_printf(w->out, "calls=%lld %u\n", (long long)w->edge_values[e * width(w)],
                           callee.line);
        put_costs(w, &w->edge_values[e * width(w) + 1], f.line);
    }
    toll_output_write(w->out, "\n", 1);
    return true;
}

static void put_head(callgrind_writer *w)
{
    toll_output_printf(w->out,
                       "# callgrind format\nversion: 1\ncreator: toll %s\n"
                       "positions: line\nevents:",
                       toll_version());
    for (uint32_t c = 0; c < w->column_count; c++)
        put_event_name(w, c);
    toll_output_printf(w->out, "\nsummary:");
    for (uint32_t c = 0; c < w->column_count; c++) {
        int64_t sum = 0;
        for (uint32_t t = 0; t < w->order.thread_count; t++)
            add(w, &sum, w->totals[c][toll_profile_root(w->p, t)]);
        toll_output_printf(w->out, " %lld", (long long)sum);
    }
    toll_output_printf(w->out, "\n\n");
}

static toll_status put_all(callgrind_writer *w, toll_error *err)
{
    const int64_t *outside = &w->self[(size_t)w->order.frame_count * w->column_count];
    bool any = false;
    put_head(w);
    for (uint32_t i = 0; i < w->order.frame_count; i++)
        if (!put_function(w, w->order.frames[i]))
            return toll_fail_nomem(err);
    for (uint32_t c = 0; c < w->column_count; c++)
        any |= outside[c] != 0;
    if (any) {
        toll_output_printf(w->out, "fl=(%u) ???\nfn=(%u) %s\n", w->file_count + 1,
                           w->function_count + 1, TOLL_OUTSIDE);
        put_costs(w, outside, 0);
    }
    return TOLL_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

/* Totals of a column by node, with negative values as 0, so that the parts add up to the whole. */
static toll_status inclusive(callgrind_writer *w, uint32_t column, int64_t **out, toll_error *err)
{
    uint32_t count = w->order.node_count;
    int64_t *totals = *out = toll_mem_new(&w->order.mem, (size_t)count + 1, sizeof *totals);
    if (!totals)
        return toll_fail_nomem(err);
    for (toll_node_id id = 0; id < count; id++) {
        int64_t self = toll_profile_self(w->p, id, column);
        totals[id] = self > 0 ? self : 0;
    }
    for (toll_node_id id = count; id-- > 0;) { /* children come after their parent */
        toll_node_id parent = toll_profile_parent(w->p, id);
        if (parent != TOLL_NONE && !toll_i64_add(totals[parent], totals[id], &totals[parent]))
            return toll_fail(err, TOLL_E_OVERFLOW, "the total of '%.100s' does not fit 64 bits",
                             toll_profile_column(w->p, column).type);
    }
    return TOLL_OK;
}

static toll_status set_up(callgrind_writer *w, toll_error *err)
{
    size_t frames = (size_t)w->order.frame_count + 1;
    w->calls = toll_profile_find_column(w->p, "calls");
    for (uint32_t c = 0; c < toll_profile_column_count(w->p); c++)
        if (c != w->calls || toll_profile_column_count(w->p) == 1)
            w->columns[w->column_count++] = c;
    w->totals = toll_mem_new(&w->order.mem, TOLL_MAX_COLUMNS, sizeof *w->totals);
    w->self = toll_mem_new(&w->order.mem, frames * (w->column_count + 1), sizeof *w->self);
    w->first_edge = toll_mem_new(&w->order.mem, frames, sizeof *w->first_edge);
    w->numbers = toll_mem_new(&w->order.mem, frames, sizeof *w->numbers);
    if (!w->totals || !w->self || !w->first_edge || !w->numbers)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < frames; i++)
        w->first_edge[i] = TOLL_NONE;
    toll_status status = toll_labels_create(&w->labels, &w->order, err);
    for (uint32_t c = 0; !status && c < w->column_count; c++)
        status = inclusive(w, w->columns[c], &w->totals[c], err);
    return status;
}

static void tear_down(callgrind_writer *w)
{
    const toll_mem *mem = &w->order.mem;
    size_t frames = (size_t)w->order.frame_count + 1;
    for (uint32_t c = 0; w->totals && c < w->column_count; c++)
        toll_mem_free(mem, w->totals[c], (size_t)w->order.node_count + 1, sizeof(int64_t));
    toll_mem_free(mem, w->totals, TOLL_MAX_COLUMNS, sizeof *w->totals);
    toll_mem_free(mem, w->self, frames * (w->column_count + 1), sizeof *w->self);
    toll_mem_free(mem, w->first_edge, frames, sizeof *w->first_edge);
    toll_mem_free(mem, w->edges, w->edge_capacity, sizeof *w->edges);
    toll_mem_free(mem, w->edge_values, w->value_capacity, sizeof *w->edge_values);
    toll_mem_free(mem, w->numbers, frames, sizeof *w->numbers);
    toll_labels_free(&w->labels);
    toll_u64map_free(&w->index);
    toll_u64map_free(&w->files);
}

toll_status toll_callgrind_write(const toll_write_job *job, toll_error *err)
{
    callgrind_writer w = { .p = job->profile, .options = job->options, .out = job->out };
    toll_status status = toll_order_create(&w.order, w.p, err);
    if (status)
        return status;
    toll_u64map_init(&w.index, &w.order.mem);
    toll_u64map_init(&w.files, &w.order.mem);
    status = set_up(&w, err);
    if (!status)
        status = collect(&w, err);
    if (!status)
        status = put_all(&w, err);
    if (!status) {
        if (w.calls == TOLL_NONE)
            toll_format_warn(w.options, "how often functions were called is not known: "
                                        "a call is counted for each stack");
        if (w.clamped)
            toll_format_warn(w.options,
                             "callgrind holds no negative values; left out: %llu of them",
                             (unsigned long long)w.clamped);
    }
    tear_down(&w);
    toll_order_free(&w.order);
    return status;
}
