/* wasm_host.h - libtoll as a WebAssembly module, toll.wasm, beside the module that is profiled. An
 * instance of it makes one recording. toll.mjs, which calls what is exported here, copies strings
 * and bytes into and out of this module's memory.
 *
 *   events.c      what an instrumented module imports from "toll": each event is a call of one
 *   embedder.c    what the embedder reports and asks: counters, phases, sections
 *   guest_module.c  the modules: functions as frames, executions as stacks
 *   recording.c   the beginning of a recording, and its profile, report and timeline
 *   clock_cost.c  what reading the clock costs
 *   sites.c       the sites of a heap, for toll-heap.mjs
 *   tools.c       what needs no recording: memory, error messages, instrumenting, signatures */
#ifndef TOLL_HOSTS_WASM_WASM_HOST_H
#define TOLL_HOSTS_WASM_WASM_HOST_H

#include "record/recorder_data.h"

#include <stdbool.h>
#include <toll/toll.h>

/* toll.mjs knows a function by this name. In C, all that a file here shares begins with "host". */
#define EXPORT(name) __attribute__((export_name(name)))

/* The fast path of a call and a return (see record/fast_path.h) on a copy of what the recorder
 * has of it. While it is open the recorder's own is out of date: host_recorder closes it. */
typedef struct host_fast {
    toll_node *node; /* the innermost frame's; never NULL: where the path is closed, `nowhere` */
    uint64_t depth;
    uint64_t last; /* ticks that are charged */
} host_fast;

enum { HOST_NO_FRAME = TOLL_NONE - 1 }; /* no frame's number, nor a root's */

typedef struct host_module host_module;

typedef struct toll_host {
    host_fast fast;
    toll_frame_id *frames;   /* by the guest's function number + 1; HOST_NO_FRAME: there is none */
    uint32_t frame_capacity; /* a power of two: the functions' numbers are below it */
    host_module *modules, *module; /* all that there were, and the current instance's; or NULL */
    toll_recorder *recorder;       /* NULL: profiles are only added up here. See host_recorder */
    bool has_ticks, has_time;
    bool no_calls;           /* executions are all that is recorded */
    bool settles;            /* an event may stay pending: see host_set_settles */
    uint64_t now[2];         /* the counters: ticks, then time, as far as they are there */
    bool warns;              /* the embedder shows standard error */
    uint64_t clock_readings; /* for the counters, so far */
    uint32_t instance;       /* their number so far */
    uint32_t allocating;     /* the depth of the outermost open allocator; 0: none */
    toll_timeline *timeline; /* NULL: the order in time is not kept */
    toll_profile *added;     /* profiles added up, or NULL */
    toll_profile *mark;      /* what there was at the mark; NULL: none was set */
    toll_output *result;     /* of tools.c */
    toll_error error;
} toll_host;

extern toll_host host;

/* Nanoseconds, as the embedder measures them; only called where time is recorded. */
__attribute__((import_module("toll_host"), import_name("now"))) double host_now(void);

/* The recorder, told of all events so far. Traps if there is none: events have no status, and what
 * NULL points to is memory like any other here. */
toll_recorder *host_recorder(void);

/* The counters with the guest's ticks in them. */
const uint64_t *host_counters(uint64_t ticks);

/* What the clock said when the counters were read last: nanoseconds; 0: there is none. */
double host_time_so_far(void);

/* Add to *profile what is known of lines; it may become another profile. */
toll_status host_add_lines(toll_profile **profile);

#endif
