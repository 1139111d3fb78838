/* solana_run.c - makes invocations from the lines of a log: each line changes the open
 * invocations. */
#include "solana/solana_run_state.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

enum {
    REASON_SIZE = 120, /* bytes of a reason */
    MOST_OPEN_LOOKED =
        64 /* open invocations that are searched for a line's program; the runtime's limit is 9 */
};

toll_solana_run *toll_solana_run_create(const toll_mem *mem, toll_solana_names *names,
                                        bool by_transaction, toll_failure *failure)
{
    toll_solana_run *r = toll_mem_new(mem, 1, sizeof *r);
    if (!r) {
        toll_no_memory(failure);
        return NULL;
    }
    toll_strtab_init(&r->reasons, mem);
    if (!toll_solana_tree_init(&r->tree, mem, names, by_transaction, failure)) {
        toll_solana_run_free(r);
        return NULL;
    }
    return r;
}

void toll_solana_run_free(toll_solana_run *r)
{
    if (!r)
        return;
    toll_mem mem = r->tree.mem;
    toll_mem_free(&mem, r->open, r->open_capacity, sizeof *r->open);
    toll_mem_free(&mem, r->sections, r->section_capacity, sizeof *r->sections);
    toll_mem_free(&mem, r->places, r->place_capacity, sizeof *r->places);
    toll_strtab_free(&r->reasons);
    toll_solana_tree_free(&r->tree);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

/* --- ends --------------------------------------------------------------------------------------*/

static toll_solana_item *item_of(toll_solana_run *r, const toll_solana_open *v)
{
    return &r->tree.items[v->item];
}

/* Compute the rest of a callee whose failure made this invocation fail: the callee was charged more
 * than its line shows. */
static void charge_callee(toll_solana_run *r, const toll_solana_open *v)
{
    const toll_solana_item *item = item_of(r, v);
    if (v->failed != TOLL_NONE && item->spent.failed)
        toll_solana_charge_callee(&r->tree.items[v->failed].spent, &item->spent);
}

/* End the innermost invocation. If no sections of it are logged so far, they may follow. */
static bool close_innermost(toll_solana_run *r, bool finished)
{
    toll_solana_open *v = toll_solana_innermost(r);
    toll_solana_item *item = item_of(r, v);
    item->spent.finished = finished;
    r->tree.notes[SOLANA_NOTE_UNFINISHED] += !finished;
    if (v->stretch !=
        TOLL_NONE) /* without a second consumption line its units are the invocation's own */
        r->tree.items[v->stretch].left_out = true;
    charge_callee(r, v);
    if (r->open_count > 1)
        v[-1].failed = item->spent.failed ? v->item : TOLL_NONE;
    r->has_ended = finished && r->section_count == v->first_section;
    r->open_count--;
    return r->has_ended || toll_solana_add_sections(r, v);
}

/* Close invocations that have no end in the log, until `count` are open. */
static bool close_down_to(toll_solana_run *r, size_t count)
{
    bool good = true;
    while (good && r->open_count > count)
        good = close_innermost(r, false);
    return good;
}

/* Count the reason why a transaction failed. Beyond SOLANA_MOST_REASONS, reasons are counted
 * together. */
static bool count_reason(toll_solana_run *r, const toll_solana_line *line)
{
    size_t size = line->text_size < REASON_SIZE ? line->text_size : REASON_SIZE;
    uint32_t id = toll_strtab_find(&r->reasons, line->text, size);
    r->tree.notes[SOLANA_NOTE_FAILED_OUTERMOST]++;
    if (id == UINT32_MAX && r->reasons.count < SOLANA_MOST_REASONS) {
        id = toll_strtab_add(&r->reasons, line->text, size);
        if (id == UINT32_MAX)
            return toll_no_memory(r->tree.failure);
    }
    r->reason_counts[id < SOLANA_MOST_REASONS ? id : SOLANA_MOST_REASONS]++;
    return true;
}

/* --- lines -------------------------------------------------------------------------------------*/

/* Open an invocation whose item is already in the tree. */
static bool open_invocation(toll_solana_run *r, const toll_solana_line *line,
                            const toll_solana_item *item)
{
    if (!toll_array_grow(&r->tree.mem, &r->open, &r->open_capacity, r->open_count, 1))
        return toll_no_memory(r->tree.failure);
    toll_solana_open *v = &r->open[r->open_count];
    *v = (toll_solana_open){ .depth = line->number,
                             .stretch = TOLL_NONE,
                             .failed = TOLL_NONE,
                             .section_name = TOLL_NONE,
                             .first_section = r->section_count };
    if (!toll_solana_tree_add(&r->tree, item, &v->item))
        return false;
    r->open_count++;
    r->invocations++;
    return true;
}

static bool read_invoke(toll_solana_run *r, const toll_solana_line *line)
{
    toll_solana_item item = { .parent = TOLL_NONE, .kind = ITEM_PROGRAM };
    item.height = line->number < UINT32_MAX ? (uint32_t)line->number : UINT32_MAX;
    while (r->open_count && toll_solana_innermost(r)->depth >= line->number)
        if (!close_innermost(r, false))
            return false;
    if (!toll_solana_tree_string(&r->tree, line->id, line->id_size, &item.name))
        return false;
    const toll_solana_open *caller = toll_solana_innermost(r);
    if (caller)
        item.parent = caller->stretch != TOLL_NONE ? caller->stretch : caller->item;
    r->tree.notes[SOLANA_NOTE_NO_CALLER] += line->number > (caller ? caller->depth : 0) + 1;
    return open_invocation(r, line, &item);
}

/* Is it an invocation of the line's program? */
static bool is_of(toll_solana_run *r, const toll_solana_open *v, const toll_solana_line *line)
{
    uint32_t name = item_of(r, v)->name;
    return toll_strtab_size(&r->tree.strings, name) == line->id_size &&
           memcmp(toll_strtab_text(&r->tree.strings, name), line->id, line->id_size) == 0;
}

/* Find the innermost open invocation of the line's program. NULL: a stray line, or a failure.
 * Invocations inside it have no end in the log. */
static toll_solana_open *find_open(toll_solana_run *r, const toll_solana_line *line)
{
    for (size_t i = r->open_count; i-- > 0 && r->open_count - i <= MOST_OPEN_LOOKED;) {
        if (is_of(r, &r->open[i], line))
            return close_down_to(r, i + 1) ? &r->open[i] : NULL;
    }
    r->tree.notes[SOLANA_NOTE_STRAY]++;
    return NULL;
}

static bool read_consumed(toll_solana_run *r, const toll_solana_line *line)
{
    toll_solana_open *v = find_open(r, line);
    if (!v)
        return !r->tree.failure->status;
    toll_solana_spent *spent = &item_of(r, v)->spent;
    r->tree.notes[SOLANA_NOTE_STRAY] += spent->is_logged;
    if (!spent->is_logged)
        spent->total = line->number;
    spent->is_logged = true;
    spent->budget = line->budget;
    return true;
}

/* Has the line's program just ended? Some runtimes log a success before the sections, and once more
 * after them. An invocation of its own that is still open logs its units before its success. */
static bool is_second_success(toll_solana_run *r, const toll_solana_line *line)
{
    return line->kind == SOLANA_SUCCESS && r->has_ended &&
           is_of(r, &r->open[r->open_count], line) &&
           !(r->open_count && item_of(r, toll_solana_innermost(r))->spent.is_logged &&
             is_of(r, toll_solana_innermost(r), line));
}

static bool read_end(toll_solana_run *r, const toll_solana_line *line)
{
    toll_solana_open *v = find_open(r, line);
    if (!v)
        return !r->tree.failure->status;
    if (line->kind == SOLANA_FAILED) {
        item_of(r, v)->spent.failed = true;
        item_of(r, v)->spent.end = toll_solana_end_of(line->text, line->text_size);
        r->tree.notes[SOLANA_NOTE_FAILED]++;
        if (r->open_count == 1 && !count_reason(r, line))
            return false;
    }
    return close_innermost(r, true);
}

/* May the line be among the sections of an invocation that has just ended? */
static bool is_among_sections(const toll_solana_line *line)
{
    return line->kind == SOLANA_LOG || line->kind == SOLANA_NOISE;
}

bool toll_solana_run_line(toll_solana_run *r, const toll_solana_line *line)
{
    if (is_second_success(r, line)) /* it says nothing new */
        return toll_solana_complete(r);
    if (!is_among_sections(line) && !toll_solana_complete(r))
        return false;
    switch (line->kind) {
    case SOLANA_INVOKE: return read_invoke(r, line);
    case SOLANA_LOG: return toll_solana_read_logged(r, line);
    case SOLANA_REMAINING: return toll_solana_read_remaining(r, line);
    case SOLANA_CONSUMED: return read_consumed(r, line);
    case SOLANA_SUCCESS:
    case SOLANA_FAILED: return read_end(r, line);
    case SOLANA_NOISE:
    case SOLANA_SIGNATURE:
    case SOLANA_SUM: return toll_solana_read_noise(r, line);
    case SOLANA_TRUNCATED:
        r->tree.notes[SOLANA_NOTE_TRUNCATED]++;
        r->tree.is_cut = true;
        return true;
    case SOLANA_PASSED: return true;
    }
    return true;
}

/* --- the end -----------------------------------------------------------------------------------*/

bool toll_solana_run_end(toll_solana_run *r, const toll_solana_transaction *transaction)
{
    return toll_solana_complete(r) && close_down_to(r, 0) && toll_solana_complete(r) &&
           toll_solana_tree_commit(&r->tree, transaction);
}

static bool add_reasons(toll_solana_run *r)
{
    char text[REASON_SIZE + 40];
    for (uint32_t i = 0; i < r->reasons.count; i++) {
        const char *reason = toll_strtab_text(&r->reasons, i);
        snprintf(text, sizeof text, "failed transactions: %s", *reason ? reason : "no reason told");
        if (!toll_solana_tree_note(&r->tree, text, r->reason_counts[i]))
            return false;
    }
    return toll_solana_tree_note(&r->tree, "failed transactions: other reasons",
                                 r->reason_counts[SOLANA_MOST_REASONS]);
}

bool toll_solana_run_take(toll_solana_run *r, const toll_solana_log_counts *counts,
                          toll_profile **out)
{
    *out = NULL;
    if (!toll_solana_tree_notes(&r->tree) || !add_reasons(r) ||
        !toll_solana_tree_note(&r->tree, SOLANA_TEXT_ERRORS, counts->errors) ||
        !toll_solana_tree_note(&r->tree, SOLANA_TEXT_NULLS, counts->nulls) ||
        !toll_solana_tree_note(&r->tree, SOLANA_TEXT_CUT_OFF, counts->cut_off))
        return false;
    if (r->invocations) {
        *out = r->tree.profile;
        r->tree.profile = NULL;
    }
    return true;
}
