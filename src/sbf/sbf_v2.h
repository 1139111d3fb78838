/* sbf_v2.h - loads and stores of SBPF v2, which have other opcodes than in all other versions:
 * there these are multiplications and divisions. */
#ifndef TOLL_SBF_SBF_V2_H
#define TOLL_SBF_SBF_V2_H

#include "sbf/sbf_memory.h"

/* Are the first `count` instructions of a trace those of a program of v2? It has loads or stores of
 * v2, and none of the other versions. */
bool toll_sbf_v2_begins(const uint8_t *insns, size_t count);

/* As toll_sbf_memory_load and toll_sbf_memory_store, if it is an instruction of one of these. */
void toll_sbf_v2_follow_memory(toll_sbf_memory *memory, const uint8_t *regs, const uint8_t *insn);

#endif
