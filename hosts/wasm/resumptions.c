/* resumptions.c - see resumptions.h.
 *
 * Asyncify suspends a stack by returning from its functions, and resumes it by calling them again.
 * Go switches goroutines by returning from all functions to wasm_pc_f_loop. This enters the
 * functions of the next goroutine one by one, from the innermost outwards: each one when the one
 * before has returned.
 *
 * The functions that asyncify adds to a module change its state, no matter whether the embedder or
 * the module itself calls them. */
#include "resumptions.h"

#include "callees.h"
#include "modules.h"

#include <string.h>

static const struct {
    const char *name;
    host_rewinder kind;
} rewinders[] = {
    { "asyncify_start_rewind", HOST_STARTS_REWIND },
    { "asyncify_stop_rewind", HOST_STOPS_REWIND },
    { "wasm_pc_f_loop", HOST_RESUMES_ALL }, /* Go's */
    { "wasm_pc_f_loop_export", HOST_RESUMES_ALL },
};

enum { KINDS = sizeof rewinders / sizeof *rewinders };

/* Entries of host_frames from this number on are rewinders. */
#define FIRST_ENTRY HOST_OTHER_ENTRIES

static struct {
    bool is_resuming;
    bool any_resumes_all;        /* some module has a HOST_RESUMES_ALL */
    bool is_there[KINDS];        /* some module has this rewinder */
    toll_frame_id frames[KINDS]; /* its frame, if it is there */
} state;

void host_find_rewinder(uint32_t function, toll_wasm_bytes name)
{
    for (uint32_t i = 0; i < KINDS; i++)
        if (name.size == strlen(rewinders[i].name) &&
            memcmp(name.data, rewinders[i].name, name.size) == 0) {
            state.frames[i] = host_frame_entry(host_current_frames(), function);
            state.is_there[i] = true;
            state.any_resumes_all |= rewinders[i].kind == HOST_RESUMES_ALL;
            host_set_frame(function, FIRST_ENTRY + i);
        }
}

static bool is_rewinder(toll_frame_id entry)
{
    return entry >= FIRST_ENTRY && entry < FIRST_ENTRY + KINDS;
}

host_rewinder host_rewinder_of(toll_frame_id entry)
{
    return is_rewinder(entry) ? rewinders[entry - FIRST_ENTRY].kind : HOST_NO_REWINDER;
}

toll_frame_id host_frame_of_entry(toll_frame_id entry)
{
    return is_rewinder(entry) ? state.frames[entry - FIRST_ENTRY] : host_watched_frame(entry);
}

bool host_resumes_callees(const toll_node *node)
{
    if (!state.any_resumes_all)
        return false;
    toll_frame_id frame = host_callee_function(host_callee_of(host_callees_so_far(), node->frame));
    for (uint32_t i = 0; i < KINDS; i++)
        if (rewinders[i].kind == HOST_RESUMES_ALL && state.is_there[i] && state.frames[i] == frame)
            return true;
    return false;
}

bool host_is_resuming(void)
{
    return state.is_resuming;
}

void host_set_resuming(bool is_resuming)
{
    state.is_resuming = is_resuming;
}
