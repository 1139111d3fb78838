/* callees.h - makes the recorder's frames of functions, and with call_lines those of callees.
 *
 * A callee is a function together with the place of its call: `place << 32 | frame of the
 * function`. With call_lines each frame of the recorder is one. A place is the number of a call,
 * counted through all modules; 0: not known. With call_kinds a place is HOST_DIRECT or
 * HOST_INDIRECT, in all modules.
 *
 * Owns the table of callees, and the place of the innermost function's last call. */
#ifndef TOLL_HOSTS_WASM_CALLEES_H
#define TOLL_HOSTS_WASM_CALLEES_H

#include "base/buffer.h"
#include "base/u64map.h"
#include "modules.h"

enum { HOST_DIRECT = 1, HOST_INDIRECT = 2 }; /* options.call_lines of 2 (toll/wasm.h) */
enum { HOST_RECENT_BITS = 14 };

typedef struct host_callees {
    uint64_t *of; /* by frame: the callee; empty if the modules have no places */
    size_t count, capacity;
    toll_u64map frames; /* callee -> frame */
    /* The frames of callees found recently, by host_recent_slot(); 0 or any other frame if there is
     * none. */
    toll_frame_id recent[1 << HOST_RECENT_BITS];
    size_t place_count;
    uint32_t last_place; /* where the innermost function made its last call */
    bool are_kinds;      /* with call_kinds */
} host_callees;

void host_begin_callees(bool are_kinds);

/* The callees so far. Other files may change last_place, and only read the rest. The address never
 * changes. */
host_callees *host_callees_so_far(void);

/* The callee of a frame. A frame without a call place has place 0, and is the function itself. */
static inline uint64_t host_callee_of(const host_callees *callees, toll_frame_id frame)
{
    return frame < callees->count ? callees->of[frame] : frame;
}

/* The two halves of a callee. */
static inline toll_frame_id host_callee_function(uint64_t callee)
{
    return (toll_frame_id)callee;
}

static inline uint32_t host_callee_place(uint64_t callee)
{
    return (uint32_t)(callee >> 32);
}

static inline size_t host_recent_slot(uint64_t callee)
{
    return (size_t)(callee * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HOST_RECENT_BITS));
}

/* The frame of a callee that was found recently; TOLL_NONE: it must be looked up. */
static inline toll_frame_id host_recent_callee(const host_callees *c, uint64_t callee)
{
    const toll_frame_id frame = c->recent[host_recent_slot(callee)];
    return frame < c->count && c->of[frame] == callee ? frame : TOLL_NONE;
}

/* The frame of a function that an event names, called at `place`. If there is no such call, or no
 * memory, the result is `plain`, the function's frame without a place. */
toll_frame_id host_callee_frame(uint32_t place, uint32_t function, toll_frame_id plain);

/* Number the places of a new module's calls. False: there are too many. */
bool host_add_places(host_module *module);

/* The module that has the call of that number; NULL: there is none. */
const host_module *host_module_of_place(uint32_t place);

/* How many places precede the first one that an event of the current module can name. Events of
 * linked modules count calls through all of them. */
static inline uint32_t host_place_before(const host_module *current)
{
    return current && !current->info.is_linked ? current->first_place : 0;
}

/* Describe a module's function, by its index in the module, as a frame. The frame's strings are in
 * `texts`, and valid until that is used again. False: no memory. */
bool host_function_frame(const toll_wasm_section_info *info, uint32_t function, toll_buffer *texts,
                         toll_frame *out);

#endif
