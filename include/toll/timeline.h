/* timeline.h - records every call in the order of time, for flame charts.
 *
 * A timeline holds, for each thread, a properly nested sequence of opened and closed frames with
 * times that never decrease, of some 3 to 6 bytes an event. They are in a file, so memory does not
 * grow with the run (except 16 bytes for each 64 KB of the file). It is either a named file, which
 * can be read even if the program is killed (docs/timeline.md), or a temporary one, from which
 * other formats are written.
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
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_IO. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_timeline_create(const toll_allocator *allocator,
                                                          toll_value_type axis, int in_memory,
                                                          toll_timeline **out, toll_error *err);

/* The same in a new file at `path`, in Toll's own format "timeline"; a file that is there already
 * is removed. Where the system allows it, the file is mapped into memory and each event is in it at
 * once: it can be read up to the last event although the program was killed. No other process may
 * cut the file meanwhile, and a process that this one forks may only free the timeline: the mapping
 * is the parent's file. toll_timeline_finish completes it.
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_IO. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_timeline_create_file(const toll_allocator *allocator,
                                                               toll_value_type axis,
                                                               const char *path,
                                                               toll_timeline **out,
                                                               toll_error *err);

/* End the timeline: write notes and a mark of the end, and set the file's size. Later events are
 * ignored. A second call does nothing. Errors: those of events (see toll_timeline_status);
 * TOLL_E_IO. Since 0.1. */
TOLL_API toll_status toll_timeline_finish(toll_timeline *timeline, toll_error *err);

/* Free a timeline and its temporary file. A named file stays, finished or without an end. NULL is
 * fine. Since 0.1. */
TOLL_API void toll_timeline_free(toll_timeline *timeline);

/* Set when the axis was at 0, in nanoseconds since 1970-01-01 UTC; 0, or a time before that, is not
 * known. Since 0.1. */
TOLL_API void toll_timeline_set_start(toll_timeline *timeline, int64_t start_ns);

/* What was set, or 0. Since 0.1. */
TOLL_API int64_t toll_timeline_start(const toll_timeline *timeline);

/* Set labels of all threads, before the first one is registered: "KEY=VALUE,KEY=VALUE", as
 * toll_profile_with_labels has them. They take the place of those set before. Errors:
 * TOLL_E_ARGUMENT (labels is NULL, or no such list; the key "thread"; there are threads),
 * TOLL_E_NOMEM; the labels are then as they were. Since 0.1. */
TOLL_API toll_status toll_timeline_set_labels(toll_timeline *timeline, const char *labels,
                                              toll_error *err);

/* Add a second axis ("ticks" in "count"), before the first event: each event then has a place on
 * both. Errors: TOLL_E_ARGUMENT (no type or unit, the same as the first axis, there is a second one
 * already, there are threads or events), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_timeline_add_second_axis(toll_timeline *timeline, toll_value_type axis,
                                                   toll_error *err);

/* Set the place on the second axis of the events that follow; without one this does nothing.
 * Since 0.1. */
TOLL_API void toll_timeline_set_second(toll_timeline *timeline, uint64_t at);

/* Register a frame, or find it, as toll_profile_add_frame does. Errors: TOLL_E_ARGUMENT (no name,
 * or no such kind), TOLL_E_NOMEM, TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_timeline_add_frame(toll_timeline *timeline, const toll_frame *frame,
                                             toll_frame_id *out, toll_error *err);

/* Register a thread by name, or find it. Errors: TOLL_E_ARGUMENT (name is NULL), TOLL_E_NOMEM,
 * TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_timeline_add_thread(toll_timeline *timeline, const char *name,
                                              toll_thread_id *out, toll_error *err);

/* Give a frame another name, also in events that it has already; `name` is copied. Errors:
 * TOLL_E_ARGUMENT (no such frame, no name), TOLL_E_NOMEM; the name is then as it was. Since 0.1. */
TOLL_API toll_status toll_timeline_rename_frame(toll_timeline *timeline, toll_frame_id frame,
                                                const char *name, toll_error *err);

/* Open a frame at `at`, a place on the axis. Failures (no memory, full disk) are kept, and
 * toll_timeline_status returns the first of them; a thread or frame that the timeline does not have
 * is one, too (TOLL_E_ARGUMENT). After the first failure events are ignored. A time below the last
 * one becomes the last one, and is counted in the notes. Since 0.1. */
TOLL_API void toll_timeline_open(toll_timeline *timeline, toll_thread_id thread,
                                 toll_frame_id frame, uint64_t at);

/* Close the innermost open frame of the thread at `at`. Without an open frame it is ignored, and
 * counted in the notes. Failures and times as above. Since 0.1. */
TOLL_API void toll_timeline_close(toll_timeline *timeline, toll_thread_id thread, uint64_t at);

/* The first failure of an event, or TOLL_OK. Since 0.1. */
TOLL_API toll_status toll_timeline_status(const toll_timeline *timeline, toll_error *err);

/* A profile with its frames, threads and notes, and no stacks; the timeline's. Since 0.1. */
TOLL_API const toll_profile *toll_timeline_names(const toll_timeline *timeline);

/* Its axis. The texts live as long as the timeline. Since 0.1. */
TOLL_API toll_value_type toll_timeline_axis(const toll_timeline *timeline);

/* 1: there is a second axis, and it is in *axis, which may be NULL; 0: there is none. Since 0.1. */
TOLL_API int toll_timeline_second_axis(const toll_timeline *timeline, toll_value_type *axis);

/* 1 if it was read from a file without an end, because the program was killed or the file
 * truncated; 0 if it is complete. Since 0.1. */
TOLL_API int toll_timeline_is_cut(const toll_timeline *timeline);

/* The number of frames opened and closed so far. Since 0.1. */
TOLL_API uint64_t toll_timeline_event_count(const toll_timeline *timeline);

/* An event of a thread, read in order. At the end, frames that are still open are closed at the
 * thread's last time, so that every open has its close. */
typedef struct toll_timeline_event {
    int is_open;         /* 1 opened, 0 closed */
    toll_frame_id frame; /* also for a close */
    uint64_t at;
    uint64_t second; /* on the second axis; 0 without one */
    int is_call;     /* 1: opened by a call; 0: closed, or opened again after a suspension */
    int reserved;    /* 0 */
} toll_timeline_event;

typedef struct toll_timeline_reader toll_timeline_reader;

/* Begin: *out is the caller's to free, before the timeline is changed or freed.
 * Errors: TOLL_E_ARGUMENT (no such thread), TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_timeline_read_thread(const toll_timeline *timeline,
                                                               toll_thread_id thread,
                                                               toll_timeline_reader **out,
                                                               toll_error *err);

/* 1: *event is the next; 0: no more; -1: failed, see err. `event` must not be NULL
 * (TOLL_E_ARGUMENT). Errors: TOLL_E_NOMEM, TOLL_E_IO; TOLL_E_SYNTAX (a file is damaged; of a
 * timeline that toll_profile_read has made, that does not happen). Since 0.1. */
TOLL_API int toll_timeline_next(toll_timeline_reader *reader, toll_timeline_event *event,
                                toll_error *err);

/* Free a reader. NULL is fine. Since 0.1. */
TOLL_API void toll_timeline_reader_free(toll_timeline_reader *reader);

#ifdef __cplusplus
}
#endif
#endif
