/* sbf_walk.c - see sbf_walk.h.
 *
 * A call (opcode 0x85, or 0x8d through a register) has entered a function if the next instruction
 * is not the one after it, or has another frame pointer; else it was a system call. A return goes
 * to the instruction after a call, whose address is on a shadow stack. If it goes elsewhere, its
 * address is searched among those of the callers, up to SVM_DEPTH levels, and it is counted.
 *
 * Versions: a return is 0x95. In the draft of SBPF v3 of solana-sbpf 0.10 to 0.13 it is 0x9d; there
 * 0x95 was a system call, with the hash of its name in it, and a return has 0 in that field. Only
 * v2 has loads and stores at opcodes that are multiplications and divisions elsewhere. */
#include "sbf/sbf_walk.h"

#include "base/array.h"
#include "sbf/sbf_syscalls.h"
#include "sbf/sbf_v2.h"

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
    SVM_DEPTH = 64 /* the VM itself limits calls to this depth */
};

static uint32_t load_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- events ------------------------------------------------------------------------------------*/

static bool enter(toll_sbf_walk *s, uint64_t entry_pc, uint64_t return_pc)
{
    if (!toll_array_grow(&s->mem, &s->levels, &s->capacity, s->depth, 1))
        return toll_no_memory(s->failure);
    s->levels[s->depth++] = (struct toll_sbf_level){ entry_pc, return_pc };
    return s->events->enter(s->events->user, entry_pc, s->done);
}

/* How many frames a return to `pc` leaves. The first function is left only at the end. */
static size_t frames_left(toll_sbf_walk *s, uint64_t pc)
{
    size_t callers = s->depth ? s->depth - 1 : 0; /* 0: there was no memory for the first one */
    for (size_t i = 0; i < callers && i < SVM_DEPTH; i++)
        if (s->levels[s->depth - 1 - i].return_pc == pc) {
            s->counts->outer_returns += i > 0;
            return i + 1;
        }
    s->counts->lost_returns++;
    return callers > 0;
}

static bool leave(toll_sbf_walk *s, uint64_t pc)
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
           toll_sbf_load_u64(regs + TOLL_SBF_REGS_SIZE + TOLL_SBF_PC_AT) ==
               toll_sbf_load_u64(regs + TOLL_SBF_PC_AT) + 1 &&
           toll_sbf_load_u64(regs + TOLL_SBF_REGS_SIZE + R10_AT) ==
               toll_sbf_load_u64(regs + R10_AT);
}

static bool report_at(toll_sbf_walk *s, const uint8_t *regs, uint64_t done)
{
    return !s->events->at ||
           s->events->at(s->events->user, s->depth ? s->levels[s->depth - 1].entry_pc : 0,
                         toll_sbf_load_u64(regs + TOLL_SBF_PC_AT), done);
}

static bool report_syscall(toll_sbf_walk *s, const uint8_t *regs, const uint8_t *insn,
                           bool has_returned)
{
    const toll_sbf_syscall_event event = { load_u32(insn + 4), has_returned, regs };
    return !s->events->syscall || s->events->syscall(s->events->user, &event, s->done);
}

bool toll_sbf_is_refused(const uint8_t *regs)
{
    return memcmp(regs, regs + TOLL_SBF_REGS_SIZE, TOLL_SBF_REGS_SIZE) == 0;
}

/* Handle a call or return, which `done` already includes; `regs` also has the next instruction's
 * registers. */
static bool control(toll_sbf_walk *s, const uint8_t *regs, const uint8_t *insn)
{
    uint64_t next = toll_sbf_load_u64(regs + TOLL_SBF_REGS_SIZE + TOLL_SBF_PC_AT);
    if (toll_sbf_is_refused(regs))
        return true;
    if (is_syscall(regs, insn))
        return report_syscall(s, regs, insn, true);
    if (insn[0] == OP_CALL || insn[0] == OP_CALL_REGISTER)
        return enter(s, next, toll_sbf_load_u64(regs + TOLL_SBF_PC_AT) + 1);
    return leave(s, next);
}

/* Determine from the last instruction how the trace ended. If it is a call, the system call failed:
 * the virtual machine rarely stops the call of a function, and then with an error of its own. */
static toll_sbf_end end_of(const toll_sbf_walk *s, const uint8_t *regs, const uint8_t *insn)
{
    bool is_return = insn[0] == OP_RETURN_V3 || (insn[0] == OP_RETURN && load_u32(insn + 4) == 0);
    if (is_return && s->depth == 1)
        return toll_sbf_load_u64(regs) ? TOLL_SBF_RETURNED_ERROR : TOLL_SBF_RETURNED;
    return insn[0] == OP_CALL || (insn[0] == OP_RETURN && !is_return) ? TOLL_SBF_STOPPED_IN_SYSCALL
                                                                      : TOLL_SBF_STOPPED;
}

/* Handle the last instruction. A system call that did not return is recognised by its hash
 * alone. */
bool toll_sbf_walk_end(toll_sbf_walk *s, const uint8_t *regs, const uint8_t *insn)
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

/* Update the memory if the instruction, by the class of its opcode, may be a load or store. */
static inline void follow_memory(const toll_sbf_walk *s, const uint8_t *regs, const uint8_t *insn)
{
    toll_sbf_memory *memory = s->events->memory;
    if (s->is_v2)
        toll_sbf_v2_follow_memory(memory, regs, insn);
    else if ((insn[0] & CLASS_STORES) == CLASS_STORES_ARE)
        toll_sbf_memory_store(memory, insn, regs);
    else if ((insn[0] & CLASS) == CLASS_LOAD && memory->watched_count)
        toll_sbf_memory_load(memory, insn, regs);
}

static const uint8_t *instruction_at(const toll_sbf_rows *rows, size_t i)
{
    static const uint8_t no_instruction[TOLL_SBF_INSN_SIZE];
    if (rows->insns)
        return rows->insns + i * TOLL_SBF_INSN_SIZE;
    uint64_t pc = toll_sbf_load_u64(rows->regs + i * TOLL_SBF_REGS_SIZE + TOLL_SBF_PC_AT);
    return pc < rows->text_size / TOLL_SBF_INSN_SIZE ? rows->text + pc * TOLL_SBF_INSN_SIZE
                                                     : no_instruction;
}

bool toll_sbf_walk_on(toll_sbf_walk *s, const toll_sbf_rows *rows, size_t count)
{
    uint64_t before = s->done;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *insn = instruction_at(rows, i);
        const uint8_t *own = rows->regs + i * TOLL_SBF_REGS_SIZE;
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

bool toll_sbf_walk_last(toll_sbf_walk *s, const toll_sbf_rows *rows, size_t i)
{
    if (!report_at(s, rows->regs + i * TOLL_SBF_REGS_SIZE, s->done))
        return false;
    s->done++;
    return true;
}

bool toll_sbf_walk_begin(toll_sbf_walk *s, uint64_t entry_pc)
{
    return enter(s, entry_pc, UINT64_MAX);
}

void toll_sbf_walk_free(toll_sbf_walk *s)
{
    toll_mem_free(&s->mem, s->levels, s->capacity, sizeof *s->levels);
    s->levels = NULL;
    s->depth = s->capacity = 0;
}
