/* sbf_logs.c - reads logs of Solana transactions into a tree of invocations. See sbf_logs.h. A
 * transaction has no line of its own: `invoke [1]` begins the next instruction. */
#include "solana/sbf_logs.h"

#include "base/array.h"
#include "solana/solana.h"

#include <inttypes.h>
#include <string.h>

/* --- invocations -------------------------------------------------------------------------------*/

static toll_sbf_invocation *innermost(toll_sbf_logs *l)
{
    return l->depth ? &l->list[l->open[l->depth - 1]] : NULL;
}

/* Lines are missing: what follows of this transaction cannot be told apart. */
static void cut(toll_sbf_logs *l, const toll_solana_line *line)
{
    l->is_cut = true;
    if (l->cuts++ == 0)
        l->first_cut = line->place;
}

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

static bool begin_invocation(toll_sbf_logs *l, const toll_solana_line *line)
{
    if (!check_depth(l, line))
        return false;
    if (line->number > (int64_t)l->depth + 1) {
        cut(l, line);
        return true;
    }
    uint32_t id = (uint32_t)l->count, depth = (uint32_t)line->number;
    if (!toll_array_grow(&l->mem, &l->list, &l->capacity, l->count, 1))
        return toll_no_memory(l->failure);
    uint32_t name = toll_strtab_add(&l->strings, line->id, line->id_size);
    if (name == UINT32_MAX)
        return toll_no_memory(l->failure);
    l->depth = depth - 1; /* deeper invocations have no line at their end */
    l->list[l->count++] =
        (toll_sbf_invocation){ .program = name,
                               .parent = depth > 1 ? l->open[depth - 2] : TOLL_SBF_NONE,
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

/* The innermost open invocation, if it is of the line's program. NULL: a failure; or the program is
 * not running at all, so the line is not the runtime's, but part of a text that contains a line
 * end. */
static toll_sbf_invocation *find_open(toll_sbf_logs *l, const toll_solana_line *line)
{
    uint32_t program = toll_strtab_find(&l->strings, line->id, line->id_size);
    uint32_t i = l->depth;
    while (i > 0 && l->list[l->open[i - 1]].program != program)
        i--;
    l->strays += i == 0;
    if (i == 0)
        return NULL;
    if (i == l->depth)
        return innermost(l);
    cut(l, line);
    return NULL;
}

static void take_consumed(toll_solana_spent *spent, const toll_solana_line *line)
{
    spent->told = true;
    spent->total = line->number;
    spent->budget = line->budget;
}

static void take_end(toll_sbf_logs *l, toll_sbf_invocation *at, const toll_solana_line *line)
{
    toll_sbf_invocation *callee = at->children ? &l->list[at->last_child] : NULL;
    at->spent.finished = true;
    at->spent.failed = line->kind == SOLANA_FAILED;
    l->depth--;
    if (!at->spent.failed)
        return;
    at->spent.end = toll_solana_end_of(line->text, line->text_size);
    if (callee && callee->spent.failed)
        toll_solana_settle_callee(&callee->spent, &at->spent);
}

static bool take_outcome(toll_sbf_logs *l, const toll_solana_line *line)
{
    toll_sbf_invocation *at = find_open(l, line);
    if (!at)
        return !l->failure->status;
    if (line->kind == SOLANA_CONSUMED)
        take_consumed(&at->spent, line);
    else
        take_end(l, at, line);
    return true;
}

static bool take_units(toll_sbf_logs *l, toll_sbf_invocation *at, int64_t remaining)
{
    uint32_t id = (uint32_t)l->unit_count;
    if (!at || id == TOLL_SBF_NONE)
        return true;
    if (!toll_array_grow(&l->mem, &l->units, &l->unit_capacity, l->unit_count, 1))
        return toll_no_memory(l->failure);
    l->units[l->unit_count++] = (toll_sbf_units){ remaining, TOLL_SBF_NONE };
    if (at->units++ == 0)
        at->first_units = id;
    else
        l->units[at->last_units].next = id;
    at->last_units = id;
    return true;
}

/* The first line `Instruction: NAME` of an invocation names it. */
static bool take_log(toll_sbf_logs *l, const toll_solana_line *line)
{
    toll_sbf_invocation *at = innermost(l);
    toll_solana_word word = toll_solana_logged_instruction(line->text, line->text_size);
    if (!at)
        return true;
    at->log_lines++;
    return at->instruction || !word.size ||
           toll_sbf_logs_keep(l, word.text, word.size, &at->instruction);
}

static bool take_line(void *logs, const toll_solana_line *line)
{
    toll_sbf_logs *l = logs;
    if (l->is_cut)
        return true;
    switch (line->kind) {
    case SOLANA_INVOKE: return begin_invocation(l, line);
    case SOLANA_CONSUMED:
    case SOLANA_SUCCESS:
    case SOLANA_FAILED: return take_outcome(l, line);
    case SOLANA_LOG: return take_log(l, line);
    case SOLANA_REMAINING: return take_units(l, innermost(l), line->number);
    case SOLANA_TRUNCATED: cut(l, line); return true;
    default: return true;
    }
}

static bool take_transaction(void *logs, const toll_solana_transaction *transaction)
{
    return toll_sbf_logs_end_transaction(logs, transaction);
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
    toll_mem_free(&l->mem, l->units, l->unit_capacity, sizeof *l->units);
    toll_mem_free(&l->mem, l->transactions, l->transaction_capacity, sizeof *l->transactions);
    toll_strtab_free(&l->strings);
    toll_sbf_logs_init(l, &l->mem);
}

bool toll_sbf_logs_read(toll_sbf_logs *l, toll_input *in, toll_failure *failure)
{
    static const toll_format_options none = { .size = sizeof none };
    l->in = in;
    l->failure = failure;
    l->options = l->options ? l->options : &none;
    const toll_solana_log log = { take_line, take_transaction, l, failure, l->options, &l->counts };
    return toll_solana_read_log(in, &log) &&
           (l->count > 0 ||
            toll_ok(failure, toll_fail(failure->err, TOLL_E_SYNTAX,
                                       "%s: no line 'Program ID invoke [1]' is in it; are these "
                                       "the transaction's logs?",
                                       toll_input_name(in))));
}

const char *toll_sbf_logs_program(const toll_sbf_logs *l, uint32_t invocation)
{
    return toll_strtab_text(&l->strings, l->list[invocation].program);
}
