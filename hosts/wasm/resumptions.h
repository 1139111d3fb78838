/* resumptions.h - functions that are entered again without being called: a suspended stack is
 * resumed. Owns which functions say that, and whether it is so now.
 *
 *                     asyncify_start_rewind      asyncify_stop_rewind is entered,
 *                     was entered                or the stack is unwound
 *     functions are called ----> functions are resumed ----> functions are called
 *
 * Besides, wasm_pc_f_loop of Go resumes each function that it enters itself, and no other. */
#ifndef TOLL_HOSTS_WASM_RESUMPTIONS_H
#define TOLL_HOSTS_WASM_RESUMPTIONS_H

#include "record/recorder_data.h"
#include "wasm/section_read.h"

#include <stdbool.h>
#include <toll/toll.h>

/* What entering a function says of the functions that are entered next. */
typedef enum host_rewinder {
    HOST_NO_REWINDER,
    HOST_STARTS_REWIND, /* all are resumed */
    HOST_STOPS_REWIND,  /* no longer */
    HOST_RESUMES_ALL    /* those that it enters itself are resumed */
} host_rewinder;

/* If the name of a function of the current module is a rewinder's, its entry in host_frames becomes
 * one that no node has as its frame: so no event of it is on the fast path. */
void host_find_rewinder(uint32_t function, toll_wasm_bytes name);

/* What the entry in host_frames is, and the function's frame. */
host_rewinder host_rewinder_of(toll_frame_id entry);
toll_frame_id host_frame_of_entry(toll_frame_id entry);

/* Does the function of this node resume all that it enters? */
bool host_resumes_callees(const toll_node *node);

/* Functions that are entered are resumed, not called. */
bool host_is_resuming(void);
void host_set_resuming(bool is_resuming);

#endif
