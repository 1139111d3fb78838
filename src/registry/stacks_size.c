/* stacks_size.c - estimates how large the stacks of a profile are in a file. See format_table.h. */
#include "profile/order.h"
#include "registry/format_table.h"

#include <inttypes.h>
#include <string.h>

/* Formats of whole stacks write each stack in full: deep recursion makes that quadratic. */
#define MOST_STACK_FRAMES (UINT64_C(1) << 31)
#define LARGE_BYTES UINT64_C(256000000)

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

/* About how many bytes whole stacks of so many frames take in a format, before compression: the
 * average size of a frame, over the profile's nodes, times their number. */
static uint64_t stacks_size(const toll_profile *p, uint64_t frames, const char *format)
{
    uint64_t sum = 0, nodes = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame == TOLL_NONE)
            continue; /* a thread's root */
        sum += frame_size(p, frame, format);
        nodes++;
    }
    if (!nodes)
        return 0;
    uint64_t per_frame = sum / nodes, rest = sum % nodes;
    uint64_t size = frames * per_frame + frames / nodes * rest;
    /* Speedscope has the stacks once for each value. */
    return strcmp(format, "speedscope") == 0 ? size * toll_profile_column_count(p) : size;
}

static toll_status check(const toll_profile *p, const toll_format *f,
                         const toll_format_options *options, toll_error *err)
{
    uint64_t frames = toll_profile_stack_frames(p);
    if (frames > MOST_STACK_FRAMES)
        return toll_fail(err, TOLL_E_LIMIT,
                         "the stacks are so deep that they would take %" PRIu64
                         " frames to write; fold them with --max-depth",
                         frames);
    uint64_t bytes = stacks_size(p, frames, f->name);
    if (bytes >= LARGE_BYTES)
        toll_format_warn(options,
                         "the stacks are deep: about %" PRIu64
                         " MB of %s, uncompressed; --max-depth makes it smaller",
                         bytes / 1000000, f->name);
    return TOLL_OK;
}

static bool is_large(const toll_profile *p, const char *format)
{
    uint64_t frames = toll_profile_stack_frames(p);
    return frames > MOST_STACK_FRAMES || stacks_size(p, frames, format) >= LARGE_BYTES;
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

/* A stack that several threads have is one stack in a format without threads. Only where that may
 * matter are the threads joined. */
toll_status toll_check_stacks_size(const toll_format_row *row, const toll_write_job *job,
                                   toll_error *err)
{
    const toll_profile *p = job->profile;
    const toll_format *f = &row->info;
    toll_profile *joined;
    if (!repeats_stacks(row, job) || !is_large(p, f->name))
        return TOLL_OK;
    if (f->keeps & TOLL_KEEPS_THREADS || toll_profile_thread_count(p) < 2)
        return check(p, f, job->options, err);
    toll_status status = toll_profile_fold_threads(p, &joined, err);
    if (status)
        return status;
    status = check(joined, f, job->options, err);
    toll_profile_free(joined);
    return status;
}
