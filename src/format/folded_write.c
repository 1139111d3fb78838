/* folded_write.c - writes a profile as folded stacks: collapsed, each distinct stack once in
 * canonical order; or as a flame chart from a timeline, see write_thread.
 *
 * Frames are written by label, so that two frames with the same name stay distinct. Characters that
 * would break a line are replaced, and counted: ';' by ':', control characters by ' '; see also
 * put_stack. */
#include "base/array.h"
#include "base/fail.h"
#include "base/printable.h"
#include "base/text.h"
#include "format/folded.h"
#include "format/format_row.h"
#include "profile/order.h"
#include "profile/stack_depths.h"

#include <inttypes.h>
#include <string.h>

/* The state of writing: the line being built, and where the text of each open frame begins in
 * it. */
typedef struct folded_writer {
    toll_buffer line;
    size_t *starts; /* by depth: size of the line before frame `depth` */
    size_t capacity;
    bool lines;       /* at least one line was written */
    uint64_t cleaned; /* frames written with characters replaced */
} folded_writer;

/* Append the name, with characters that would break the line replaced. */
static bool put_name(folded_writer *w, const char *name)
{
    size_t size = strlen(name);
    if (size == 0) {
        name = FOLDED_UNNAMED;
        size = strlen(name);
        w->cleaned++;
    }
    if (w->line.size)
        toll_buffer_append_byte(&w->line, ';');
    char *to = (char *)toll_buffer_room(&w->line, size);
    if (!to)
        return false;
    bool clean = true;
    for (; *name; name++) {
        size_t bad = toll_control_size(name);
        clean &= !bad && *name != ';';
        *to++ = bad ? ' ' : *name == ';' ? ':' : *name;
        if (bad)
            name += bad - 1;
    }
    w->line.size = (size_t)(to - (char *)w->line.data);
    w->cleaned += !clean;
    return true;
}

static bool push(folded_writer *w, uint32_t depth, const char *name)
{
    if (!toll_array_grow(&w->line.mem, &w->starts, &w->capacity, (size_t)depth, 1))
        return false;
    w->starts[depth] = w->line.size;
    return put_name(w, name);
}

static void pop(folded_writer *w, uint32_t depth)
{
    w->line.size = w->starts[depth];
}

/* Write the stack. Text that readers would misunderstand is replaced: "# " at the start begins a
 * comment, and a number at the end looks like the differential form (to flamegraph.pl in each
 * line). */
static void put_stack(folded_writer *w, toll_output *out)
{
    const char *text = (const char *)w->line.data;
    size_t size = w->line.size;
    bool comment = toll_folded_is_comment(text, size);
    folded_line l;
    toll_folded_split(text, size, 1, &l);
    bool number =
        l.value[0] > text && l.value_size[0] && toll_folded_is_number(l.value[0], l.value_size[0]);
    w->cleaned += comment + number;
    if (comment)
        toll_output_write(out, "_", 1);
    if (!number) {
        toll_output_write(out, text + comment, size - comment);
        return;
    }
    size_t blank = (size_t)(l.value[0] - text) - 1;
    toll_output_write(out, text + comment, blank > comment ? blank - comment : 0);
    toll_output_write(out, "_", 1);
    toll_output_write(out, l.value[0], size - blank - 1);
}

/* Write the line with its value. The line itself is unchanged afterwards. */
static bool put_line(folded_writer *w, toll_output *out, int64_t value)
{
    size_t size = w->line.size;
    char *end = (char *)toll_buffer_room(&w->line, 24);
    if (!end)
        return false;
    end[0] = ' ';
    size_t n = 1 + toll_text_put_i64(end + 1, value);
    end[n++] = '\n';
    if (size == 0)
        toll_output_write(out, TOLL_OUTSIDE, strlen(TOLL_OUTSIDE));
    else
        put_stack(w, out);
    toll_output_write(out, w->line.data + size, n);
    return w->lines = true;
}

static toll_status write_tree(const toll_profile *p, const toll_order *order,
                              const toll_labels *labels, uint32_t column, folded_writer *w,
                              toll_output *out, toll_error *err)
{
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_walk walk = toll_walk_begin(order, toll_profile_root(p, order->threads[t]));
        while (toll_walk_next(&walk)) {
            toll_frame_id frame = toll_profile_node_frame(p, walk.node);
            if (!walk.entering) {
                if (frame != TOLL_NONE)
                    pop(w, walk.depth);
                continue;
            }
            if (frame != TOLL_NONE && !push(w, walk.depth, toll_label(labels, frame)))
                return toll_fail_nomem(err);
            int64_t self = toll_profile_self(p, walk.node, column);
            if (self && !put_line(w, out, self))
                return toll_fail_nomem(err);
        }
    }
    return TOLL_OK;
}

static toll_status write_collapsed(const toll_profile *p, uint32_t column, folded_writer *w,
                                   toll_output *out, toll_error *err)
{
    toll_order order;
    toll_labels labels;
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    status = toll_labels_create(&labels, &order, err);
    if (!status) {
        status = write_tree(p, &order, &labels, column, w, out, err);
        toll_labels_free(&labels);
    }
    toll_order_free(&order);
    return status;
}

/* A flame chart is written in two passes: the first only measures depths and decides where to fold,
 * the second writes. */
typedef struct chart {
    const toll_write_job *job;
    folded_writer *w;
    toll_stack_depths depths;
    bool is_measured;
    uint32_t most_depth; /* deeper frames are not written; their time counts as their callers' */
} chart;

static bool put_chart_line(chart *c, uint32_t depth, int64_t value)
{
    if (c->is_measured)
        return put_line(c->w, c->job->out, value);
    toll_stack_depths_write(&c->depths, depth, c->w->line.size);
    return true;
}

static bool push_chart(chart *c, uint32_t depth, const char *name)
{
    return push(c->w, depth, name) &&
           (c->is_measured || toll_stack_depths_open(&c->depths, depth + 1, c->w->line.size));
}

/* Write one thread in the order of the run. Each call has a line for the time up to its first
 * callee (even if that is 0, so that every call is visible), and one more for each later time of
 * its own that is not 0. So the x axis of a flame chart is time. f called at 0, g at 10, g returns
 * at 30, f at 50: `f 10`, `f;g 20`, `f 20`; and `f 50` with most_depth 1. */
static toll_status write_thread(chart *c, toll_thread_id thread, const toll_labels *labels,
                                toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    uint64_t last = 0;
    uint32_t depth = 0, hidden = 0; /* open frames that are written, and deeper ones that are not */
    bool fresh = false;             /* the innermost call has no line yet */
    bool is_second;
    int more = 0;
    toll_chosen_axis(c->job, &is_second);
    toll_status status = toll_timeline_read_thread(c->job->timeline, thread, &r, err);
    if (status)
        return status;
    while (!status && (more = toll_timeline_next(r, &e, err)) == 1) {
        uint64_t at = is_second ? e.second : e.at;
        if (hidden || (e.is_open && depth == c->most_depth)) {
            hidden = e.is_open ? hidden + 1 : hidden - 1;
            continue;
        }
        if (depth && (fresh || at > last) && !put_chart_line(c, depth, (int64_t)(at - last)))
            status = toll_fail_nomem(err);
        last = at;
        fresh = e.is_open;
        if (!e.is_open)
            pop(c->w, --depth);
        else if (!push_chart(c, depth++, toll_label(labels, e.frame)))
            status = toll_fail_nomem(err);
    }
    toll_timeline_reader_free(r);
    c->w->line.size = 0;
    return more < 0 ? err->status : status;
}

static toll_status write_threads(chart *c, const toll_order *order, const toll_labels *labels,
                                 toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < order->thread_count; i++)
        status = write_thread(c, order->threads[i], labels, err);
    return status;
}

/* Decide the depth at which the chart is folded. */
static void fold_chart(chart *c)
{
    const toll_format_options *options = c->job->options;
    c->is_measured = true;
    c->w->cleaned = 0;
    c->most_depth = toll_stack_depths_choose(&c->depths, toll_stack_bytes(options));
    if (c->most_depth != UINT32_MAX)
        toll_warn_folded(options, toll_stack_depths_deeper(&c->depths, c->most_depth),
                         c->most_depth, toll_stack_depths_bytes(&c->depths));
}

static toll_status write_chart(const toll_write_job *job, folded_writer *w, toll_error *err)
{
    toll_order order;
    toll_labels labels;
    chart c = { .job = job, .w = w, .most_depth = UINT32_MAX };
    toll_status status = toll_order_create(&order, toll_timeline_names(job->timeline), err);
    if (status)
        return status;
    toll_stack_depths_begin(&c.depths, &w->line.mem);
    status = toll_labels_create(&labels, &order, err);
    if (!status) {
        status = write_threads(&c, &order, &labels, err);
        if (!status) {
            fold_chart(&c);
            status = write_threads(&c, &order, &labels, err);
        }
        toll_labels_free(&labels);
    }
    toll_stack_depths_free(&c.depths);
    toll_order_free(&order);
    return status;
}

/* Write the profile. The format has no threads, so their trees are joined. */
static toll_status write_profile(const toll_write_job *job, folded_writer *w, toll_error *err)
{
    toll_profile *one;
    if (job->column == TOLL_NONE)
        return TOLL_OK; /* no columns: nothing was measured */
    if (toll_profile_thread_count(job->profile) < 2)
        return write_collapsed(job->profile, job->column, w, job->out, err);
    toll_status status = toll_profile_fold_threads(job->profile, &one, err);
    if (status)
        return status;
    status = write_collapsed(one, job->column, w, job->out, err);
    toll_profile_free(one);
    return status;
}

toll_status toll_folded_write(const toll_write_job *job, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(job->profile);
    folded_writer w = { 0 };
    toll_buffer_init(&w.line, mem);
    toll_status status =
        job->options->flamechart ? write_chart(job, &w, err) : write_profile(job, &w, err);
    if (!status && !w.lines) /* an empty file would look like a run that was cut short */
        toll_output_printf(job->out, "# no stacks\n");
    if (!status && w.cleaned)
        toll_format_warn(job->options,
                         "names on %" PRIu64
                         " stacks written with what would break a line replaced "
                         "(';', control characters, a number at the end, ...)",
                         w.cleaned);
    toll_mem_free(mem, w.starts, w.capacity, sizeof *w.starts);
    toll_buffer_free(&w.line);
    return status;
}
