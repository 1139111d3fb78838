/* modules.h - owns the modules that are recorded, and the frames of the current module's functions.
 * guest_module.c fills both. */
#ifndef TOLL_HOSTS_WASM_MODULES_H
#define TOLL_HOSTS_WASM_MODULES_H

#include "wasm/section_read.h"

#include <stdbool.h>
#include <toll/toll.h>

enum { HOST_NO_FRAME = TOLL_NONE - 1 }; /* not the number of any frame, nor that of a root */

/* A module that is recorded. */
typedef struct host_module {
    struct host_module *next;
    uint8_t *section; /* the content of its section "toll" */
    size_t size;
    toll_wasm_section_info info;
    uint64_t *executions; /* by counter: of the current instance, if it is of this module */
    uint64_t *before;     /* by counter: of earlier instances */
    uint32_t number;      /* how many modules precede it */
    uint32_t first_place; /* the number of its first call, minus 1, among those of all modules */
} host_module;

/* The frame of each function, at its number + 1: a frame, HOST_NO_FRAME, or a rewinder's entry
 * (resumptions.h). Entry 0 belongs to no function, and is HOST_NO_FRAME. The functions are those of
 * the current module, or of all linked modules. */
typedef struct host_frames {
    toll_frame_id *of;
    uint32_t capacity; /* a power of two; all functions' numbers are below it */
} host_frames;

/* All modules so far, the newest first; and the module of the current instance. NULL: none. */
host_module *host_modules(void);
host_module *host_current_module(void);

/* The module with that section; NULL: there is none yet. */
host_module *host_find_module(const uint8_t *section, size_t size);

/* Make a new module, with a copy of section[size]. The caller passes it to host_add_module, which
 * adds it to host_modules(), or frees it. */
toll_status host_make_module(const uint8_t *section, size_t size, host_module **out);
void host_add_module(host_module *module);
void host_free_module(host_module *module);

/* End the current instance, or those of all linked modules (toll/wasm.h), which live at the same
 * time: its counters are final. Then begin an instance of `module`, whose functions have no frames
 * yet. */
void host_end_instance(void);
toll_status host_begin_module(host_module *module);

/* The module of a function that an event names; NULL: there is none. */
host_module *host_module_of(uint32_t function);

/* An entry of host_frames for a function that is watched (clocked_time.h), which is never equal to
 * a node's frame, so that its events do not take the fast path. Entries from HOST_OTHER_ENTRIES on
 * have other meanings. */
#define HOST_WATCHED (UINT32_C(1) << 31)
#define HOST_OTHER_ENTRIES (TOLL_NONE - 16)

/* The frame of a watched entry; of any other entry, itself. */
static inline toll_frame_id host_watched_frame(toll_frame_id entry)
{
    return entry < HOST_OTHER_ENTRIES ? entry & ~HOST_WATCHED : entry;
}

/* They are valid until the next module begins. */
const host_frames *host_current_frames(void);

static inline toll_frame_id host_frame_entry(const host_frames *frames, uint32_t function)
{
    return function < frames->capacity ? frames->of[function + 1] : HOST_NO_FRAME;
}

/* Set the frame of a function, by its number in events. */
void host_set_frame(uint32_t function, toll_frame_id frame);

#endif
