/* timeline_read.c - reads and checks a thread's events from its blocks, which timeline.c has
 * written or a file contained. See toll/timeline.h. */
#include "base/array.h"
#include "base/fail.h"
#include "base/wire.h"
#include "record/timeline_data.h"
#include "record/timeline_position.h"

#include <string.h>

struct toll_timeline_reader {
    toll_mem mem;
    const toll_timeline *timeline;
    const toll_timeline_thread *thread;
    size_t next_block;
    toll_wire events; /* unread ones of the current block */
    uint64_t at, second;
    toll_frame_id *open; /* the open frames, outermost first */
    size_t depth, capacity;
    uint8_t *block; /* a block of the store */
    size_t block_capacity;
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
    r->thread = t->threads[thread];
    *out = r;
    return TOLL_OK;
}

void toll_timeline_reader_free(toll_timeline_reader *r)
{
    if (!r)
        return;
    toll_mem mem = r->mem;
    toll_mem_free(&mem, r->open, r->capacity, sizeof *r->open);
    toll_mem_free(&mem, r->block, r->block_capacity, 1);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

static int damaged(const char *what, toll_error *err)
{
    toll_fail(err, TOLL_E_SYNTAX, "timeline: %s; record it again", what);
    return -1;
}

static bool is_last_block(const toll_timeline_reader *r)
{
    return r->next_block == r->thread->block_count;
}

static uint64_t get_u64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 8; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

/* Read the next block. Returns its bytes, NULL if it cannot be read. */
static const uint8_t *read_block(toll_timeline_reader *r, toll_timeline_block *b, toll_error *err)
{
    *b = r->thread->blocks[r->next_block++];
    if (toll_timeline_is_open_block(r->thread, b))
        return r->thread->block.data;
    if (!toll_array_grow(&r->mem, &r->block, &r->block_capacity, 0, b->size)) {
        toll_fail_nomem(err);
        return NULL;
    }
    if (!toll_store_read(&r->timeline->store, b->offset, r->block, b->size)) {
        toll_timeline_cannot_read(r->timeline, err);
        return NULL;
    }
    return r->block;
}

/* Go to the next block with events. Returns 1; 0 at the end; -1 if the block cannot be read. */
static int next_block(toll_timeline_reader *r, toll_error *err)
{
    toll_timeline_block b;
    if (is_last_block(r))
        return 0;
    const uint8_t *data = read_block(r, &b, err);
    if (!data)
        return -1;
    if (get_u64(data + 16) != r->at || get_u64(data + 24) != r->second ||
        get_u64(data + 32) != r->depth)
        return damaged("a block does not begin where the one before it ends", err);
    r->events = (toll_wire){ data + TOLL_BLOCK_HEADER, data + b.size - b.cut };
    return 1;
}

static bool read_step(toll_timeline_reader *r, uint64_t *at)
{
    uint64_t step;
    if (!toll_wire_take_varint(&r->events, &step) || step > UINT64_MAX - *at)
        return false;
    *at += step;
    return true;
}

toll_frame_id toll_timeline_frame(const toll_timeline *t, uint64_t frame)
{
    size_t count = t->is_read ? t->frame_count : t->names->frame_count;
    if (frame >= count)
        return TOLL_NONE;
    return t->is_read ? t->frames[frame] : (toll_frame_id)frame;
}

static int read_open(toll_timeline_reader *r, uint64_t frame, bool is_call,
                     toll_timeline_event *event, toll_error *err)
{
    toll_frame_id id = toll_timeline_frame(r->timeline, frame);
    if (id == TOLL_NONE)
        return damaged("an event is of a frame that is not defined", err);
    if (r->depth == r->capacity && !toll_array_grow(&r->mem, &r->open, &r->capacity, r->depth, 1)) {
        toll_fail_nomem(err);
        return -1;
    }
    r->open[r->depth++] = id;
    *event = (toll_timeline_event){ 1, id, r->at, r->second, is_call, 0 };
    return 1;
}

static int read_close(toll_timeline_reader *r, toll_timeline_event *event, toll_error *err)
{
    if (r->depth == 0)
        return damaged("a frame is closed and none is open", err);
    *event = (toll_timeline_event){ 0, r->open[--r->depth], r->at, r->second, 0, 0 };
    return 1;
}

/* Read an event of the current block. Returns 1; 0 if the block has no more events; -1 if it is
 * damaged. An incomplete last event of a truncated file stays unread. */
static int read_event(toll_timeline_reader *r, toll_timeline_event *event, toll_error *err)
{
    toll_wire *e = &r->events, before = *e;
    uint64_t code, at = r->at, second = r->second;
    if (e->p == e->end || *e->p == 0)
        return 0;
    bool goes_on = *e->p == TOLL_EVENT_GOES_ON;
    e->p += goes_on;
    bool whole = toll_wire_take_varint(e, &code) && read_step(r, &at) &&
                 (!r->timeline->has_second || read_step(r, &second));
    if (!whole && !r->timeline->has_end && is_last_block(r) && e->p == e->end) {
        *e = before;
        return 0;
    }
    if (!whole || (goes_on && code < TOLL_EVENT_OPEN) || code == 0 || code == TOLL_EVENT_GOES_ON)
        return damaged("an event is malformed", err);
    r->at = at;
    r->second = second;
    return code == TOLL_EVENT_CLOSE ? read_close(r, event, err)
                                    : read_open(r, code - TOLL_EVENT_OPEN, !goes_on, event, err);
}

int toll_timeline_next(toll_timeline_reader *r, toll_timeline_event *event, toll_error *err)
{
    int more;
    if (!event) {
        toll_fail_null(err, "event");
        return -1;
    }
    while ((more = read_event(r, event, err)) == 0) {
        more = next_block(r, err);
        if (more < 0 || (more == 0 && r->depth == 0))
            return more;
        if (more == 0) /* still open at the end */
            return read_close(r, event, err);
    }
    return more;
}

/* --- from the middle on ------------------------------------------------------------------------*/

toll_timeline_position toll_timeline_end(const toll_timeline *t, toll_thread_id id)
{
    const toll_timeline_thread *thread = t->threads[id];
    return (toll_timeline_position){
        .events = toll_timeline_event_count(t),
        .block = thread->block_count - (thread->block.data != NULL),
        .offset = thread->block.data ? (size_t)(thread->next - thread->block.data) : 0,
        .at = thread->last_at,
        .second = thread->last_second,
        .depth = thread->opened - thread->closed,
    };
}

static toll_status go_to(toll_timeline_reader *r, const toll_timeline_position *p, toll_error *err)
{
    toll_timeline_block b;
    r->next_block = p->block;
    r->at = p->at;
    r->second = p->second;
    r->depth = (size_t)p->depth;
    if (!toll_array_grow(&r->mem, &r->open, &r->capacity, 0, r->depth))
        return toll_fail_nomem(err);
    for (size_t i = 0; i < r->depth; i++)
        r->open[i] = TOLL_NONE;
    if (p->offset == 0)
        return TOLL_OK;
    const uint8_t *data = read_block(r, &b, err);
    if (!data)
        return err ? err->status : TOLL_E_IO;
    r->events = (toll_wire){ data + p->offset, data + b.size - b.cut };
    return TOLL_OK;
}

toll_status toll_timeline_read_from(const toll_timeline *t, toll_thread_id thread,
                                    const toll_timeline_position *position,
                                    toll_timeline_reader **out, toll_error *err)
{
    toll_status status = toll_timeline_read_thread(t, thread, out, err);
    if (status)
        return status;
    status = go_to(*out, position, err);
    if (status) {
        toll_timeline_reader_free(*out);
        *out = NULL;
    }
    return status;
}

toll_status toll_timeline_check_thread(toll_timeline *t, toll_thread_id id, uint64_t *left_open,
                                       toll_error *err)
{
    toll_timeline_thread *thread = t->threads[id];
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more;
    toll_status status = toll_timeline_read_thread(t, id, &r, err);
    if (status)
        return status;
    do {
        while ((more = read_event(r, &e, err)) == 1)
            *(e.is_open ? &thread->opened : &thread->closed) += 1;
        if (more == 0)
            more = next_block(r, err);
    } while (more == 1);
    if (more == 0 && thread->block_count)
        thread->blocks[thread->block_count - 1].cut += (uint32_t)(r->events.end - r->events.p);
    *left_open += r->depth;
    toll_timeline_reader_free(r);
    return more < 0 ? err->status : TOLL_OK;
}
