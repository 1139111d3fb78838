/* recorder_lines.c - records the current line of each open function. See toll/recorder.h.
 *
 * In the tree, the places of a function are siblings of its node, which has no place. The current
 * node is that of the innermost frame's place. The nodes of the other frames are kept in
 * track->frames, since the parent of a callee may be its caller's node without a place. */
#include "base/array.h"
#include "record/fast_path.h"

bool toll_track_reserve_frame(toll_recorder *r, toll_track *t)
{
    return t->place.depth < SIZE_MAX - 2 &&
           toll_array_grow(&r->mem, &t->frames, &t->frame_capacity, (size_t)t->place.depth + 1, 1);
}

toll_node *toll_recorder_place_node(toll_recorder *r, toll_node *function, toll_frame_id frame)
{
    toll_tree *tree = &r->profile->tree;
    toll_node *at = toll_tree_find_recent(tree, function->parent, frame);
    if (at)
        return at;
    if (frame >= r->profile->frame_count) {
        r->counts[TOLL_COUNT_LINE_UNKNOWN]++;
        return function;
    }
    at = toll_tree_add_child(tree, function->parent, frame);
    r->counts[TOLL_COUNT_LINE_NOMEM] += !at;
    return at ? at : function;
}

/* The depth of the innermost function; sections may be deeper. 0: no function with a node is open,
 * or the innermost function is folded. */
static uint64_t depth_of_innermost_function(const toll_track *t)
{
    uint64_t depth = t->place.depth;
    if (t->folded)
        return 0;
    for (uint32_t i = t->sections.count; i-- > 0 && depth > 0;) {
        uint64_t section = t->sections.list[i].depth; /* 0: it has no node */
        if (section && section != depth)
            break;
        depth -= section == depth;
    }
    return depth;
}

toll_frame_id toll_recorder_place(const toll_recorder *r)
{
    uint64_t depth = depth_of_innermost_function(r->track);
    return depth ? r->track->frames[depth].at->frame : TOLL_NONE;
}

static void move_to(toll_recorder *r, toll_frame_id frame, unsigned executions, const uint64_t *now)
{
    if (!toll_recorder_begin(r, now) || !r->execution_column)
        return;
    toll_track *t = r->track;
    uint64_t depth = depth_of_innermost_function(t);
    if (!depth) {
        r->counts[t->folded ? TOLL_COUNT_LINE_FOLDED : TOLL_COUNT_LINE_ORPHAN] += executions;
        return;
    }
    toll_open_frame *f = &t->frames[depth];
    if (f->at->frame != frame)
        f->at = toll_recorder_place_node(r, f->function, frame);
    f->at->values[r->execution_column] += executions;
    if (depth == t->place.depth)
        t->place.node = f->at;
}

void toll_recorder_line(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    move_to(r, frame, 1, now);
}

void toll_recorder_adopt_line(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    move_to(r, frame, 0, now);
}

/* --- the same stack elsewhere in the tree ------------------------------------------------------*/

/* Set *f to the nodes for the same frames under `caller`. False: no memory. */
static bool find_below(toll_recorder *r, toll_open_frame caller, toll_open_frame *f)
{
    toll_tree *tree = &r->profile->tree;
    toll_node *parent = r->call_lines ? caller.at : caller.function;
    toll_node *function = toll_tree_child(tree, parent, f->function->frame);
    toll_node *at = function ? toll_tree_child(tree, parent, f->at->frame) : NULL;
    if (at)
        *f = (toll_open_frame){ function, at };
    return at != NULL;
}

bool toll_track_hang_frames(toll_recorder *r, toll_track *t, toll_node *base)
{
    toll_open_frame root = { base, base }, caller = root;
    for (uint64_t i = 1; i <= t->place.depth; i++) {
        toll_open_frame f = t->frames[i];
        if (!find_below(r, caller, &f))
            return false;
        caller = f;
    }
    t->frames[0] = root;
    for (uint64_t i = 1; i <= t->place.depth; i++) /* cannot fail: these nodes have been made */
        find_below(r, t->frames[i - 1], &t->frames[i]);
    return true;
}
