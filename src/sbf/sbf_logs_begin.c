/* sbf_logs_begin.c - begins an invocation of the logs, as a child of its caller. See sbf_logs.h. */
#include "base/array.h"
#include "sbf/sbf_logs.h"

#include <inttypes.h>

static bool check_depth(const toll_sbf_logs *l, const toll_solana_line *line)
{
    toll_failure *f = l->failure;
    if (line->number > TOLL_SBF_MAX_INVOKE_DEPTH)
        toll_ok(f,
                toll_fail_line(l->in, line->place, f->err, TOLL_E_LIMIT,
                               "programs invoke each other %" PRId64 " deep; at most %d are read",
                               line->number, TOLL_SBF_MAX_INVOKE_DEPTH));
    else if (l->count >= TOLL_SBF_NONE)
        toll_ok(f, toll_fail_line(l->in, line->place, f->err, TOLL_E_LIMIT,
                                  "more than 2^32 invocations"));
    return !f->status;
}

/* Add the newest invocation to its caller's list. */
static void link_child(toll_sbf_logs *l, uint32_t id)
{
    toll_sbf_invocation *child = &l->list[id], *parent;
    if (child->parent == TOLL_SBF_NONE)
        return;
    parent = &l->list[child->parent];
    if (parent->children++ == 0)
        parent->first_child = id;
    else
        l->list[parent->last_child].next = id;
    parent->last_child = id;
}

bool toll_sbf_logs_begin(toll_sbf_logs *l, const toll_solana_line *line)
{
    if (!check_depth(l, line))
        return false;
    uint32_t id = (uint32_t)l->count, depth = (uint32_t)line->number;
    if (!toll_array_grow(&l->mem, &l->list, &l->capacity, l->count, 1))
        return toll_no_memory(l->failure);
    uint32_t name = toll_strtab_add(&l->strings, line->id, line->id_size);
    if (name == UINT32_MAX)
        return toll_no_memory(l->failure);
    l->has_ended = false;
    l->depth = depth - 1; /* the log has no end for deeper invocations */
    uint32_t parent = depth > 1 ? l->open[depth - 2] : TOLL_SBF_NONE;
    l->list[l->count++] = (toll_sbf_invocation){ .program = name,
                                                 .parent = parent,
                                                 .outer = TOLL_SBF_NONE,
                                                 .first_child = TOLL_SBF_NONE,
                                                 .last_child = TOLL_SBF_NONE,
                                                 .next = TOLL_SBF_NONE,
                                                 .first_units = TOLL_SBF_NONE,
                                                 .last_units = TOLL_SBF_NONE,
                                                 .height = depth,
                                                 .line = line->place };
    link_child(l, id);
    l->open[l->depth++] = id;
    return true;
}
