/* embed.h - adds a profiler to your own VM in ten lines.
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
 * It records nanoseconds of CPU time, or a counter of the VM: executed instructions, gas.
 * docs/semantics.md defines every event; docs/embedding.md describes where each call belongs. For
 * everything else (lines, heap, sections), toll_embed_hold returns the toll_recorder.
 *
 * The file. toll_embed_end writes it; if that is never called, it is written when the process exits
 * or is ended by SIGINT, SIGTERM or SIGHUP. In the name, %p is the process id, %n the number of the
 * recording in the process (1, 2, ...), %% a percent sign. A process never writes the same file for
 * two recordings: a second recording needs %n in the name.
 *
 * Signals. A signal that the program handles or ignores is not touched. For the others, the handler
 * saves the profile and then ends the process by the same signal. If an event is in progress, the
 * handler only sets a flag, and the event does this at its end. The handler allocates memory only
 * from the kernel, and calls only functions that are safe in signal handlers. Windows and WASI have
 * no such signals: there the file is written by toll_embed_end and at exit.
 *
 * Forks. A child never writes its parent's file. With %p in the name it begins its own recording:
 * what was recorded before belongs only to the parent, and open frames stay open. Without %p it
 * records nothing.
 *
 * Errors that no caller can receive (such as a failed write at exit) are printed as a line on
 * standard error. Nothing else is printed.
 *
 * Threads: one recording at a time in a process. Begin it in the thread that runs the VM, and call
 * all functions there. Programs with several VMs at once need a recorder for each: recorder.h.
 *
 * Cost of an event: the same as in recorder.h, plus some instructions. An event allocates memory
 * only for a new stack, and cannot fail.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_EMBED_H
#define TOLL_EMBED_H

#include <toll/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_embed toll_embed;

/* A function's id. Store it with the VM's function, 0 at first. Each recording has its own ids: an
 * id of an earlier recording is new to the next one, and is never mistaken for another function's.
 * A call with such an id is charged to its caller, and counted in a note. */
typedef uint64_t toll_embed_id;

/* A coroutine's or fiber's stack. Store it with the VM's coroutine, all 0 at first. */
typedef struct toll_embed_track {
    uint64_t recording; /* the recording that the track belongs to */
    toll_track *track;
} toll_embed_track;

#define TOLL_EMBED_TRACK_INIT                                                                      \
    {                                                                                              \
        0, NULL                                                                                    \
    }

typedef struct toll_embed_options {
    size_t size;      /* sizeof(toll_embed_options), as for all options: see toll.h */
    const char *path; /* of the file; copied; NULL: the value of TOLL_OUT; if that is not set, no
                       * recording */
    /* The VM's own counter, which every event reads. The address must stay valid until the end or
     * the next toll_embed_budget. NULL: nanoseconds of CPU time of the thread that has the event,
     * "cpu", and those that it has waited, "waited"; where reading CPU time at each event would
     * cost too much (docs/semantics.md says where), of wall time, "time". */
    const uint64_t *counter;
    const char *counter_type; /* "gas"; copied; NULL: as above, with `counter` "ticks" */
    const char *counter_unit; /* "gas"; copied; NULL: "nanoseconds", with `counter` "count" */
    int counts_down;          /* 1: *counter is what remains of a budget, see toll_embed_budget */
    int no_signals;           /* 1: no handler is installed */
    int wall_time;            /* 1: "time", nanoseconds of clock.h, also while the thread waits */
    /* More options of the recorder (lines, heap, max_depth, ...), without counters. Borrowed for
     * the call, but a timeline until the end. NULL: none. */
    const toll_recorder_options *recorder;
} toll_embed_options;

#define TOLL_EMBED_OPTIONS_INIT TOLL_SIZED_INIT(toll_embed_options)

/* Begin a recording.
 *   options  NULL: as if all fields were 0
 * Returns NULL if there is no file to write: profiling is off. It also returns NULL, and prints a
 * line on standard error, if the recording is impossible: the file's name has no format's
 * extension, or that of a format that needs a timeline; another recording is active, or has written
 * that file; options have no size, a counter twice, or one and wall_time; no memory. Takes 2 ms if
 * it must measure the clock's rate. Threads: that of the VM. Since 0.1. */
TOLL_API toll_embed *toll_embed_begin(const toll_embed_options *options);

/* Write the file with everything recorded so far; the recording continues. The next save replaces
 * the file. For programs that run for a long time, or handle signals themselves. Do not call it in
 * a signal handler.
 * Errors: those of toll_recorder_snapshot and toll_profile_save; nothing is printed. With NULL,
 * after a fork without %p, or once the process ends: TOLL_OK, and nothing is written.
 * Since 0.1. */
TOLL_API toll_status toll_embed_save(toll_embed *embed, toll_error *err);

/* Write the file, and free the recording; NULL is fine. The pointer must not be used any more.
 *   err  NULL: a failure is printed as a line on standard error
 * Errors: as toll_embed_save. The recording is freed in any case. Since 0.1. */
TOLL_API toll_status toll_embed_end(toll_embed *embed, toll_error *err);

/* --- functions ---------------------------------------------------------------------------------*/

/* 1 if the id is not of this recording: look up the function's name and call toll_embed_add. Always
 * 0 with NULL, so that VMs look up no names without a recording. Since 0.1. */
TOLL_API int toll_embed_is_new(const toll_embed *embed, toll_embed_id id);

/* Register a function, or find it. Returns its id, which need not be stored; but each call takes a
 * look-up.
 *   name  copied; NULL or "": it has none, and is called FILE:LINE, or (anonymous) without a file
 *   file  copied; may be NULL
 *   line  of its definition; 0: not known
 * If there is no memory, calls with the id are charged to their caller, and counted. Returns 0 with
 * NULL.
 * Since 0.1. */
TOLL_API toll_embed_id toll_embed_add(toll_embed *embed, const char *name, const char *file,
                                      uint32_t line);

/* --- events ------------------------------------------------------------------------------------*/

/* A call. What was spent up to here is charged to the caller. Since 0.1. */
TOLL_API void toll_embed_call(toll_embed *embed, toll_embed_id id);

/* A return. Without an open frame it is counted, and nothing else happens. Since 0.1. */
TOLL_API void toll_embed_return(toll_embed *embed);

/* A tail call: the callee replaces its caller on the stack. Since 0.1. */
TOLL_API void toll_embed_tail_call(toll_embed *embed, toll_embed_id id);

/* Enter a function that continues: a generator or an async function is resumed, whose first entry
 * was a call. It is on the stack, and no call is counted. It leaves by toll_embed_return, also if
 * it only yields. Since 0.1. */
TOLL_API void toll_embed_adopt(toll_embed *embed, toll_embed_id id);

/* Leave frames until `depth` are open: errors, exceptions, longjmp. Since 0.1. */
TOLL_API void toll_embed_unwind(toll_embed *embed, uint64_t depth);

/* For VMs that only know their stack: from here on `depth` frames are open, and the innermost is
 * `id`. Call it wherever the current frame changes, for example where the VM loads a frame's
 * registers.
 *
 *     one deeper                     a call of `id`
 *     more than one deeper           the same, above frames "(not seen)", which a note counts
 *     less deep                      the deeper frames are left
 *     the innermost is another now   it was replaced by `id`: a tail call
 *     the same depth and function    nothing; so a function that replaces itself is not counted
 *
 * A depth of 0 leaves all frames; `id` is then ignored. Since 0.1. */
TOLL_API void toll_embed_sync(toll_embed *embed, uint64_t depth, toll_embed_id id);

/* The VM sets the counter to another value, which spends nothing: a callee gets a part of its
 * caller's budget, the rest of a budget is returned, or a new transaction begins.
 *   last     the counter's value before this
 *   counter  its address from here on, with the new value; may be the same address
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
 * A VM that can count what it has spent does not need this: such a counter only goes up. The call
 * is counted and ignored if counter is NULL, or if the recording was begun without a counter.
 * Since 0.1. */
TOLL_API void toll_embed_budget(toll_embed *embed, uint64_t last, const uint64_t *counter);

/* --- coroutines --------------------------------------------------------------------------------*/

/* Make the stack of `track` current: a coroutine is resumed, or another one has yielded to it.
 *   track  NULL: the stack that the recording began with. Borrowed for the call; one that is new to
 *          the recording is made, with an empty stack
 *   name   of a new track; tracks of one name add up in the profile; NULL: "coroutine"
 * Without memory for it, the old stack stays current, and a note counts it.
 * Since 0.1. */
TOLL_API void toll_embed_switch(toll_embed *embed, toll_embed_track *track, const char *name);

/* Free the track of a coroutine that will not run again, and set *track to all 0. A track that is
 * not of this recording is not changed. If it is current, the first stack becomes current.
 *   track  must not be NULL, which is not checked
 * Since 0.1. */
TOLL_API void toll_embed_end_track(toll_embed *embed, toll_embed_track *track);

/* --- all else ----------------------------------------------------------------------------------*/

/* Get the recorder, for calls of recorder.h between this and toll_embed_release; a signal waits
 * until then. Call no other function of embed.h in between.
 *   now  set to the address of the counter's value, which the recorder's functions need; valid
 *        until the release; may be NULL
 * Returns NULL if there is no recording, or it has ended: then there is nothing to release.
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
