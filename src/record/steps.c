/* steps.c - one frame is entered, or left: the general path. */
#include "record/fast_path.h"

toll_node *toll_recorder_find_callee(toll_recorder *r, toll_node *caller, toll_frame_id frame)
{
    toll_tree *tree = &r->profile->tree;
    toll_node *recent = toll_tree_find_recent(tree, caller, frame);
    if (recent)
        return recent;
    return frame < r->profile->frame_count ? toll_tree_add_child(tree, caller, frame) : NULL;
}

bool toll_track_enter(toll_recorder *r, toll_frame_id frame, int calls)
{
    toll_track *t = r->track;
    toll_node *callee = NULL;
    if (t->place.depth < t->limit) {
        callee = toll_fast_callee(t->place.node, frame);
        if (!callee)
            callee = toll_recorder_find_callee(r, t->place.node, frame);
    }
    if (!callee)
        return false;
    callee->values[0] += calls;
    toll_place_enter(&t->place, callee);
    if (r->timeline)
        toll_recorder_timeline_open(r, frame);
    return true;
}

void toll_track_leave(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_frame_id frame = t->place.node->frame;
    toll_place_leave(&t->place);
    if (r->timeline)
        toll_recorder_timeline_close(r, frame);
}

static uint64_t depth_of_innermost_section(const toll_track *t)
{
    uint64_t depth = 0;
    for (uint32_t i = t->sections.count; i-- > 0 && !depth;)
        depth = t->sections.list[i].depth;
    return depth;
}

void toll_track_set_bounds(const toll_recorder *r, toll_track *t)
{
    t->limit = t->folded ? t->place.depth : r->max_depth;
    t->floor = t->folded ? t->place.depth : depth_of_innermost_section(t);
}
