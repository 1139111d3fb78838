/* timeline.h - every call in the order of the run, for flame charts.
 *
 * A timeline holds, for each thread, a properly nested sequence of opened and closed frames with
 * times that never decrease. It is kept in compact blocks of some 3 bytes an event which go to a
 * temporary file as they fill, so memory does not grow with the run (but for 16 bytes a block).
 *
 * Threads: one timeline, one OS thread at a time. */
#ifndef TOLL_TIMELINE_H
#define TOLL_TIMELINE_H

#include <toll/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_timeline toll_timeline;

/* A new, empty timeline whose axis is `axis` ("time" in "nanoseconds"). With `in_memory` 0 its
 * blocks go to an unlinked file in $TMPDIR or /tmp. The caller's to free.
 * Errors: TOLL_E_NOMEM, TOLL_E_IO. */
TOLL_API toll_status toll_timeline_create(const toll_allocator *allocator, toll_value_type axis,
                                          int in_memory, toll_timeline **out, toll_error *err);
TOLL_API void toll_timeline_free(toll_timeline *timeline); /* NULL is fine */

/* A second axis ("ticks" in "count"), before the first event: each event has its place there, too.
 * Errors: TOLL_E_ARGUMENT (no type or unit, the first axis again, there is one, there are events),
 * TOLL_E_NOMEM. */
TOLL_API toll_status toll_timeline_add_second_axis(toll_timeline *timeline, toll_value_type axis,
                                                   toll_error *err);

/* Where the events that follow are on the second axis; without one this does nothing. */
TOLL_API void toll_timeline_set_second(toll_timeline *timeline, uint64_t at);

/* Frames and threads, as in profile.h. */
TOLL_API toll_status toll_timeline_add_frame(toll_timeline *timeline, const toll_frame *frame,
                                             toll_frame_id *out, toll_error *err);
TOLL_API toll_status toll_timeline_add_thread(toll_timeline *timeline, const char *name,
                                              toll_thread_id *out, toll_error *err);

/* Give a frame another name, also in events that it has already; `name` is copied. Errors:
 * TOLL_E_ARGUMENT (no such frame, no name), TOLL_E_NOMEM; the name is then as it was. */
TOLL_API toll_status toll_timeline_rename_frame(toll_timeline *timeline, toll_frame_id frame,
                                                const char *name, toll_error *err);

/* Open or close a frame at time `at`. A close names no frame: it closes the innermost. Failures
 * (no memory, full disk) are kept and reported by toll_timeline_status; a close without an open
 * frame and a time below the last one are clamped and counted. A thread or frame that the timeline
 * does not have is such a failure, too (TOLL_E_ARGUMENT): after the first of them it takes no more.
 */
TOLL_API void toll_timeline_open(toll_timeline *timeline, toll_thread_id thread,
                                 toll_frame_id frame, uint64_t at);
TOLL_API void toll_timeline_close(toll_timeline *timeline, toll_thread_id thread, uint64_t at);

/* The first failure, or TOLL_OK. */
TOLL_API toll_status toll_timeline_status(const toll_timeline *timeline, toll_error *err);

/* What it holds. The profile returned has the frames, threads and notes, and no stacks; it
 * belongs to the timeline. */
TOLL_API const toll_profile *toll_timeline_names(const toll_timeline *timeline);
TOLL_API toll_value_type toll_timeline_axis(const toll_timeline *timeline);

/* 1: *axis (NULL is fine) is the second axis; 0: there is none. */
TOLL_API int toll_timeline_second_axis(const toll_timeline *timeline, toll_value_type *axis);
TOLL_API uint64_t toll_timeline_event_count(const toll_timeline *timeline);

/* Reading one thread's events in order. At its end frames that are still open are closed at the
 * thread's last time, so that every open has its close. */
typedef struct toll_timeline_event {
    int is_open;         /* 1 opened, 0 closed */
    toll_frame_id frame; /* also for a close */
    uint64_t at;
    uint64_t second; /* on the second axis; 0 without one */
} toll_timeline_event;

typedef struct toll_timeline_reader toll_timeline_reader;

/* Begin: *out is the caller's to free, before the timeline is changed or freed.
 * Errors: TOLL_E_ARGUMENT (no such thread), TOLL_E_NOMEM. */
TOLL_API toll_status toll_timeline_read_thread(const toll_timeline *timeline, toll_thread_id thread,
                                               toll_timeline_reader **out, toll_error *err);

/* 1: *event is the next; 0: no more; -1: failed, see err. `event` must not be NULL
 * (TOLL_E_ARGUMENT). Errors: TOLL_E_NOMEM, TOLL_E_IO. */
TOLL_API int toll_timeline_next(toll_timeline_reader *reader, toll_timeline_event *event,
                                toll_error *err);
TOLL_API void toll_timeline_reader_free(toll_timeline_reader *reader); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
