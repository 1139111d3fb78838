/* recording.c - a recording begins, and what comes out of it. See wasm_host.h. */
#include "wasm_host.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "profile/label_list.h"
#include "registry/format_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TIMELINE_FD = 4,
    MODULE_BITS = TOLL_MODULE_INSTRUMENTED | TOLL_MODULE_LINES | TOLL_MODULE_CALL_LINES,
    ALL_FLAGS = 2 * TOLL_RECORD_CALL_KINDS - 1
};

static int64_t start_ns;
static const host_costs no_costs;
static host_costs marked; /* at the mark */
static char thread_name[80] = "main";

static toll_status make_timeline(uint32_t flags, toll_value_type axis)
{
    const toll_mem mem = toll_mem_from(NULL);
    const char *path =
        flags & TOLL_RECORD_TIMELINE_TEMPORARY ? NULL : "timeline"; /* only the embedder knows */
    host.streams = flags & TOLL_RECORD_TIMELINE_FILE;
    toll_status status =
        host.streams
            ? toll_timeline_create_in(&mem, axis, TIMELINE_FD, path, &host.timeline, &host.error)
            : toll_timeline_create(NULL, axis, 1, &host.timeline, &host.error);
    if (!status && host.labels)
        status = toll_timeline_set_labels(host.timeline, host.labels, &host.error);
    return status;
}

static toll_status make_recorder(uint32_t flags, uint32_t max_depth)
{
    static const toll_counter ticks = { "ticks", "count", 0 }, time = { "time", "nanoseconds", 0 };
    static const toll_value_type tick_axis = { "ticks", "count" },
                                 time_axis = { "time", "nanoseconds" };
    toll_counter both[2];
    uint32_t count = 0;
    host.has_ticks = flags & TOLL_RECORD_TICKS;
    host.has_time = flags & TOLL_RECORD_TIME;
    host.looks = host.has_time && flags & TOLL_RECORD_LOOKS;
    host.no_calls = flags & TOLL_RECORD_NO_CALLS;
    host.folds = flags & TOLL_RECORD_FOLD_RECURSION;
    host.call_kinds = flags & TOLL_RECORD_CALL_KINDS;
    if (host.folds && host.call_kinds)
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "where recursion is folded while the program runs kinds of calls are not "
                         "kept apart; fold it when the profile is converted");
    if (host.folds && flags & (TOLL_RECORD_TIMELINE | TOLL_RECORD_NO_CALLS))
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "where recursion is folded while the program runs there is no order of "
                         "calls; fold it when the profile is converted");
    if (host.no_calls && flags != TOLL_RECORD_NO_CALLS)
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "without calls there is no time, no order and no heap");
    if (host.has_ticks)
        both[count++] = ticks;
    if (host.has_time)
        both[count++] = time;
    toll_status status = TOLL_OK;
    if (flags & TOLL_RECORD_TIMELINE && !count)
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "the order of calls is kept by ticks or time, and there are neither");
    if (flags & TOLL_RECORD_TIMELINE)
        status = make_timeline(flags, host.has_time ? time_axis : tick_axis);
    if (!status && host.timeline && count == 2)
        status = toll_timeline_add_second_axis(host.timeline, tick_axis, &host.error);
    const toll_recorder_options options = { .size = sizeof options,
                                            .counters = both,
                                            .counter_count = count,
                                            .max_depth = max_depth,
                                            .heap = (flags & TOLL_RECORD_HEAP) != 0,
                                            .timeline = host.timeline,
                                            .timeline_counter = host.timeline ? count - 1 : 0,
                                            .main_thread = thread_name };
    return status ? status : toll_recorder_create(&options, &host.recorder, &host.error);
}

void host_name_thread(const char *name)
{
    snprintf(thread_name, sizeof thread_name, "%s", name);
}

int host_begin(uint32_t flags, uint32_t max_depth, int64_t start)
{
    if (flags & ~(uint32_t)(ALL_FLAGS | MODULE_BITS))
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "flags 0x%x: some are not known here; use the toll.wasm of that version",
                         (unsigned)flags);
    if (host.recorder)
        return toll_fail(&host.error, TOLL_E_STATE,
                         "a recording has begun already; make another instance of toll.wasm");
    const toll_mem mem = toll_mem_from(NULL);
    host_remember_stack();
    toll_u64map_init(&host.callees.frames, &mem);
    start_ns = start;
    host.uses_wasi_clock = flags & TOLL_RECORD_WASI_CLOCK;
    if (flags & TOLL_RECORD_TIME)
        host.clock_began = host_clock();
    return make_recorder(flags & ALL_FLAGS, max_depth);
}

/* Open frames close where the counters were charged last. */
int host_end_timeline(void)
{
    toll_recorder_timeline_suspend(host_recorder());
    return toll_timeline_finish(host.timeline, &host.error);
}

int host_note(const char *text, uint64_t count)
{
    return toll_recorder_note(host_recorder(), text, count, &host.error);
}

/* --- profiles added up -------------------------------------------------------------------------*/

static toll_status read_profile(const void *data, size_t size, toll_profile **out)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(NULL, data, size, "profile", &in, &host.error);
    if (status)
        return status;
    status = toll_profile_read(in, NULL, NULL, NULL, out, &host.error);
    toll_input_free(in);
    return status;
}

int host_add(const void *data, size_t size)
{
    toll_profile *more = NULL;
    toll_status status = read_profile(data, size, &more);
    if (status)
        return status;
    if (!host.added) {
        host.added = more;
        return TOLL_OK;
    }
    status = toll_profile_merge(host.added, more, &host.error);
    toll_profile_free(more);
    return status;
}

/* --- what comes out ----------------------------------------------------------------------------*/

typedef struct format_choice {
    const char *format;
    toll_format_options options;
    bool in_order;
} format_choice;

/* Add to a snapshot what the recorder does not know. */
static toll_status complete(toll_profile **snapshot)
{
    toll_status status =
        host.callees.count || host.call_kinds ? host_place_callees(snapshot) : TOLL_OK;
    if (!status && host.looks)
        status = host_finish_looks(*snapshot);
    if (!status)
        status = host_add_lines(snapshot);
    if (!status)
        toll_profile_set_time(*snapshot, start_ns, (int64_t)host_time_so_far());
    return status;
}

/* The profile so far, the caller's to free. */
static toll_status take_profile(toll_profile **out)
{
    if (!host.recorder)
        return host.added ? toll_profile_copy(host.added, out, &host.error)
                          : toll_profile_create(NULL, out, &host.error);
    toll_status status = toll_recorder_snapshot(host_recorder(), NULL, out, &host.error);
    return status ? status : complete(out);
}

/* The profile so far with the notes of what the profiler itself cost. */
static toll_status take_noted(toll_profile **out)
{
    toll_status status = take_profile(out);
    return status || !host.recorder ? status : host_note_costs(*out, &no_costs);
}

/* The same, to be written with these options: a profile with more stacks than are written is not
 * copied as a whole. */
static toll_status take_few(const void *choice, toll_profile **out)
{
    const format_choice *c = choice;
    const toll_format_row *row = toll_format_row_named(c->format);
    toll_few_stacks few = { 0, TOLL_NONE };
    toll_small_stacks small;
    toll_status status = TOLL_OK;
    if (host.recorder && row && !host.callees.count && !host.call_kinds)
        status = toll_choose_few(row, &c->options, host_recorder()->profile, &few, &host.error);
    if (status || !few.most)
        return status ? status : take_noted(out);
    status =
        toll_recorder_snapshot_most(host.recorder, few.most, few.column, out, &small, &host.error);
    if (status)
        return status;
    toll_warn_few(&c->options, &small);
    status = complete(out);
    return status ? status : host_note_costs(*out, &no_costs);
}

/* The mark is kept without notes: what is said of the time since is less what these count. */
static toll_status keep_mark(toll_status status)
{
    if (status)
        return status;
    marked = host_noted_costs(host.mark);
    toll_profile_clear_notes(host.mark);
    return TOLL_OK;
}

int host_mark(void)
{
    toll_profile_free(host.mark);
    host.mark = NULL;
    return keep_mark(take_noted(&host.mark));
}

/* The mark is the profile data[size], an earlier one, in any format that is not compressed. */
int host_mark_profile(const void *data, size_t size)
{
    toll_profile_free(host.mark);
    host.mark = NULL;
    return keep_mark(read_profile(data, size, &host.mark));
}

/* The profile since the mark, without stacks that have no values. */
static toll_status take_since(const void *options, toll_profile **out)
{
    toll_profile *now, *difference = NULL;
    (void)options;
    if (!host.mark)
        return toll_fail(&host.error, TOLL_E_ARGUMENT, "since when? no mark was set");
    toll_status status = take_profile(&now);
    if (status)
        return status;
    if (host.recorder)
        status = host_note_costs(now, &marked);
    if (!status)
        status = toll_profile_diff(host.mark, now, &difference, &host.error);
    if (!status)
        status = toll_profile_prune(difference, out, &host.error);
    toll_profile_free(difference);
    toll_profile_free(now);
    return status;
}

typedef toll_status taker(const void *options, toll_profile **out);
typedef toll_status writer(const toll_profile *profile, const void *options, toll_output *out);

/* Write to the file descriptor, whose bytes the embedder receives; or to the result. */
static int write_to(int fd, taker *take, writer *write, const void *options)
{
    bool to_result = fd == TOLL_TO_RESULT;
    toll_profile *p = NULL;
    toll_output *out = NULL;
    toll_status status = take(options, &p);
    if (!status)
        status = to_result ? host_new_result()
                           : toll_output_from_fd(NULL, fd, "profile", &out, &host.error);
    if (!status) {
        toll_output *to = to_result ? host.result : out;
        status = write(p, options, to);
        if (!status)
            status = toll_output_commit(to, &host.error);
        toll_output_free(out);
    }
    toll_profile_free(p);
    return status;
}

static toll_status take_all(const void *options, toll_profile **out)
{
    (void)options;
    return take_noted(out);
}

void host_set_warns(int warns)
{
    host.warns = warns;
}

void host_set_keeps_all(int keeps_all)
{
    host.keeps_all = keeps_all;
}

int host_set_labels(const char *labels)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer lines;
    bool has_threads =
        host.timeline && toll_profile_thread_count(toll_timeline_names(host.timeline));
    if (has_threads && host.streams)
        return toll_fail(&host.error, TOLL_E_STATE,
                         "the timeline's file has its labels already; set them before the first "
                         "call");
    toll_buffer_init(&lines, &mem);
    toll_status status =
        toll_label_lists_join(host.labels ? host.labels : "", labels, &lines, &host.error);
    if (!status && host.timeline && !has_threads)
        status = toll_timeline_set_labels(host.timeline, (const char *)lines.data, &host.error);
    char *joined = status ? NULL : strdup((const char *)lines.data);
    if (!status && !joined)
        status = toll_fail_nomem(&host.error);
    toll_buffer_free(&lines);
    if (status)
        return status;
    free(host.labels);
    host.labels = joined;
    return TOLL_OK;
}

static void warn(void *user, const char *text)
{
    (void)user;
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

static toll_status write_format(const toll_profile *p, const void *choice, toll_output *out)
{
    const format_choice *c = choice;
    toll_status status = host.timeline ? toll_timeline_status(host.timeline, &host.error) : TOLL_OK;
    return status ? status
                  : toll_profile_write(p, c->in_order ? host.timeline : NULL, c->format,
                                       &c->options, out, &host.error);
}

int host_profile(int fd, const char *format, const char *value, int in_order)
{
    const toll_format_options options = { .size = sizeof options,
                                          .warn = host.warns ? warn : NULL,
                                          .value = *value ? value : NULL,
                                          .most_stacks = host.keeps_all ? 0 : TOLL_MOST_STACKS,
                                          .stack_bytes = host.keeps_all ? SIZE_MAX : 0,
                                          .labels = host.labels,
                                          .flamechart = in_order && strcmp(format, "folded") == 0 };
    const format_choice choice = { format, options, in_order };
    return write_to(fd, take_few, write_format, &choice);
}

int host_since(int fd, const char *format, const char *value)
{
    const format_choice choice = {
        format,
        { .size = sizeof choice.options,
          .value = *value ? value : NULL,
          .most_stacks = host.keeps_all ? 0 : TOLL_MOST_STACKS,
          .stack_bytes = host.keeps_all ? SIZE_MAX : 0,
          .labels = host.labels },
        false,
    };
    return write_to(fd, take_since, write_format, &choice);
}

typedef struct report_choice {
    toll_report_options options;
    bool as_tree, as_json;
} report_choice;

static toll_status write_report(const toll_profile *p, const void *choice, toll_output *out)
{
    const report_choice *c = choice;
    return c->as_json   ? toll_report_json(p, &c->options, out, &host.error)
           : c->as_tree ? toll_report_tree(p, &c->options, out, &host.error)
                        : toll_report_top(p, &c->options, out, &host.error);
}

int host_report(int fd, const char *value, uint32_t rows, int form)
{
    const report_choice choice = {
        { .size = sizeof choice.options,
          .value = *value ? value : NULL,
          .rows = rows,
          .short_names = 1,
          .sort = form == 1 ? TOLL_SORT_TOTAL : TOLL_SORT_SELF },
        form == 1,
        form == 2,
    };
    return write_to(fd, take_all, write_report, &choice);
}
