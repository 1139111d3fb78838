/* timeline_put.c - writes a timeline as a file. See timeline_load.h. */
#include "base/array.h"
#include "base/fail.h"
#include "record/timeline_load.h"

#include "record/timeline_data.h"

#include <string.h>

/* Copy the labels of its threads; all threads have the same ones. */
static toll_status copy_labels(toll_timeline *d, const toll_profile *threads, toll_error *err)
{
    uint32_t count = toll_profile_thread_label_count(threads, 0);
    d->labels = (toll_label_list){ .mem = d->mem };
    if (!toll_array_grow(&d->mem, &d->labels.items, &d->labels.capacity, 0, count))
        return toll_fail_nomem(err);
    for (; d->labels.count < count; d->labels.count++)
        d->labels.items[d->labels.count] =
            toll_profile_thread_label(threads, 0, (uint32_t)d->labels.count);
    return TOLL_OK;
}

/* Make a timeline in memory with all definitions and without events. Its names are borrowed. */
static toll_status define_all(const toll_timeline *t, const toll_profile *threads, toll_timeline *d,
                              toll_error *err)
{
    uint32_t frame_count =
        t->is_read ? (uint32_t)t->frame_count : toll_profile_frame_count(t->names);
    *d = (toll_timeline){ .mem = t->mem, .names = t->names, .start_ns = t->start_ns };
    toll_store_open(&d->store, &t->mem, -1);
    toll_buffer_init(&d->definition, &t->mem);
    toll_timeline_begin_file(d);
    if (d->start_ns)
        toll_define_start(d);
    toll_status status = copy_labels(d, threads, err);
    if (status)
        return status;
    if (d->labels.count)
        toll_define_labels(d);
    for (uint32_t i = 0; i < frame_count; i++)
        toll_define_frame(d, toll_timeline_frame(t, i));
    for (uint32_t i = 0; i < t->thread_count; i++)
        toll_define_thread(d, i);
    toll_define_notes(d);
    toll_define_end(d, toll_timeline_event_count(t));
    status = toll_store_give_back(&d->store, &d->definitions);
    if (status)
        toll_timeline_store_failed(d, status);
    return toll_timeline_status(d, err);
}

/* Write a block of the thread. It is read into room[TOLL_BLOCK_MOST] unless it is in memory. */
static toll_status put_block(const toll_timeline *t, const toll_timeline_thread *thread,
                             const toll_timeline_block *block, uint8_t *room, toll_output *out,
                             toll_error *err)
{
    const uint8_t *data = room;
    if (toll_timeline_is_open_block(thread, block))
        data = thread->block.data;
    else if (!toll_store_read(&t->store, block->offset, room, block->size))
        return toll_timeline_cannot_read(t, err);
    else
        memset(room + block->size - block->cut, 0, block->cut);
    toll_output_write(out, data, block->size);
    return TOLL_OK;
}

static toll_status put_events(const toll_timeline *t, toll_output *out, toll_error *err)
{
    toll_status status = TOLL_OK;
    uint8_t *room = toll_mem_new(&t->mem, TOLL_BLOCK_MOST, 1);
    if (!room)
        return toll_fail_nomem(err);
    for (size_t i = 0; !status && i < t->thread_count; i++)
        for (size_t b = 0; !status && b < t->threads[i]->block_count; b++)
            status = put_block(t, t->threads[i], &t->threads[i]->blocks[b], room, out, err);
    toll_mem_free(&t->mem, room, TOLL_BLOCK_MOST, 1);
    return status;
}

toll_status toll_timeline_put(const toll_timeline *t, const toll_profile *threads, toll_output *out,
                              toll_error *err)
{
    toll_timeline d;
    toll_status status = define_all(t, threads, &d, err);
    if (!status) {
        toll_output_write(out, d.store.memory.data, d.store.memory.size);
        status = put_events(t, out, err);
    }
    toll_store_drop(&d.store, &d.definitions);
    toll_store_close(&d.store);
    toll_buffer_free(&d.definition);
    toll_label_list_free(&d.labels);
    return status;
}
