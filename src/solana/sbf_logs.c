/* sbf_logs.c - reads logs of Solana transactions into a tree of invocations. See sbf_logs.h. A
 * transaction has no line of its own: `invoke [1]` begins the next instruction. */
#include "solana/sbf_logs.h"

#include "base/array.h"
#include "base/fail.h"
#include "solana/known_programs.h"
#include "solana/solana.h"

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

static toll_status begin_invocation(toll_sbf_logs *l, const toll_solana_line *line, toll_error *err)
{
    toll_status status = check_depth(l, line, err);
    if (status)
        return status;
    uint32_t id = (uint32_t)l->count, depth = (uint32_t)line->number;
    if (!toll_array_grow(&l->mem, &l->list, &l->capacity, l->count, 1))
        return toll_fail_nomem(err);
    uint32_t name = toll_strtab_add(&l->strings, line->id, line->id_size);
    if (name == UINT32_MAX)
        return toll_fail_nomem(err);
    l->depth = depth - 1; /* deeper invocations have no line at their end */
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

/* The innermost open invocation, if it is of the line's program. NULL in *out: the program is not
 * running at all, so the line is not the runtime's, but part of a text that contains a line end. */
static toll_status find_open(toll_sbf_logs *l, const toll_solana_line *line,
                             toll_sbf_invocation **out, toll_error *err)
{
    uint32_t program = toll_strtab_find(&l->strings, line->id, line->id_size);
    uint32_t i = l->depth;
    while (i > 0 && l->list[l->open[i - 1]].program != program)
        i--;
    *out = NULL;
    l->strays += i == 0;
    if (i == 0)
        return TOLL_OK;
    *out = innermost(l);
    if (i == l->depth)
        return TOLL_OK;
    return toll_fail_line(l->in, line->place, err, TOLL_E_SYNTAX,
                          "%.*s is not the program that runs here (%s); log the transaction in "
                          "full",
                          (int)line->id_size, line->id,
                          toll_strtab_text(&l->strings, (*out)->program));
}

static void take_consumed(toll_sbf_invocation *at, const toll_solana_line *line)
{
    at->is_told = true;
    at->consumed = (uint64_t)line->number;
    at->available = (uint64_t)line->budget;
}

/* The units that remain by the invocation's line, or SOLANA_UNTOLD. */
static int64_t left_of(const toll_sbf_invocation *at)
{
    return at->is_told ? (int64_t)at->available - (int64_t)at->consumed : SOLANA_UNTOLD;
}

static void take_end(toll_sbf_logs *l, toll_sbf_invocation *at, const toll_solana_line *line)
{
    toll_sbf_invocation *callee = at->children ? &l->list[at->last_child] : NULL;
    at->has_ended = true;
    at->has_failed = line->kind == SOLANA_FAILED;
    l->depth--;
    if (!at->has_failed)
        return;
    at->end = toll_solana_end_of(line->text, line->text_size);
    if (callee && callee->has_failed)
        callee->rest = (uint64_t)toll_solana_rest_of(left_of(callee), left_of(at));
}

static toll_status take_outcome(toll_sbf_logs *l, const toll_solana_line *line, toll_error *err)
{
    toll_sbf_invocation *at;
    toll_status status = find_open(l, line, &at, err);
    if (status || !at)
        return status;
    if (line->kind == SOLANA_CONSUMED)
        take_consumed(at, line);
    else
        take_end(l, at, line);
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

/* --- a transaction -----------------------------------------------------------------------------*/

/* A built-in program is charged its price unless that is included in a caller's line. */
static void add_price(toll_sbf_logs *l, toll_sbf_invocation *at)
{
    const char *id = toll_strtab_text(&l->strings, at->program);
    uint64_t price = toll_program_price(id, toll_strtab_size(&l->strings, at->program));
    if (at->is_told)
        return;
    if (at->parent != TOLL_SBF_NONE && !l->list[at->parent].is_priced) {
        l->within_callers++;
        return;
    }
    at->is_priced = at->has_ended && price && at->end != SOLANA_END_EXHAUSTED;
    at->own = at->is_priced ? price : 0;
    l->priced += at->is_priced;
    l->unpriced += !at->is_priced;
}

/* What each invocation spent with and without those that it invoked. From the last to the first, so
 * that callees come before their callers. */
static toll_status sum_up(toll_sbf_logs *l, toll_error *err)
{
    for (size_t i = l->first; i < l->count; i++)
        l->list[i].nested = 0;
    for (size_t i = l->count; i-- > l->first;) {
        toll_sbf_invocation *at = &l->list[i];
        if (!at->is_told)
            at->consumed = (uint64_t)toll_solana_add((int64_t)at->own, at->nested);
        if ((uint64_t)at->nested > at->consumed)
            return toll_fail_line(l->in, at->line, err, TOLL_E_SYNTAX,
                                  "%s consumed %" PRIu64 ", but what it invoked %" PRId64
                                  "; are lines of two transactions mixed?",
                                  toll_strtab_text(&l->strings, at->program), at->consumed,
                                  at->nested);
        at->own = at->consumed - (uint64_t)at->nested;
        if (at->parent != TOLL_SBF_NONE) {
            int64_t *nested = &l->list[at->parent].nested;
            *nested =
                toll_solana_add(*nested, toll_solana_add((int64_t)at->consumed, (int64_t)at->rest));
        }
    }
    return TOLL_OK;
}

static toll_solana_bill make_bill(const toll_sbf_logs *l, int64_t charged,
                                  toll_sbf_invocation **last)
{
    toll_solana_bill bill = { .charged = charged, .limit = SOLANA_UNTOLD, .left = SOLANA_UNTOLD };
    *last = NULL;
    for (size_t i = l->first; i < l->count; i++) {
        toll_sbf_invocation *at = &l->list[i];
        if (at->is_priced)
            bill.priced = toll_solana_add(bill.priced, (int64_t)at->own);
        if (at->parent != TOLL_SBF_NONE)
            continue;
        if (at->is_told && bill.limit == SOLANA_UNTOLD)
            bill.limit = toll_solana_add(bill.known, (int64_t)at->available);
        bill.known = toll_solana_add(bill.known, (int64_t)at->consumed);
        *last = at;
    }
    if (*last && (*last)->has_failed) {
        bill.left = left_of(*last);
        bill.end = (*last)->end;
    }
    return bill;
}

/* Called when all invocations of a transaction have been read. */
static toll_status take_transaction(void *logs, int64_t charged, toll_error *err)
{
    toll_sbf_logs *l = logs;
    toll_sbf_invocation *last;
    l->depth = 0;
    for (size_t i = l->first; i < l->count; i++)
        add_price(l, &l->list[i]);
    toll_status status = sum_up(l, err);
    if (status)
        return status;
    toll_solana_bill bill = make_bill(l, charged, &last);
    toll_solana_settlement s = toll_solana_settle(&bill);
    if (last) {
        last->rest = (uint64_t)s.rest;
        last->rest_is_assumed = s.is_assumed;
    }
    for (size_t i = l->first; i < l->count; i++) {
        if (s.drops_prices && l->list[i].is_priced) {
            l->list[i].own = 0;
            l->priced--;
        }
        l->unsummed += charged == SOLANA_UNTOLD && l->list[i].parent == TOLL_SBF_NONE;
    }
    if (s.drops_prices)
        status = sum_up(l, err);
    l->unlogged = toll_solana_add(l->unlogged, s.unlogged);
    l->less += s.is_less;
    l->first = l->count;
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

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
    const toll_solana_log log = { take_line, take_transaction, l };
    l->in = in;
    toll_status status = toll_solana_read_log(in, &log, err);
    if (!status && l->count == 0)
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: no line 'Program ID invoke [1]' is in it; are these the "
                           "transaction's logs?",
                           toll_input_name(in));
    return status;
}

const char *toll_sbf_logs_program(const toll_sbf_logs *l, uint32_t invocation)
{
    return toll_strtab_text(&l->strings, l->list[invocation].program);
}
