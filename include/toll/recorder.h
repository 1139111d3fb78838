/* recorder.h - turns calls and returns into an exact profile.
 *
 * Five calls make a profiler:
 *
 *     toll_recorder_create(&options, &recorder, &err);       once
 *     toll_recorder_add_frame(recorder, &frame, &id, &err);  once for each function
 *     toll_recorder_call(recorder, id, now);                 at each call
 *     toll_recorder_return(recorder, now);                   at each return
 *     toll_recorder_snapshot(recorder, NULL, &profile, &err); whenever you want to look
 *
 * `now` points to the current value of each counter, in the order of the options. The recorder
 * never reads a clock of its own. Each event charges the stack that was current since the previous
 * event with what the counters moved since then. docs/semantics.md defines every event, with
 * examples.
 *
 * Events cannot fail. If memory runs out, or a frame was never registered, calls that would need a
 * new stack are charged to the deepest existing one, and counted in the profile's notes: sums stay
 * exact. If a counter moves in the wrong direction, or by 2^63 or more at once, that step charges 0
 * and is counted; later steps are charged from the new value.
 *
 * These rules are not checked, since each event would pay for it: `now` points to as many numbers
 * as the recorder has counters; a track belongs to this recorder, and was not ended. A track that
 * is NULL, such as one that could not be made, is counted: the event only charges.
 *
 * With a recorder that is NULL, such as one that could not be made, events do nothing, and the
 * program runs without a profile. Functions that return a toll_status return TOLL_E_ARGUMENT. The
 * others return 0, NULL or empty texts.
 *
 * Cost: call and return are O(1), with no allocation for a stack seen before. Memory is
 * proportional to distinct stacks, not to events. Threads: one recorder, one OS thread at a
 * time. */
#ifndef TOLL_RECORDER_H
#define TOLL_RECORDER_H

#include <toll/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOLL_MAX_COUNTERS 4

typedef struct toll_recorder toll_recorder;
typedef struct toll_timeline toll_timeline;

/* A separate call stack: of a coroutine, a fiber, a worker. */
typedef struct toll_track toll_track;

typedef struct toll_counter {
    const char *type; /* "time", "ticks", "compute units" */
    const char *unit; /* "nanoseconds", "count", "CU" */
    int counts_down;  /* 1: a remaining budget; spending makes it smaller */
} toll_counter;

typedef struct toll_recorder_options {
    size_t size; /* sizeof(toll_recorder_options), as for all options: see toll.h */
    const toll_allocator *allocator; /* NULL: the C library's; copied */
    /* Copied; no two may be equal; may be NULL if there are none. */
    const toll_counter *counters;
    uint32_t counter_count;    /* up to TOLL_MAX_COUNTERS; 0: calls only, `now` may be NULL */
    uint32_t max_depth;        /* frames deeper than this are charged to their ancestor
                                  there; 0: no limit */
    int heap;                  /* 1: columns for allocations, see toll_recorder_heap_alloc */
    int section_heap;          /* 1: a column "heap" in "bytes", see sections.h */
    int join_threads;          /* 1: a resumed track's stack hangs under the frame that
                                  resumed it; 0: it is a root of its own */
    toll_timeline *timeline;   /* also write every event there (borrowed), NULL: no */
    uint32_t timeline_counter; /* which counter is its time axis */
    uint32_t timeline_second;  /* which is its second one, if it has that */
    const char *main_thread;   /* of the main track, see below; copied; NULL: "main" */
    int lines;                 /* 1: costs by line, see toll_recorder_line */
    int call_lines;            /* 1, with lines: callees are under the line that called them; 0:
                                  under the function */
} toll_recorder_options;

#define TOLL_RECORDER_OPTIONS_INIT TOLL_SIZED_INIT(toll_recorder_options)

/* A new recorder, with one track that is current: the main track, of the thread `main_thread`. Give
 * each recorder of a program with many OS threads a name of its own there: merged profiles keep
 * threads of different names apart, and add up those of one name. The first event only reads the
 * counters (see toll_recorder_rebase). The caller's to free. options must not be NULL. Columns of
 * its profiles: "calls" in "count", one for each counter; with lines, "executions" in "count"; with
 * section_heap, heap; with heap, alloc_objects, alloc_space, inuse_objects, inuse_space. The
 * default column is the first counter, with heap inuse_space.
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_recorder_create(const toll_recorder_options *options,
                                                          toll_recorder **out, toll_error *err);

/* Free a recorder and its tracks; snapshots stay. NULL is fine. Since 0.1. */
TOLL_API void toll_recorder_free(toll_recorder *recorder);

/* Register a function, or find it. Do it once and keep the id. After a failure *out is TOLL_NONE:
 * calls with that id are counted as calls of a frame that was never registered. Strings are copied.
 * Errors: TOLL_E_ARGUMENT (no name, or no such kind), TOLL_E_NOMEM, TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_recorder_add_frame(toll_recorder *recorder, const toll_frame *frame,
                                             toll_frame_id *out, toll_error *err);

/* The fields of a registered frame, without NULL; all texts are "" for one that is not registered.
 * They are valid until the next frame is added or renamed. Since 0.1. */
TOLL_API toll_frame toll_recorder_frame(const toll_recorder *recorder, toll_frame_id frame);

/* Give a registered frame another name, also in stacks that have it already: for hosts that learn
 * a function's name while it runs. `name` is copied. Frames that have become alike are one frame in
 * the snapshot, and their stacks add up; toll_recorder_add_frame finds a frame by the name that it
 * has now. The timeline's frame is renamed too. A function's places are frames of their own: rename
 * them as well.
 * Errors: TOLL_E_ARGUMENT (no such frame, no name), TOLL_E_NOMEM; the name is then as it was.
 * Since 0.1. */
TOLL_API toll_status toll_recorder_rename_frame(toll_recorder *recorder, toll_frame_id frame,
                                                const char *name, toll_error *err);

/* Continue from the present values of the counters, and charge nothing for the step: at the start,
 * and where the VM has set a counter to a new value (a fresh budget). Since 0.1. */
TOLL_API void toll_recorder_rebase(toll_recorder *recorder, const uint64_t *now);

/* A call: charge the current stack, then enter the callee. Since 0.1. */
TOLL_API void toll_recorder_call(toll_recorder *recorder, toll_frame_id frame, const uint64_t *now);

/* A return: charge the current stack, leave its innermost frame. Without an open frame it is
 * counted ("returns without a call") and nothing else happens. Since 0.1. */
TOLL_API void toll_recorder_return(toll_recorder *recorder, const uint64_t *now);

/* A tail call: charge the current stack, then the callee replaces its innermost frame. Without an
 * open frame it is a call. Since 0.1. */
TOLL_API void toll_recorder_tail_call(toll_recorder *recorder, toll_frame_id frame,
                                      const uint64_t *now);

/* Errors, exceptions, longjmp, traps: charge the current stack, then leave frames until `depth`
 * are open. If fewer are open, there is only the charge. O(frames left). Since 0.1. */
TOLL_API void toll_recorder_unwind(toll_recorder *recorder, uint64_t depth, const uint64_t *now);

/* A line, with options.lines: charge the current stack; from now on the innermost open function is
 * at the place `frame`, and is charged there, also when what it calls from there has returned.
 * "executions" counts the event.
 *   frame  registered, the same function with an at_line (or at_address); or the function itself:
 *          its place is not known. It must be that function's, which is not checked.
 * Calls are still those of the function: pass toll_recorder_call its frame without a place. A
 * timeline shows no places. Lines of frames that max_depth folds, and lines while no function is
 * open, are only charged, and counted in notes. Without options.lines there is only the charge.
 * O(1), with no allocation for a place seen before in this stack. Since 0.1. */
TOLL_API void toll_recorder_line(toll_recorder *recorder, toll_frame_id frame, const uint64_t *now);

/* Set the line at which the innermost open function is already, after toll_recorder_adopt. Like
 * toll_recorder_line, but "executions" does not count it, since the line began before the
 * recording. Since 0.1. */
TOLL_API void toll_recorder_adopt_line(toll_recorder *recorder, toll_frame_id frame,
                                       const uint64_t *now);

/* The number of open frames of the current track, including frames folded by max_depth, without
 * sections.
 * Since 0.1. */
TOLL_API uint64_t toll_recorder_depth(const toll_recorder *recorder);

/* Enter the frames that were on the stack before recording began, outermost first, as callees of
 * the innermost open frame. They are charged from now on, and are not counted as calls. frames may
 * be NULL if count is 0. Since 0.1. */
TOLL_API void toll_recorder_adopt(toll_recorder *recorder, const toll_frame_id *frames,
                                  uint32_t count, const uint64_t *now);

/* Charge what the counters moved up to now to the current stack. Since 0.1. */
TOLL_API void toll_recorder_charge(toll_recorder *recorder, const uint64_t *now);

/* Discard everything recorded, in a child process after fork: the parent has it already. Open
 * frames stay open, with no calls counted; heap blocks in use stay in use; notes are removed; a
 * timeline gets no more events, since its file is the parent's. Counters continue from their last
 * event; if they restart, call toll_recorder_rebase before this. O(stacks). Since 0.1.
 * */
TOLL_API void toll_recorder_start_over(toll_recorder *recorder);

/* Discard everything recorded, to record another run: from now on the same events give the same
 * profile as in a new recorder with these options and frames. The frames stay, with their ids and
 * names, and so does memory for a run as large as the last one. The recorder may have been stopped
 * or not. Open frames and sections, blocks in use and notes are dropped, and nothing is charged.
 * All tracks except the main one are freed: do not use their pointers any more. The first event
 * only reads the counters. A timeline begins anew too, without its failure, and without frames and
 * threads that were registered with it directly; no toll_timeline_reader may be reading it. A
 * toll_sections or toll_svm with this recorder refers to stacks that are gone: free it before this,
 * and make a new one. Snapshots stay. O(stacks + frames). Since 0.1. */
TOLL_API void toll_recorder_reset(toll_recorder *recorder);

/* --- tracks ------------------------------------------------------------------------------------*/

/* A new track with an empty stack. Tracks of one name share one thread of the profile, so that
 * 100,000 coroutines of a kind take no more memory than their distinct stacks. The recorder owns
 * it until toll_recorder_end_track. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_LIMIT.
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_recorder_new_track(toll_recorder *recorder,
                                                             const char *thread_name,
                                                             toll_track **out, toll_error *err);

/* The track that the recorder was created with; the recorder's. Since 0.1. */
TOLL_API toll_track *toll_recorder_main_track(toll_recorder *recorder);

/* The track whose stack events change now; the recorder's. Since 0.1. */
TOLL_API toll_track *toll_recorder_current_track(toll_recorder *recorder);

/* Charge the current track up to now, then make `track` current. NULL: only the charge, and it is
 * counted. Since 0.1. */
TOLL_API void toll_recorder_switch(toll_recorder *recorder, toll_track *track, const uint64_t *now);

/* The same, and with join_threads the track's stack continues the current stack. Cost with
 * join_threads: O(depth of the track) if it was resumed from another stack than last time.
 * Since 0.1. */
TOLL_API void toll_recorder_resume(toll_recorder *recorder, toll_track *track, const uint64_t *now);

/* Free a track that will not run again: what it cost stays in the profile, and its pointer must not
 * be used any more. If it is current, it is charged up to `now` and the main track becomes current.
 * The main track only loses its open frames. Since 0.1. */
TOLL_API void toll_recorder_end_track(toll_recorder *recorder, toll_track *track,
                                      const uint64_t *now);

/* --- sections ----------------------------------------------------------------------------------*/

#define TOLL_MAX_OPEN_SECTIONS 128 /* of a track */

/* A section begins: charge the current stack, then open `frame` (of kind TOLL_KIND_SECTION, say).
 *
 * The program opens and closes sections at any time, whatever is called and returned in between. An
 * open section is on the stack, deeper than the frame that opened it and, after that returns,
 * deeper than its caller. So each unit is charged to the open sections, too. For the total of each
 * section, and its net of others, see sections.h. A section without room on the stack (max_depth,
 * or memory) is in no stack, and is counted. One that is still open when its track ends, or at the
 * stop, is named in the notes. Errors: TOLL_E_LIMIT (TOLL_MAX_OPEN_SECTIONS are open),
 * TOLL_E_ARGUMENT (no such frame), TOLL_E_NOMEM. The charge is made all the same. Cost: O(1).
 * Since 0.1. */
TOLL_API toll_status toll_recorder_section_begin(toll_recorder *recorder, toll_frame_id frame,
                                                 const uint64_t *now, toll_error *err);

/* A section ends: charge the current stack, then close the section of that frame that was opened
 * last. Frames deeper than it are left, and entered again without being counted as calls.
 * Errors: TOLL_E_NOT_FOUND (no section of that frame is open). The charge is made all the same.
 * Cost: O(frames deeper than it). Since 0.1. */
TOLL_API toll_status toll_recorder_section_end(toll_recorder *recorder, toll_frame_id frame,
                                               const uint64_t *now, toll_error *err);

/* --- heap (with options.heap) ------------------------------------------------------------------*/

/* The program has allocated a block: charge its size to the current stack.
 *   address     any number that names the block while it is in use
 *   size_bytes  may be 0
 * An allocation at an address that is in use replaces that block, and is counted. Without
 * options.heap nothing happens. O(1). Since 0.1. */
TOLL_API void toll_recorder_heap_alloc(toll_recorder *recorder, uint64_t address,
                                       uint64_t size_bytes);

/* The program has freed a block: it is no longer in use by the stack that allocated it. A block
 * that is not known is counted. Without options.heap nothing happens. O(1). Since 0.1. */
TOLL_API void toll_recorder_heap_free(toll_recorder *recorder, uint64_t address);

/* The program has resized a block: the same as toll_recorder_heap_free of the old address, then
 * toll_recorder_heap_alloc of the new one. Since 0.1. */
TOLL_API void toll_recorder_heap_realloc(toll_recorder *recorder, uint64_t old_address,
                                         uint64_t new_address, uint64_t new_size_bytes);

/* --- the end -----------------------------------------------------------------------------------*/

/* End the recording: charge the current stack up to now, and close all frames. Later events are
 * ignored and counted. Since 0.1. */
TOLL_API void toll_recorder_stop(toll_recorder *recorder, const uint64_t *now);

/* Make a copy of the profile so far, which the caller frees. Charge first (toll_recorder_charge) so
 * that it is up to date. `allocator` may differ from the recorder's (NULL: the recorder's).
 * Errors: TOLL_E_ARGUMENT (out is NULL), TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_recorder_snapshot(const toll_recorder *recorder,
                                                            const toll_allocator *allocator,
                                                            toll_profile **out, toll_error *err);

/* Count something that the adapter had to drop or guess, for the profile's notes. Errors: as
 * toll_profile_add_note. Since 0.1. */
TOLL_API toll_status toll_recorder_note(toll_recorder *recorder, const char *text, uint64_t count,
                                        toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
