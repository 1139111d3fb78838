/* stack_frames.c - the frames of a track's stack, outermost first: nodes know only their parents.
 */
#include "record/recorder_data.h"

bool toll_track_frames(toll_recorder *r, const toll_track *t)
{
    void *scratch = r->scratch;
    uint64_t depth = t->place.depth;
    if (depth > SIZE_MAX / 2 || !toll_mem_reserve(&r->mem, &scratch, &r->scratch_capacity,
                                                  (size_t)depth, sizeof *r->scratch))
        return false;
    r->scratch = scratch;
    const toll_node *node = t->place.node;
    for (size_t i = (size_t)depth; i-- > 0; node = node->parent)
        r->scratch[i] = node->frame;
    return true;
}
