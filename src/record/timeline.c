/* timeline.c - every call in order of time, in compact blocks; timeline_read.c reads them. See
 * timeline.h.
 *
 * An event is two varints: 0 for a close, or frame + 1 for an open; then how far the axis moved
 * since the thread's previous event. With a second axis there is a third varint for that one. Each
 * thread collects its events in a block of its own; a full block is appended to the spool (an
 * unlinked file, or memory), and the thread remembers its offset there. */
#include "base/array.h"
#include "base/fail.h"
#include "base/os.h"
#include "record/timeline_data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { EVENT_SIZE = 26 };

static void keep_failure(toll_timeline *t, toll_status status, const char *what)
{
    if (!t->failure.status)
        toll_fail(&t->failure, status, "timeline: %s", what);
}

void toll_timeline_out_of_memory(toll_timeline *t)
{
    keep_failure(t, TOLL_E_NOMEM, "out of memory");
}

/* --- the spool ---------------------------------------------------------------------------------*/

static toll_status open_spool(toll_timeline *t, toll_error *err)
{
    char name[32], path[512];
    snprintf(name, sizeof name, "toll-%p", (void *)t);
    t->fd = toll_os_create_scratch(name, path, sizeof path);
    if (t->fd >= 0)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_IO, "%s: cannot create: %s; set TMPDIR to a folder with room",
                     path, strerror(errno));
}

static bool spool_write(toll_timeline *t, const uint8_t *data, size_t size)
{
    if (t->fd < 0) {
        if (!toll_buffer_append(&t->memory, data, size))
            keep_failure(t, TOLL_E_NOMEM, "out of memory");
        return !t->memory.failed;
    }
    if (toll_os_write_at(t->fd, data, size, t->spooled))
        return true;
    keep_failure(t, TOLL_E_IO, "cannot write to its temporary file: is the disk full?");
    return false;
}

/* --- writing -----------------------------------------------------------------------------------*/

toll_status toll_timeline_create(const toll_allocator *allocator, toll_value_type axis,
                                 int in_memory, toll_timeline **out, toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    if (!out)
        return toll_fail_null(err, "out");
    toll_timeline *t = toll_mem_new(&mem, 1, sizeof *t);
    *out = NULL;
    if (!t)
        return toll_fail_nomem(err);
    t->mem = mem;
    t->fd = -1;
    toll_buffer_init(&t->memory, &mem);
    toll_status status = toll_profile_create(&mem, &t->names, err);
    if (!status)
        status = toll_profile_add_column(t->names, axis.type, axis.unit, NULL, err);
    if (!status && !in_memory)
        status = open_spool(t, err);
    if (status) {
        toll_timeline_free(t);
        return status;
    }
    *out = t;
    return TOLL_OK;
}

toll_status toll_timeline_add_second_axis(toll_timeline *t, toll_value_type axis, toll_error *err)
{
    if (t->has_second || t->event_count)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "a timeline gets one second axis, before its first event");
    toll_status status = toll_profile_add_column(t->names, axis.type, axis.unit, NULL, err);
    if (!status && toll_profile_column_count(t->names) != 2)
        return toll_fail(err, TOLL_E_ARGUMENT, "the timeline has '%.100s' as its first axis",
                         axis.type);
    t->has_second = !status;
    return status;
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

static void free_events(toll_timeline *t)
{
    for (size_t i = 0; i < t->thread_count; i++) {
        toll_mem_free(&t->mem, t->threads[i].pending, t->threads[i].pending_capacity, 1);
        toll_mem_free(&t->mem, t->threads[i].blocks, t->threads[i].block_capacity,
                      sizeof(toll_timeline_block));
    }
    t->thread_count = 0;
}

void toll_timeline_clear(toll_timeline *t)
{
    free_events(t);
    toll_buffer_clear(&t->memory);
    toll_profile_truncate(t->names, 0, 0, 0);
    t->names->note_count = 0;
    t->spooled = t->event_count = t->second = 0; /* the file is written again from its start */
    t->failure = (toll_error){ TOLL_OK, "" };
}

void toll_timeline_free(toll_timeline *t)
{
    if (!t)
        return;
    toll_mem mem = t->mem;
    free_events(t);
    toll_mem_free(&mem, t->threads, t->thread_capacity, sizeof *t->threads);
    if (t->fd >= 0)
        toll_os_close(t->fd);
    toll_buffer_free(&t->memory);
    toll_profile_free(t->names);
    toll_mem_free(&mem, t, 1, sizeof *t);
}

toll_status toll_timeline_add_frame(toll_timeline *t, const toll_frame *frame, toll_frame_id *out,
                                    toll_error *err)
{
    return toll_profile_add_frame(t->names, frame, out, err);
}

toll_status toll_timeline_rename_frame(toll_timeline *t, toll_frame_id frame, const char *name,
                                       toll_error *err)
{
    return toll_profile_rename_frame(t->names, frame, name, err);
}

toll_status toll_timeline_add_thread(toll_timeline *t, const char *name, toll_thread_id *out,
                                     toll_error *err)
{
    toll_thread_id id;
    if (out)
        *out = TOLL_NONE;
    toll_status status = toll_profile_add_thread(t->names, name, &id, err);
    if (status)
        return status;
    if (!toll_array_grow(&t->mem, &t->threads, &t->thread_capacity, id, 1))
        return toll_fail_nomem(err);
    for (; t->thread_count <= id; t->thread_count++)
        t->threads[t->thread_count] = (toll_timeline_thread){ 0 };
    if (out)
        *out = id;
    return TOLL_OK;
}

static bool flush_block(toll_timeline *t, toll_timeline_thread *thread)
{
    if (!toll_array_grow(&t->mem, &thread->blocks, &thread->block_capacity, thread->block_count,
                         1)) {
        keep_failure(t, TOLL_E_NOMEM, "out of memory");
        return false;
    }
    if (!spool_write(t, thread->pending, thread->pending_size))
        return false;
    thread->blocks[thread->block_count++] =
        (toll_timeline_block){ t->spooled, thread->pending_size };
    t->spooled += thread->pending_size;
    thread->pending_size = 0;
    return true;
}

/* Room for one more event. A block grows up to its full size, then it goes to the spool. NULL: that
 * failed. */
static uint8_t *event_room(toll_timeline *t, toll_timeline_thread *thread)
{
    if (thread->pending_size + EVENT_SIZE > TOLL_TIMELINE_BLOCK && !flush_block(t, thread))
        return NULL;
    if (thread->pending_size + EVENT_SIZE > thread->pending_capacity &&
        !toll_array_grow(&t->mem, &thread->pending, &thread->pending_capacity, thread->pending_size,
                         EVENT_SIZE)) {
        keep_failure(t, TOLL_E_NOMEM, "out of memory");
        return NULL;
    }
    return thread->pending + thread->pending_size;
}

static size_t put_varint(uint8_t *to, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        to[n++] = (uint8_t)(v | 0x80);
    to[n++] = (uint8_t)v;
    return n;
}

/* How far an axis has moved from *last, which becomes `at`; 0 for a step back, where *last stays.
 */
static uint64_t step_to(toll_timeline *t, uint64_t *last, uint64_t at)
{
    uint64_t before = *last;
    if (at < before) {
        toll_profile_add_note(t->names, "times that went backwards, moved up", 1, NULL);
        return 0;
    }
    *last = at;
    return at - before;
}

static void put_event(toll_timeline *t, toll_timeline_thread *thread, uint64_t what, uint64_t at)
{
    uint8_t *to = event_room(t, thread);
    if (!to)
        return;
    size_t n = put_varint(to, what);
    n += put_varint(to + n, step_to(t, &thread->last_at, at));
    if (t->has_second)
        n += put_varint(to + n, step_to(t, &thread->last_second, t->second));
    thread->pending_size += n;
    t->event_count++;
}

void toll_timeline_open(toll_timeline *t, toll_thread_id thread, toll_frame_id frame, uint64_t at)
{
    if (t->failure.status)
        return;
    if (thread >= t->thread_count || frame >= t->names->frame_count) {
        keep_failure(t, TOLL_E_ARGUMENT, "no such thread or frame");
        return;
    }
    put_event(t, &t->threads[thread], (uint64_t)frame + 1, at);
    t->threads[thread].depth++;
}

void toll_timeline_close(toll_timeline *t, toll_thread_id thread, uint64_t at)
{
    if (t->failure.status)
        return;
    if (thread >= t->thread_count) {
        keep_failure(t, TOLL_E_ARGUMENT, "no such thread");
        return;
    }
    if (t->threads[thread].depth == 0) {
        toll_profile_add_note(t->names, "returns without a call", 1, NULL);
        return;
    }
    put_event(t, &t->threads[thread], 0, at);
    t->threads[thread].depth--;
}

toll_status toll_timeline_status(const toll_timeline *t, toll_error *err)
{
    if (t->failure.status && err)
        *err = t->failure;
    return t->failure.status;
}

const toll_profile *toll_timeline_names(const toll_timeline *t)
{
    return t->names;
}

toll_value_type toll_timeline_axis(const toll_timeline *t)
{
    return toll_profile_column(t->names, 0);
}

uint64_t toll_timeline_event_count(const toll_timeline *t)
{
    return t->event_count;
}
