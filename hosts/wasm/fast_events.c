/* fast_events.c - see fast_events.h. */
#include "fast_events.h"

#include <toll/embedder.h>

static host_event_path path;

host_event_path *host_path(void)
{
    return &path;
}

host_innermost host_find_innermost(void)
{
    const host_fast *fast = host_fast_path();
    if (fast->capacity)
        return (host_innermost){ fast->node, fast->depth, fast->depth - path.sections,
                                 fast->ticks };
    const toll_place *place = &host_recorder()->track->place;
    return (host_innermost){ place->node, place->depth, host_depth(), host_last_ticks() };
}
