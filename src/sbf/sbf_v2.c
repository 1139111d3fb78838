/* sbf_v2.c - see sbf_v2.h. */
#include "sbf/sbf_v2.h"

#include <string.h>

enum {
    INSN_SIZE = 8,
    CLASS = 7, /* mask of the opcode's class */
    LOAD = 1,  /* class of loads in other versions */
    STORE_REGISTER = 3,
    LOAD_V2 = 4,      /* in other versions 32-bit arithmetic */
    STORE_V2 = 7,     /* in other versions 64-bit arithmetic */
    WITH_REGISTER = 8 /* a bit: the operand is not a constant */
};

/* The opcode that a load or store of SBPF v2 has in the other versions; 0: it is another
 * instruction. */
static uint8_t other_opcode(uint8_t op)
{
    static const uint8_t of_sizes[16] = { [2] = 0x71, [3] = 0x69, [8] = 0x61, [9] = 0x79 };
    uint8_t load = of_sizes[op >> 4], class = op & CLASS;
    bool has_register = op & WITH_REGISTER;
    if (!load || (class == LOAD_V2 ? !has_register : class != STORE_V2))
        return 0;
    return (uint8_t)(load + (class == STORE_V2) + (class == STORE_V2 && has_register));
}

bool toll_sbf_v2_begins(const uint8_t *insns, size_t count)
{
    bool is_v2 = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t op = insns[i * INSN_SIZE], class = op & CLASS;
        if (class >= LOAD && class <= STORE_REGISTER)
            return false;
        is_v2 |= other_opcode(op) != 0;
    }
    return is_v2;
}

void toll_sbf_v2_follow_memory(toll_sbf_memory *memory, const uint8_t *regs, const uint8_t *insn)
{
    uint8_t other[INSN_SIZE];
    memcpy(other, insn, sizeof other);
    other[0] = other_opcode(*insn);
    if ((other[0] & CLASS) == LOAD)
        toll_sbf_memory_load(memory, other, regs);
    else if (other[0])
        toll_sbf_memory_store(memory, other, regs);
}
