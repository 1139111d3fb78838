/* sbf_evidence.c - see sbf_evidence.h. */
#include "sbf/sbf_evidence.h"

#include "sbf/sbf_syscalls.h"

#include <string.h>

enum {
    INSN_SIZE = 8,
    OP_CALL = 0x85,
    INTERNAL = 1 /* the source register of a call by distance */
};

static uint32_t rotate(uint32_t v, int bits)
{
    return v << bits | v >> (32 - bits);
}

static uint32_t mix_word(uint32_t hash, uint32_t word)
{
    hash ^= rotate(word * UINT32_C(0xcc9e2d51), 15) * UINT32_C(0x1b873593);
    return rotate(hash, 13) * 5 + UINT32_C(0xe6546b64);
}

/* The 32-bit murmur3 of a slot as 8 bytes, little-endian: so the runtime names functions. */
static uint32_t hash_of(uint64_t slot)
{
    uint32_t hash = mix_word(mix_word(0, (uint32_t)slot), (uint32_t)(slot >> 32)) ^ 8;
    hash = (hash ^ hash >> 16) * UINT32_C(0x85ebca6b);
    hash = (hash ^ hash >> 13) * UINT32_C(0xc2b2ae35);
    return hash ^ hash >> 16;
}

static bool is_start(const toll_sbf_starts *starts, uint64_t slot)
{
    return starts->bits[slot / 8] >> slot % 8 & 1;
}

/* --- where calls lead --------------------------------------------------------------------------*/

bool toll_sbf_targets_init(toll_sbf_targets *targets, const toll_mem *mem, size_t slots)
{
    *targets = (toll_sbf_targets){ .slots = slots };
    toll_u64map_init(&targets->by_hash, mem);
    for (uint32_t slot = 0; slot < slots; slot++) {
        uint32_t hash = hash_of(slot);
        if (toll_u64map_find(&targets->by_hash, hash) == UINT32_MAX &&
            !toll_u64map_add(&targets->by_hash, hash, slot))
            return false;
    }
    return true;
}

void toll_sbf_targets_free(toll_sbf_targets *targets)
{
    toll_u64map_free(&targets->by_hash);
}

uint64_t toll_sbf_target_of(const toll_sbf_targets *targets, const uint8_t *text, uint64_t pc)
{
    const uint8_t *insn = text + pc * INSN_SIZE;
    if (insn[0] != OP_CALL)
        return UINT64_MAX;
    uint32_t slot = toll_u64map_find(&targets->by_hash, toll_sbf_constant_of(insn));
    if (slot != UINT32_MAX)
        return slot;
    uint64_t target = pc + 1 + (uint64_t)(int64_t)(int32_t)toll_sbf_constant_of(insn);
    return insn[1] >> 4 == INTERNAL && target < targets->slots ? target : UINT64_MAX;
}

/* --- where functions begin ---------------------------------------------------------------------*/

void toll_sbf_starts_free(toll_sbf_starts *starts, const toll_mem *mem)
{
    if (starts->bits)
        toll_mem_free(mem, starts->bits, starts->slots / 8 + 1, 1);
    *starts = (toll_sbf_starts){ 0 };
}

bool toll_sbf_starts_find(toll_sbf_starts *starts, const toll_mem *mem, const uint8_t *text,
                          size_t text_size)
{
    toll_sbf_targets targets;
    size_t count = text_size / INSN_SIZE;
    if (count == 0 || count >= UINT32_MAX)
        return true;
    starts->bits = toll_mem_new(mem, count / 8 + 1, 1);
    if (!starts->bits)
        return false;
    starts->slots = count;
    bool good = toll_sbf_targets_init(&targets, mem, count);
    for (uint64_t pc = 0; good && pc < count; pc++) {
        uint64_t target = toll_sbf_target_of(&targets, text, pc);
        if (target != UINT64_MAX)
            starts->bits[target / 8] |= (uint8_t)(1 << target % 8);
    }
    toll_sbf_targets_free(&targets);
    if (!good)
        toll_sbf_starts_free(starts, mem);
    return good;
}

/* How much a system call shows of a function that makes it; 0: nothing, since most functions may
 * panic. */
static int weight(const toll_sbf_syscall *syscall)
{
    if (!syscall || strcmp(syscall->name, "abort") == 0 || strcmp(syscall->name, "sol_panic_") == 0)
        return 0;
    switch (syscall->kind) {
    case TOLL_SBF_INVOKE: return 5;
    case TOLL_SBF_FIND: return 4;
    case TOLL_SBF_OTHER: return 3;
    case TOLL_SBF_UNITS:
    case TOLL_SBF_REMAINING: return 2;
    case TOLL_SBF_LOG:
    case TOLL_SBF_COPY:
    case TOLL_SBF_FILL: break;
    }
    return 1;
}

const char *toll_sbf_evidence(const toll_sbf_starts *starts, const uint8_t *text, uint64_t pc)
{
    const toll_sbf_syscall *best = NULL;
    for (uint64_t at = pc; at < starts->slots && (at == pc || !is_start(starts, at)); at++) {
        const uint8_t *insn = text + at * INSN_SIZE;
        const toll_sbf_syscall *syscall =
            insn[0] == OP_CALL ? toll_sbf_syscall_find(toll_sbf_constant_of(insn)) : NULL;
        if (weight(syscall) > weight(best))
            best = syscall;
    }
    return best ? best->name : NULL;
}
