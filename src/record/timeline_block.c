/* timeline_block.c - adds blocks to a timeline, and keeps its first failure. See
 * timeline_data.h. */
#include "base/fail.h"
#include "record/timeline_event.h"

#include <stdio.h>

void toll_timeline_keep_failure(toll_timeline *t, toll_status status, const char *what)
{
    if (t->failure.status)
        return;
    toll_fail(&t->failure, status, "timeline: %s", what);
    for (size_t i = 0; i < t->thread_count; i++)
        t->threads[i]->limit = t->threads[i]->next;
}

void toll_timeline_store_failed(toll_timeline *t, toll_status status)
{
    char text[200];
    if (status == TOLL_E_NOMEM) {
        toll_timeline_keep_failure(t, status, "out of memory");
        return;
    }
    snprintf(text, sizeof text, "cannot write to its %sfile: %s; %s", t->path ? "" : "temporary ",
             t->store.error,
             t->path ? "name one on a disk with room" : "set TMPDIR to a folder with room");
    toll_timeline_keep_failure(t, status, text);
}

toll_status toll_timeline_cannot_read(const toll_timeline *t, toll_error *err)
{
    return t->path ? toll_fail(err, TOLL_E_IO,
                               "%s: cannot read the timeline: nothing else may cut or replace the "
                               "file while it is open",
                               t->path)
                   : toll_fail(err, TOLL_E_IO,
                               "timeline: cannot read its temporary file; set TMPDIR to a folder "
                               "with room");
}

static void put_u32(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void put_u64(uint8_t *to, uint64_t v)
{
    put_u32(to, (uint32_t)v);
    put_u32(to + 4, (uint32_t)(v >> 32));
}

void toll_timeline_put_header(uint8_t *to, int kind, uint32_t size, uint32_t thread,
                              const toll_timeline_thread *state)
{
    put_u32(to + 4, size);
    put_u32(to + 8, thread);
    if (state) {
        put_u64(to + 16, state->last_at);
        put_u64(to + 24, state->last_second);
        put_u64(to + 32, state->opened - state->closed);
    }
    toll_publish(to, (uint8_t)kind);
}

bool toll_timeline_add_block(toll_timeline *t, uint32_t size, toll_store_block *block)
{
    toll_status status = toll_store_add(&t->store, size, block);
    if (status)
        toll_timeline_store_failed(t, status);
    return !status;
}

void toll_timeline_put_through(toll_timeline *t, const toll_store_block *block, size_t from,
                               size_t size)
{
    toll_status status = toll_store_put_through(&t->store, block, from, size);
    if (status)
        toll_timeline_store_failed(t, status);
}

void toll_timeline_flush(toll_timeline *t)
{
    for (size_t i = 0; i < t->thread_count && !t->failure.status; i++) {
        toll_timeline_thread *thread = t->threads[i];
        const toll_store_block *block = &thread->block;
        if (!block->data || thread->flushed == thread->next)
            continue;
        toll_timeline_put_through(t, block, (size_t)(thread->flushed - block->data),
                                  (size_t)(thread->next - thread->flushed));
        thread->flushed = thread->next;
    }
}
