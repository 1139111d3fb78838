/* callgrind.c - for KCachegrind and callgrind_annotate. Format: "Callgrind Format Specification" of
 * the valgrind manual.
 *
 * A function's own costs, then for each function that it calls the number of calls and what the
 * callee and all below it cost. A pair of caller and callee that stands several times on a stack
 * counts with its outermost one only, so that recursion does not multiply costs. */
#include "base/fail.h"
#include "base/text.h"
#include "base/u64map.h"
#include "format/formats.h"
#include "profile/order.h"

#include <string.h>

typedef struct edge {
    toll_frame_id caller, callee; /* TOLL_NONE as caller: a root */
    uint32_t open;                /* how often it is on the stack now */
    uint32_t next;                /* of the same caller, TOLL_NONE: the last */
} edge;

typedef struct callgrind_writer {
    const toll_profile *p;
    const toll_format_options *options;
    toll_order order;
    toll_output *out;
    uint32_t columns[TOLL_MAX_COLUMNS]; /* those that are events: all but calls */
    uint32_t column_count, calls;
    int64_t **totals; /* by column, then node */
    int64_t *self;    /* by frame and event; the last row is what is outside of frames */
    toll_u64map index; /* caller, callee -> edge */
    edge *edges;
    int64_t *edge_values; /* by edge: calls, then events */
    size_t edge_count, edge_capacity, value_capacity;
    uint32_t *first_edge; /* by frame */
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
    void *edges = w->edges, *values = w->edge_values;
    if (!toll_mem_reserve(&w->order.mem, &edges, &w->edge_capacity, w->edge_count + 1,
                          sizeof *w->edges))
        return false;
    w->edges = edges;
    if (!toll_mem_reserve(&w->order.mem, &values, &w->value_capacity,
                          (w->edge_count + 1) * width(w), sizeof *w->edge_values))
        return false;
    w->edge_values = values;
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
    for (uint32_t i = (uint32_t)w->edge_count; i-- > 0;) { /* first met comes first */
        w->edges[i].next = w->first_edge[w->edges[i].caller];
        w->first_edge[w->edges[i].caller] = i;
    }
    return TOLL_OK;
}

/* --- text ---------------------------------------------------------------------------------------*/

static void put_name(toll_output *out, const char *name)
{
    for (; *name; name++) {
        char c = (uint8_t)*name < 0x20 || *name == 0x7f ? ' ' : *name;
        toll_output_write(out, &c, 1);
    }
}

static void put_event_name(toll_output *out, const char *type)
{
    for (; *type; type++) {
        bool plain = (*type >= 'a' && *type <= 'z') || (*type >= 'A' && *type <= 'Z') ||
                     (*type >= '0' && *type <= '9');
        toll_output_write(out, plain ? type : "_", 1);
    }
}

static void put_costs(const callgrind_writer *w, const int64_t *values, uint32_t line)
{
    toll_output_printf(w->out, "%u", line);
    for (uint32_t c = 0; c < w->column_count; c++)
        toll_output_printf(w->out, " %lld", (long long)values[c]);
    toll_output_write(w->out, "\n", 1);
}

static void put_place(const callgrind_writer *w, const char *prefix, toll_frame f)
{
    toll_output_printf(w->out, "%s=", *prefix ? "cfi" : "fl");
    put_name(w->out, *f.file ? f.file : "???");
    toll_output_printf(w->out, "\n%sfn=", prefix);
    put_name(w->out, f.name);
    toll_output_write(w->out, "\n", 1);
}

static void put_function(const callgrind_writer *w, toll_frame_id id)
{
    toll_frame f = toll_profile_frame(w->p, id);
    put_place(w, "", f);
    put_costs(w, &w->self[(size_t)id * w->column_count], f.line);
    for (uint32_t e = w->first_edge[id]; e != TOLL_NONE; e = w->edges[e].next) {
        toll_frame callee = toll_profile_frame(w->p, w->edges[e].callee);
        put_place(w, "c", callee);
        toll_output_printf(w->out, "calls=%lld %u\n",
                           (long long)w->edge_values[e * width(w)], callee.line);
        put_costs(w, &w->edge_values[e * width(w) + 1], f.line);
    }
    toll_output_write(w->out, "\n", 1);
}

static void put_head(const callgrind_writer *w)
{
    toll_output_printf(w->out, "# callgrind format\nversion: 1\ncreator: toll %s\n"
                               "positions: line\nevents:",
                       toll_version());
    for (uint32_t c = 0; c < w->column_count; c++) {
        toll_output_write(w->out, " ", 1);
        put_event_name(w->out, toll_profile_column(w->p, w->columns[c]).type);
    }
    toll_output_printf(w->out, "\nsummary:");
    for (uint32_t c = 0; c < w->column_count; c++) {
        int64_t sum = 0;
        for (uint32_t t = 0; t < w->order.thread_count; t++)
            sum += w->totals[c][toll_profile_root(w->p, t)];
        toll_output_printf(w->out, " %lld", (long long)sum);
    }
    toll_output_printf(w->out, "\n\n");
}

static void put_all(callgrind_writer *w)
{
    const int64_t *outside = &w->self[(size_t)w->order.frame_count * w->column_count];
    bool any = false;
    put_head(w);
    for (uint32_t i = 0; i < w->order.frame_count; i++)
        put_function(w, w->order.frames[i]);
    for (uint32_t c = 0; c < w->column_count; c++)
        any |= outside[c] != 0;
    if (any) {
        put_place(w, "", (toll_frame){ TOLL_OUTSIDE, "", 0, TOLL_KIND_FUNCTION });
        put_costs(w, outside, 0);
    }
}

/* --- life ---------------------------------------------------------------------------------------*/

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
    if (!w->totals || !w->self || !w->first_edge)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < frames; i++)
        w->first_edge[i] = TOLL_NONE;
    toll_status status = TOLL_OK;
    for (uint32_t c = 0; !status && c < w->column_count; c++)
        status = toll_profile_totals(w->p, w->columns[c], &w->totals[c], err);
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
    toll_u64map_free(&w->index);
}

toll_status toll_callgrind_write(const toll_write_job *job, toll_error *err)
{
    callgrind_writer w = { .p = job->profile, .options = job->options, .out = job->out };
    toll_status status = toll_order_create(&w.order, w.p, err);
    if (status)
        return status;
    toll_u64map_init(&w.index, &w.order.mem);
    status = set_up(&w, err);
    if (!status)
        status = collect(&w, err);
    if (!status) {
        put_all(&w);
        if (w.calls == TOLL_NONE)
            toll_format_warn(w.options, "how often functions were called is not known: "
                                        "a call is counted for each stack");
        if (w.clamped)
            toll_format_warn(w.options, "callgrind holds no negative values; left out: %llu",
                             (unsigned long long)w.clamped);
    }
    tear_down(&w);
    toll_order_free(&w.order);
    return status;
}
