/* supcom_build.c - turns the tree of a log into a profile: inclusive times become self times. See
 * supcom.h. */
#include "base/text.h"
#include "supcom/supcom.h"

#define MAIN "main"
#define COROUTINES "coroutines"
#define BOTH "main and coroutines"

/* Sums over a node's children, complete after all children have been visited. */
typedef struct sums {
    int64_t children_ns; /* totals of the functions that the node calls */
    int64_t self_ns;
    uint8_t seen; /* of the node and its descendants */
    bool used;    /* the node or a descendant has a line in the log */
} sums;

typedef struct builder {
    toll_supcom_tree *tree;
    toll_profile *profile;
    toll_supcom_names names;
    sums *sums;
    toll_node_id *nodes; /* in the profile */
    uint64_t clamped, added_ns, unlogged;
} builder;

static bool too_much(builder *b)
{
    toll_failure *f = b->tree->failure;
    return toll_ok(f, toll_fail(f->err, TOLL_E_OVERFLOW,
                                "the times of a stack's callees do not fit 64 bits; is "
                                "this a log of one run?"));
}

/* Set a node's self time. A call's line number has no time of its own. The total of a function
 * without a line in the log is the sum of its callees' totals. */
static bool set_self(builder *b, uint32_t i)
{
    const toll_supcom_node *node = &b->tree->nodes[i];
    sums *own = &b->sums[i], *parent = &b->sums[node->parent];
    int64_t total = own->children_ns;
    own->used |= node->has_line;
    own->seen |= node->seen;
    if (!own->used)
        return true;
    if (node->has_line) {
        total = node->total_ns;
        if (!toll_i64_sub(total, own->children_ns, &own->self_ns))
            return too_much(b);
    } else if (!(node->frame & SUPCOM_IS_CALL)) {
        b->unlogged++;
    }
    if (own->self_ns < 0) {
        b->clamped++;
        b->added_ns += 0 - (uint64_t)own->self_ns;
        own->self_ns = 0;
    }
    parent->used = true;
    parent->seen |= own->seen;
    return toll_i64_add(parent->children_ns, total, &parent->children_ns) || too_much(b);
}

/* A stack belongs to the thread in which its outermost function was seen, so that a tree is not
 * split. */
static bool root_for(builder *b, uint32_t top, toll_node_id *root)
{
    static const char *const names[] = { "", MAIN, COROUTINES, BOTH };
    const toll_supcom_node *node = &b->tree->nodes[top];
    uint8_t seen = node->has_line ? node->seen : b->sums[top].seen;
    toll_failure *f = b->tree->failure;
    toll_thread_id thread;
    if (!toll_ok(f, toll_profile_add_thread(b->profile, names[seen], &thread, f->err)))
        return false;
    *root = toll_profile_root(b->profile, thread);
    return true;
}

static bool add_node(builder *b, uint32_t i)
{
    const toll_supcom_node *node = &b->tree->nodes[i];
    toll_node_id parent = node->parent ? b->nodes[node->parent] : TOLL_NONE, *out = &b->nodes[i];
    toll_profile *p = b->profile;
    toll_failure *f = b->tree->failure;
    toll_frame_id id;
    toll_frame frame;
    if (!b->sums[i].used)
        return true;
    if (node->parent == 0 && !root_for(b, i, &parent))
        return false;
    if (!toll_supcom_frame_named(&b->names, node->frame, &frame))
        return toll_no_memory(f);
    return toll_ok(f, toll_profile_add_frame(p, &frame, &id, f->err)) &&
           toll_ok(f, toll_profile_add_child(p, parent, id, out, f->err)) &&
           toll_ok(f, toll_profile_add_self(p, *out, 0, node->calls, f->err)) &&
           toll_ok(f, toll_profile_add_self(p, *out, 1, b->sums[i].self_ns, f->err));
}

static bool add_note(builder *b, const char *text, uint64_t count)
{
    toll_failure *f = b->tree->failure;
    return toll_ok(f, toll_profile_add_note(b->profile, text, count, f->err));
}

static bool build(builder *b)
{
    size_t count = b->tree->node_count;
    bool good = true;
    for (size_t i = count - 1; good && i > 0; i--)
        good = set_self(b, (uint32_t)i);
    for (size_t i = 1; good && i < count; i++)
        good = add_node(b, (uint32_t)i);
    return good && add_note(b, "self times below 0, set to 0 (the clock's jitter)", b->clamped) &&
           add_note(b, "nanoseconds that self times set to 0 add", b->added_ns) &&
           add_note(b, "stacks without a line of their own: their time is their callees'",
                    b->unlogged) &&
           add_note(b, "lines with a ; in a source", b->tree->joined);
}

bool toll_supcom_build(toll_supcom_tree *tree, toll_profile *profile)
{
    size_t count = tree->node_count;
    toll_failure *f = tree->failure;
    builder b = { .tree = tree, .profile = profile };
    if (!toll_ok(f, toll_profile_add_column(profile, "calls", "count", NULL, f->err)) ||
        !toll_ok(f, toll_profile_add_column(profile, "time", "nanoseconds", NULL, f->err)))
        return false;
    toll_supcom_names_init(&b.names, tree);
    b.sums = toll_mem_new(&tree->mem, count, sizeof *b.sums);
    b.nodes = toll_mem_new(&tree->mem, count, sizeof *b.nodes);
    bool good = b.sums && b.nodes ? build(&b) : toll_no_memory(f);
    toll_mem_free(&tree->mem, b.sums, count, sizeof *b.sums);
    toll_mem_free(&tree->mem, b.nodes, count, sizeof *b.nodes);
    toll_supcom_names_free(&b.names);
    return good;
}
