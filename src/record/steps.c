/* steps.c - enters or leaves one frame: the general path. */
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
    toll_node *caller = toll_track_caller(r, t), *callee = NULL;
    if (t->place.depth < t->limit && (!t->frames || toll_track_reserve_frame(r, t))) {
        callee = toll_fast_callee(caller, frame);
        if (!callee)
            callee = toll_recorder_find_callee(r, caller, frame);
    }
    if (!callee)
        return false;
    callee->values[0] += calls;
    toll_track_stand_at(t, callee, t->place.depth + 1);
    if (t->frames)
        t->frames[t->place.depth] = (toll_open_frame){ callee, callee };
    if (r->timeline)
        toll_recorder_timeline_open(r, frame, calls != 0);
    return true;
}

void toll_track_leave(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_frame_id frame = toll_track_frame(t);
    toll_place_leave(&t->place);
    if (t->frames)
        t->place.node = t->frames[t->place.depth].at; /* a sibling, or the caller itself */
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
    bool is_closed = t->folded || t->sections.enter_late;
    t->limit = is_closed ? t->place.depth : r->max_depth;
    t->floor = is_closed ? t->place.depth : depth_of_innermost_section(t);
}
