/* profile_output.c - see profile_output.h, toll/embedder.h. */
#include "profile_output.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "debug_info.h"
#include "delivery.h"
#include "event_clock.h"
#include "executions.h"
#include "facts.h"
#include "place_callees.h"
#include "profile/runs.h"
#include "registry/format_table.h"
#include "sampling.h"
#include "timeline_part.h"
#include "timeline_stream.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <toll/embedder.h>
#include <unistd.h>

static struct {
    toll_profile *sum;        /* of profiles that were added; NULL: none */
    toll_profile *mark;       /* the profile at the mark, without notes; NULL: none was set */
    toll_profile *mark_notes; /* its notes, in a profile without stacks */
    host_costs marked;        /* the profiler's cost until then */
    bool warns;               /* the embedder shows standard error */
    bool keeps_all;           /* write all stacks: see most_stacks in toll/format.h */
    char *labels;             /* NULL: none */
} output;

static const host_costs no_costs;

/* --- profiles added up -------------------------------------------------------------------------*/

static toll_status read_profile(const void *data, size_t size, toll_profile **out)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(NULL, data, size, "profile", &in, host_error());
    if (status)
        return status;
    status = toll_profile_read(in, NULL, NULL, NULL, out, host_error());
    toll_input_free(in);
    return status;
}

int host_add(const void *data, size_t size)
{
    toll_profile *more = NULL;
    toll_status status = read_profile(data, size, &more);
    if (status)
        return status;
    if (!output.sum) {
        output.sum = more;
        return TOLL_OK;
    }
    status = toll_profile_merge(output.sum, more, host_error());
    toll_profile_free(more);
    return status;
}

/* --- what comes out ----------------------------------------------------------------------------*/

typedef struct format_choice {
    const char *format;
    toll_format_options options;
    bool in_order;
} format_choice;

/* Complete a snapshot of the recorder: places of calls, executions, lines. */
static toll_status complete(toll_profile **snapshot)
{
    toll_status status = host_place_callees(snapshot);
    if (!status)
        status = host_add_lines(snapshot);
    if (!status)
        status = host_add_run(*snapshot);
    if (!status)
        toll_profile_set_time(*snapshot, host_start_ns(),
                              host_has_time() ? (int64_t)host_time_so_far() : 0);
    return status;
}

/* Make the profile so far, which the caller frees. */
static toll_status make_profile(toll_profile **out)
{
    if (!host_has_recorder())
        return output.sum ? toll_profile_copy(output.sum, out, host_error())
                          : toll_profile_create(NULL, out, host_error());
    toll_status status = toll_recorder_snapshot(host_recorder(), NULL, out, host_error());
    return status ? status : complete(out);
}

/* Add the notes about the profiler's own cost since `before`. */
static toll_status finish(toll_profile *p, const host_costs *before)
{
    return host_has_recorder() ? host_note_costs(p, before) : TOLL_OK;
}

static toll_status make_noted(toll_profile **out)
{
    toll_status status = make_profile(out);
    return status ? status : finish(*out, &no_costs);
}

/* The same, to be written with these options. If only some stacks will be written, the rest is not
 * copied. */
static toll_status make_few(const void *choice, toll_profile **out)
{
    const format_choice *c = choice;
    const toll_format_row *row = toll_format_row_named(c->format);
    toll_few_stacks few = { 0, TOLL_NONE };
    toll_small_stacks small;
    toll_status status = TOLL_OK;
    if (host_has_recorder() && row && !host_has_callees())
        status = toll_choose_few(row, &c->options, host_recorder()->profile, &few, host_error());
    if (status || !few.most)
        return status ? status : make_noted(out);
    status = toll_recorder_snapshot_most(host_recorder(), few.most, few.column, out, &small,
                                         host_error());
    if (status)
        return status;
    toll_warn_few(&c->options, &small);
    status = complete(out);
    return status ? status : finish(*out, &no_costs);
}

static uint64_t count_of_note(const toll_profile *p, const char *text)
{
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            return count;
    }
    return 0;
}

/* Add the notes of `from` to `to`, less what those of `before` count (NULL: nothing), comments and
 * runs. */
static toll_status add_notes(toll_profile *to, const toll_profile *from, const toll_profile *before)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_note_count(from); i++) {
        uint64_t count;
        const char *text = toll_profile_note(from, i, &count);
        uint64_t counted = before ? count_of_note(before, text) : 0;
        if (count > counted)
            status = toll_profile_add_note(to, text, count - counted, host_error());
    }
    for (uint32_t i = 0; !status && i < toll_profile_comment_count(from); i++)
        status = toll_profile_add_comment(to, toll_profile_comment(from, i), host_error());
    return status ? status : toll_runs_add_all(to, from, host_error());
}

/* Make a profile that has only the notes that add_notes adds. */
static toll_status make_notes(const toll_profile *from, const toll_profile *before,
                              toll_profile **out)
{
    toll_status status = toll_profile_create(NULL, out, host_error());
    if (!status)
        status = add_notes(*out, from, before);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

/* Replace the notes of `p` by the part of them that was counted since the mark. */
static toll_status subtract_notes(toll_profile *p)
{
    toll_profile *notes;
    toll_status status = make_notes(p, output.mark_notes, &notes);
    if (status)
        return status;
    toll_profile_clear_notes(p);
    status = add_notes(p, notes, NULL);
    toll_profile_free(notes);
    return status;
}

static void drop_mark(void)
{
    toll_profile_free(output.mark);
    toll_profile_free(output.mark_notes);
    output.mark = output.mark_notes = NULL;
}

/* Remove the notes from the new mark, and keep them: they are subtracted from the notes of a
 * profile since the mark. */
static toll_status keep_mark(toll_status status)
{
    if (!status)
        status = make_notes(output.mark, NULL, &output.mark_notes);
    if (status)
        drop_mark();
    else
        toll_profile_clear_notes(output.mark);
    return status;
}

int host_mark(void)
{
    drop_mark();
    host_keep_readings();
    output.marked = host_costs_so_far();
    return keep_mark(make_profile(&output.mark));
}

/* Set the mark to an earlier profile data[size]. */
int host_mark_profile(const void *data, size_t size)
{
    drop_mark();
    toll_status status = read_profile(data, size, &output.mark);
    if (!status)
        output.marked = host_noted_costs(output.mark);
    return keep_mark(status);
}

/* The profile since the mark, without stacks that have no values. */
static toll_status make_since(const void *options, toll_profile **out)
{
    toll_profile *now, *difference = NULL;
    (void)options;
    if (!output.mark)
        return toll_fail(host_error(), TOLL_E_ARGUMENT, "no mark was set; call mark first");
    toll_status status = make_profile(&now);
    if (status)
        return status;
    status = subtract_notes(now);
    if (!status)
        status = toll_profile_diff(output.mark, now, &difference, host_error());
    toll_profile_free(now);
    if (!status)
        status = finish(difference, &output.marked);
    if (!status)
        status = toll_profile_prune(difference, out, host_error());
    toll_profile_free(difference);
    return status;
}

typedef toll_status maker(const void *options, toll_profile **out);
typedef toll_status writer(const toll_profile *profile, const void *options, toll_output *out);

/* Write the profile that `make` makes to a file descriptor, whose bytes the embedder receives; or
 * to the result (TOLL_TO_RESULT). */
static int write_to(int fd, maker *make, writer *write, const void *options, bool keeps_blocks)
{
    bool to_result = fd == TOLL_TO_RESULT;
    toll_profile *p = NULL;
    toll_output *file = NULL;
    toll_status status = make(options, &p);
    if (!status)
        status = host_symbolize(&p, keeps_blocks);
    if (!status)
        status = to_result ? host_new_result()
                           : toll_output_from_fd(NULL, fd, "profile", &file, host_error());
    if (!status) {
        toll_output *to = to_result ? host_result() : file;
        status = write(p, options, to);
        if (!status)
            status = toll_output_commit(to, host_error());
        toll_output_free(file);
    }
    toll_profile_free(p);
    return status;
}

static toll_status make_whole(const void *options, toll_profile **out)
{
    (void)options;
    return make_noted(out);
}

const char *host_labels(void)
{
    return output.labels;
}

void host_set_warns(int warns)
{
    output.warns = warns;
}

void host_set_keeps_all(int keeps_all)
{
    output.keeps_all = keeps_all;
}

int host_set_labels(const char *labels)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer lines;
    bool has_threads =
        host_timeline() && toll_profile_thread_count(toll_timeline_names(host_timeline()));
    if (has_threads && host_timeline_streams())
        return toll_fail(host_error(), TOLL_E_STATE,
                         "the timeline's file has its labels already; set them before the first "
                         "call");
    toll_buffer_init(&lines, &mem);
    toll_status status =
        toll_label_lists_join(output.labels ? output.labels : "", labels, &lines, host_error());
    if (!status && host_timeline() && !has_threads)
        status = toll_timeline_set_labels(host_timeline(), (const char *)lines.data, host_error());
    char *joined = status ? NULL : strdup((const char *)lines.data);
    if (!status && !joined)
        status = toll_fail_nomem(host_error());
    toll_buffer_free(&lines);
    if (status)
        return status;
    free(output.labels);
    output.labels = joined;
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
    toll_status status =
        host_timeline() ? toll_timeline_status(host_timeline(), host_error()) : TOLL_OK;
    if (status)
        return status;
    return c->in_order ? host_write_part(p, c->format, &c->options, out)
                       : toll_profile_write(p, NULL, c->format, &c->options, out, host_error());
}

/* Can the format keep the addresses of instructions beside their lines? */
static bool keeps_blocks(const char *format)
{
    const toll_format *f = toll_format_named(format);
    return f && f->reads && f->keeps & TOLL_KEEPS_PLACES;
}

int host_profile(int fd, const char *format, const char *value, int in_order)
{
    const toll_format_options options = { .size = sizeof options,
                                          .warn = output.warns ? warn : NULL,
                                          .value = *value ? value : NULL,
                                          .most_stacks = output.keeps_all ? 0 : TOLL_MOST_STACKS,
                                          .stack_bytes = output.keeps_all ? SIZE_MAX : 0,
                                          .labels = output.labels,
                                          .flamechart = in_order && strcmp(format, "folded") == 0 };
    const format_choice choice = { format, options, in_order };
    return write_to(fd, make_few, write_format, &choice, keeps_blocks(format));
}

int host_moment(int fd)
{
    const format_choice choice = { "pprof",
                                   { .size = sizeof choice.options, .stack_bytes = SIZE_MAX },
                                   false };
    return write_to(fd, make_few, write_format, &choice, keeps_blocks(choice.format));
}

int host_since(int fd, const char *format, const char *value)
{
    const format_choice choice = {
        format,
        { .size = sizeof choice.options,
          .value = *value ? value : NULL,
          .most_stacks = output.keeps_all ? 0 : TOLL_MOST_STACKS,
          .stack_bytes = output.keeps_all ? SIZE_MAX : 0,
          .labels = output.labels },
        false,
    };
    return write_to(fd, make_since, write_format, &choice, keeps_blocks(format));
}

typedef struct report_choice {
    toll_report_options options;
    bool as_tree, as_json;
} report_choice;

static toll_status write_report(const toll_profile *p, const void *choice, toll_output *out)
{
    const report_choice *c = choice;
    return c->as_json   ? toll_report_json(p, &c->options, out, host_error())
           : c->as_tree ? toll_report_tree(p, &c->options, out, host_error())
                        : toll_report_top(p, &c->options, out, host_error());
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
    return write_to(fd, make_whole, write_report, &choice, false);
}
