/* bulk.c - copies all nodes and all frames of a profile in one call. See toll/profile.h. */
#include "profile/profile_data.h"

#include "base/fail.h"

#include <inttypes.h>

static toll_status check_count(uint32_t given, size_t there, const char *what, toll_error *err)
{
    if (given == there)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "the arrays are of %" PRIu32 " %s, and the profile has %zu", given, what,
                     there);
}

toll_status toll_profile_nodes(const toll_profile *p, uint32_t count, toll_node_id *parents,
                               toll_frame_id *frames, int64_t *self, toll_error *err)
{
    toll_status status = check_count(count, p->tree.count, "nodes", err);
    if (status)
        return status;
    for (uint32_t id = 0; id < count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        if (parents)
            parents[id] = node->parent ? node->parent->id : TOLL_NONE;
        if (frames)
            frames[id] = node->frame;
        for (uint32_t c = 0; self && c < p->column_count; c++)
            self[(size_t)c * count + id] = node->values[c];
    }
    return TOLL_OK;
}

toll_status toll_profile_frames(const toll_profile *p, uint32_t count, toll_frame *frames,
                                toll_error *err)
{
    toll_status status = check_count(count, p->frame_count, "frames", err);
    for (uint32_t id = 0; !status && frames && id < count; id++)
        frames[id] = toll_profile_frame(p, id);
    return status;
}
