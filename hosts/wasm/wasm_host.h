/* wasm_host.h - libtoll as a WebAssembly module, toll.wasm, beside the module that is profiled. An
 * instance of it makes one recording. What it exports is declared in toll/embedder.h, and called by
 * toll.mjs and by embedders in other languages.
 *
 *   events.c      what an instrumented module imports from "toll": each event is a call of one
 *   heap_events.c  the same, of allocators
 *   interrupted.c  where the engine ends the guest within an event
 *   watched.c     the same, for an embedder that looks at this module's memory meanwhile
 *   embedder.c    what the embedder reports and asks: counters, phases, sections
 *   guest_module.c  the modules
 *   callees.c     functions as frames, with call_lines together with the place that called them
 *   fold_recursion.c  recursion is folded while the guest runs
 *   resumptions.c  functions that tell when a suspended stack is resumed
 *   place_callees.c  these become functions below that place
 *   executions.c  what counters of executions say, as stacks
 *   recording.c   the beginning of a recording, and its profile, report and timeline
 *   timeline_stream.c  the file of a timeline, while the guest runs
 *   memory_growth.c  how this module's memory grows
 *   looks.c       time by looking, and the events of such a recording
 *   clock_cost.c  what reading the clock costs
 *   sites.c       the sites of a heap, for toll-heap.mjs
 *   tools.c       what needs no recording: memory, error messages, results
 *   module_tools.c  what is done with modules: instrumenting, what they report, signatures
 *   system.c      the operating system that the C library asks: there is none */
#ifndef TOLL_HOSTS_WASM_WASM_HOST_H
#define TOLL_HOSTS_WASM_WASM_HOST_H

#include "base/buffer.h"
#include "base/u64map.h"
#include "record/recorder_data.h"
#include "wasm/told.h"

#include <stdbool.h>
#include <toll/embedder.h>
#include <toll/toll.h>

/* In C, all that a file here shares begins with "host". */

/* The fast path of a call and a return (see record/fast_path.h) on a copy of what the recorder
 * has of it. While it is open the recorder's own is out of date: host_recorder closes it. */
typedef struct host_fast {
    toll_node *node; /* the innermost frame's; never NULL: where the path is closed, host_nowhere */
    uint64_t depth;
    uint64_t last;                /* ticks that are charged */
    toll_timeline_thread *events; /* where they go in order, too; NULL: there is no timeline */
    uint64_t origin;              /* of its axis: what it shows at 0 ticks */
    uint64_t until;               /* ticks at which its file must be looked after */
} host_fast;

enum { HOST_NO_FRAME = TOLL_NONE - 1 }; /* no frame's number, nor a root's */

/* From here on numbers in host.frames are those of functions that are watched: resumptions.c. */
#define HOST_WATCHED (TOLL_NONE - 16)

typedef enum host_watched_kind {
    HOST_NOT_WATCHED,
    HOST_STARTS_REWIND, /* what is entered after it is resumed */
    HOST_STOPS_REWIND,  /* no longer */
    HOST_RESUMES_ALL    /* what it enters is resumed */
} host_watched_kind;

/* A module that is recorded. */
typedef struct host_module {
    struct host_module *next;
    uint8_t *section; /* what its section "toll" holds */
    size_t size;
    toll_wasm_told told;
    uint64_t *executions; /* by counter: of the current instance, if it is this module's */
    uint64_t *before;     /* by counter: of the instances before */
    uint32_t number;      /* modules before it */
    uint32_t first_place; /* calls of the modules before it */
} host_module;

/* What options.call_lines of 2 makes of places (toll/wasm.h). */
enum { HOST_DIRECT = 1, HOST_INDIRECT = 2 };

/* With call_lines, frames of the recorder are callees: a function together with the place of the
 * call, 0 if that is not known, as `place << 32 | frame of the function`. Places are the numbers of
 * calls, counted on over all modules. */
typedef struct host_callees {
    uint64_t *of; /* by frame; none: the modules tell no places */
    size_t count, capacity;
    toll_u64map frames;    /* callee -> frame */
    toll_frame_id *recent; /* by place: the callee that it called last */
    size_t place_count, place_capacity;
} host_callees;

/* Is the guest's pending event handled? See interrupted.c. */
typedef enum host_settling {
    HOST_NOT_SETTLING, /* no, or the guest knows */
    HOST_SETTLING,     /* it is, if the depth has changed */
    HOST_SETTLED
} host_settling;

/* What was seen by looking, and what it does not count; see looks.c. */
typedef struct host_seen {
    uint64_t looks;
    uint64_t all, busy, unseen; /* nanoseconds */
    uint64_t reading;           /* the same: of the clock, before it began */
    uint64_t received, made;    /* picoseconds */
    uint64_t overhead;          /* nanoseconds: of the last profile that was made */
} host_seen;

typedef struct toll_host {
    host_fast fast;
    toll_frame_id *frames;   /* by the guest's function number + 1; HOST_NO_FRAME: there is none */
    uint32_t frame_capacity; /* a power of two: the functions' numbers are below it */
    host_module *modules, *module; /* all that there were, and the current instance's; or NULL */
    host_callees callees;
    uint32_t at;             /* the place of the innermost function's last call; 0: not known */
    toll_recorder *recorder; /* NULL: profiles are only added up here. See host_recorder */
    bool has_ticks, has_time;
    bool looks;       /* time may be what looks.c is told: has_time is then false */
    bool looks_began; /* it is from the next event on */
    uint32_t works;   /* with looks: 1 while an event is handled */
    host_seen seen;
    bool no_calls; /* executions are all that is recorded */
    bool settles;  /* an event may stay pending: see host_set_settles */
    host_settling settling;
    uint32_t settled_from;   /* while an event is handled: the depth before it */
    uint64_t now[2];         /* the counters: ticks, then time, as far as they are there */
    bool warns;              /* the embedder shows standard error */
    char *labels;            /* of what is written; NULL: none */
    bool keeps_all;          /* all stacks are written: see most_stacks in toll/format.h */
    uint64_t clock_readings; /* for the counters, so far */
    uint64_t clock_measured; /* of these, when clock_each was measured */
    double clock_each;       /* nanoseconds that a reading costs */
    uint32_t instance;       /* their number so far */
    bool call_kinds;         /* places are kinds of calls: HOST_DIRECT, HOST_INDIRECT */
    bool folds;              /* recursion: see fold_recursion.c */
    bool watches;            /* there is a function that resumes all that it enters */
    bool resumes;            /* functions that are entered are resumed, not called */
    uint32_t allocating;     /* the depth of the outermost open allocator; 0: none */
    toll_timeline *timeline; /* NULL: the order in time is not kept */
    bool streams;            /* it is in a file of the embedder's, see host_stream */
    double flush_at;         /* by the clock */
    uint64_t look_at;        /* without time: the ticks at which the clock is looked at again */
    toll_profile *added;     /* profiles added up, or NULL */
    toll_profile *mark;      /* what there was at the mark; NULL: none was set */
    bool uses_wasi_clock;
    double clock_began;
    toll_output *result; /* see host_result_data */
    char *definitions;   /* see host_define; NULL: none */
    toll_error error;
} toll_host;

extern toll_host host;

/* The current node while the fast path is closed. No event is of this node's frame, or of a
 * child's. */
extern toll_node host_nowhere;

/* A call of a function by its frame, and the return of one. */
void host_enter_one(toll_frame_id frame, uint64_t ticks);
void host_leave_one(toll_frame_id frame, uint64_t ticks);

/* An event of `function`; `place`: the number of the call in the current module, or 0. */
void host_handle_one(bool leaves, uint32_t place, uint32_t function, uint64_t ticks);

/* What looking leaves to be done in a snapshot: what calls cost is taken off its time. */
toll_status host_finish_looks(toll_profile *profile);

/* Add the notes of what the profiler itself cost, since `before`. */
typedef struct host_costs {
    uint64_t looks, taken, unseen, clock; /* what four notes count */
} host_costs;
toll_status host_note_costs(toll_profile *profile, const host_costs *before);

/* The same, of what the notes of a profile say. */
host_costs host_noted_costs(const toll_profile *profile);

/* What reading the clock has cost so far, in nanoseconds, which is part of the time; 0 if none is.
 * May read it for a millisecond. */
uint64_t host_clock_overhead(void);

/* Nanoseconds by the clock that begin has chosen. */
double host_wasi_now(void);

static inline double host_clock(void)
{
    return host.uses_wasi_clock ? host_wasi_now() : host_now();
}

/* The recorder, told of all events so far. Traps if there is none: events have no status, and what
 * NULL points to is memory like any other here. */
toll_recorder *host_recorder(void);

/* A recording begins: where toll.wasm's own stack is. */
void host_remember_stack(void);

/* The counters with the guest's ticks in them. */
const uint64_t *host_counters(uint64_t ticks);

/* The counters were read. Now and then, all events so far go to the timeline's file: a process that
 * is killed leaves what happened until shortly before. */
void host_stream(void);

/* The frame of a module's function; its texts are in `texts`, and good until it is used again.
 * False: no memory. */
bool host_function_frame(const toll_wasm_told *told, uint32_t function, toll_buffer *texts,
                         toll_frame *out);

/* What the frame stands for; of one that is no callee, place 0 and the frame itself. */
static inline uint64_t host_callee_of(toll_frame_id frame)
{
    return frame < host.callees.count ? host.callees.of[frame] : frame;
}

/* The frame of the current module's function `function` as it is called at `place`; that of the
 * function alone where there is no such call, or no memory. */
toll_frame_id host_callee_frame(uint32_t place, uint32_t function);

/* An event where recursion is folded, and the counters at it; whether the guest has functions open,
 * how many frames there are with those that are folded, and how they are left. */
void host_fold_event(bool leaves, toll_frame_id frame, const uint64_t *now);
bool host_fold_is_open(void);
uint64_t host_fold_depth(void);

/* End the innermost phase that began in a call of the guest, with all that is open in it. False:
 * there is none, and nothing is open now. */
bool host_fold_end_phase(const uint64_t *now);
void host_fold_unwind(uint64_t depth);

/* Count a return of a function that is not the innermost one. `stood`: it was open. */
static inline void host_note_unseen(bool stood)
{
    toll_recorder_note(host.recorder,
                       stood ? "returns that ended functions above, which nobody saw end"
                             : "returns of functions that did not stand",
                       1, NULL);
}

/* Watch a function of the current module, whose frame is in host.frames, if its name says so. */
void host_watch_function(uint32_t function, toll_wasm_bytes name);

/* The frame of a function, of what host.frames has of it; and whether it is watched. */
toll_frame_id host_watched_frame(toll_frame_id frame);
host_watched_kind host_watched_kind_of(toll_frame_id frame);

/* Does the function of this node resume all that it enters? */
bool host_resumes_callees(const toll_node *node);

/* A new module: make room for the places of its calls. False: no memory. */
bool host_add_places(host_module *module);

/* Make the callees of *profile, which is a snapshot, functions that are below the caller's place;
 * it becomes another profile. */
toll_status host_place_callees(toll_profile **profile);

/* The content of the section "toll", which data[size] is, or which is in the module data[size]. It
 * stays there. */
toll_status host_find_section(const uint8_t *data, size_t size, toll_wasm_bytes *out);

/* Begin a new result; the old one is gone. */
toll_status host_new_result(void);

/* Add the notes of one profile to another. */
toll_status host_copy_notes(const toll_profile *from, toll_profile *to);

/* Add to *profile what is known of lines; it may become another profile. */
toll_status host_add_lines(toll_profile **profile);

#endif
