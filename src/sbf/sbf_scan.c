/* sbf_scan.c - see sbf_scan.h. */
#include "sbf/sbf_scan.h"

#include "base/input.h"
#include "sbf/sbf_v2.h"

#include <inttypes.h>
#include <string.h>

typedef struct scan {
    toll_input *regs, *insns;
    const toll_sbf_symbols *code;
    toll_sbf_counts *counts;
    toll_failure *failure;
    toll_sbf_walk walk;
} scan;

/* Compare the instructions with the code, up to the first that differs. */
static void check_code(scan *s, const uint8_t *regs, const uint8_t *insns, size_t count)
{
    for (size_t i = 0; s->code && !s->counts->is_foreign && i < count; i++) {
        uint64_t pc = toll_sbf_load_u64(regs + i * TOLL_SBF_REGS_SIZE + TOLL_SBF_PC_AT);
        const uint8_t *insn = insns + i * TOLL_SBF_INSN_SIZE;
        if (toll_sbf_symbols_have(s->code, pc, insn))
            continue;
        s->counts->is_foreign = true;
        s->counts->foreign_pc = pc;
        memcpy(s->counts->foreign, insn, TOLL_SBF_INSN_SIZE);
    }
}

/* --- the files ---------------------------------------------------------------------------------*/

/* Count the complete records up to the end of an input, of which `done` have been read. *cut: the
 * size of an incomplete record, or 0. */
static bool count_rest(scan *s, toll_input *in, size_t record, uint64_t *whole, size_t *cut)
{
    size_t got;
    while (toll_input_peek(in, record, &got), got >= record) {
        size_t count = got / record;
        toll_input_skip(in, count * record);
        *whole += count;
    }
    *cut = got;
    return toll_ok(s->failure, toll_input_check(in, s->failure->err));
}

static bool fail_torn(scan *s, const toll_input *in, size_t cut, size_t record)
{
    return toll_ok(s->failure,
                   toll_fail_byte(in, toll_input_offset(in), s->failure->err, TOLL_E_TRUNCATED,
                                  "%zu bytes are left over, the size is no multiple of %zu: the "
                                  "file is cut off; trace the run again",
                                  cut, record));
}

/* Check that both files end here, with one instruction remaining, the last. */
static bool check_ends(scan *s)
{
    uint64_t regs = s->walk.done, insns = s->walk.done;
    size_t regs_cut, insns_cut;
    toll_error *err = s->failure->err;
    if (!count_rest(s, s->regs, TOLL_SBF_REGS_SIZE, &regs, &regs_cut) ||
        !count_rest(s, s->insns, TOLL_SBF_INSN_SIZE, &insns, &insns_cut))
        return false;
    if (regs_cut)
        return fail_torn(s, s->regs, regs_cut, TOLL_SBF_REGS_SIZE);
    if (insns_cut)
        return fail_torn(s, s->insns, insns_cut, TOLL_SBF_INSN_SIZE);
    if (regs != insns)
        return toll_ok(s->failure,
                       toll_fail(err, TOLL_E_SYNTAX,
                                 "%s: holds %" PRIu64 " instructions, but %s holds %" PRIu64
                                 "; trace the run again",
                                 toll_input_name(s->regs), regs, toll_input_name(s->insns), insns));
    return regs > 0 || toll_ok(s->failure, toll_fail(err, TOLL_E_TRUNCATED,
                                                     "%s: is empty; was the run cut short?",
                                                     toll_input_name(s->regs)));
}

/* Get the instructions that both windows contain, without the last one: only its successor shows
 * whether it is a system call. False: nothing more to scan. */
static bool next_window(scan *s, const uint8_t **regs, const uint8_t **insns, size_t *count)
{
    size_t regs_got, insns_got;
    *insns = toll_input_peek(s->insns, 2 * TOLL_SBF_INSN_SIZE, &insns_got);
    *regs = toll_input_peek(s->regs, 2 * TOLL_SBF_REGS_SIZE, &regs_got);
    size_t records = regs_got / TOLL_SBF_REGS_SIZE;
    if (records > insns_got / TOLL_SBF_INSN_SIZE)
        records = insns_got / TOLL_SBF_INSN_SIZE;
    *count = records > 0 ? records - 1 : 0;
    return *count > 0;
}

/* Copy the record at the front of an input, if it is complete. */
static void copy_last(toll_input *in, uint8_t *record, size_t size)
{
    size_t got;
    const uint8_t *data = toll_input_peek(in, size, &got);
    if (got >= size)
        memcpy(record, data, size);
}

static bool scan_all(scan *s)
{
    const uint8_t *regs, *insns;
    uint8_t last[TOLL_SBF_INSN_SIZE] = { 0 }, last_regs[TOLL_SBF_REGS_SIZE] = { 0 };
    size_t count, got;
    regs = toll_input_peek(s->regs, TOLL_SBF_REGS_SIZE, &got);
    if (got < TOLL_SBF_REGS_SIZE
            ? !check_ends(s)
            : !toll_sbf_walk_begin(&s->walk, toll_sbf_load_u64(regs + TOLL_SBF_PC_AT)))
        return false;
    while (next_window(s, &regs, &insns, &count)) {
        check_code(s, regs, insns, count);
        if (s->walk.done == 0)
            s->walk.is_v2 = toll_sbf_v2_begins(insns, count);
        const toll_sbf_rows rows = { .regs = regs, .insns = insns };
        if (!toll_sbf_walk_on(&s->walk, &rows, count))
            return false;
        toll_input_skip(s->regs, count * TOLL_SBF_REGS_SIZE);
        toll_input_skip(s->insns, count * TOLL_SBF_INSN_SIZE);
    }
    copy_last(s->insns, last, sizeof last);
    copy_last(s->regs, last_regs, sizeof last_regs);
    if (!check_ends(s))
        return false;
    check_code(s, last_regs, last, 1);
    return toll_sbf_walk_end(&s->walk, last_regs, last);
}

bool toll_sbf_scan(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code,
                   const toll_sbf_events *events, toll_sbf_counts *counts, toll_failure *failure)
{
    scan s = { .regs = regs,
               .insns = insns,
               .code = code,
               .counts = counts,
               .failure = failure,
               .walk = { .mem = *toll_input_mem(regs),
                         .failure = failure,
                         .events = events,
                         .counts = counts } };
    bool good = scan_all(&s);
    counts->instructions += s.walk.done;
    toll_sbf_walk_free(&s.walk);
    return good;
}

bool toll_sbf_compare(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code, bool *out,
                      toll_failure *failure)
{
    toll_sbf_counts counts = { 0 };
    scan s = { .regs = regs, .insns = insns, .code = code, .counts = &counts, .failure = failure };
    uint8_t last[TOLL_SBF_INSN_SIZE] = { 0 }, last_regs[TOLL_SBF_REGS_SIZE] = { 0 };
    const uint8_t *r, *i;
    size_t count;
    copy_last(regs, last_regs, sizeof last_regs);
    uint64_t begin = toll_sbf_load_u64(last_regs + TOLL_SBF_PC_AT);
    counts.is_foreign = toll_sbf_symbols_address(code, begin) != code->entry;
    while (!counts.is_foreign && next_window(&s, &r, &i, &count)) {
        check_code(&s, r, i, count);
        toll_input_skip(regs, count * TOLL_SBF_REGS_SIZE);
        toll_input_skip(insns, count * TOLL_SBF_INSN_SIZE);
    }
    copy_last(insns, last, sizeof last);
    copy_last(regs, last_regs, sizeof last_regs);
    check_code(&s, last_regs, last, 1);
    *out = !counts.is_foreign;
    return toll_ok(failure, toll_input_check(regs, failure->err)) &&
           toll_ok(failure, toll_input_check(insns, failure->err));
}
