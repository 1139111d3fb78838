/* timeline.c - writes every call in order of time. See toll/timeline.h, and docs/timeline.md for
 * the bytes: they are the same in a named file, in a temporary one and in memory. timeline_define.c
 * writes definitions, timeline_event.h is the fast path of events, timeline_file.c makes named
 * files, timeline_read.c reads. */
#include "base/array.h"
#include "base/fail.h"
#include "base/os.h"
#include "record/timeline_event.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- life --------------------------------------------------------------------------------------*/

void toll_timeline_begin_file(toll_timeline *t)
{
    toll_store_block head = { 0 };
    toll_status status = toll_store_add(&t->store, TOLL_TIMELINE_HEADER, &head);
    if (status) {
        toll_timeline_store_failed(t, status);
        return;
    }
    memcpy(head.data, TOLL_TIMELINE_MAGIC, 8);
    head.data[8] = TOLL_TIMELINE_VERSION; /* of 32 bits */
    status = toll_store_give_back(&t->store, &head);
    if (status)
        toll_timeline_store_failed(t, status);
    for (uint32_t i = 0; i < toll_profile_column_count(t->names); i++)
        toll_define_axis(t, toll_profile_column(t->names, i));
}

toll_status toll_timeline_scratch(const toll_timeline *t, int *fd, toll_error *err)
{
    char name[32], path[512];
    snprintf(name, sizeof name, "toll-%p", (const void *)t);
    *fd = toll_os_create_scratch(name, path, sizeof path);
    if (*fd >= 0)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_IO, "%s: cannot create: %s; set TMPDIR to a folder with room",
                     path, strerror(errno));
}

toll_status toll_timeline_make(const toll_mem *mem, toll_timeline **out, toll_error *err)
{
    toll_timeline *t = toll_mem_new(mem, 1, sizeof *t);
    *out = NULL;
    if (!t)
        return toll_fail_nomem(err);
    t->mem = t->labels.mem = *mem;
    toll_store_open(&t->store, mem, -1);
    toll_buffer_init(&t->definition, mem);
    toll_status status = toll_profile_create(mem, &t->names, err);
    if (status)
        toll_timeline_free(t);
    else
        *out = t;
    return status;
}

toll_status toll_timeline_begin(toll_timeline *t, toll_value_type axis, int fd, toll_timeline **out,
                                toll_error *err)
{
    toll_store_open(&t->store, &t->mem, fd);
    toll_status status = toll_profile_add_column(t->names, axis.type, axis.unit, NULL, err);
    if (!status)
        toll_timeline_begin_file(t);
    if (!status)
        status = toll_timeline_status(t, err);
    if (status)
        toll_timeline_free(t);
    else
        *out = t;
    return status;
}

toll_status toll_timeline_create(const toll_allocator *allocator, toll_value_type axis,
                                 int in_memory, toll_timeline **out, toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_timeline *t;
    int fd = -1;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    toll_status status = toll_timeline_make(&mem, &t, err);
    if (status)
        return status;
    if (!in_memory)
        status = toll_timeline_scratch(t, &fd, err);
    if (!status)
        return toll_timeline_begin(t, axis, fd, out, err);
    toll_timeline_free(t);
    return status;
}

toll_status toll_timeline_add_second_axis(toll_timeline *t, toll_value_type axis, toll_error *err)
{
    if (t->has_second || toll_timeline_event_count(t))
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "a timeline gets one second axis, before its first event");
    toll_status status = toll_profile_add_column(t->names, axis.type, axis.unit, NULL, err);
    if (status)
        return status;
    if (toll_profile_column_count(t->names) != 2)
        return toll_fail(err, TOLL_E_ARGUMENT, "the timeline has '%.100s' as its first axis",
                         axis.type);
    t->has_second = true;
    toll_define_axis(t, axis);
    return toll_timeline_status(t, err);
}

void toll_timeline_set_start(toll_timeline *t, int64_t start_ns)
{
    t->start_ns = start_ns > 0 ? start_ns : 0;
    toll_define_start(t);
}

toll_status toll_timeline_set_labels(toll_timeline *t, const char *labels, toll_error *err)
{
    toll_label_list list;
    if (!labels)
        return toll_fail_null(err, "labels");
    if (t->thread_count)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "a timeline gets its labels before its first thread");
    toll_status status = toll_label_list_parse_set(&list, &t->mem, labels, err);
    if (status) {
        toll_label_list_free(&list);
        return status;
    }
    toll_label_list_free(&t->labels);
    t->labels = list;
    toll_define_labels(t);
    return TOLL_OK;
}

int64_t toll_timeline_start(const toll_timeline *t)
{
    return t->start_ns;
}

void toll_timeline_set_second(toll_timeline *t, uint64_t at)
{
    t->second = at;
}

int toll_timeline_second_axis(const toll_timeline *t, toll_value_type *axis)
{
    if (t->has_second && axis)
        *axis = toll_profile_column(t->names, 1);
    return t->has_second;
}

static void free_threads(toll_timeline *t)
{
    for (size_t i = 0; i < t->thread_count; i++) {
        toll_timeline_thread *thread = t->threads[i];
        toll_store_drop(&t->store, &thread->block);
        toll_mem_free(&t->mem, thread->blocks, thread->block_capacity, sizeof *thread->blocks);
        toll_mem_free(&t->mem, thread, 1, sizeof *thread);
    }
    t->thread_count = 0;
}

void toll_timeline_clear(toll_timeline *t)
{
    free_threads(t);
    toll_store_drop(&t->store, &t->definitions);
    t->defined = 0;
    toll_profile_truncate(t->names, 0, 0, 0);
    t->names->note_count = 0;
    t->second = 0;
    t->start_ns = 0;
    t->is_finished = false;
    t->failure = (toll_error){ TOLL_OK, "" };
    if (!toll_store_clear(&t->store))
        toll_timeline_store_failed(t, TOLL_E_IO);
    toll_timeline_begin_file(t);
    if (t->labels.count)
        toll_define_labels(t);
}

void toll_timeline_free(toll_timeline *t)
{
    if (!t)
        return;
    toll_mem mem = t->mem;
    free_threads(t);
    toll_mem_free(&mem, t->threads, t->thread_capacity, sizeof *t->threads);
    toll_store_drop(&t->store, &t->definitions);
    toll_store_close(&t->store);
    toll_buffer_free(&t->definition);
    toll_mem_free(&mem, t->path, t->path_size, 1);
    toll_mem_free(&mem, t->frames, t->frame_capacity, sizeof *t->frames);
    toll_label_list_free(&t->labels);
    toll_profile_free(t->names);
    toll_mem_free(&mem, t, 1, sizeof *t);
}

/* --- frames and threads ------------------------------------------------------------------------*/

toll_status toll_timeline_add_frame(toll_timeline *t, const toll_frame *frame, toll_frame_id *out,
                                    toll_error *err)
{
    size_t before = t->names->frame_count;
    toll_status status = toll_profile_add_frame(t->names, frame, out, err);
    if (!status && t->names->frame_count > before)
        toll_define_frame(t, (toll_frame_id)before);
    return status;
}

toll_status toll_timeline_rename_frame(toll_timeline *t, toll_frame_id frame, const char *name,
                                       toll_error *err)
{
    toll_status status = toll_profile_rename_frame(t->names, frame, name, err);
    if (!status)
        toll_define_rename(t, frame);
    return status;
}

bool toll_timeline_new_thread(toll_timeline *t)
{
    if (!toll_array_grow(&t->mem, &t->threads, &t->thread_capacity, t->thread_count, 1))
        return false;
    toll_timeline_thread *thread = toll_mem_new(&t->mem, 1, sizeof *thread);
    if (thread)
        t->threads[t->thread_count++] = thread;
    return thread != NULL;
}

toll_status toll_timeline_add_thread(toll_timeline *t, const char *name, toll_thread_id *out,
                                     toll_error *err)
{
    toll_thread_id id;
    if (out)
        *out = TOLL_NONE;
    toll_status status = toll_profile_add_labelled_thread(t->names, name, t->labels.items,
                                                          (uint32_t)t->labels.count, &id, err);
    if (status)
        return status;
    while (t->thread_count <= id) {
        if (!toll_timeline_new_thread(t))
            return toll_fail_nomem(err);
        toll_define_thread(t, (toll_thread_id)(t->thread_count - 1));
    }
    if (out)
        *out = id;
    return TOLL_OK;
}

/* --- events ------------------------------------------------------------------------------------*/

/* Begin the thread's next block, twice as large as the full one. False: a failure, which is
 * kept. */
static bool next_block(toll_timeline *t, toll_timeline_thread *thread, toll_thread_id id)
{
    uint32_t size = thread->block.size ? 2 * thread->block.size : TOLL_BLOCK_LEAST;
    if (size > TOLL_BLOCK_MOST)
        size = TOLL_BLOCK_MOST;
    toll_status status = TOLL_OK;
    if (!toll_array_grow(&t->mem, &thread->blocks, &thread->block_capacity, thread->block_count, 1))
        status = TOLL_E_NOMEM;
    if (!status)
        status = toll_store_give_back(&t->store, &thread->block);
    if (status)
        toll_timeline_store_failed(t, status);
    if (status || !toll_timeline_add_block(t, size, &thread->block))
        return false;
    thread->blocks[thread->block_count++] = (toll_timeline_block){ thread->block.offset, size, 0 };
    toll_timeline_put_header(thread->block.data, TOLL_BLOCK_EVENTS, size, id, thread);
    toll_timeline_put_through(t, &thread->block, 0, TOLL_BLOCK_HEADER);
    thread->next = thread->flushed = thread->block.data + TOLL_BLOCK_HEADER;
    thread->limit = thread->block.data + size - TOLL_EVENT_MOST + 1;
    return true;
}

/* The position `at`, but not before the thread's last one. */
static uint64_t in_order(toll_timeline *t, uint64_t last, uint64_t at)
{
    if (at >= last)
        return at;
    toll_profile_add_note(t->names, "times that went backwards, moved up", 1, NULL);
    return last;
}

void toll_timeline_add_event(toll_timeline *t, toll_thread_id id, uint64_t code, bool goes_on,
                             uint64_t at, uint64_t second)
{
    toll_timeline_thread *thread = t->threads[id];
    if (t->failure.status || t->is_finished)
        return;
    if (thread->next >= thread->limit && !next_block(t, thread, id))
        return;
    at = in_order(t, thread->last_at, at);
    if (t->has_second)
        second = in_order(t, thread->last_second, second);
    uint8_t *first = thread->next;
    thread->next = toll_put_event(t, thread, first + goes_on, code, at, second);
    if (goes_on)
        toll_publish(first, TOLL_EVENT_GOES_ON);
    if (code == TOLL_EVENT_CLOSE)
        thread->closed++;
    else
        thread->opened++;
}

void toll_timeline_open(toll_timeline *t, toll_thread_id thread, toll_frame_id frame, uint64_t at)
{
    if (thread < t->thread_count && frame < t->names->frame_count)
        toll_timeline_add_event(t, thread, TOLL_EVENT_OPEN + (uint64_t)frame, false, at, t->second);
    else
        toll_timeline_keep_failure(t, TOLL_E_ARGUMENT, "no such thread or frame");
}

void toll_timeline_close(toll_timeline *t, toll_thread_id thread, uint64_t at)
{
    if (thread >= t->thread_count)
        toll_timeline_keep_failure(t, TOLL_E_ARGUMENT, "no such thread");
    else if (t->failure.status || t->threads[thread]->opened > t->threads[thread]->closed)
        toll_timeline_add_event(t, thread, TOLL_EVENT_CLOSE, false, at, t->second);
    else
        toll_profile_add_note(t->names, "returns without a call", 1, NULL);
}

toll_status toll_timeline_status(const toll_timeline *t, toll_error *err)
{
    if (t->failure.status && err)
        *err = t->failure;
    return t->failure.status;
}

int toll_timeline_is_cut(const toll_timeline *t)
{
    return t->is_read && !t->has_end;
}

uint64_t toll_timeline_event_count(const toll_timeline *t)
{
    uint64_t count = 0;
    for (size_t i = 0; i < t->thread_count; i++)
        count += t->threads[i]->opened + t->threads[i]->closed;
    return count;
}

const toll_profile *toll_timeline_names(const toll_timeline *t)
{
    return t->names;
}

toll_value_type toll_timeline_axis(const toll_timeline *t)
{
    return toll_profile_column(t->names, 0);
}
