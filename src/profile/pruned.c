/* pruned.c - see pruned.h. */
#include "profile/pruned.h"

#include "profile/order.h"
#include "profile/profile_data.h"

#include <string.h>
#include <toll/debug.h>

/* Does every leaf, frame and thread have a value? Then a pruned copy would be the same. False also
 * if there is no memory to find out; making the copy will then fail. */
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

/* Remove a column from a copy. Its nodes keep their size. */
static void drop_column(toll_profile *p, uint32_t column)
{
    uint32_t behind = p->column_count - column - 1;
    for (uint32_t id = 0; id < p->tree.count; id++) {
        int64_t *values = &toll_tree_node(&p->tree, id)->values[column];
        memmove(values, values + 1, behind * sizeof *values);
    }
    memmove(&p->columns[column], &p->columns[column + 1], behind * sizeof *p->columns);
    p->column_count--;
    if (p->default_column == column)
        p->default_column = TOLL_NONE;
    else if (p->default_column != TOLL_NONE && p->default_column > column)
        p->default_column--;
}

toll_status toll_prune_to_write(const toll_profile **profile, bool blocks, toll_profile **own,
                                toll_error *err)
{
    const toll_profile *whole = *profile;
    toll_profile *without = NULL;
    toll_status status = TOLL_OK;
    uint32_t column = blocks ? TOLL_NONE : toll_profile_find_column(whole, TOLL_BLOCK_EXECUTIONS);
    *own = NULL;
    if (column != TOLL_NONE) {
        status = toll_profile_copy(whole, &without, err);
        if (status)
            return status;
        drop_column(without, column);
        whole = without;
    }
    if (is_pruned(whole)) {
        *own = without;
    } else {
        status = toll_profile_prune(whole, own, err);
        toll_profile_free(without);
    }
    if (*own)
        *profile = *own;
    return status;
}
