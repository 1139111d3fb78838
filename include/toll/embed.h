/* embed.h - a profiler for a VM of your own, in ten lines.
 *
 *     toll_embed *toll = toll_embed_begin(NULL);              once, at the start
 *
 *     if (toll_embed_is_new(toll, f->toll_id))                at each call: a function's id is made
 *         f->toll_id = toll_embed_add(toll, name, file, line);    when it is first called
 *     toll_embed_call(toll, f->toll_id);
 *
 *     toll_embed_return(toll);                                at each return
 *
 *     toll_embed_end(toll, NULL);                             at the end
 *
 * The program's user decides whether it profiles: it does if the environment variable TOLL_OUT
 * names a file, in the format that its name says (run.pb.gz, run.folded, run.html). Otherwise
 * toll_embed_begin returns NULL, and with NULL every function here does nothing.
 *
 * What is recorded is nanoseconds, or a counter of the VM's own: executed instructions, gas. What
 * every event means is in docs/semantics.md; docs/embedding.md says which call belongs where. For
 * what is not here (lines, heap, sections), toll_embed_hold gives the toll_recorder.
 *
 * The file. It is written by toll_embed_end, and if that is never called, when the process exits
 * or SIGINT, SIGTERM or SIGHUP end it. In the name, %p is the number of the process, %n that of the
 * recording in it (1, 2, ...), %% a percent sign. A process writes no file twice: a second
 * recording needs %n in the name.
 *
 * Signals. A signal that the program handles or ignores is left alone. Of the others, the handler
 * saves the profile and then ends the process by the same signal. If an event is under way, the
 * handler only sets a flag, and the end of the event does that. The handler allocates no memory but
 * from the kernel, and calls only what a handler may call. Windows and WASI have no such signals:
 * there the file is written by toll_embed_end and at exit.
 *
 * Forks. A child writes no file of its parent's. With %p in the name it begins a recording of its
 * own: what was recorded before is its parent's alone, and open frames stay open. Without %p it
 * records nothing.
 *
 * Errors that nobody is there to be told of (a file that cannot be written, at exit) are a line on
 * standard error. Nothing else is printed.
 *
 * Threads: one recording at a time in a process. Begin it in the thread that runs the VM, and call
 * all functions there. Programs with several VMs at once give each a recorder: recorder.h.
 *
 * Cost of an event: that of recorder.h, and some instructions. An event allocates only for a stack
 * that is new, and cannot fail.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_EMBED_H
#define TOLL_EMBED_H

#include <toll/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_embed toll_embed;

/* A function's id. Keep it where the VM keeps the function, 0 at first. Each recording has ids of
 * its own: one of an earlier recording is new to the next, and is never taken for another
 * function's. A call with such an id is charged to its caller, and counted in a note. */
typedef uint64_t toll_embed_id;

/* A coroutine's or fiber's stack. Keep it where the VM keeps the coroutine, all 0 at first. */
typedef struct toll_embed_track {
    uint64_t recording; /* which one the track is of */
    toll_track *track;
} toll_embed_track;

#define TOLL_EMBED_TRACK_INIT                                                                      \
    {                                                                                              \
        0, NULL                                                                                    \
    }

typedef struct toll_embed_options {
    size_t size;      /* sizeof(toll_embed_options), as for all options: see toll.h */
    const char *path; /* of the file; copied; NULL: TOLL_OUT, and if that is not set nothing */
    /* The VM's own counter, which every event reads; it must stay there until the end or the next
     * toll_embed_budget. NULL: nanoseconds of clock.h. */
    const uint64_t *counter;
    const char *counter_type; /* "gas"; copied; NULL: "time", of an own counter "ticks" */
    const char *counter_unit; /* "gas"; copied; NULL: "nanoseconds", of an own counter "count" */
    int counts_down;          /* 1: *counter is what remains of a budget, see toll_embed_budget */
    int no_signals;           /* 1: no handler is installed */
    /* What the recorder shall do besides (lines, heap, max_depth, ...), without counters; borrowed
     * for the call, a timeline until the end; NULL: nothing. */
    const toll_recorder_options *recorder;
} toll_embed_options;

#define TOLL_EMBED_OPTIONS_INIT TOLL_SIZED_INIT(toll_embed_options)

/* Begin a recording.
 *   options  NULL: as if all fields were 0
 * Returns NULL if there is no file to write, which is how it is turned off; and, with a line on
 * standard error, if the recording cannot be: the file's name has no format's extension, or is that
 * of a format that needs a timeline; another recording goes on, or has written that file; options
 * have no size, or a counter twice; no memory. Takes 2 ms where it measures the clock's rate.
 * Threads: that of the VM. Since 0.1. */
TOLL_API toll_embed *toll_embed_begin(const toll_embed_options *options);

/* Write the file, with what was recorded so far; the recording goes on. The next save replaces it.
 * For programs that run for long, or handle signals themselves. Not from a signal handler.
 * Errors: those of toll_recorder_snapshot and toll_profile_save; nothing is printed. With NULL,
 * after a fork without %p, or once the process ends: TOLL_OK, and nothing is written.
 * Since 0.1. */
TOLL_API toll_status toll_embed_save(toll_embed *embed, toll_error *err);

/* Write the file, and free the recording; NULL is fine. The pointer must not be used any more.
 *   err  NULL: a failure is a line on standard error
 * Errors: as toll_embed_save. The recording is freed all the same. Since 0.1. */
TOLL_API toll_status toll_embed_end(toll_embed *embed, toll_error *err);

/* --- functions ---------------------------------------------------------------------------------*/

/* 1: the id is none of this recording, and a name is wanted: call toll_embed_add. 0 with NULL: VMs
 * need not look up names that nobody wants. Since 0.1. */
TOLL_API int toll_embed_is_new(const toll_embed *embed, toll_embed_id id);

/* The id of a function, which need not be kept, but finding it again takes a look-up.
 *   name  copied; NULL or "": it has none, and is called FILE:LINE, or (anonymous) without a file
 *   file  copied; may be NULL
 *   line  of its definition; 0: not known
 * After a lack of memory, calls with the id are charged to their caller, and counted. 0 with NULL.
 * Since 0.1. */
TOLL_API toll_embed_id toll_embed_add(toll_embed *embed, const char *name, const char *file,
                                      uint32_t line);

/* --- events ------------------------------------------------------------------------------------*/

/* A call. What the counter has moved up to here is the caller's. Since 0.1. */
TOLL_API void toll_embed_call(toll_embed *embed, toll_embed_id id);

/* A return. Without an open frame it is counted, and nothing else happens. Since 0.1. */
TOLL_API void toll_embed_return(toll_embed *embed);

/* A tail call: the callee replaces its caller on the stack. Since 0.1. */
TOLL_API void toll_embed_tail_call(toll_embed *embed, toll_embed_id id);

/* A function goes on that was entered before: a generator or an async function is resumed, whose
 * first entry was a call. It is on the stack, and no call is counted. It leaves by
 * toll_embed_return, also where it only yields. Since 0.1. */
TOLL_API void toll_embed_adopt(toll_embed *embed, toll_embed_id id);

/* Leave frames until `depth` are open: errors, exceptions, longjmp. Since 0.1. */
TOLL_API void toll_embed_unwind(toll_embed *embed, uint64_t depth);

/* For VMs that know only their stack: from here on `depth` frames are open, and the innermost is
 * `id`. Call it wherever the current frame changes: in a VM with a place that loads the registers
 * of a frame, there.
 *
 *     one deeper                     a call of `id`
 *     more than one deeper           the same, above frames "(not seen)", which a note counts
 *     less deep                      the deeper frames are left
 *     the innermost is another now   it was replaced by `id`: a tail call
 *     the same depth and function    nothing; so a function that replaces itself is not counted
 *
 * A depth of 0 leaves all frames; `id` is then not looked at. Since 0.1. */
TOLL_API void toll_embed_sync(toll_embed *embed, uint64_t depth, toll_embed_id id);

/* The counter is set to another value, which spends nothing: a callee gets a part of its caller's
 * budget, a budget's rest goes back, a new transaction begins.
 *   last     what the counter had come to
 *   counter  where it is from here on, with its new value; may be the same place
 * The current stack is charged up to `last`; the next event charges from *counter on. Call it where
 * the counter is set, before the next event: of a callee's budget either before the call, with the
 * counter set before, or after it, with the counter set after it. Example, of gas that remains:
 * 1000 are left, 640 of them are forwarded to a callee, which uses 40 of them:
 *
 *     toll_embed_budget(toll, 1000, &callee->gas);       *counter is 640
 *     toll_embed_call(toll, id);
 *     ...                                                *counter comes to 600
 *     toll_embed_return(toll);
 *     toll_embed_budget(toll, 600, &caller->gas);        *counter is 360 + 600: the rest is back
 *
 * A VM that can count what it has spent needs none of this: that only goes up.
 * NULL as the counter, or an own counter where there was none, is counted and else ignored.
 * Since 0.1. */
TOLL_API void toll_embed_budget(toll_embed *embed, uint64_t last, const uint64_t *counter);

/* --- coroutines --------------------------------------------------------------------------------*/

/* From here on the stack of `track` is current: a coroutine is resumed, or has yielded to it.
 *   track  NULL: the stack that the recording began with. Borrowed for the call; one that is new to
 *          the recording is made, with an empty stack
 *   name   of a new track; tracks of one name add up in the profile; NULL: "coroutine"
 * Without memory for it, the events are of the stack that was current, and it is counted.
 * Since 0.1. */
TOLL_API void toll_embed_switch(toll_embed *embed, toll_embed_track *track, const char *name);

/* A coroutine will not run again: free its track, and make *track all 0. One that is new to the
 * recording is left as it is. If it is current, the first stack becomes current.
 *   track  must not be NULL, which is not checked
 * Since 0.1. */
TOLL_API void toll_embed_end_track(toll_embed *embed, toll_embed_track *track);

/* --- all else ----------------------------------------------------------------------------------*/

/* The recorder, for calls of recorder.h between this and toll_embed_release; a signal waits until
 * then. Call nothing of embed.h in between.
 *   now  set to where the counter's value is, as the recorder's functions take it; valid until the
 *        release; may be NULL
 * NULL, also where the recording is off or has ended: there is nothing to release.
 *
 *     const uint64_t *now;
 *     toll_recorder *recorder = toll_embed_hold(toll, &now);
 *     if (recorder) {
 *         toll_recorder_line(recorder, place, now);
 *         toll_embed_release(toll);
 *     }
 *
 * Since 0.1. */
TOLL_API toll_recorder *toll_embed_hold(toll_embed *embed, const uint64_t **now);

/* The end of what toll_embed_hold began. Since 0.1. */
TOLL_API void toll_embed_release(toll_embed *embed);

#ifdef __cplusplus
}
#endif
#endif
