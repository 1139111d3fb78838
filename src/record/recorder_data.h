/* recorder_data.h - what a recorder is made of. For record/ only. */
#ifndef TOLL_RECORD_RECORDER_DATA_H
#define TOLL_RECORD_RECORDER_DATA_H

#include "profile/profile_data.h"
#include "record/heap_map.h"

#include <toll/recorder.h>
#include <toll/timeline.h>

/* What is counted because it was dropped, folded or guessed. Texts are in snapshot.c. */
typedef enum toll_count {
    TOLL_COUNT_ORPHANS,    /* returns without an open frame */
    TOLL_COUNT_FOLDED,     /* calls below the depth limit */
    TOLL_COUNT_NOMEM,      /* calls without memory for a node */
    TOLL_COUNT_UNKNOWN,    /* calls of frames that were never registered */
    TOLL_COUNT_BACKWARD,   /* steps of a counter in the wrong direction */
    TOLL_COUNT_AFTER_STOP, /* events after the stop */
    TOLL_COUNT_NO_TRACK,   /* events of a track that is NULL */
    TOLL_COUNT_LIVE_ALLOC, /* allocations at an address that was live */
    TOLL_COUNT_UNKNOWN_FREE,
    TOLL_COUNT_HEAP_NOMEM,     /* allocations not followed for lack of memory */
    TOLL_COUNT_HEAP_HUGE,      /* allocations of more than 2^62 bytes: not followed */
    TOLL_COUNT_SECTION_HIDDEN, /* sections that stand on no stack */
    TOLL_COUNT_KINDS
} toll_count;

/* A counter moves in segments; a segment ends where it is rebased or went the wrong way. All it
 * moved is `moved` and what the current segment moved: the sum that conservation is held to. */
typedef struct toll_counter_state {
    uint64_t last;
    uint64_t flip; /* 0 counts up; all ones counts down: (x ^ flip) - flip is x or -x */
    uint64_t segment_start;
    uint64_t moved;
} toll_counter_state;

/* A section that is open: its frame, and how deep it stands; 0: it has no node. */
typedef struct toll_open_section {
    toll_frame_id frame;
    uint64_t depth;
} toll_open_section;

/* The open sections of a track in the order in which they were opened; those with a node stand
 * deeper and deeper. */
typedef struct toll_open_sections {
    toll_open_section *list; /* of TOLL_MAX_OPEN_SECTIONS; NULL: there has been none */
    uint32_t count;
    uint32_t standing; /* those with a node */
} toll_open_sections;

/* A place on the axes of the timeline; without a second one that is 0. */
typedef struct toll_moment {
    uint64_t at, second;
} toll_moment;

/* Invariant: `current` is `depth` steps below `base`. Folded frames have no node; while there are
 * any, limit == depth, so that every further frame is folded too. */
struct toll_track {
    toll_node *base;
    toll_node *current;
    uint64_t depth;
    /* current->parent: a return need not wait until `current` is in the cache. Not beside
     * `current`, or the compiler stores both at once, and the load of one that follows has to wait.
     */
    toll_node *caller;
    uint64_t limit; /* frames deeper than this get no node */
    uint64_t floor; /* how deep the innermost section stands, or 0: no return leaves that frame */
    uint64_t folded;
    toll_count why_folded;          /* the outermost of them */
    toll_thread_id thread;          /* of the profile */
    toll_thread_id timeline_thread; /* of the timeline; TOLL_NONE: not yet */
    uint64_t timeline_depth;        /* frames that are open there: at most `depth` */
    toll_open_sections sections;
    toll_moment back_at; /* when the track last became current */
    struct toll_track *next, *previous;
};

typedef enum toll_recorder_state {
    TOLL_RECORDER_RUNNING = 0,
    TOLL_RECORDER_NEW, /* before the first event */
    TOLL_RECORDER_STOPPED
} toll_recorder_state;

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
    uint32_t section_heap_column; /* 0: there is none */
    uint32_t heap_column;         /* the first of four; 0: heap is not recorded */
    uint64_t open_sections_told;
    uint64_t section_heap;  /* the sum of what sections took, each without its sign */
    uint64_t heap_bytes;    /* allocated in all */
    toll_frame_id *scratch; /* frames of a stack, outermost first */
    size_t scratch_capacity;
    uint32_t timeline_counter, timeline_second;
    uint32_t *timeline_frames; /* frame -> the timeline's frame, TOLL_NONE: not yet */
    size_t timeline_frame_capacity;
};

static inline void toll_track_stand_at(toll_track *t, toll_node *node)
{
    t->current = node;
    t->caller = node->parent;
}

/* The node of the section that has just begun on the current track; NULL: it has none. */
toll_node *toll_recorder_begun_section(toll_recorder *recorder);

/* Leave the innermost frame, which has a node, be it a section or not. */
void toll_track_leave(toll_recorder *recorder);

/* Enter `frame`, which is not counted as a call; false: there is no room for it. */
bool toll_track_enter_again(toll_recorder *recorder, toll_frame_id frame);

/* A return where sections stand innermost: the frame below them is left. */
void toll_recorder_leave_below_sections(toll_recorder *recorder);

/* The track ends: its sections are named in the notes and forgotten. */
void toll_track_forget_sections(toll_recorder *recorder, toll_track *track);

/* A section never ended: for the notes. */
void toll_recorder_note_open_section(toll_recorder *recorder, const char *name);

/* The stack is left as a whole. */
void toll_track_clear(toll_recorder *recorder, toll_track *track);

/* What `counter` moved since the recorder started. */
uint64_t toll_recorder_elapsed(const toll_recorder *recorder, uint32_t counter);

/* Start if need be and charge; false if the recorder has stopped. */
bool toll_recorder_begin_event(toll_recorder *recorder, const uint64_t *now);

/* The current track's frame was opened or closed just now; depth tells already. */
void toll_recorder_timeline_open(toll_recorder *recorder, toll_frame_id frame);
void toll_recorder_timeline_close(toll_recorder *recorder, toll_frame_id frame);

/* The timeline's frame, if it has it already, gets `name`. */
toll_status toll_recorder_timeline_rename(toll_recorder *recorder, toll_frame_id frame,
                                          const char *name, toll_error *err);

/* Another track becomes current, or the current one has just become so. */
void toll_recorder_timeline_suspend(toll_recorder *recorder);
void toll_recorder_timeline_go_on(toll_recorder *recorder);

/* The frames of a track's stack in recorder->scratch, outermost first; false: no memory. */
bool toll_track_frames(toll_recorder *recorder, const toll_track *track);

#endif
