/* sbf_v2.h - handles loads and stores of SBPF v2, which have opcodes that are multiplications and
 * divisions in all other versions. */
#ifndef TOLL_SBF_SBF_V2_H
#define TOLL_SBF_SBF_V2_H

#include "sbf/sbf_memory.h"

/* Do the first `count` instructions of a trace come from a v2 program? True if they contain loads
 * or stores of v2, and none of the other versions. */
bool toll_sbf_v2_begins(const uint8_t *insns, size_t count);

/* As toll_sbf_memory_load and toll_sbf_memory_store, if it is one of these instructions. */
void toll_sbf_v2_follow_memory(toll_sbf_memory *memory, const uint8_t *regs, const uint8_t *insn);

#endif
