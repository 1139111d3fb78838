/* timeline_data.h - what a timeline is made of. For timeline.c, which writes it, timeline_read.c,
 * and recorder_timeline.c. */
#ifndef TOLL_RECORD_TIMELINE_DATA_H
#define TOLL_RECORD_TIMELINE_DATA_H

#include "base/buffer.h"
#include "profile/profile_data.h"

#include <toll/timeline.h>

enum { TOLL_TIMELINE_BLOCK = 4096 };

typedef struct toll_timeline_block {
    uint64_t offset; /* in the spool */
    size_t size;
} toll_timeline_block;

typedef struct toll_timeline_thread {
    uint8_t *pending; /* events that are not in the spool yet */
    size_t pending_size, pending_capacity;
    toll_timeline_block *blocks;
    size_t block_count, block_capacity;
    uint64_t last_at, last_second;
    uint64_t depth; /* open frames */
} toll_timeline_thread;

struct toll_timeline {
    toll_mem mem;
    toll_profile *names;           /* frames, threads and notes; columns: the axes */
    toll_timeline_thread *threads; /* by thread id of `names` */
    size_t thread_count, thread_capacity;
    int fd;             /* the spool; -1: in memory */
    toll_buffer memory; /* the spool without a file */
    uint64_t spooled;   /* bytes in the spool */
    uint64_t event_count;
    bool has_second; /* axis */
    uint64_t second; /* where the next event is on it */
    toll_error failure;
};

/* Remove all events, frames, threads and notes; the axes stay. What was registered must be
 * registered again. */
void toll_timeline_clear(toll_timeline *timeline);

/* The caller had no memory to pass an event on: that becomes the timeline's failure. */
void toll_timeline_out_of_memory(toll_timeline *timeline);

#endif
