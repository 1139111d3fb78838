/* speedscope_write.c - writes speedscope's JSON. Schema: file-format-schema.json of the npm
 * package.
 *
 * From a profile: a sampled profile for each thread and value type, named "THREAD: TYPE", with
 * events instead of samples where these would be very long (speedscope_tree.c). From a timeline: an
 * evented profile for each thread instead. Frames have name, file and line; frame indices follow
 * the canonical order. */
#include "base/array.h"
#include "base/fail.h"
#include "base/json_write.h"
#include "base/text.h"
#include "format/speedscope_write.h"

#include <string.h>

/* The viewer reads its file into one string, and strings in browsers are limited to about 512
 * MB. */
#define VIEWER_LIMIT (UINT64_C(500) * 1000 * 1000)

static const char *unit_of(const char *unit)
{
    static const char *const known[] = { "nanoseconds", "microseconds", "milliseconds", "seconds",
                                         "bytes" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(unit, known[i]) == 0)
            return known[i];
    return "none";
}

static void put_frames(speedscope_writer *w)
{
    toll_json_put_text(w->out, "\"shared\":{\"frames\":[");
    for (uint32_t i = 0; i < w->order.frame_count; i++) {
        toll_frame f = toll_profile_frame(w->p, w->order.frames[i]);
        toll_json_put_text(w->out, i ? ",\n{\"name\":" : "\n{\"name\":");
        toll_json_put_string(w->out, f.name);
        if (*f.file) {
            toll_json_put_text(w->out, ",\"file\":");
            toll_json_put_string(w->out, f.file);
        }
        if (f.line)
            toll_output_printf(w->out, ",\"line\":%u", f.line);
        toll_json_put_text(w->out, "}");
    }
    toll_json_put_text(w->out, "]},\n");
}

/* False: no memory. */
static bool put_profile_head(speedscope_writer *w, const char *type, const char *thread,
                             const char *value, const char *unit)
{
    toll_json_put_text(w->out, w->profiles ? ",\n{\"type\":\"" : "\n{\"type\":\"");
    toll_json_put_text(w->out, type);
    toll_json_put_text(w->out, "\",\"name\":");
    toll_buffer name;
    toll_buffer_init(&name, &w->order.mem);
    toll_buffer_append_text(&name, thread);
    toll_buffer_append_text(&name, ": ");
    toll_buffer_append_text(&name, value);
    if (strcmp(unit_of(unit), "none") == 0 && strcmp(unit, "count") != 0) {
        toll_buffer_append_text(&name, " ["); /* the format knows few units */
        toll_buffer_append_text(&name, unit);
        toll_buffer_append_text(&name, "]");
    }
    const char *text = toll_buffer_cstr(&name);
    if (text)
        toll_json_put_string(w->out, text);
    toll_buffer_free(&name);
    toll_json_put_text(w->out, ",\"unit\":\"");
    toll_json_put_text(w->out, unit_of(unit));
    toll_json_put_text(w->out, "\",\"startValue\":");
    return text != NULL;
}

/* --- sampled -----------------------------------------------------------------------------------*/

static bool set_path(speedscope_writer *w, uint32_t depth, toll_frame_id frame)
{
    if (depth == 0)
        return true;
    if (!toll_array_grow(&w->order.mem, &w->path, &w->path_capacity, 0, depth))
        return false;
    w->path[depth - 1] = frame;
    return true;
}

static void put_sample(speedscope_writer *w, uint32_t depth, bool first)
{
    toll_json_put_text(w->out, first ? "[" : ",[");
    for (uint32_t i = 0; i < depth; i++) {
        if (i)
            toll_json_put_text(w->out, ",");
        toll_json_put_i64(w->out, w->order.frame_rank[w->path[i]]);
    }
    toll_json_put_text(w->out, "]");
    w->bytes += 2 + 5 * (uint64_t)depth;
}

/* Count a complete profile. It is shown first if `value` is the largest so far. */
static void end_profile(speedscope_writer *w, bool may_be_shown, int64_t value)
{
    if (may_be_shown && value > w->shown_value) {
        w->shown_value = value;
        w->shown = w->profiles;
    }
    w->profiles++;
}

/* Write the samples or, in the second call, their weights; *sum is the sum of the weights. */
static bool put_nodes(speedscope_writer *w, toll_thread_id thread, uint32_t column, bool weights,
                      int64_t *sum)
{
    bool first = true;
    toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, thread));
    while (toll_walk_next(&walk)) {
        if (!walk.entering)
            continue;
        int64_t self = toll_profile_self(w->p, walk.node, column);
        if (!set_path(w, walk.depth, toll_profile_node_frame(w->p, walk.node)))
            return false;
        if (self < 0)
            w->negative += !weights;
        if (self <= 0)
            continue;
        if (weights) {
            toll_json_put_text(w->out, first ? "" : ",");
            toll_json_put_i64(w->out, self);
            if (!toll_i64_add(*sum, self, sum))
                *sum = INT64_MAX, w->too_large = true;
        } else {
            put_sample(w, walk.depth, first);
        }
        first = false;
    }
    return true;
}

static bool put_samples(speedscope_writer *w, toll_thread_id thread, uint32_t column, int64_t *sum)
{
    toll_json_put_text(w->out, "0,\"samples\":[");
    if (!put_nodes(w, thread, column, false, sum))
        return false;
    toll_json_put_text(w->out, "],\"weights\":[");
    return put_nodes(w, thread, column, true, sum);
}

static bool put_events(speedscope_writer *w, toll_thread_id thread, uint32_t column, int64_t *sum)
{
    toll_json_put_text(w->out, "0,\"events\":[");
    return toll_speedscope_put_tree(w, thread, column, sum);
}

/* The stacks of a thread, with the values of a column. */
static bool put_stacks(speedscope_writer *w, toll_thread_id thread, uint32_t column)
{
    toll_value_type v = toll_profile_column(w->p, column);
    const char *name = toll_profile_thread_title(w->p, thread);
    int64_t sum = 0;
    if (!put_profile_head(w, w->as_events ? "evented" : "sampled", name, v.type, v.unit) ||
        !(w->as_events ? put_events : put_samples)(w, thread, column, &sum))
        return false;
    toll_json_put_text(w->out, "],\"endValue\":");
    toll_json_put_i64(w->out, sum);
    toll_json_put_text(w->out, "}");
    end_profile(w, column == w->job->column, sum);
    return true;
}

/* --- evented -----------------------------------------------------------------------------------*/

static toll_status put_evented(speedscope_writer *w, toll_thread_id thread, toll_error *err)
{
    const toll_timeline *t = w->job->timeline;
    toll_timeline_reader *r;
    toll_timeline_event e = { 0 };
    uint64_t start = 0, last = 0, busy = 0;
    uint32_t depth = 0;
    bool first = true;
    int more = 0;
    toll_batch batch;
    toll_status status = toll_timeline_read_thread(t, thread, &r, err);
    if (status)
        return status;
    toll_batch_init(&batch, &w->order.mem, w->out);
    bool is_second;
    toll_value_type axis = toll_chosen_axis(w->job, &is_second);
    if (!put_profile_head(w, "evented", toll_profile_thread_title(w->job->threads, thread),
                          axis.type, axis.unit))
        status = toll_fail_nomem(err);
    while (!status && (more = toll_timeline_next(r, &e, err)) == 1) {
        uint64_t at = is_second ? e.second : e.at;
        if (first) {
            start = at;
            toll_output_printf(w->out, "%llu,\"events\":[", (unsigned long long)start);
        }
        if (!toll_speedscope_put_event(&batch, first, e.is_open, w->order.frame_rank[e.frame], at))
            status = toll_fail_nomem(err);
        w->bytes += 40;
        busy += depth ? at - last : 0;
        depth += e.is_open ? 1 : UINT32_MAX;
        last = at;
        first = false;
    }
    toll_timeline_reader_free(r);
    toll_batch_flush(&batch);
    toll_buffer_free(&batch.bytes);
    toll_output_printf(w->out, "%s],\"endValue\":%llu}", first ? "0,\"events\":[" : "",
                       (unsigned long long)last);
    end_profile(w, true, busy <= INT64_MAX ? (int64_t)busy : INT64_MAX);
    return more < 0 ? err->status : status;
}

/* --- the file ----------------------------------------------------------------------------------*/

static toll_status put_profiles(speedscope_writer *w, toll_error *err)
{
    toll_status status = TOLL_OK;
    toll_json_put_text(w->out, "\"profiles\":[");
    for (uint32_t i = 0; !status && i < w->order.thread_count; i++) {
        toll_thread_id thread = w->order.threads[i];
        if (w->job->timeline)
            status = put_evented(w, thread, err);
        for (uint32_t c = 0; !w->job->timeline && c < toll_profile_column_count(w->p); c++)
            if (!status && !put_stacks(w, thread, c))
                status = toll_fail_nomem(err);
    }
    toll_json_put_text(w->out, "]");
    return status;
}

static void put_tail(speedscope_writer *w)
{
    if (w->shown_value > 0)
        toll_output_printf(w->out, ",\n\"activeProfileIndex\":%u", w->shown);
    toll_json_put_text(w->out, "}\n");
    if (w->negative)
        toll_format_warn(w->job->options,
                         "speedscope shows no negative values; left out: %llu stacks",
                         (unsigned long long)w->negative);
    if (w->too_large)
        toll_format_warn(w->job->options, "a sum does not fit 64 bits: endValue is too small");
    if (w->bytes > VIEWER_LIMIT)
        toll_format_warn(w->job->options, "browsers cannot read a speedscope file this large; "
                                          "write pprof (.pb.gz), which speedscope opens too");
}

toll_status toll_speedscope_write(const toll_write_job *job, toll_error *err)
{
    speedscope_writer w = { .job = job, .out = job->out };
    w.p = job->timeline ? toll_timeline_names(job->timeline) : job->profile;
    toll_status status = toll_order_create(&w.order, w.p, err);
    if (status)
        return status;
    w.as_events = !job->timeline && toll_speedscope_prefers_events(w.p);
    toll_json_put_text(w.out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                              "\n\"exporter\":\"");
    toll_json_put_text(w.out, w.as_events ? TOLL_SPEEDSCOPE_STACKS : "toll");
    toll_json_put_text(w.out, "\",\n");
    put_frames(&w);
    status = put_profiles(&w, err);
    put_tail(&w);
    toll_mem_free(&w.order.mem, w.path, w.path_capacity, sizeof *w.path);
    toll_order_free(&w.order);
    return status;
}
