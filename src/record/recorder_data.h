/* recorder_data.h - declares the parts of a recorder and the functions that its files share. A file
 * uses only functions of files that come before it here. */
#ifndef TOLL_RECORD_RECORDER_DATA_H
#define TOLL_RECORD_RECORDER_DATA_H

#include "base/fail.h"
#include "profile/profile_data.h"
#include "profile/small_stacks.h"
#include "record/heap_map.h"
#include "record/timeline_data.h"

#include <toll/recorder.h>
#include <toll/timeline.h>

/* Counts of what was dropped, folded or guessed. recorder_notes.c has their texts. */
typedef enum toll_count {
    TOLL_COUNT_ORPHANS,    /* returns without an open frame */
    TOLL_COUNT_FOLDED,     /* calls beyond the depth limit */
    TOLL_COUNT_NOMEM,      /* calls without memory for a node */
    TOLL_COUNT_UNKNOWN,    /* calls of frames that were never registered */
    TOLL_COUNT_BACKWARD,   /* counter steps in the wrong direction */
    TOLL_COUNT_AFTER_STOP, /* events after the stop */
    TOLL_COUNT_NO_TRACK,   /* events of a track that is NULL */
    TOLL_COUNT_LIVE_ALLOC, /* allocations at an address that was already in use */
    TOLL_COUNT_UNKNOWN_FREE,
    TOLL_COUNT_HEAP_NOMEM,     /* allocations not tracked for lack of memory */
    TOLL_COUNT_HEAP_HUGE,      /* allocations of more than 2^62 bytes: not tracked */
    TOLL_COUNT_SECTION_HIDDEN, /* sections without a node, so not in any stack */
    TOLL_COUNT_LINE_ORPHAN,    /* lines while no function is open */
    TOLL_COUNT_LINE_FOLDED,    /* lines of folded frames */
    TOLL_COUNT_LINE_UNKNOWN,   /* lines that were never registered */
    TOLL_COUNT_LINE_NOMEM,     /* lines without memory for a node */
    TOLL_COUNT_KINDS
} toll_count;

/* A counter's values are stored as numbers that count up: see toll_counter_value. It moves in
 * segments; a segment ends where the counter is rebased or moves in the wrong direction. Its whole
 * movement is `moved` plus the movement in the current segment. All self values together must be
 * equal to it (conservation). */
typedef struct toll_counter_state {
    uint64_t last;
    uint64_t flip; /* 0 if it counts up, all ones if it counts down */
    uint64_t segment_start;
    uint64_t moved;
} toll_counter_state;

/* The counter's value `now`, negated if it counts down. */
static inline uint64_t toll_counter_value(const toll_counter_state *c, uint64_t now)
{
    return (now ^ c->flip) - c->flip;
}

/* An open section: its frame, and the frame's depth in the stack; depth 0 if it has no node. */
typedef struct toll_open_section {
    toll_frame_id frame;
    uint64_t depth;
} toll_open_section;

/* The open sections of a track, in the order in which they were opened. Among those with a node,
 * each is deeper than the one before it. */
typedef struct toll_open_sections {
    toll_open_section *list; /* room for TOLL_MAX_OPEN_SECTIONS; NULL until the first section */
    uint32_t count;
    uint32_t standing;                          /* how many of them have a node */
    void (*enter_late)(struct toll_recorder *); /* enters the last one, which is late; NULL: it has
                                                 * its frame already. Called by charge.c */
} toll_open_sections;

/* A position on the axes of the timeline; 0 on a second axis that does not exist. */
typedef struct toll_moment {
    uint64_t at, second;
} toll_moment;

/* The position of a stack in the tree: the node of the innermost frame that has one. `caller` is
 * node->parent, kept here so that a return need not wait until `node` is in the cache. It is not
 * next to `node`: otherwise the compiler would store both at once, and a load of one of them right
 * after would have to wait. */
typedef struct toll_place {
    toll_node *node;
    uint64_t depth;
    toll_node *caller;
} toll_place;

/* With lines: an open frame that has a node. `at` is the node of its current place: its function's
 * node or, if the line is known, a sibling of that. For a section and for a track's base, both are
 * the same node. */
typedef struct toll_open_frame {
    toll_node *function, *at;
} toll_open_frame;

/* A track with three open frames, the outermost of them a section:
 *
 *     depth   node in the tree                             the track
 *       0     base: the thread's root <------------------- base
 *       1     [section]     <-- returns stop here -------- floor = 1
 *       2     parse         <----------------------------- place.caller
 *       3     parse_number  <----------------------------- place.node, place.depth = 3
 *      ...                  (frames that calls will open)
 *     limit   <-- calls from here on get no node --------- limit, folded = 0
 *
 * fast_path.h has the invariants of place, floor and limit. While a section is late,
 * floor == depth == limit, so that each event takes the general path. Folded frames have no node,
 * and are deeper than all frames that have one. While there are folded frames, floor == depth ==
 * limit: every further frame is folded too, and every return leaves a folded frame. */
struct toll_track {
    toll_place place;
    uint64_t limit; /* depth at which calls take the general path: deeper frames get no node */
    uint64_t floor; /* depth at which returns take the general path: that of the innermost section
                     * with a node, or 0 */
    toll_node *base;
    uint64_t folded;
    toll_count why_folded;          /* the reason for the outermost folded frame */
    toll_thread_id thread;          /* its thread in the profile */
    toll_thread_id timeline_thread; /* its thread in the timeline; TOLL_NONE: none yet */
    toll_timeline_thread *events;   /* where its next event goes; &recorder->no_events: see
                                     * fast_timeline.h */
    uint64_t timeline_depth;        /* with no_events: the number of frames that are open in the
                                     * timeline */
    toll_open_sections sections;
    toll_open_frame *frames; /* with lines: by depth, 0 for the base; place.node is the `at` of the
                              * last one. NULL if the recorder has no lines */
    size_t frame_capacity;
    toll_moment back_at; /* when the track last became current */
    struct toll_track *next, *previous;
};

/* With lines, calls and returns take the general path, which maintains track->frames. */
typedef enum toll_recorder_state {
    TOLL_RECORDER_RUNNING = 0, /* without lines */
    TOLL_RECORDER_RUNNING_LINES,
    TOLL_RECORDER_NEW, /* before the first event */
    TOLL_RECORDER_STOPPED
} toll_recorder_state;

/* A frame of the timeline. TOLL_NONE, and 0 for the word: not determined yet. */
typedef struct toll_open_code {
    toll_frame_id frame;
    uint32_t word; /* see toll_code_word in timeline_event.h */
} toll_open_code;

struct toll_recorder {
    toll_recorder_state state;
    uint32_t counter_count;
    toll_counter_state counters[TOLL_MAX_COUNTERS];
    toll_track *track; /* the current one */
    toll_profile *profile;
    toll_timeline *timeline; /* borrowed; NULL: none */
    uint64_t max_depth;      /* UINT64_MAX: no limit */
    bool join_threads;
    bool overflowed; /* a counter moved more than 64 bits hold */
    uint64_t counts[TOLL_COUNT_KINDS];

    toll_mem mem;
    toll_track *main_track;
    toll_track *tracks; /* all of them */
    toll_heap_map heap;
    bool call_lines;
    uint32_t execution_column;    /* 0: lines are not recorded */
    uint32_t section_heap_column; /* 0: there is none */
    uint32_t heap_column;         /* the first of four; 0: heap is not recorded */
    uint64_t open_sections_noted;
    uint64_t section_heap;  /* the sum of the absolute heap values of all sections */
    uint64_t heap_bytes;    /* allocated in all */
    toll_frame_id *scratch; /* frames of a stack, outermost first */
    size_t scratch_capacity;
    uint32_t timeline_counter, timeline_second;
    toll_open_code *timeline_codes; /* by frame: the code with which an event opens it */
    size_t timeline_code_count;     /* with a timeline: at least the number of frames */
    toll_timeline_thread no_events; /* a thread without room for events: each event takes the
                                     * general path */
};

/* How much `counter` moved since the recorder started. */
static inline uint64_t toll_recorder_elapsed(const toll_recorder *recorder, uint32_t counter)
{
    const toll_counter_state *c = &recorder->counters[counter];
    return c->moved + (c->last - c->segment_start);
}

/* Is the recorder recording: has it started, and not stopped? */
static inline bool toll_recorder_is_recording(const toll_recorder *recorder)
{
    return recorder->state <= TOLL_RECORDER_RUNNING_LINES;
}

/* The node that is the parent of the innermost frame's callees. */
static inline toll_node *toll_track_caller(const toll_recorder *recorder, const toll_track *track)
{
    return track->frames && !recorder->call_lines ? track->frames[track->place.depth].function
                                                  : track->place.node;
}

/* The innermost frame without its place. */
static inline toll_frame_id toll_track_frame(const toll_track *track)
{
    const toll_node *at = track->place.node;
    return track->frames ? track->frames[track->place.depth].function->frame : at->frame;
}

static inline void toll_track_stand_at(toll_track *track, toll_node *node, uint64_t depth)
{
    track->place = (toll_place){ node, depth, node->parent };
}

/* The status and message that functions return if the recorder is NULL. (Events do nothing
 * then.) */
static inline toll_status toll_recorder_fail_null(toll_error *err)
{
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "there is no recorder: toll_recorder_create failed; look at its status");
}

/* charge.c: start if necessary, and charge the current node. False if the recorder has stopped, or
 * is NULL. */
bool toll_recorder_begin(toll_recorder *recorder, const uint64_t *now);

/* recorder_lines.c: make room for one more open frame. False: no memory. */
bool toll_track_reserve_frame(toll_recorder *recorder, toll_track *track);

/* The node for a place of `function`. If it cannot be made, that is counted, and the result is
 * `function` itself. */
toll_node *toll_recorder_place_node(toll_recorder *recorder, toll_node *function,
                                    toll_frame_id frame);

/* With lines: the frame of the innermost function's current place; TOLL_NONE if no function is
 * open. */
toll_frame_id toll_recorder_place(const toll_recorder *recorder);

/* With lines: make nodes under `base` for the open frames of the track, at their places. False: no
 * memory; the track has not changed. */
bool toll_track_hang_frames(toll_recorder *recorder, toll_track *track, toll_node *base);

/* stack_frames.c: write the frames of a track that have nodes to recorder->scratch, outermost first
 * and without places. False: no memory. */
bool toll_track_frames(toll_recorder *recorder, const toll_track *track);

/* recorder_timeline.c: write that the current track's innermost frame was opened (by a call or
 * not), or closed, just now. This is the general path; fast_timeline.h has the fast one. */
void toll_recorder_timeline_open(toll_recorder *recorder, toll_frame_id frame, bool is_call);
void toll_recorder_timeline_close(toll_recorder *recorder, toll_frame_id frame);

/* Make room for the timeline's data about `frame`, which is about to be registered. */
bool toll_recorder_timeline_reserve(toll_recorder *recorder, toll_frame_id frame);

/* The current track is about to be suspended; a track has just become current. */
void toll_recorder_timeline_suspend(toll_recorder *recorder);
void toll_recorder_timeline_go_on(toll_recorder *recorder);

/* Rename the frame in the timeline to `name`, if it is there already. */
toll_status toll_recorder_timeline_rename(toll_recorder *recorder, toll_frame_id frame,
                                          const char *name, toll_error *err);

/* Empty the timeline. It gets each frame again when it is next called. */
void toll_recorder_timeline_reset(toll_recorder *recorder);

/* steps.c: find or make the callee's node. NULL: no memory, or there is no such frame. */
toll_node *toll_recorder_find_callee(toll_recorder *recorder, toll_node *caller,
                                     toll_frame_id frame);

/* Enter `frame` on the current track; `calls` is 1 for a call, 0 if nothing was called. False: the
 * frame cannot get a node; nothing has changed. */
bool toll_track_enter(toll_recorder *recorder, toll_frame_id frame, int calls);

/* Leave the innermost frame with a node on the current track, whether it is a section's or not. */
void toll_track_leave(toll_recorder *recorder);

/* Set floor and limit after folded frames or sections have changed. */
void toll_track_set_bounds(const toll_recorder *recorder, toll_track *track);

/* recorder_notes.c: note that a section never ended. */
void toll_recorder_note_open_section(toll_recorder *recorder, const char *name);

/* Write the counts as notes of `profile`. */
toll_status toll_recorder_note_counts(const toll_recorder *recorder, toll_profile *profile,
                                      toll_error *err);

/* section_frames.c: the node of the section that has just begun on the current track; NULL if it
 * has none. */
toll_node *toll_recorder_begun_section(toll_recorder *recorder);

/* Begin a section late: it is the section of the functions that call the one that begins it. Each
 * return that follows leaves its function at the moment of the section's begin, without a charge,
 * if it has a caller. The first other event enters the section's frame, also at that moment. So the
 * section has all costs since it began, and no frame under the functions that only begin it. */
toll_status toll_recorder_section_begin_late(toll_recorder *recorder, toll_frame_id frame,
                                             const uint64_t *now, toll_error *err);

/* End a section that the guest has left open at the moment of the last event, without a charge. */
toll_status toll_recorder_section_drop(toll_recorder *recorder, toll_frame_id frame,
                                       toll_error *err);

/* Handle a return while the innermost frames are sections: leave the innermost function. The
 * sections stay open, under that function's caller. */
void toll_recorder_leave_below_sections(toll_recorder *recorder);

/* Leave all frames of the track. Open sections are named in the notes. */
void toll_track_clear(toll_recorder *recorder, toll_track *track);

/* track.c: free a track, even if it has open frames. */
void toll_recorder_drop_track(toll_recorder *recorder, toll_track *track);

/* Make `track` current without charging first: what the counters moved since the last event will be
 * charged to it, and not to the track that was current. */
void toll_recorder_hand_over(toll_recorder *recorder, toll_track *track);

/* snapshot.c: toll_recorder_snapshot with at most `most` stacks (profile/small_stacks.h). It does
 * not copy all stacks first. */
toll_status toll_recorder_snapshot_most(const toll_recorder *recorder, uint32_t most,
                                        uint32_t column, toll_profile **out,
                                        toll_small_stacks *small, toll_error *err);

#endif
