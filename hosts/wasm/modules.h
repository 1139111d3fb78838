/* modules.h - the modules that are recorded, and the frames of the current one's functions. Owns
 * both. guest_module.c fills them. */
#ifndef TOLL_HOSTS_WASM_MODULES_H
#define TOLL_HOSTS_WASM_MODULES_H

#include "wasm/section_read.h"

#include <stdbool.h>
#include <toll/toll.h>

enum { HOST_NO_FRAME = TOLL_NONE - 1 }; /* no frame's number, nor a root's */

/* A module that is recorded. */
typedef struct host_module {
    struct host_module *next;
    uint8_t *section; /* the content of its section "toll" */
    size_t size;
    toll_wasm_section_info info;
    uint64_t *executions; /* by counter: of the current instance, if it is this module's */
    uint64_t *before;     /* by counter: of the instances before */
    uint32_t number;      /* modules before it */
    uint32_t first_place; /* calls of the modules before it */
} host_module;

/* By a function's number + 1: its frame, HOST_NO_FRAME, or what resumptions.h puts there. Entry 0,
 * which is no function's, is HOST_NO_FRAME. */
typedef struct host_frames {
    toll_frame_id *of;
    uint32_t capacity; /* a power of two; all functions' numbers are below it */
} host_frames;

/* All modules so far, the newest first; and the current instance's. NULL: none. */
host_module *host_modules(void);
host_module *host_current_module(void);

/* The module with that section; NULL: there is none yet. */
host_module *host_find_module(const uint8_t *section, size_t size);

/* A new module with a copy of section[size]. It becomes one of host_modules() by host_add_module;
 * or the caller frees it. */
toll_status host_make_module(const uint8_t *section, size_t size, host_module **out);
void host_add_module(host_module *module);
void host_free_module(host_module *module);

/* The next instance is of this module. The counters of the instance before are final. Its functions
 * have no frames yet. */
void host_end_instance(void);
toll_status host_begin_module(host_module *module);

/* Of the current module; they hold until the next one begins. */
const host_frames *host_current_frames(void);

static inline toll_frame_id host_frame_entry(const host_frames *frames, uint32_t function)
{
    return function < frames->capacity ? frames->of[function + 1] : HOST_NO_FRAME;
}

/* `function` is one of the current module's. */
void host_set_frame(uint32_t function, toll_frame_id frame);

#endif
