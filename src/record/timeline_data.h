/* timeline_data.h - declares the parts of a timeline. For timeline*.c and recorder_timeline.c;
 * docs/timeline.md describes the bytes that it writes. */
#ifndef TOLL_RECORD_TIMELINE_DATA_H
#define TOLL_RECORD_TIMELINE_DATA_H

#include "profile/profile_data.h"
#include "profile/thread_labels.h"
#include "record/timeline_store.h"

#include <toll/timeline.h>

#define TOLL_TIMELINE_MAGIC "\x89TLT\r\n\x1a\n"

enum {
    TOLL_TIMELINE_VERSION = 1,
    TOLL_TIMELINE_HEADER = 16, /* bytes: magic, version, 0 */
    TOLL_BLOCK_HEADER = 40,
    TOLL_BLOCK_LEAST = 256,
    TOLL_BLOCK_MOST = 64 * 1024, /* of events; a block of definitions may be larger */
    TOLL_EVENT_MOST = 26         /* 1 for TOLL_EVENT_GOES_ON, a frame of 5, and two steps of 10 */
};

/* Kinds of blocks. 0: no block; the file ends here. */
enum { TOLL_BLOCK_DEFINITIONS = 1, TOLL_BLOCK_EVENTS = 2 };

/* The first number of an event. 0: the block ends here. */
enum {
    TOLL_EVENT_CLOSE = 1,
    TOLL_EVENT_GOES_ON = 2, /* before an open: the frame continues after a suspension; it is not a
                             * call */
    TOLL_EVENT_OPEN = 3     /* plus the frame */
};

/* Kinds of definitions. 0: the block ends here. */
enum {
    TOLL_DEFINE_AXIS = 1,
    TOLL_DEFINE_FRAME,
    TOLL_DEFINE_THREAD,
    TOLL_DEFINE_RENAME,
    TOLL_DEFINE_NOTE,
    TOLL_DEFINE_START,
    TOLL_DEFINE_END,
    TOLL_DEFINE_LABELS
};

/* A block of events in the store, while its thread writes it:
 *
 *     offset                 40                                        size
 *     +----------------------+--------------------------+--------------+
 *     | header: kind, size,  | events, varints:         | 0 0 0 0 0 .. |
 *     | thread, where the    | open f, step, close,     | room         |
 *     | axes are, open frames| step, ...                |              |
 *     +----------------------+-----------+--------------+--------------+
 *                                        ^              ^
 *                                        flushed        next ...  limit: 26 bytes (TOLL_EVENT_MOST)
 *                                                       before the end, so that any event fits
 *
 * A byte 0 where an event would begin ends the block: it can be read at any moment. */
typedef struct toll_timeline_block {
    uint64_t offset; /* in the store's bytes */
    uint32_t size;
    uint32_t cut; /* bytes at its end that are missing from the file */
} toll_timeline_block;

/* Where a thread's next event goes. Invariant: at any position before `limit` there is room for one
 * event. */
typedef struct toll_timeline_thread {
    uint8_t *next, *limit; /* equal if there is no block, or the timeline has failed */
    uint8_t *flushed;      /* the bytes before it were already written to the file */
    uint64_t last_at, last_second;
    uint64_t opened, closed;     /* events so far */
    toll_store_block block;      /* the block being written */
    toll_timeline_block *blocks; /* all blocks, including that one */
    size_t block_count, block_capacity;
} toll_timeline_thread;

struct toll_timeline {
    toll_mem mem;
    toll_profile *names;    /* frames, threads and notes; columns: the axes */
    toll_label_list labels; /* of all threads */
    toll_store store;
    char *path; /* of its file; NULL if it is in memory or in a temporary file */
    size_t path_size;
    toll_timeline_thread **threads; /* by thread id in `names`; the threads never move */
    size_t thread_count, thread_capacity;
    toll_store_block definitions; /* the block to which the next definition goes */
    size_t defined;               /* bytes of it in use */
    toll_buffer definition;       /* the definition being made */
    bool has_second;              /* axis */
    bool is_finished;             /* the file does not change any more */
    bool is_read;                 /* from a file */
    bool has_end;                 /* the file has the mark that it was finished */
    toll_frame_id *frames;        /* if it was read from a file: a frame of its events -> the frame
                                   * in `names` */
    size_t frame_count, frame_capacity;
    uint64_t second;  /* the next event's position on the second axis */
    int64_t start_ns; /* since 1970-01-01 UTC; 0: not known */
    toll_error failure;
};

/* timeline_block.c: keep the first failure. After it all events take the general path, which
 * ignores them.
 * */
void toll_timeline_keep_failure(toll_timeline *timeline, toll_status status, const char *what);

/* The same, with the store's error text. */
void toll_timeline_store_failed(toll_timeline *timeline, toll_status status);

/* Fail because the store cannot be read: TOLL_E_IO. */
toll_status toll_timeline_cannot_read(const toll_timeline *timeline, toll_error *err);

/* Add a block. False: no memory, or a failure of the store; it is kept. */
bool toll_timeline_add_block(toll_timeline *timeline, uint32_t size, toll_store_block *block);

/* Write the header of a block, with the kind last: without it the block does not exist. */
void toll_timeline_put_header(uint8_t *to, int kind, uint32_t size, uint32_t thread,
                              const toll_timeline_thread *state);

/* Write bytes of a block to the file at once, even if the block is not mapped. This is needed for
 * the header of each block and for all definitions: without them nothing after them could be
 * read. */
void toll_timeline_put_through(toll_timeline *timeline, const toll_store_block *block, size_t from,
                               size_t size);

/* Write all events so far to the file, also those of blocks that are not mapped. */
void toll_timeline_flush(toll_timeline *timeline);

/* timeline_define.c: append a definition. Failures are kept, like those of events. */
void toll_define_axis(toll_timeline *timeline, toll_value_type axis);
void toll_define_frame(toll_timeline *timeline, toll_frame_id frame);
void toll_define_thread(toll_timeline *timeline, toll_thread_id thread);
void toll_define_rename(toll_timeline *timeline, toll_frame_id frame);
void toll_define_start(toll_timeline *timeline);
void toll_define_labels(toll_timeline *timeline);
void toll_define_notes(toll_timeline *timeline);
void toll_define_end(toll_timeline *timeline, uint64_t event_count);

/* timeline_read.c: the frame in `names` for the frame of an event; TOLL_NONE if there is none. */
toll_frame_id toll_timeline_frame(const toll_timeline *timeline, uint64_t frame);

/* Read and count all events of a thread in a file. Bytes after the last complete event are cut off.
 * Adds the number of frames that are open at the end to *left_open. */
toll_status toll_timeline_check_thread(toll_timeline *timeline, toll_thread_id thread,
                                       uint64_t *left_open, toll_error *err);

/* Is that block of the thread the one that is being written? */
static inline bool toll_timeline_is_open_block(const toll_timeline_thread *thread,
                                               const toll_timeline_block *block)
{
    return thread->block.data && thread->block.offset == block->offset;
}

/* Add a thread without events. */
bool toll_timeline_new_thread(toll_timeline *timeline);

/* Remove all events, frames, threads and notes; the axes stay. Frames and threads must be
 * registered again. */
void toll_timeline_clear(toll_timeline *timeline);

/* Append an event. Its frame and thread must be in the timeline; `code` is TOLL_EVENT_OPEN plus the
 * frame, or TOLL_EVENT_CLOSE. This is the general path; timeline_event.h has the fast one. */
void toll_timeline_add_event(toll_timeline *timeline, toll_thread_id thread, uint64_t code,
                             bool goes_on, uint64_t at, uint64_t second);

/* The two steps of creating a timeline. The first makes it without a store. The second stores its
 * events in `fd` (-1: in memory), and takes ownership of both: on failure it frees the timeline and
 * closes `fd`. */
toll_status toll_timeline_make(const toll_mem *mem, toll_timeline **out, toll_error *err);
toll_status toll_timeline_begin(toll_timeline *timeline, toll_value_type axis, int fd,
                                toll_timeline **out, toll_error *err);

/* Create a timeline in the empty file `fd`, which it then owns. `path` is for messages; NULL: a
 * temporary file. For hosts whose system has no named files (hosts/wasm). */
toll_status toll_timeline_create_in(const toll_mem *mem, toll_value_type axis, int fd,
                                    const char *path, toll_timeline **out, toll_error *err);

/* Make a temporary file for a timeline. */
toll_status toll_timeline_scratch(const toll_timeline *timeline, int *fd, toll_error *err);

/* Write the beginning of a file: its header, and the axes. */
void toll_timeline_begin_file(toll_timeline *timeline);

#endif
