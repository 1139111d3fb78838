/* stacks_size.c - keeps files of whole stacks from growing with the square of their depth: folds
 * the deepest stacks where the file would exceed its size. See format_table.h. */
#include "profile/order.h"
#include "profile/stack_depths.h"
#include "registry/format_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LARGE_BYTES UINT64_C(256000000)

/* No stack is folded at less: that is deeper than nearly all programs are without recursion. */
enum { LEAST_DEPTH = 1000 };

static uint64_t digits(uint64_t number, uint64_t base)
{
    uint64_t n = 1;
    for (; number >= base; number /= base)
        n++;
    return n;
}

/* Bytes of a frame in a stack: its name and a semicolon; its name in quotes and a comma, twice (see
 * perfview.c); a varint; a number and a comma. */
static uint64_t frame_size(const toll_profile *p, toll_frame_id frame, const char *format)
{
    if (strcmp(format, "folded") == 0)
        return strlen(toll_profile_frame(p, frame).name) + 1;
    if (strcmp(format, "perfview") == 0)
        return 2 * (strlen(toll_profile_frame(p, frame).name) + 3);
    if (strcmp(format, "pprof") == 0)
        return digits((uint64_t)frame + 1, 128);
    return digits(frame, 10) + 1;
}

/* What the frames of all nodes take in a format, once each. */
typedef struct frame_sizes {
    uint64_t sum, nodes;
} frame_sizes;

static frame_sizes measure_frames(const toll_profile *p, const char *format)
{
    frame_sizes s = { 0, 0 };
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame == TOLL_NONE)
            continue; /* a thread's root */
        s.sum += frame_size(p, frame, format);
        s.nodes++;
    }
    if (strcmp(format, "speedscope") == 0) /* it has the stacks once for each value */
        s.sum *= toll_profile_column_count(p);
    return s;
}

/* About how many bytes so many frames take in a format, before compression: the average size of a
 * frame, over the profile's nodes, times their number. */
static uint64_t bytes_of(frame_sizes s, uint64_t frames)
{
    return s.nodes ? frames * (s.sum / s.nodes) + frames / s.nodes * (s.sum % s.nodes) : 0;
}

/* About how many frames take so many bytes. */
static uint64_t frames_in(frame_sizes s, uint64_t bytes)
{
    uint64_t per_frame = s.nodes ? (s.sum + s.nodes - 1) / s.nodes : 1;
    return bytes / (per_frame ? per_frame : 1);
}

static void warn_large(const toll_format_options *options, const char *format, uint64_t bytes)
{
    if (bytes >= LARGE_BYTES)
        toll_format_warn(options,
                         "the stacks are deep: about %" PRIu64
                         " MB of %s, uncompressed; --max-depth makes it smaller",
                         bytes / 1000000, format);
}

/* Note that stacks were folded, and warn of it. */
static toll_status note_folded(toll_profile *p, const toll_write_job *job, uint32_t depth,
                               uint64_t stacks, uint64_t bytes, toll_error *err)
{
    char text[120];
    snprintf(text, sizeof text, "stacks deeper than %" PRIu32 " frames, charged to their callers",
             depth);
    toll_format_warn(job->options,
                     "%" PRIu64 " stacks are deeper than %" PRIu32
                     " frames, and charged to their callers there: all frames would take %" PRIu64
                     " MB, uncompressed (--keep-all writes them)",
                     stacks, depth, bytes / 1000000);
    return toll_profile_add_note(p, text, stacks, err);
}

/* Decide by the depths of `p`, which are those of the job's profile as it is written. */
static toll_status fold_by(const toll_stack_depths *d, const toll_profile *p, const char *format,
                           const toll_write_job *job, toll_profile **own, toll_error *err)
{
    frame_sizes sizes = measure_frames(p, format);
    size_t most = job->options->stack_bytes ? job->options->stack_bytes : TOLL_STACK_BYTES;
    uint64_t bytes = bytes_of(sizes, toll_stack_depths_frames(d));
    uint32_t depth = d->deepest;
    if (bytes > most)
        depth = toll_stack_depths_within(d, frames_in(sizes, most));
    if (depth < LEAST_DEPTH)
        depth = LEAST_DEPTH;
    if (depth >= d->deepest) {
        warn_large(job->options, format, bytes);
        return TOLL_OK;
    }
    toll_status status = toll_profile_fold_depth(job->profile, depth, own, err);
    if (!status)
        status = note_folded(*own, job, depth, toll_stack_depths_deeper(d, depth), bytes, err);
    return status;
}

/* Does the file grow with the depth of each stack? */
static bool repeats_stacks(const toll_format_row *row, const toll_write_job *job)
{
    const toll_format *f = &row->info;
    bool in_order = job->timeline && (f->keeps & TOLL_KEEPS_ORDER || job->options->flamechart);
    bool is_speedscope = strcmp(f->name, "speedscope") == 0;
    return !in_order &&
           (is_speedscope ? !toll_speedscope_prefers_events(job->profile) : row->repeats_stacks);
}

/* A stack that several threads have is one stack in a format without threads: these are joined to
 * measure them. */
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
        status = toll_stack_depths_count(&depths, p, err);
    if (!status) {
        status = fold_by(&depths, p, f->name, job, own, err);
        toll_stack_depths_free(&depths);
    }
    toll_profile_free(joined);
    if (!status && *own)
        job->profile = *own;
    return status;
}
