/* supcom_build.c - the tree of a log as a profile: inclusive times become self times. See supcom.h.
 */
#include "base/fail.h"
#include "base/text.h"
#include "supcom/supcom.h"

#define MAIN "main"
#define COROUTINES "coroutines"
#define BOTH "main and coroutines"

/* Sums over a node's children, complete when all of these have been visited. */
typedef struct sums {
    int64_t children_ns; /* totals of the functions called from it */
    int64_t self_ns;
    uint8_t seen; /* of the node and its descendants */
    bool used;    /* it has a line in the log, or a descendant does */
} sums;

typedef struct builder {
    toll_supcom_tree *tree;
    toll_profile *profile;
    toll_supcom_names names;
    sums *sums;
    toll_node_id *nodes; /* in the profile */
    uint64_t clamped, added_ns, untold;
} builder;

static toll_status too_much(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW,
                     "the times of a stack's callees do not fit 64 bits; is "
                     "this a log of one run?");
}

/* Set a node's self time. The line of a call has none; the total of a function without a line in
 * the log is the sum of its callees' totals. */
static toll_status settle(builder *b, uint32_t i, toll_error *err)
{
    const toll_supcom_node *node = &b->tree->nodes[i];
    sums *own = &b->sums[i], *parent = &b->sums[node->parent];
    int64_t total = own->children_ns;
    own->used |= node->has_line;
    own->seen |= node->seen;
    if (!own->used)
        return TOLL_OK;
    if (node->has_line) {
        total = node->total_ns;
        if (!toll_i64_sub(total, own->children_ns, &own->self_ns))
            return too_much(err);
    } else if (!(node->frame & SUPCOM_IS_CALL)) {
        b->untold++;
    }
    if (own->self_ns < 0) {
        b->clamped++;
        b->added_ns += 0 - (uint64_t)own->self_ns;
        own->self_ns = 0;
    }
    parent->used = true;
    parent->seen |= own->seen;
    return toll_i64_add(parent->children_ns, total, &parent->children_ns) ? TOLL_OK : too_much(err);
}

/* The thread of a stack is that where its outermost function was seen, so that a tree is not split.
 */
static toll_status root_for(builder *b, uint32_t top, toll_node_id *root, toll_error *err)
{
    static const char *const names[] = { "", MAIN, COROUTINES, BOTH };
    const toll_supcom_node *node = &b->tree->nodes[top];
    uint8_t seen = node->has_line ? node->seen : b->sums[top].seen;
    toll_thread_id thread;
    toll_status status = toll_profile_add_thread(b->profile, names[seen], &thread, err);
    if (!status)
        *root = toll_profile_root(b->profile, thread);
    return status;
}

static toll_status add_node(builder *b, uint32_t i, toll_error *err)
{
    const toll_supcom_node *node = &b->tree->nodes[i];
    toll_node_id parent = node->parent ? b->nodes[node->parent] : TOLL_NONE;
    toll_frame_id id;
    toll_frame frame;
    toll_status status = TOLL_OK;
    if (!b->sums[i].used)
        return TOLL_OK;
    if (node->parent == 0)
        status = root_for(b, i, &parent, err);
    if (!status)
        status = toll_supcom_frame_named(&b->names, node->frame, &frame, err);
    if (!status)
        status = toll_profile_add_frame(b->profile, &frame, &id, err);
    if (!status)
        status = toll_profile_add_child(b->profile, parent, id, &b->nodes[i], err);
    if (!status)
        status = toll_profile_add_self(b->profile, b->nodes[i], 0, node->calls, err);
    if (!status)
        status = toll_profile_add_self(b->profile, b->nodes[i], 1, b->sums[i].self_ns, err);
    return status;
}

static toll_status add_notes(const builder *b, toll_error *err)
{
    toll_profile *p = b->profile;
    toll_status status = toll_profile_add_note(
        p, "self times below 0, set to 0 (the clock's jitter)", b->clamped, err);
    if (!status)
        status =
            toll_profile_add_note(p, "nanoseconds that self times set to 0 add", b->added_ns, err);
    if (!status)
        status = toll_profile_add_note(
            p, "stacks without a line of their own: their time is their callees'", b->untold, err);
    if (!status)
        status = toll_profile_add_note(p, "lines with a ; in a source", b->tree->joined, err);
    return status;
}

static toll_status build(builder *b, toll_error *err)
{
    size_t count = b->tree->node_count;
    toll_status status = TOLL_OK;
    for (size_t i = count - 1; !status && i > 0; i--)
        status = settle(b, (uint32_t)i, err);
    for (size_t i = 1; !status && i < count; i++)
        status = add_node(b, (uint32_t)i, err);
    return status ? status : add_notes(b, err);
}

toll_status toll_supcom_build(toll_supcom_tree *tree, toll_profile *profile, toll_error *err)
{
    size_t count = tree->node_count;
    builder b = { .tree = tree, .profile = profile };
    toll_status status = toll_profile_add_column(profile, "calls", "count", NULL, err);
    if (!status)
        status = toll_profile_add_column(profile, "time", "nanoseconds", NULL, err);
    if (status)
        return status;
    toll_supcom_names_init(&b.names, tree);
    b.sums = toll_mem_new(&tree->mem, count, sizeof *b.sums);
    b.nodes = toll_mem_new(&tree->mem, count, sizeof *b.nodes);
    status = b.sums && b.nodes ? build(&b, err) : toll_fail_nomem(err);
    toll_mem_free(&tree->mem, b.sums, count, sizeof *b.sums);
    toll_mem_free(&tree->mem, b.nodes, count, sizeof *b.nodes);
    toll_supcom_names_free(&b.names);
    return status;
}
