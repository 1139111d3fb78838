/* thread_labels.c - see thread_labels.h. */
#include "profile/thread_labels.h"

#include "base/array.h"
#include "base/fail.h"
#include "profile/graft.h"
#include "profile/order.h"
#include "profile/profile_data.h"
#include "profile/runs.h"

#include <string.h>

typedef struct one_thread {
    const toll_profile *profile;
    toll_thread_id id;
} one_thread;

static bool has_label(const void *of, toll_thread_label wanted)
{
    const one_thread *one = of;
    const toll_profile *p = one->profile;
    toll_thread_id thread = one->id;
    if (strcmp(wanted.key, TOLL_THREAD_KEY) == 0)
        return strcmp(toll_profile_thread_name(p, thread), wanted.value) == 0;
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(p, thread, i);
        if (strcmp(label.key, wanted.key) == 0 && strcmp(label.value, wanted.value) == 0)
            return true;
    }
    return false;
}

bool toll_thread_is_labelled(const toll_profile *p, toll_thread_id thread,
                             const toll_label_list *list)
{
    return toll_label_list_matches(list, has_label, &(one_thread){ p, thread });
}

/* --- other labels ------------------------------------------------------------------------------*/

/* A thread with new labels. `items` has room for all labels that it may get. */
typedef struct relabelled {
    const char *name;
    toll_thread_label *items;
    uint32_t count;
} relabelled;

typedef struct relabelling {
    const toll_profile *from;
    const toll_label_list *added; /* NULL: none */
    const char *kept;             /* keys; NULL: all */
    bool by_root;                 /* threads are divided by outermost functions */
} relabelling;

bool toll_is_key_of(const char *keys, const char *key)
{
    size_t size = strlen(key), n;
    for (; *keys; keys += n + (keys[n] == ',')) {
        keys += strspn(keys, " \t");
        n = strcspn(keys, ",");
        if (n == size && memcmp(keys, key, n) == 0)
            return true;
    }
    return false;
}

static bool is_kept(const relabelling *r, const char *key)
{
    return !r->kept || toll_is_key_of(r->kept, key);
}

static void relabel(const relabelling *r, toll_thread_id id, relabelled *out)
{
    out->name = is_kept(r, TOLL_THREAD_KEY) ? toll_profile_thread_name(r->from, id) : "";
    out->count = 0;
    for (uint32_t i = 0; i < toll_profile_thread_label_count(r->from, id); i++) {
        toll_thread_label label = toll_profile_thread_label(r->from, id, i);
        if (is_kept(r, label.key) && !(r->added && toll_label_list_has(r->added, label.key)))
            out->items[out->count++] = label;
    }
    for (size_t i = 0; r->added && i < r->added->count; i++)
        out->items[out->count++] = r->added->items[i];
}

/* Has any thread a label of that key? */
static bool has_key(const toll_profile *p, const char *key)
{
    for (size_t i = 0; i < p->label_count; i++)
        if (strcmp(toll_profile_text(p, p->labels[i].key), key) == 0)
            return true;
    return false;
}

/* Find or add the root for thread `id` of the source; with by_root for its stacks that begin with
 * that function, or if it is NULL for its costs outside of any. `thread` has room for all labels.
 */
static toll_status find_root(const relabelling *r, toll_thread_id id, const char *function,
                             relabelled *thread, toll_profile *target, toll_node **root,
                             toll_error *err)
{
    toll_thread_id found;
    relabel(r, id, thread);
    if (function)
        thread->items[thread->count++] = (toll_thread_label){ TOLL_ROOT_KEY, function };
    toll_status status = toll_profile_add_labelled_thread(target, thread->name, thread->items,
                                                          thread->count, &found, err);
    if (!status)
        *root = target->threads[found].root;
    return status;
}

static toll_status relabel_node(const relabelling *r, uint32_t id, relabelled *thread,
                                toll_graft *g, toll_error *err)
{
    const toll_profile *p = r->from;
    const toll_node *node = toll_tree_node(&p->tree, id);
    toll_node *root = NULL;
    toll_status status = TOLL_OK;
    if (!node->parent && (!r->by_root || toll_profile_has_value(p, node)))
        status = find_root(r, toll_profile_thread_of(p, id), NULL, thread, g->target, &g->nodes[id],
                           err);
    if (!node->parent)
        return status;
    if (r->by_root && !node->parent->parent)
        status = find_root(r, toll_profile_thread_of(p, node->parent->id),
                           toll_profile_frame(p, node->frame).name, thread, g->target, &root, err);
    return status ? status : toll_graft_place(g, id, root, err);
}

static toll_status relabel_nodes(const relabelling *r, toll_graft *g, toll_error *err)
{
    const toll_mem *mem = &g->target->mem;
    size_t room = r->from->label_count + (r->added ? r->added->count : 0) + 2;
    relabelled thread = { .items = toll_mem_new(mem, room, sizeof *thread.items) };
    toll_status status = thread.items ? TOLL_OK : toll_fail_nomem(err);
    for (uint32_t id = 0; !status && id < r->from->tree.count; id++) {
        status = relabel_node(r, id, &thread, g, err);
        if (!status && g->nodes[id])
            status = toll_graft_add(g, id, 1, err);
    }
    toll_mem_free(mem, thread.items, room, sizeof *thread.items);
    return status;
}

/* Give a kind of runs the labels that its threads get. (A function is no label of a run.) */
static toll_status relabel_runs(const void *user, toll_run_kind *kind, bool *keep, toll_error *err)
{
    const relabelling *r = user;
    size_t kept = 0;
    (void)keep;
    for (size_t i = 0; i < kind->labels.count; i++) {
        toll_thread_label label = kind->labels.items[i];
        if (is_kept(r, label.key) && !(r->added && toll_label_list_has(r->added, label.key)))
            kind->labels.items[kept++] = label;
    }
    kind->labels.count = kept;
    for (size_t i = 0; r->added && i < r->added->count; i++)
        if (!toll_run_list_add(kind, &kind->labels, r->added->items[i]))
            return toll_fail_nomem(err);
    return TOLL_OK;
}

static toll_status relabel_all(const relabelling *r, toll_profile **out, toll_error *err)
{
    toll_graft g;
    toll_status status = toll_profile_like(&r->from->mem, r->from, out, err);
    if (status)
        return status;
    status = toll_graft_begin(&g, *out, r->from, err);
    if (!status) {
        status = relabel_nodes(r, &g, err);
        toll_graft_end(&g);
    }
    if (!status)
        status = toll_graft_notes(*out, r->from, err);
    if (!status)
        status = toll_runs_change(*out, relabel_runs, r, err);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

toll_status toll_profile_with_label_list(const toll_profile *p, const toll_label_list *list,
                                         toll_profile **out, toll_error *err)
{
    return relabel_all(&(relabelling){ .from = p, .added = list }, out, err);
}

toll_status toll_profile_with_labels(const toll_profile *p, const char *labels, toll_profile **out,
                                     toll_error *err)
{
    toll_label_list list;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!labels)
        return toll_fail_null(err, "labels");
    toll_status status = toll_label_list_parse_set(&list, &p->mem, labels, err);
    if (!status)
        status = toll_profile_with_label_list(p, &list, out, err);
    toll_label_list_free(&list);
    return status;
}

toll_status toll_profile_group_by(const toll_profile *p, const char *keys, toll_profile **out,
                                  toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!keys)
        return toll_fail_null(err, "keys");
    relabelling r = { .from = p, .kept = keys };
    r.by_root = is_kept(&r, TOLL_ROOT_KEY) && !has_key(p, TOLL_ROOT_KEY);
    return relabel_all(&r, out, err);
}
