/* sbf_scan.c - see sbf_scan.h.
 *
 * A call (opcode 0x85, or 0x8d through a register) has entered a function if the next instruction
 * is not the one after it, or has another frame pointer; else it was a system call. A return goes
 * to the instruction after a call, whose address is on a shadow stack. If it goes elsewhere, its
 * address is searched among those of the callers, up to SVM_DEPTH levels, and it is counted.
 *
 * Versions: a return is 0x95. In the draft of SBPF v3 of solana-sbpf 0.10 to 0.13 it is 0x9d; there
 * 0x95 was a system call, with the hash of its name in it, and a return has 0 in that field. Only
 * v2 has loads and stores at opcodes that are multiplications and divisions elsewhere. */
#include "sbf/sbf_scan.h"

#include "base/array.h"
#include "base/input.h"
#include "sbf/sbf_syscalls.h"
#include "sbf/sbf_v2.h"

#include <inttypes.h>
#include <string.h>

enum {
    OP_CALL = 0x85,
    OP_CALL_REGISTER = 0x8d,
    OP_RETURN = 0x95,
    OP_RETURN_V3 = 0x9d,
    OP_MASK = 0xe7, /* under this mask, all opcodes of calls and returns are 0x85 */
    CLASS = 7,
    CLASS_LOAD = 1,
    CLASS_STORES = 6,     /* mask of the classes 2 and 3 */
    CLASS_STORES_ARE = 2, /* their value under the mask */
    R10_AT = 80,
    PC_AT = 88,
    SVM_DEPTH = 64 /* the VM itself limits calls to this depth */
};

typedef struct scan {
    toll_input *regs, *insns;
    const toll_sbf_symbols *code;
    const toll_sbf_events *events;
    toll_sbf_counts *counts;
    toll_mem mem;
    toll_failure *failure;
    uint64_t *returns; /* return addresses; [0] is unused: the first function has no caller */
    size_t depth, capacity;
    uint64_t done;
    bool is_v2;
} scan;

static uint64_t load_u64(const uint8_t *at)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | at[i];
    return v;
}

static uint32_t load_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- events ------------------------------------------------------------------------------------*/

static bool enter(scan *s, uint64_t entry_pc, uint64_t return_pc)
{
    if (!toll_array_grow(&s->mem, &s->returns, &s->capacity, s->depth, 1))
        return toll_no_memory(s->failure);
    s->returns[s->depth++] = return_pc;
    return s->events->enter(s->events->user, entry_pc, s->done);
}

/* How many frames a return to `pc` leaves. The first function is left only at the end. */
static size_t frames_left(scan *s, uint64_t pc)
{
    size_t callers = s->depth - 1;
    for (size_t i = 0; i < callers && i < SVM_DEPTH; i++)
        if (s->returns[s->depth - 1 - i] == pc) {
            s->counts->outer_returns += i > 0;
            return i + 1;
        }
    s->counts->lost_returns++;
    return callers > 0;
}

static bool leave(scan *s, uint64_t pc)
{
    size_t frames = frames_left(s, pc);
    s->depth -= frames;
    return !frames || s->events->leave(s->events->user, frames, s->done);
}

static bool is_syscall(const uint8_t *regs, const uint8_t *insn)
{
    if (insn[0] == OP_RETURN)
        return load_u32(insn + 4) != 0;
    return insn[0] == OP_CALL &&
           load_u64(regs + TOLL_SBF_REGS_SIZE + PC_AT) == load_u64(regs + PC_AT) + 1 &&
           load_u64(regs + TOLL_SBF_REGS_SIZE + R10_AT) == load_u64(regs + R10_AT);
}

static bool report_at(scan *s, const uint8_t *regs, uint64_t done)
{
    return !s->events->at || s->events->at(s->events->user, load_u64(regs + PC_AT), done);
}

static bool report_syscall(scan *s, const uint8_t *regs, const uint8_t *insn, bool has_returned)
{
    const toll_sbf_syscall_event event = { load_u32(insn + 4), has_returned, regs };
    return s->events->syscall(s->events->user, &event, s->done);
}

/* Handle a call or return, which `done` already includes; `regs` also has the next instruction's
 * registers. */
static bool control(scan *s, const uint8_t *regs, const uint8_t *insn)
{
    uint64_t next = load_u64(regs + TOLL_SBF_REGS_SIZE + PC_AT);
    if (is_syscall(regs, insn))
        return report_syscall(s, regs, insn, true);
    if (insn[0] == OP_CALL || insn[0] == OP_CALL_REGISTER)
        return enter(s, next, load_u64(regs + PC_AT) + 1);
    return leave(s, next);
}

/* Determine from the last instruction how the trace ended. If it is a call, the system call failed:
 * the virtual machine rarely stops the call of a function, and then with an error of its own. */
static toll_sbf_end end_of(const scan *s, const uint8_t *regs, const uint8_t *insn)
{
    bool is_return = insn[0] == OP_RETURN_V3 || (insn[0] == OP_RETURN && load_u32(insn + 4) == 0);
    if (is_return && s->depth == 1)
        return load_u64(regs) ? TOLL_SBF_RETURNED_ERROR : TOLL_SBF_RETURNED;
    return insn[0] == OP_CALL || (insn[0] == OP_RETURN && !is_return) ? TOLL_SBF_STOPPED_IN_SYSCALL
                                                                      : TOLL_SBF_STOPPED;
}

/* Handle the last instruction. A system call that did not return is recognised by its hash
 * alone. */
static bool end(scan *s, const uint8_t *regs, const uint8_t *insn)
{
    const toll_sbf_events *e = s->events;
    s->counts->end = end_of(s, regs, insn);
    if (!report_at(s, regs, s->done))
        return false;
    s->done++;
    if ((insn[0] == OP_CALL || insn[0] == OP_RETURN) && toll_sbf_syscall_find(load_u32(insn + 4)) &&
        !report_syscall(s, regs, insn, false))
        return false;
    s->counts->open_ends += s->depth > 1;
    return e->leave(e->user, s->depth, s->done);
}

/* Compare the instructions with the code, up to the first that differs. */
static void check_code(scan *s, const uint8_t *regs, const uint8_t *insns, size_t count)
{
    for (size_t i = 0; s->code && !s->counts->is_foreign && i < count; i++) {
        uint64_t pc = load_u64(regs + i * TOLL_SBF_REGS_SIZE + PC_AT);
        const uint8_t *insn = insns + i * TOLL_SBF_INSN_SIZE;
        if (toll_sbf_symbols_have(s->code, pc, insn))
            continue;
        s->counts->is_foreign = true;
        s->counts->foreign_pc = pc;
        memcpy(s->counts->foreign, insn, TOLL_SBF_INSN_SIZE);
    }
}

/* --- the files ---------------------------------------------------------------------------------*/

/* Update the memory if the instruction, by the class of its opcode, may be a load or store. */
static inline void follow_memory(const scan *s, const uint8_t *regs, const uint8_t *insn)
{
    toll_sbf_memory *memory = s->events->memory;
    if (s->is_v2)
        toll_sbf_v2_follow_memory(memory, regs, insn);
    else if ((insn[0] & CLASS_STORES) == CLASS_STORES_ARE)
        toll_sbf_memory_store(memory, insn, regs);
    else if ((insn[0] & CLASS) == CLASS_LOAD && memory->watched_count)
        toll_sbf_memory_load(memory, insn, regs);
}

/* Scan the instructions regs[0..count). The last one of the window only shows where the one before
 * it led. */
static bool scan_window(scan *s, const uint8_t *regs, const uint8_t *insns, size_t count)
{
    uint64_t before = s->done;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *insn = insns + i * TOLL_SBF_INSN_SIZE;
        const uint8_t *own = regs + i * TOLL_SBF_REGS_SIZE;
        if (!report_at(s, own, before + i))
            return false;
        if ((insn[0] & OP_MASK) != OP_CALL) {
            if (s->events->memory)
                follow_memory(s, own, insn);
            continue;
        }
        s->done = before + i + 1;
        if (!control(s, own, insn))
            return false;
    }
    s->done = before + count;
    return true;
}

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
    uint64_t regs = s->done, insns = s->done;
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
    if (got < TOLL_SBF_REGS_SIZE ? !check_ends(s) : !enter(s, load_u64(regs + PC_AT), UINT64_MAX))
        return false;
    while (next_window(s, &regs, &insns, &count)) {
        check_code(s, regs, insns, count);
        if (s->done == 0)
            s->is_v2 = toll_sbf_v2_begins(insns, count);
        if (!scan_window(s, regs, insns, count))
            return false;
        toll_input_skip(s->regs, count * TOLL_SBF_REGS_SIZE);
        toll_input_skip(s->insns, count * TOLL_SBF_INSN_SIZE);
    }
    copy_last(s->insns, last, sizeof last);
    copy_last(s->regs, last_regs, sizeof last_regs);
    if (!check_ends(s))
        return false;
    check_code(s, last_regs, last, 1);
    return end(s, last_regs, last);
}

bool toll_sbf_scan(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code,
                   const toll_sbf_events *events, toll_sbf_counts *counts, toll_failure *failure)
{
    scan s = { .regs = regs,
               .insns = insns,
               .code = code,
               .events = events,
               .counts = counts,
               .mem = *toll_input_mem(regs),
               .failure = failure };
    bool good = scan_all(&s);
    counts->instructions += s.done;
    toll_mem_free(&s.mem, s.returns, s.capacity, sizeof *s.returns);
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
    uint64_t begin = load_u64(last_regs + PC_AT);
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
