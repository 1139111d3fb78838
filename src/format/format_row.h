/* format_row.h - the parts of a format, and what formats share.
 *
 * A format is a reader, a writer or both, of the shapes below, and one row in
 * registry/format_table.c. Readers of files with an order in time drive a toll_recorder: such a
 * file is a run that is played again. */
#ifndef TOLL_FORMAT_FORMAT_ROW_H
#define TOLL_FORMAT_FORMAT_ROW_H

#include "base/fail.h"
#include "base/input.h"
#include "base/mem.h"

#include <toll/format.h>

/* How sure a format is that it can read a file. The surest format reads it; of equally sure ones,
 * the first in the table. */
typedef enum toll_sniff {
    TOLL_SNIFF_NO = 0,
    TOLL_SNIFF_MAYBE = 1, /* possible */
    TOLL_SNIFF_LIKELY = 2,
    TOLL_SNIFF_SURE = 3
} toll_sniff;

/* The input of a reader. On success the reader sets *profile (and *timeline, if wanted and
 * contained in the file). On failure it leaves nothing allocated. */
typedef struct toll_read_job {
    toll_input *in;                     /* NULL for formats of a folder */
    const char *folder;                 /* its path, for formats of a folder */
    toll_mem mem;                       /* to build with */
    const toll_format_options *options; /* never NULL */
    const void *own;                    /* the reader's own options; may be NULL */
    bool want_timeline;
    toll_profile *profile;
    toll_timeline *timeline;
} toll_read_job;

/* The input of a writer. Formats that need a timeline get one; for others it may be NULL. */
typedef struct toll_write_job {
    const toll_profile *profile;
    const toll_timeline *timeline;
    const toll_profile *threads;        /* the timeline's threads, with the labels to write */
    const toll_format_options *options; /* never NULL */
    uint32_t column;                    /* for formats with one value */
    toll_output *out;
} toll_write_job;

typedef struct toll_format_row {
    toll_format info;
    int gzip;            /* 1: written compressed */
    int repeats_stacks;  /* 1: each stack is written in full, even where stacks share callers */
    const char *options; /* name of the reader's own options in toll_reader_options; NULL: it has
                          * none */
    toll_sniff (*sniff)(const uint8_t *data, size_t size); /* the first bytes, up to 64 KiB */
    bool (*sniff_folder)(const char *path); /* formats of a folder: does `path` contain files of the
                                             * format? */
    toll_status (*read)(toll_read_job *job, toll_error *err);
    toll_status (*write)(const toll_write_job *job, toll_error *err); /* err is never NULL */
} toll_format_row;

/* The frame for what was spent outside of any frame, in formats that have only frames. */
#define TOLL_OUTSIDE "(outside)"

/* Exporter of a speedscope file whose events show stacks, not an order in time. */
#define TOLL_SPEEDSCOPE_STACKS "toll, stacks as events"

/* Should the profile be written as speedscope events? True if its stacks are so deep that samples
 * would be long, and longer than events. */
bool toll_speedscope_prefers_events(const toll_profile *profile);

/* The thread name of a snapshot of Emscripten's heap. In formats with one profile for each thread,
 * the profiles have this name. */
#define TOLL_HEAP_THREAD "Native Memory Allocations"
#define TOLL_GROWTH_THREAD "Heap Growth"

/* Warn about what was omitted or guessed, if the options have a callback. */
void toll_format_warn(const toll_format_options *options, const char *format, ...)
    TOLL_PRINTF(2, 3);

/* How many bytes the stacks may need in a format that writes each stack in full. */
size_t toll_stack_bytes(const toll_format_options *options);

/* Warn that `stacks` stacks are folded at a depth; in full, all stacks would need `bytes`. */
void toll_warn_folded(const toll_format_options *options, uint64_t stacks, uint32_t depth,
                      uint64_t bytes);

/* The chosen axis of the job's timeline: the second one if its type is the value that the options
 * name, else the first. */
toll_value_type toll_chosen_axis(const toll_write_job *job, bool *is_second);

/* The sniff, read and write functions of the formats in src/format, each in the files of its
 * name. */
toll_sniff toll_folded_sniff(const uint8_t *data, size_t size);
toll_status toll_folded_read(toll_read_job *job, toll_error *err);
toll_status toll_folded_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_speedscope_sniff(const uint8_t *data, size_t size);
toll_status toll_speedscope_read(toll_read_job *job, toll_error *err);
toll_status toll_speedscope_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_perfview_sniff(const uint8_t *data, size_t size);
toll_status toll_perfview_read(toll_read_job *job, toll_error *err);
toll_status toll_perfview_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_pprof_sniff(const uint8_t *data, size_t size);
toll_status toll_pprof_read(toll_read_job *job, toll_error *err);
toll_status toll_pprof_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_chrome_sniff(const uint8_t *data, size_t size);
toll_status toll_chrome_read(toll_read_job *job, toll_error *err);
toll_status toll_chrome_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_timeline_format_sniff(const uint8_t *data, size_t size);
toll_status toll_timeline_format_read(toll_read_job *job, toll_error *err);
toll_status toll_timeline_format_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_perfetto_sniff(const uint8_t *data, size_t size);
toll_status toll_perfetto_write(const toll_write_job *job, toll_error *err);

toll_sniff toll_callgrind_sniff(const uint8_t *data, size_t size);
toll_status toll_callgrind_write(const toll_write_job *job, toll_error *err);

#endif
