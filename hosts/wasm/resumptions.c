/* resumptions.c - functions that are entered again without being called. See wasm_host.h.
 *
 * Asyncify suspends a stack by returning from its functions, and resumes it by calling them again.
 * Go switches goroutines by returning from all functions to wasm_pc_f_loop, which enters those of
 * the next one as it returns from them, from the innermost outwards.
 *
 * The functions that asyncify adds to a module tell its state, whoever calls them: the embedder, or
 * the module itself. From asyncify_start_rewind to asyncify_stop_rewind all that is entered goes
 * on. These functions have frames apart in host.frames, which no node has: so none of their events
 * is on the fast path, and others need not look for them. */
#include "wasm_host.h"

#include <string.h>

static const struct {
    const char *name;
    host_watched_kind kind;
} watched[] = {
    { "asyncify_start_rewind", HOST_STARTS_REWIND },
    { "asyncify_stop_rewind", HOST_STOPS_REWIND },
    { "wasm_pc_f_loop", HOST_RESUMES_ALL }, /* Go's */
    { "wasm_pc_f_loop_export", HOST_RESUMES_ALL },
};

enum { KINDS = sizeof watched / sizeof *watched };

static toll_frame_id real_frames[KINDS];
static bool is_there[KINDS]; /* in a module so far */

void host_watch_function(uint32_t function, toll_wasm_bytes name)
{
    for (uint32_t i = 0; i < KINDS; i++)
        if (name.size == strlen(watched[i].name) &&
            memcmp(name.data, watched[i].name, name.size) == 0) {
            real_frames[i] = host.frames[function + 1];
            is_there[i] = true;
            host.watches |= watched[i].kind == HOST_RESUMES_ALL;
            host.frames[function + 1] = HOST_WATCHED + i;
        }
}

bool host_resumes_callees(const toll_node *node)
{
    uint32_t frame = (uint32_t)host_callee_of(node->frame);
    for (uint32_t i = 0; i < KINDS; i++)
        if (watched[i].kind == HOST_RESUMES_ALL && is_there[i] && real_frames[i] == frame)
            return true;
    return false;
}

toll_frame_id host_watched_frame(toll_frame_id frame)
{
    return frame >= HOST_WATCHED && frame < HOST_WATCHED + KINDS ? real_frames[frame - HOST_WATCHED]
                                                                 : frame;
}

host_watched_kind host_watched_kind_of(toll_frame_id frame)
{
    return frame >= HOST_WATCHED && frame < HOST_WATCHED + KINDS
               ? watched[frame - HOST_WATCHED].kind
               : HOST_NOT_WATCHED;
}
