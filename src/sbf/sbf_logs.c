/* sbf_logs.c - see sbf_logs.h. A transaction has no line of its own: `invoke [1]` begins the
 * next instruction. */
#include "sbf/sbf_logs.h"

#include "base/array.h"
#include "solana/solana.h"

#include <string.h>

/* --- invocations -------------------------------------------------------------------------------*/

static toll_sbf_invocation *innermost(toll_sbf_logs *l)
{
    return l->depth ? &l->list[l->open[l->depth - 1]] : NULL;
}

/* Handle missing lines: the rest of this transaction's lines cannot be assigned to an
 * invocation. */
static void cut(toll_sbf_logs *l, const toll_solana_line *line)
{
    l->is_cut = true;
    l->last_cut = line->place;
    if (l->cuts++ == 0)
        l->first_cut = line->place;
}

/* Read an `invoke` line. A gap in the depths means that the caller's line is missing. */
static bool read_invoke(toll_sbf_logs *l, const toll_solana_line *line)
{
    if (line->number <= (int64_t)l->depth + 1 || line->number > TOLL_SBF_MAX_INVOKE_DEPTH)
        return toll_sbf_logs_begin(l, line);
    cut(l, line);
    return true;
}

/* Find the innermost open invocation, if it is of the line's program. NULL: a failure; or the
 * program is not running, so the line is part of a logged text that contains a line end. */
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

static void read_consumed(toll_solana_spent *spent, const toll_solana_line *line)
{
    spent->is_logged = true;
    spent->total = line->number;
    spent->budget = line->budget;
}

static void read_end(toll_sbf_logs *l, toll_sbf_invocation *at, const toll_solana_line *line)
{
    toll_sbf_invocation *callee = at->children ? &l->list[at->last_child] : NULL;
    at->spent.finished = true;
    at->spent.failed = line->kind == SOLANA_FAILED;
    l->depth--;
    l->has_ended = true;
    if (!at->spent.failed)
        return;
    at->spent.end = toll_solana_end_of(line->text, line->text_size);
    if (callee && callee->spent.failed)
        toll_solana_charge_callee(&callee->spent, &at->spent);
}

/* Has the line's program just ended? Some runtimes log a success twice. An invocation of its own
 * that is still open logs its units before its success. */
static bool is_second_success(toll_sbf_logs *l, const toll_solana_line *line)
{
    uint32_t program = toll_strtab_find(&l->strings, line->id, line->id_size);
    const toll_sbf_invocation *open = innermost(l);
    return line->kind == SOLANA_SUCCESS && l->has_ended &&
           l->list[l->open[l->depth]].program == program &&
           !(open && open->program == program && open->spent.is_logged);
}

static bool read_outcome(toll_sbf_logs *l, const toll_solana_line *line)
{
    if (is_second_success(l, line))
        return true;
    toll_sbf_invocation *at = find_open(l, line);
    if (!at)
        return !l->failure->status;
    if (line->kind == SOLANA_CONSUMED)
        read_consumed(&at->spent, line);
    else
        read_end(l, at, line);
    return true;
}

static bool read_units(toll_sbf_logs *l, toll_sbf_invocation *at, int64_t remaining)
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

/* Is it a line of the runtime about a section? The program did not log it. */
static bool is_section(const toll_solana_line *line)
{
    toll_solana_section_line section;
    const char *end = memchr(line->text, '\n', line->text_size);
    toll_solana_section_parse(line->text, end ? (size_t)(end - line->text) : line->text_size,
                              &section);
    return section.kind != SECTION_NONE;
}

/* Read a log line. The first `Instruction: NAME` of an invocation names it. */
static bool read_log(toll_sbf_logs *l, const toll_solana_line *line)
{
    toll_sbf_invocation *at = innermost(l);
    toll_solana_word word = toll_solana_logged_instruction(line->text, line->text_size);
    if (!at || is_section(line))
        return true;
    at->log_lines++;
    return at->instruction || !word.size ||
           toll_sbf_logs_keep(l, word.text, word.size, &at->instruction);
}

static bool read_line(void *logs, const toll_solana_line *line)
{
    toll_sbf_logs *l = logs;
    if (l->is_cut)
        return true;
    switch (line->kind) {
    case SOLANA_INVOKE: return read_invoke(l, line);
    case SOLANA_CONSUMED:
    case SOLANA_SUCCESS:
    case SOLANA_FAILED: return read_outcome(l, line);
    case SOLANA_LOG: return read_log(l, line);
    case SOLANA_REMAINING: return read_units(l, innermost(l), line->number);
    case SOLANA_TRUNCATED: cut(l, line); return true;
    default: return true;
    }
}

static bool read_transaction(void *logs, const toll_solana_transaction *transaction)
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
    const toll_solana_log log = { read_line, read_transaction, l, failure, l->options, &l->counts };
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
