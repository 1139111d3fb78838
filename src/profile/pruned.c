/* pruned.c - see pruned.h. */
#include "profile/pruned.h"

#include "profile/order.h"

/* Does every leaf, frame and thread have a value? Then a pruned copy would be the same. Without
 * memory to find out the answer is no, and making the copy will fail. */
static bool is_pruned(const toll_profile *p)
{
    const toll_mem *mem = toll_profile_mem(p);
    uint32_t nodes = toll_profile_node_count(p), frames = toll_profile_frame_count(p), met = 0;
    uint8_t *is_parent = toll_mem_new(mem, (size_t)nodes + 1, 1);
    uint8_t *is_met = toll_mem_new(mem, (size_t)frames + 1, 1);
    bool pruned = is_parent && is_met;
    for (uint32_t n = nodes; pruned && n-- > 0;) { /* children come before their parents */
        toll_frame_id frame = toll_profile_node_frame(p, n);
        bool holds = is_parent[n];
        for (uint32_t c = 0; !holds && c < toll_profile_column_count(p); c++)
            holds = toll_profile_self(p, n, c) != 0;
        pruned = holds;
        if (frame != TOLL_NONE) {
            is_parent[toll_profile_parent(p, n)] = 1;
            met += !is_met[frame];
            is_met[frame] = 1;
        }
    }
    toll_mem_free(mem, is_parent, (size_t)nodes + 1, 1);
    toll_mem_free(mem, is_met, (size_t)frames + 1, 1);
    return pruned && met == frames;
}

toll_status toll_prune_to_write(const toll_profile **profile, toll_profile **own, toll_error *err)
{
    *own = NULL;
    if (is_pruned(*profile))
        return TOLL_OK;
    toll_status status = toll_profile_prune(*profile, own, err);
    if (!status)
        *profile = *own;
    return status;
}
