/* stack_frames.c - lists the frames of a track's stack, outermost first and without places. Needed
 * because nodes have links only to their parents. */
#include "base/array.h"
#include "record/recorder_data.h"

bool toll_track_frames(toll_recorder *r, const toll_track *t)
{
    uint64_t depth = t->place.depth;
    if (depth > SIZE_MAX / 2 ||
        !toll_array_grow(&r->mem, &r->scratch, &r->scratch_capacity, 0, (size_t)depth))
        return false;
    const toll_node *node = t->place.node;
    for (size_t i = (size_t)depth; i-- > 0; node = node->parent)
        r->scratch[i] = t->frames ? t->frames[i + 1].function->frame : node->frame;
    return true;
}
