/* resumptions.h - recognises functions that are entered again without a call, because a suspended
 * stack is resumed.
 *
 * Owns the list of functions that begin and end this, the rewinders, and whether a stack is being
 * resumed now.
 *
 *                     asyncify_start_rewind      asyncify_stop_rewind is entered,
 *                     was entered                or the stack is unwound
 *     functions are called ----> functions are resumed ----> functions are called
 *
 * Besides, Go's wasm_pc_f_loop resumes each function that it enters itself, and no others. */
#ifndef TOLL_HOSTS_WASM_RESUMPTIONS_H
#define TOLL_HOSTS_WASM_RESUMPTIONS_H

#include "record/recorder_data.h"
#include "wasm/section_read.h"

#include <stdbool.h>
#include <toll/toll.h>

/* What entering a rewinder means for the functions that are entered next. */
typedef enum host_rewinder {
    HOST_NO_REWINDER,
    HOST_STARTS_REWIND, /* all are resumed */
    HOST_STOPS_REWIND,  /* they are called again */
    HOST_RESUMES_ALL    /* those that it enters itself are resumed */
} host_rewinder;

/* If a function of the current module has the name of a rewinder, set its entry in host_frames to
 * one that no node has as its frame. So its events never take the fast path. */
void host_find_rewinder(uint32_t function, toll_wasm_bytes name);

/* Which rewinder an entry of host_frames is, and the function's frame. */
host_rewinder host_rewinder_of(toll_frame_id entry);
toll_frame_id host_frame_of_entry(toll_frame_id entry);

/* Does the function of this node resume all that it enters? */
bool host_resumes_callees(const toll_node *node);

/* Are functions that are entered now resumed, not called? */
bool host_is_resuming(void);
void host_set_resuming(bool is_resuming);

#endif
