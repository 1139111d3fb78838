/* fold.c - makes profiles with fewer stacks and the same sums: by depth, by section, without
 * places, inlined functions, threads or recursion, and by the linker's names. */
#include "base/fail.h"
#include "profile/fold_steps.h"
#include "profile/order.h"

/* --- by depth ----------------------------------------------------------------------------------*/

static toll_status fold_below(toll_graft *g, uint32_t *depth_of, uint32_t limit, toll_error *err)
{
    const toll_tree *tree = &g->source->tree;
    uint32_t calls = toll_profile_find_column(g->source, "calls");
    uint64_t folded = 0;
    toll_status status = TOLL_OK;
    for (uint32_t id = 0; !status && id < tree->count; id++) {
        const toll_node *node = toll_tree_node(tree, id);
        uint32_t depth = node->parent ? depth_of[node->parent->id] + 1 : 0;
        depth_of[id] = depth;
        if (depth > limit) {
            status = toll_fold_into_parent(g, id, calls, err);
            if (calls != TOLL_NONE && node->values[calls] > 0)
                folded += (uint64_t)node->values[calls];
            continue;
        }
        status = toll_fold_keep(g, id, err);
    }
    if (!status)
        status =
            toll_profile_add_note(g->target, "calls below the depth limit, folded", folded, err);
    return status;
}

toll_status toll_profile_fold_depth(const toll_profile *profile, uint32_t depth, toll_profile **out,
                                    toll_error *err)
{
    toll_graft g;
    toll_status status = toll_fold_begin(&g, profile, out, err);
    if (status)
        return status;
    size_t count = (size_t)profile->tree.count + 1;
    uint32_t *depth_of = toll_mem_new(&profile->mem, count, sizeof *depth_of);
    status = depth_of ? fold_below(&g, depth_of, depth, err) : toll_fail_nomem(err);
    toll_mem_free(&profile->mem, depth_of, count, sizeof *depth_of);
    return toll_fold_end(&g, status, out);
}

/* --- sections alone, without inlined functions -------------------------------------------------*/

/* Fold the nodes for which `folded` is true into their parents. */
static toll_status fold_nodes(const toll_profile *profile,
                              bool (*folded)(const toll_profile *, const toll_node *),
                              toll_profile **out, toll_error *err)
{
    toll_graft g;
    uint32_t calls = toll_profile_find_column(profile, "calls");
    toll_status status = toll_fold_begin(&g, profile, out, err);
    if (status)
        return status;
    for (uint32_t id = 0; !status && id < profile->tree.count; id++) {
        const toll_node *node = toll_tree_node(&profile->tree, id);
        status = node->parent && folded(profile, node) ? toll_fold_into_parent(&g, id, calls, err)
                                                       : toll_fold_keep(&g, id, err);
    }
    return toll_fold_end(&g, status, out);
}

static bool is_no_section(const toll_profile *profile, const toll_node *node)
{
    return profile->frames[node->frame].key.kind != TOLL_KIND_SECTION;
}

toll_status toll_profile_fold_sections(const toll_profile *profile, toll_profile **out,
                                       toll_error *err)
{
    return fold_nodes(profile, is_no_section, out, err);
}

/* Is it an inlined function with a caller? One without a caller (in a file of another tool) stays,
 * since there is no node to charge. */
static bool is_inlined(const toll_profile *profile, const toll_node *node)
{
    return node->parent->parent && profile->frames[node->frame].key.kind == TOLL_KIND_INLINED;
}

toll_status toll_profile_fold_inlined(const toll_profile *profile, toll_profile **out,
                                      toll_error *err)
{
    return fold_nodes(profile, is_inlined, out, err);
}

/* --- without places, by mangled names ----------------------------------------------------------*/

/* Map each frame of the source to the target's frame that `change` makes from it. */
static toll_status change_frames(toll_graft *g, void (*change)(toll_frame *), toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < g->source->frame_count; i++) {
        toll_frame f = toll_profile_frame(g->source, i);
        change(&f);
        status = toll_profile_add_frame(g->target, &f, &g->frames[i], err);
    }
    return status;
}

/* Make a copy with changed frames. Stacks that become equal add up. */
static toll_status with_changed_frames(const toll_profile *profile, void (*change)(toll_frame *),
                                       toll_profile **out, toll_error *err)
{
    toll_graft g;
    toll_status status = toll_fold_begin(&g, profile, out, err);
    if (status)
        return status;
    status = change_frames(&g, change, err);
    for (uint32_t id = 0; !status && id < profile->tree.count; id++)
        status = toll_fold_keep(&g, id, err);
    return toll_fold_end(&g, status, out);
}

static void forget_place(toll_frame *f)
{
    f->at_line = 0;
    f->at_file = "";
    f->at_address = 0;
}

toll_status toll_profile_fold_places(const toll_profile *profile, toll_profile **out,
                                     toll_error *err)
{
    return with_changed_frames(profile, forget_place, out, err);
}

static void use_system_name(toll_frame *f)
{
    if (*f->system_name)
        f->name = f->system_name;
    f->system_name = "";
}

toll_status toll_profile_use_system_names(const toll_profile *profile, toll_profile **out,
                                          toll_error *err)
{
    return with_changed_frames(profile, use_system_name, out, err);
}

/* --- without threads ---------------------------------------------------------------------------*/

static toll_status join_roots(toll_graft *g, toll_error *err)
{
    toll_thread_id only;
    toll_status status = toll_profile_add_thread(g->target, "", &only, err);
    for (size_t t = 0; !status && t < g->source->thread_count; t++)
        g->nodes[g->source->threads[t].root->id] = g->target->threads[only].root;
    for (uint32_t id = 0; !status && id < g->source->tree.count; id++)
        status = toll_fold_keep(g, id, err);
    return status ? status : toll_graft_notes(g->target, g->source, err);
}

toll_status toll_profile_fold_threads(const toll_profile *profile, toll_profile **out,
                                      toll_error *err)
{
    toll_graft g;
    toll_status status = toll_profile_like(&profile->mem, profile, out, err);
    if (status)
        return status;
    status = toll_graft_begin(&g, *out, profile, err);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
        return status;
    }
    return toll_fold_end(&g, join_roots(&g, err), out);
}

/* --- without recursion -------------------------------------------------------------------------*/

/* A walk through the source that maintains the folded stack of the target: frame_at[1..depth] and
 * node_at[0..depth]. Entering a node either adds a frame to the folded stack, or returns to the
 * depth where it has the same frame already; an `undo`, one for each open source node, holds what
 * that changed. */
typedef struct undo {
    uint32_t depth;    /* of the folded stack before */
    uint32_t frame_at; /* the old entry at the new depth, and the old depth of the frame */
    toll_node *node_at;
    uint32_t place;
} undo;

typedef struct recursion {
    toll_graft *g;
    uint32_t depth;
    uint32_t *place;    /* by frame: its depth on the folded stack; valid if frame_at agrees */
    uint32_t *frame_at; /* by depth */
    toll_node **node_at;
    undo *undos; /* by depth in the source */
} recursion;

static toll_status enter(recursion *r, uint32_t id, uint32_t source_depth, toll_error *err)
{
    uint32_t frame = toll_tree_node(&r->g->source->tree, id)->frame;
    uint32_t place = r->place[frame];
    undo *u = &r->undos[source_depth];
    u->depth = r->depth;
    if (place && place <= r->depth && r->frame_at[place] == frame) {
        r->depth = place; /* back to the depth where the frame is already open */
        r->g->nodes[id] = r->node_at[place];
        return TOLL_OK;
    }
    toll_status status = toll_graft_place(r->g, id, r->node_at[r->depth], err);
    if (status)
        return status;
    r->depth++;
    u->frame_at = r->frame_at[r->depth];
    u->node_at = r->node_at[r->depth];
    u->place = place;
    r->frame_at[r->depth] = frame;
    r->node_at[r->depth] = r->g->nodes[id];
    r->place[frame] = r->depth;
    return TOLL_OK;
}

static void leave(recursion *r, uint32_t id, uint32_t source_depth)
{
    uint32_t frame = toll_tree_node(&r->g->source->tree, id)->frame;
    const undo *u = &r->undos[source_depth];
    if (r->depth == u->depth + 1 && r->node_at[r->depth] == r->g->nodes[id]) {
        r->frame_at[r->depth] = u->frame_at;
        r->node_at[r->depth] = u->node_at;
        r->place[frame] = u->place;
    }
    r->depth = u->depth;
}

static toll_status fold_thread(recursion *r, const toll_order *order, toll_node *root,
                               toll_error *err)
{
    toll_walk w = toll_walk_begin(order, root->id);
    toll_status status = TOLL_OK;
    r->depth = 0;
    r->node_at[0] = r->g->nodes[root->id];
    while (!status && toll_walk_next(&w)) {
        if (w.node == root->id)
            status = w.entering ? toll_graft_add(r->g, w.node, 1, err) : TOLL_OK;
        else if (!w.entering)
            leave(r, w.node, w.depth);
        else if (!(status = enter(r, w.node, w.depth, err)))
            status = toll_graft_add(r->g, w.node, 1, err);
    }
    return status;
}

static uint32_t deepest(const toll_profile *p, uint32_t *depth_of)
{
    uint32_t most = 0;
    for (uint32_t id = 0; id < p->tree.count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        depth_of[id] = node->parent ? depth_of[node->parent->id] + 1 : 0;
        most = depth_of[id] > most ? depth_of[id] : most;
    }
    return most;
}

static toll_status fold_all(toll_graft *g, const toll_order *order, uint32_t levels,
                            toll_error *err)
{
    const toll_profile *p = g->source;
    recursion r = { .g = g };
    toll_status status = TOLL_OK;
    r.place = toll_mem_new(&p->mem, p->frame_count + 1, sizeof *r.place);
    r.frame_at = toll_mem_new(&p->mem, levels, sizeof *r.frame_at);
    r.node_at = toll_mem_new(&p->mem, levels, sizeof(toll_node *));
    r.undos = toll_mem_new(&p->mem, levels, sizeof *r.undos);
    if (!r.place || !r.frame_at || !r.node_at || !r.undos)
        status = toll_fail_nomem(err);
    for (size_t t = 0; !status && t < p->thread_count; t++)
        status = fold_thread(&r, order, p->threads[t].root, err);
    toll_mem_free(&p->mem, r.place, p->frame_count + 1, sizeof *r.place);
    toll_mem_free(&p->mem, r.frame_at, levels, sizeof *r.frame_at);
    toll_mem_free(&p->mem, r.node_at, levels, sizeof(toll_node *));
    toll_mem_free(&p->mem, r.undos, levels, sizeof *r.undos);
    return status;
}

toll_status toll_profile_fold_recursion(const toll_profile *profile, toll_profile **out,
                                        toll_error *err)
{
    toll_graft g;
    toll_order order;
    toll_status status = toll_fold_begin(&g, profile, out, err);
    if (status)
        return status;
    size_t count = (size_t)profile->tree.count + 1;
    uint32_t *depth_of = toll_mem_new(&profile->mem, count, sizeof *depth_of);
    if (!depth_of)
        return toll_fold_end(&g, toll_fail_nomem(err), out);
    uint32_t levels = deepest(profile, depth_of) + 2;
    toll_mem_free(&profile->mem, depth_of, count, sizeof *depth_of);
    status = toll_order_create(&order, profile, err);
    if (!status) {
        status = fold_all(&g, &order, levels, err);
        toll_order_free(&order);
    }
    return toll_fold_end(&g, status, out);
}
