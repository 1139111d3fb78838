/* timeline_read.c - a thread's events, out of the blocks in which timeline.c has put them. See
 * timeline.h. */
#include "base/array.h"
#include "base/fail.h"
#include "base/os.h"
#include "record/timeline_data.h"

#include <string.h>

struct toll_timeline_reader {
    toll_mem mem;
    const toll_timeline *timeline;
    const toll_timeline_thread *thread;
    size_t next_block;
    const uint8_t *p, *end; /* unread events of the current block */
    uint64_t at, second;
    toll_frame_id *open; /* the open frames, outermost first */
    size_t depth, capacity;
    uint8_t block[TOLL_TIMELINE_BLOCK];
};

toll_status toll_timeline_read_thread(const toll_timeline *t, toll_thread_id thread,
                                      toll_timeline_reader **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (thread >= t->thread_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "the timeline has no thread %u", thread);
    toll_timeline_reader *r = toll_mem_new(&t->mem, 1, sizeof *r);
    if (!r)
        return toll_fail_nomem(err);
    r->mem = t->mem;
    r->timeline = t;
    r->thread = &t->threads[thread];
    *out = r;
    return TOLL_OK;
}

void toll_timeline_reader_free(toll_timeline_reader *r)
{
    if (!r)
        return;
    toll_mem mem = r->mem;
    toll_mem_free(&mem, r->open, r->capacity, sizeof *r->open);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

static bool spool_read(const toll_timeline *t, toll_timeline_block block, uint8_t *to)
{
    if (t->fd < 0) {
        memcpy(to, t->memory.data + block.offset, block.size);
        return true;
    }
    return toll_os_read_at(t->fd, to, block.size, block.offset);
}

/* The next block with events: 1, 0 at the end, -1 if it cannot be read. */
static int next_block(toll_timeline_reader *r, toll_error *err)
{
    if (r->next_block < r->thread->block_count) {
        toll_timeline_block block = r->thread->blocks[r->next_block++];
        if (!spool_read(r->timeline, block, r->block)) {
            toll_fail(err, TOLL_E_IO, "timeline: cannot read its temporary file");
            return -1;
        }
        r->p = r->block;
        r->end = r->block + block.size;
        return 1;
    }
    if (r->next_block > r->thread->block_count || r->thread->pending_size == 0)
        return 0;
    r->next_block++;
    r->p = r->thread->pending;
    r->end = r->p + r->thread->pending_size;
    return 1;
}

static uint64_t get_varint(toll_timeline_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t b = *r->p++;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return v;
    }
}

static int push_open(toll_timeline_reader *r, toll_frame_id frame, toll_error *err)
{
    if (!toll_array_grow(&r->mem, &r->open, &r->capacity, r->depth, 1)) {
        toll_fail_nomem(err);
        return -1;
    }
    r->open[r->depth++] = frame;
    return 1;
}

int toll_timeline_next(toll_timeline_reader *r, toll_timeline_event *event, toll_error *err)
{
    if (!event) {
        toll_fail_null(err, "event");
        return -1;
    }
    if (r->p == r->end) {
        int more = next_block(r, err);
        if (more < 0)
            return -1;
        if (more == 0 && r->depth == 0)
            return 0;
        if (more == 0) { /* still open at the end */
            *event = (toll_timeline_event){ 0, r->open[--r->depth], r->at, r->second };
            return 1;
        }
    }
    uint64_t what = get_varint(r);
    r->at += get_varint(r);
    if (r->timeline->has_second)
        r->second += get_varint(r);
    if (what == 0) {
        *event = (toll_timeline_event){ 0, r->open[--r->depth], r->at, r->second };
        return 1;
    }
    *event = (toll_timeline_event){ 1, (toll_frame_id)(what - 1), r->at, r->second };
    return push_open(r, event->frame, err);
}
