/* resumptions.c - functions that are entered again without being called: asyncify suspends a stack
 * by returning from its functions, and resumes it by calling them again. See wasm_host.h.
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
};

enum { KINDS = sizeof watched / sizeof *watched };

static toll_frame_id real_frames[KINDS];

void host_watch_function(uint32_t function, toll_wasm_bytes name)
{
    for (uint32_t i = 0; i < KINDS; i++)
        if (name.size == strlen(watched[i].name) &&
            memcmp(name.data, watched[i].name, name.size) == 0) {
            real_frames[i] = host.frames[function + 1];
            host.frames[function + 1] = HOST_WATCHED + i;
        }
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
