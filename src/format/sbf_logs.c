/* sbf_logs.c - logs of Solana transactions into a tree of invocations. See sbf_logs.h. A
 * transaction has no line of its own: `invoke [1]` begins the next instruction. */
#include "format/sbf_logs.h"

#include "base/fail.h"
#include "format/solana.h"

#include <inttypes.h>
#include <string.h>

/* --- invocations -------------------------------------------------------------------------------*/

static toll_sbf_invocation *innermost(toll_sbf_logs *l)
{
    return l->depth ? &l->list[l->open[l->depth - 1]] : NULL;
}

static toll_status check_depth(const toll_sbf_logs *l, const toll_solana_line *line,
                               toll_error *err)
{
    if (line->number > TOLL_SBF_MAX_INVOKE_DEPTH)
        return toll_fail_line(l->in, line->place, err, TOLL_E_LIMIT,
                              "programs invoke each other %" PRId64 " deep; at most %d are read",
                              line->number, TOLL_SBF_MAX_INVOKE_DEPTH);
    if (line->number > (int64_t)l->depth + 1)
        return toll_fail_line(l->in, line->place, err, TOLL_E_SYNTAX,
                              "invoke [%" PRId64 "] inside of depth %" PRIu32
                              ": lines are missing; log the transaction in full",
                              line->number, l->depth);
    if (l->count >= TOLL_SBF_NONE)
        return toll_fail_line(l->in, line->place, err, TOLL_E_LIMIT, "more than 2^32 invocations");
    return TOLL_OK;
}

/* Hang the newest invocation under its caller. */
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

static toll_status begin_invocation(toll_sbf_logs *l, const toll_solana_line *line, toll_error *err)
{
    toll_status status = check_depth(l, line, err);
    if (status)
        return status;
    void *list = l->list;
    uint32_t id = (uint32_t)l->count, depth = (uint32_t)line->number;
    if (!toll_mem_reserve(&l->mem, &list, &l->capacity, l->count + 1, sizeof *l->list))
        return toll_fail_nomem(err);
    l->list = list;
    uint32_t name = toll_strtab_add(&l->strings, line->id, line->id_size);
    if (name == UINT32_MAX)
        return toll_fail_nomem(err);
    l->depth = depth - 1; /* what was open deeper ended without a word */
    l->list[l->count++] =
        (toll_sbf_invocation){ .program = name,
                               .parent = depth > 1 ? l->open[depth - 2] : TOLL_SBF_NONE,
                               .first_child = TOLL_SBF_NONE,
                               .last_child = TOLL_SBF_NONE,
                               .next = TOLL_SBF_NONE,
                               .line = line->place };
    link_child(l, id);
    l->open[l->depth++] = id;
    return TOLL_OK;
}

/* The innermost open invocation, if it is one of the line's program. */
static toll_status find_open(toll_sbf_logs *l, const toll_solana_line *line,
                             toll_sbf_invocation **out, toll_error *err)
{
    *out = innermost(l);
    if (*out && toll_strtab_find(&l->strings, line->id, line->id_size) == (*out)->program)
        return TOLL_OK;
    return toll_fail_line(
        l->in, line->place, err, TOLL_E_SYNTAX,
        "%.*s is not the program that runs here (%s); log the transaction in full",
        (int)line->id_size, line->id,
        *out ? toll_strtab_text(&l->strings, (*out)->program) : "none does");
}

static toll_status take_outcome(toll_sbf_logs *l, const toll_solana_line *line, toll_error *err)
{
    toll_sbf_invocation *at;
    toll_status status = find_open(l, line, &at, err);
    if (status)
        return status;
    if (line->kind == SOLANA_CONSUMED) {
        at->is_told = true;
        at->consumed = (uint64_t)line->number;
        at->available = (uint64_t)line->budget;
    } else {
        at->has_failed = line->kind == SOLANA_FAILED;
        l->depth--;
    }
    return TOLL_OK;
}

static toll_status take_line(void *logs, const toll_solana_line *line, toll_error *err)
{
    toll_sbf_logs *l = logs;
    switch (line->kind) {
    case SOLANA_INVOKE: return begin_invocation(l, line, err);
    case SOLANA_CONSUMED:
    case SOLANA_SUCCESS:
    case SOLANA_FAILED: return take_outcome(l, line, err);
    case SOLANA_LOG:
        if (innermost(l))
            innermost(l)->log_lines++;
        return TOLL_OK;
    case SOLANA_TRUNCATED:
        return toll_fail_line(l->in, line->place, err, TOLL_E_TRUNCATED,
                              "the log is cut off here; raise the limit of logged bytes "
                              "(LiteSVM: withLogBytesLimit)");
    default: return TOLL_OK;
    }
}

static toll_status take_end(void *logs, toll_error *err)
{
    (void)err;
    ((toll_sbf_logs *)logs)->depth = 0;
    return TOLL_OK;
}

/* --- the tree ----------------------------------------------------------------------------------*/

/* What each spent without those that it invoked: backwards, so that they are summed already. `own`
 * collects their sum first. */
static toll_status sum_up(toll_sbf_logs *l, const toll_input *in, toll_error *err)
{
    for (size_t i = l->count; i-- > 0;) {
        toll_sbf_invocation *at = &l->list[i];
        if (!at->is_told)
            at->consumed = at->own;
        if (at->own > at->consumed)
            return toll_fail_line(in, at->line, err, TOLL_E_SYNTAX,
                                  "%s consumed %" PRIu64 ", but what it invoked %" PRIu64
                                  "; are lines of two transactions mixed?",
                                  toll_sbf_logs_program(l, (uint32_t)i), at->consumed, at->own);
        at->own = at->consumed - at->own;
        if (at->parent != TOLL_SBF_NONE) {
            toll_sbf_invocation *parent = &l->list[at->parent];
            parent->own =
                parent->own + at->consumed < INT64_MAX ? parent->own + at->consumed : INT64_MAX;
        }
    }
    return TOLL_OK;
}

void toll_sbf_logs_init(toll_sbf_logs *l, const toll_mem *mem)
{
    *l = (toll_sbf_logs){ .mem = *mem };
    toll_strtab_init(&l->strings, mem);
}

void toll_sbf_logs_free(toll_sbf_logs *l)
{
    toll_mem_free(&l->mem, l->list, l->capacity, sizeof *l->list);
    toll_strtab_free(&l->strings);
    toll_sbf_logs_init(l, &l->mem);
}

toll_status toll_sbf_logs_read(toll_sbf_logs *l, toll_input *in, toll_error *err)
{
    const toll_solana_log log = { take_line, take_end, l };
    l->in = in;
    toll_status status = toll_solana_read_log(in, &log, err);
    if (!status && l->count == 0)
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: no line 'Program ID invoke [1]' is in it; are these the "
                           "transaction's logs?",
                           toll_input_name(in));
    return status ? status : sum_up(l, in, err);
}

const char *toll_sbf_logs_program(const toll_sbf_logs *l, uint32_t invocation)
{
    return toll_strtab_text(&l->strings, l->list[invocation].program);
}
