/* timeline_data.h - what a timeline is made of. For timeline*.c and recorder_timeline.c; the bytes
 * that it writes are described in docs/timeline.md. */
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

/* Blocks. 0: there is none, the file ends here. */
enum { TOLL_BLOCK_DEFINITIONS = 1, TOLL_BLOCK_EVENTS = 2 };

/* How an event begins. 0: the block ends here. */
enum {
    TOLL_EVENT_CLOSE = 1,
    TOLL_EVENT_GOES_ON = 2, /* before an open: the frame was open before, and is not called */
    TOLL_EVENT_OPEN = 3     /* plus the frame */
};

/* Definitions. 0: the block ends here. */
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
    uint64_t offset; /* in the store */
    uint32_t size;
    uint32_t cut; /* bytes at its end that the file did not have any more */
} toll_timeline_block;

/* Where a thread's next event goes. Invariant: below `limit` there is room for one more. */
typedef struct toll_timeline_thread {
    uint8_t *next, *limit; /* equal: there is no block, or the timeline has failed */
    uint8_t *flushed;      /* what is before it in the block was put through */
    uint64_t last_at, last_second;
    uint64_t opened, closed;     /* events so far */
    toll_store_block block;      /* the one that it writes */
    toll_timeline_block *blocks; /* all, with that one */
    size_t block_count, block_capacity;
} toll_timeline_thread;

struct toll_timeline {
    toll_mem mem;
    toll_profile *names;    /* frames, threads and notes; columns: the axes */
    toll_label_list labels; /* of all threads */
    toll_store store;
    char *path; /* of its file; NULL: memory, or a temporary file */
    size_t path_size;
    toll_timeline_thread **threads; /* by thread id of `names`; they never move */
    size_t thread_count, thread_capacity;
    toll_store_block definitions; /* the block that gets the next one */
    size_t defined;               /* bytes of it in use */
    toll_buffer definition;       /* one that is being made */
    bool has_second;              /* axis */
    bool is_finished;             /* what is in the file stays as it is */
    bool is_read;                 /* from a file */
    bool has_end;                 /* of which it was finished */
    toll_frame_id *frames;        /* if it is read: the frames of its events -> `names` */
    size_t frame_count, frame_capacity;
    uint64_t second;  /* where the next event is on it */
    int64_t start_ns; /* since 1970-01-01 UTC; 0: not known */
    toll_error failure;
};

/* timeline_block.c: keep the first failure; after it all events take the general path, and are
 * ignored.
 */
void toll_timeline_keep_failure(toll_timeline *timeline, toll_status status, const char *what);

/* The same with what the store says. */
void toll_timeline_store_failed(toll_timeline *timeline, toll_status status);

/* What the store has cannot be read: TOLL_E_IO. */
toll_status toll_timeline_cannot_read(const toll_timeline *timeline, toll_error *err);

/* A new block; false: no memory, or a failure of the store, which is kept. */
bool toll_timeline_add_block(toll_timeline *timeline, uint32_t size, toll_store_block *block);

/* The header of a block, and its kind last: without it there is no block. */
void toll_timeline_put_header(uint8_t *to, int kind, uint32_t size, uint32_t thread,
                              const toll_timeline_thread *state);

/* Bytes of a block that are in the file from now on, also if the block is not mapped. Without the
 * header of each block and all definitions nothing that follows them could be read. */
void toll_timeline_put_through(toll_timeline *timeline, const toll_store_block *block, size_t from,
                               size_t size);

/* All events so far are in the file from now on, also those of blocks that are not mapped. */
void toll_timeline_flush(toll_timeline *timeline);

/* timeline_define.c: append a definition. Failures are kept, as those of events are. */
void toll_define_axis(toll_timeline *timeline, toll_value_type axis);
void toll_define_frame(toll_timeline *timeline, toll_frame_id frame);
void toll_define_thread(toll_timeline *timeline, toll_thread_id thread);
void toll_define_rename(toll_timeline *timeline, toll_frame_id frame);
void toll_define_start(toll_timeline *timeline);
void toll_define_labels(toll_timeline *timeline);
void toll_define_notes(toll_timeline *timeline);
void toll_define_end(toll_timeline *timeline, uint64_t event_count);

/* timeline_read.c: the frame of an event, as `names` has it; TOLL_NONE: there is none. */
toll_frame_id toll_timeline_frame(const toll_timeline *timeline, uint64_t frame);

/* Read all events of a thread of a file and count them; what follows the last whole one is cut off.
 * Adds to *left_open how many frames are open at the end. */
toll_status toll_timeline_check_thread(toll_timeline *timeline, toll_thread_id thread,
                                       uint64_t *left_open, toll_error *err);

/* Is that block of the thread the one that is being written? */
static inline bool toll_timeline_is_open_block(const toll_timeline_thread *thread,
                                               const toll_timeline_block *block)
{
    return thread->block.data && thread->block.offset == block->offset;
}

/* One more thread, without an event. */
bool toll_timeline_new_thread(toll_timeline *timeline);

/* Remove all events, frames, threads and notes; the axes stay. What was registered must be
 * registered again. */
void toll_timeline_clear(toll_timeline *timeline);

/* An event of a frame or thread that the timeline has; `code` is TOLL_EVENT_OPEN plus the frame, or
 * TOLL_EVENT_CLOSE. The general path: timeline_event.h has the fast one. */
void toll_timeline_add_event(toll_timeline *timeline, toll_thread_id thread, uint64_t code,
                             bool goes_on, uint64_t at, uint64_t second);

/* The two halves of making one: nothing is stored yet; and its events will be in `fd` (-1: in
 * memory). The second takes both over: on failure they are freed, or closed. */
toll_status toll_timeline_make(const toll_mem *mem, toll_timeline **out, toll_error *err);
toll_status toll_timeline_begin(toll_timeline *timeline, toll_value_type axis, int fd,
                                toll_timeline **out, toll_error *err);

/* One in the empty file `fd`, which becomes the timeline's; `path` is for messages, NULL: it is a
 * temporary one. For hosts whose system has no files by name (hosts/wasm). */
toll_status toll_timeline_create_in(const toll_mem *mem, toll_value_type axis, int fd,
                                    const char *path, toll_timeline **out, toll_error *err);

/* A temporary file for one. */
toll_status toll_timeline_scratch(const toll_timeline *timeline, int *fd, toll_error *err);

/* What every file begins with: its header, and the axes. */
void toll_timeline_begin_file(toll_timeline *timeline);

#endif
