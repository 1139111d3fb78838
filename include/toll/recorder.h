/* recorder.h - from calls and returns to a profile, exactly.
 *
 * Five calls make a profiler:
 *
 *     toll_recorder_create(&options, &recorder, &err);       once
 *     toll_recorder_add_frame(recorder, &frame, &id, &err);      once for each function
 *     toll_recorder_call(recorder, id, now);                 at each call
 *     toll_recorder_return(recorder, now);                   at each return
 *     toll_recorder_snapshot(recorder, NULL, &profile, &err); whenever you want to look
 *
 * `now` points to the current value of each counter, in the order of the options. The recorder
 * never reads a clock of its own. Each event charges what the counters moved since the event
 * before it to the stack that stood in between. What each event means is defined, with examples,
 * in docs/semantics.md.
 *
 * Events cannot fail. When memory runs out, or a frame was never registered, calls that would need
 * a new stack are charged to the deepest stack there is, counted, and named in the profile's notes:
 * sums stay exact. A counter that goes the wrong way, or by 2^63 or more at once, charges 0 for
 * that step and is counted; from then on it is charged from where it went.
 *
 * What must hold, and is not checked, since it would cost each event: `now` points to as many
 * numbers as the recorder has counters; a track is one of this recorder's, and was not ended. A
 * track that is NULL, such as one that could not be made, is counted: the event only charges.
 *
 * Cost: call and return are O(1), with no allocation for a stack seen before. Memory goes with
 * distinct stacks, not with events. Threads: one recorder, one OS thread at a time. */
#ifndef TOLL_RECORDER_H
#define TOLL_RECORDER_H

#include <toll/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOLL_MAX_COUNTERS 4

typedef struct toll_recorder toll_recorder;
typedef struct toll_timeline toll_timeline;

/* A stack of its own: a coroutine, fiber, instruction, worker. */
typedef struct toll_track toll_track;

typedef struct toll_counter {
    const char *type; /* "time", "ticks", "compute units" */
    const char *unit; /* "nanoseconds", "count", "CU" */
    int counts_down;  /* 1: a remaining budget; spending makes it smaller */
} toll_counter;

typedef struct toll_recorder_options {
    size_t size; /* sizeof(toll_recorder_options), as for all options: see toll.h */
    const toll_allocator *allocator; /* NULL: the C library's; copied */
    /* Copied, no two alike; NULL is fine where there are none. */
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
} toll_recorder_options;

/* A new recorder, with one track that is current: the main track, of the thread `main_thread`. Give
 * each recorder of a program with many OS threads a name of its own there: merged profiles keep
 * threads of different names apart, and add up those of one name. The first event sets the clocks
 * going (see toll_recorder_rebase). The caller's to free. options must not be NULL. Columns of its
 * profiles: "calls" in "count", one for each counter; with section_heap, heap; with heap,
 * alloc_objects, alloc_space, inuse_objects, inuse_space. The default column is the first counter,
 * with heap inuse_space.
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. */
TOLL_API toll_status toll_recorder_create(const toll_recorder_options *options, toll_recorder **out,
                                          toll_error *err);
TOLL_API void toll_recorder_free(toll_recorder *recorder); /* NULL is fine */

/* Register a function, or find it. Do it once and keep the id. After a failure *out is TOLL_NONE:
 * calls of it are counted as those of a frame that was never registered.
 * Errors: TOLL_E_ARGUMENT (no name, or no such kind), TOLL_E_NOMEM, TOLL_E_LIMIT. */
TOLL_API toll_status toll_recorder_add_frame(toll_recorder *recorder, const toll_frame *frame,
                                             toll_frame_id *out, toll_error *err);

/* Give a registered frame another name, also in stacks that have it already: for hosts that learn
 * a function's name while it runs. `name` is copied. Frames that have become alike are one frame in
 * the snapshot, and their stacks add up; toll_recorder_add_frame finds a frame by the name that it
 * has now. The timeline's frame is renamed too.
 * Errors: TOLL_E_ARGUMENT (no such frame, no name), TOLL_E_NOMEM; the name is then as it was. */
TOLL_API toll_status toll_recorder_rename_frame(toll_recorder *recorder, toll_frame_id frame,
                                                const char *name, toll_error *err);

/* Take the counters as they are without charging anybody: at the start, and wherever a counter
 * was set to a new value by somebody else (a fresh budget). */
TOLL_API void toll_recorder_rebase(toll_recorder *recorder, const uint64_t *now);

/* A call: charge the current stack, enter the callee. */
TOLL_API void toll_recorder_call(toll_recorder *recorder, toll_frame_id frame, const uint64_t *now);

/* A return: charge the current stack, leave its innermost frame. Without an open frame it is
 * counted ("returns without a call") and nothing else happens. */
TOLL_API void toll_recorder_return(toll_recorder *recorder, const uint64_t *now);

/* A tail call: charge the current stack, then the callee takes the place of its innermost
 * frame. Without an open frame it is a call. */
TOLL_API void toll_recorder_tail_call(toll_recorder *recorder, toll_frame_id frame,
                                      const uint64_t *now);

/* Errors, exceptions, longjmp, traps: charge the current stack, then leave frames until `depth`
 * are open. Deeper than the current depth: nothing but the charge. O(frames left). */
TOLL_API void toll_recorder_unwind(toll_recorder *recorder, uint64_t depth, const uint64_t *now);

/* Open frames of the current track, those folded by max_depth included, sections not. */
TOLL_API uint64_t toll_recorder_depth(const toll_recorder *recorder);

/* The stack that stands when watching begins, outermost first: its frames are entered without
 * being counted as calls, and charged from now on. On top of what is open already. frames may be
 * NULL if count is 0. */
TOLL_API void toll_recorder_adopt(toll_recorder *recorder, const toll_frame_id *frames,
                                  uint32_t count, const uint64_t *now);

/* Charge whatever is due up to now to the current stack. */
TOLL_API void toll_recorder_charge(toll_recorder *recorder, const uint64_t *now);

/* Forget all that was recorded, in a child process after fork: the parent has it already. Open
 * frames stay open, with no calls counted; what is in use of the heap stays in use; notes are
 * forgotten; a timeline gets no more events, for its file is the parent's. Counters go on from
 * their last event; toll_recorder_rebase before this where they begin anew. O(stacks). */
TOLL_API void toll_recorder_start_over(toll_recorder *recorder);

/* --- tracks ------------------------------------------------------------------------------------*/

/* A new track with an empty stack. Tracks of one name share one thread of the profile, so that
 * 100,000 coroutines of a kind take no more memory than their distinct stacks. The recorder owns
 * it until toll_recorder_end_track. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_LIMIT. */
TOLL_API toll_status toll_recorder_new_track(toll_recorder *recorder, const char *thread_name,
                                             toll_track **out, toll_error *err);

/* The track that the recorder was created with. */
TOLL_API toll_track *toll_recorder_main_track(toll_recorder *recorder);
TOLL_API toll_track *toll_recorder_current_track(toll_recorder *recorder);

/* Charge the current track up to now, then make `track` current. */
TOLL_API void toll_recorder_switch(toll_recorder *recorder, toll_track *track, const uint64_t *now);

/* The same, and with join_threads the track's stack is hung under the current stack. Cost with
 * join_threads: O(depth of the track) if it was resumed from another stack than last time. */
TOLL_API void toll_recorder_resume(toll_recorder *recorder, toll_track *track, const uint64_t *now);

/* Forget a track that will not run again; its costs stay, the pointer is no track any more. If it
 * is current, it is charged up to `now` and the main track becomes current. The main track only
 * loses its open frames. */
TOLL_API void toll_recorder_end_track(toll_recorder *recorder, toll_track *track,
                                      const uint64_t *now);

/* --- sections ----------------------------------------------------------------------------------*/

#define TOLL_MAX_OPEN_SECTIONS 128 /* of a track */

/* A section is a frame (of kind TOLL_KIND_SECTION, say) that the program opens and closes as it
 * likes, whatever is called and returned in between. While it is open it stands on the stack: above
 * the frame that opened it, and when that returns, above its caller. So each unit is charged to the
 * sections that were open, too. For what each section took in all, net of others, see sections.h.
 *
 * begin charges, then opens `frame`. Cost: O(1).
 * end charges, then closes the section of that frame that was opened last; what stands above it is
 * left and entered again without being counted as a call. Cost: O(frames above it).
 * A section for which there is no room in the stack (max_depth, or memory) shows in no stack, and
 * is counted. One that is still open when its track ends, or at the stop, is named in the notes.
 * Errors: begin TOLL_E_LIMIT (too many are open), TOLL_E_ARGUMENT (no such frame), TOLL_E_NOMEM;
 * end TOLL_E_NOT_FOUND (none of that frame is open). The charge is made all the same. */
TOLL_API toll_status toll_recorder_section_begin(toll_recorder *recorder, toll_frame_id frame,
                                                 const uint64_t *now, toll_error *err);
TOLL_API toll_status toll_recorder_section_end(toll_recorder *recorder, toll_frame_id frame,
                                               const uint64_t *now, toll_error *err);

/* --- heap (with options.heap) ------------------------------------------------------------------*/

/* `address` is any number that names the block. heap_alloc charges the current stack; heap_free
 * takes from the in-use of the stack that allocated; heap_realloc is heap_free, then heap_alloc at
 * the new site. An allocation at a live address replaces it and is counted; freeing an unknown one
 * is counted. Without options.heap nothing happens. O(1). */
TOLL_API void toll_recorder_heap_alloc(toll_recorder *recorder, uint64_t address,
                                       uint64_t size_bytes);
TOLL_API void toll_recorder_heap_free(toll_recorder *recorder, uint64_t address);
TOLL_API void toll_recorder_heap_realloc(toll_recorder *recorder, uint64_t old_address,
                                         uint64_t new_address, uint64_t new_size_bytes);

/* --- the end -----------------------------------------------------------------------------------*/

/* Charge every open frame up to now and close all stacks. Events after this are ignored and
 * counted. */
TOLL_API void toll_recorder_stop(toll_recorder *recorder, const uint64_t *now);

/* The profile so far, a copy that is the caller's to free. Charge first (toll_recorder_charge)
 * to have it up to date. `allocator` may differ from the recorder's (NULL: the recorder's).
 * Errors: TOLL_E_ARGUMENT (out is NULL), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
TOLL_API toll_status toll_recorder_snapshot(const toll_recorder *recorder,
                                            const toll_allocator *allocator, toll_profile **out,
                                            toll_error *err);

/* Count something that the adapter had to drop or guess, for the profile's notes. Errors: as
 * toll_profile_add_note. */
TOLL_API toll_status toll_recorder_note(toll_recorder *recorder, const char *text, uint64_t count,
                                        toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
