/* stacks_size.c - folds the deepest stacks where a file of whole stacks would exceed its size,
 * since such files grow with the square of the depth. See format_table.h. */
#include "profile/order.h"
#include "profile/stack_depths.h"
#include "registry/format_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LARGE_BYTES UINT64_C(256000000)

static uint64_t digits(uint64_t number, uint64_t base)
{
    uint64_t n = 1;
    for (; number >= base; number /= base)
        n++;
    return n;
}

/* Bytes of a frame in a stack, before compression. folded: its name and a semicolon. perfview: its
 * name in quotes and a comma, twice (see perfview.c). pprof: a varint. speedscope: a number and a
 * comma, once for each value. */
static uint64_t frame_size(const toll_profile *p, toll_frame_id frame, const char *format)
{
    if (strcmp(format, "folded") == 0)
        return strlen(toll_profile_frame(p, frame).name) + 1;
    if (strcmp(format, "perfview") == 0)
        return 2 * (strlen(toll_profile_frame(p, frame).name) + 3);
    if (strcmp(format, "pprof") == 0)
        return digits((uint64_t)frame + 1, 128);
    return (digits(frame, 10) + 1) * toll_profile_column_count(p);
}

static void warn_large(const toll_format_options *options, const char *format, uint64_t bytes)
{
    if (bytes >= LARGE_BYTES)
        toll_format_warn(options,
                         "the stacks are deep: about %" PRIu64
                         " MB of %s, uncompressed; --max-depth makes it smaller",
                         bytes / 1000000, format);
}

/* Decide where to fold, by the depths of the job's profile as it is written. */
static toll_status fold_by(const toll_stack_depths *d, const char *format,
                           const toll_write_job *job, toll_profile **own, toll_error *err)
{
    char text[120];
    uint64_t bytes = toll_stack_depths_bytes(d);
    uint32_t depth = toll_stack_depths_choose(d, toll_stack_bytes(job->options));
    if (depth == UINT32_MAX) {
        warn_large(job->options, format, bytes);
        return TOLL_OK;
    }
    uint64_t stacks = toll_stack_depths_deeper(d, depth);
    toll_warn_folded(job->options, stacks, depth, bytes);
    warn_large(job->options, format, toll_stack_depths_folded(d, depth));
    snprintf(text, sizeof text, "stacks deeper than %" PRIu32 " frames, charged to their callers",
             depth);
    toll_status status = toll_profile_fold_depth(job->profile, depth, own, err);
    return status ? status : toll_profile_add_note(*own, text, stacks, err);
}

/* Does the size of the file grow with the depth of each stack? */
static bool repeats_stacks(const toll_format_row *row, const toll_write_job *job)
{
    const toll_format *f = &row->info;
    bool in_order = job->timeline && (f->keeps & TOLL_KEEPS_ORDER || job->options->flamechart);
    bool is_speedscope = strcmp(f->name, "speedscope") == 0;
    return !in_order &&
           (is_speedscope ? !toll_speedscope_prefers_events(job->profile) : row->repeats_stacks);
}

/* In a format without threads, equal stacks of several threads are one stack. So the threads are
 * joined before they are measured. */
toll_status toll_fold_deep_stacks(const toll_format_row *row, toll_write_job *job,
                                  toll_profile **own, toll_error *err)
{
    const toll_format *f = &row->info;
    toll_profile *joined = NULL;
    toll_stack_depths depths;
    if (!repeats_stacks(row, job))
        return TOLL_OK;
    toll_status status = TOLL_OK;
    if (!(f->keeps & TOLL_KEEPS_THREADS) && toll_profile_thread_count(job->profile) > 1)
        status = toll_profile_fold_threads(job->profile, &joined, err);
    const toll_profile *p = joined ? joined : job->profile;
    if (!status)
        status = toll_stack_depths_count(&depths, p, frame_size, f->name, err);
    if (!status) {
        status = fold_by(&depths, f->name, job, own, err);
        toll_stack_depths_free(&depths);
    }
    toll_profile_free(joined);
    if (!status && *own)
        job->profile = *own;
    return status;
}
