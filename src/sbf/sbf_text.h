/* sbf_text.h - prints instructions of Solana's virtual machine as text, in the syntax of its own
 * disassembler and assembler (solana-sbpf).
 *
 *     ldxdw r1, [r2+0x8]
 *     add64 r1, -5
 *     jne r1, 0, +3              to the third instruction slot after the next one
 *     call parse                 by name if it is known, else fn@PC as everywhere in Toll
 *     syscall sol_log_
 *
 * The disassembler invents labels for jumps; here they have distances, which its assembler reads as
 * well. Some opcodes mean different things in different versions of the machine; the flags of the
 * ELF header contain the version. */
#ifndef TOLL_SBF_SBF_TEXT_H
#define TOLL_SBF_SBF_TEXT_H

#include "base/buffer.h"

enum { TOLL_SBF_SLOT_SIZE = 8 };

/* A program's code as in its file; loaders may have changed it in memory. */
typedef struct toll_sbf_code {
    const uint8_t *text;
    uint64_t slots;   /* of TOLL_SBF_SLOT_SIZE bytes */
    unsigned version; /* 0 to 4 */
    void *user;
    /* Names of the function at slot `pc`, and of the symbol that a relocation puts into the call at
     * slot `pc`; NULL: not known. Either function may be NULL. */
    const char *(*function_at)(void *user, uint64_t pc);
    const char *(*relocated)(void *user, uint64_t pc);
} toll_sbf_code;

/* How many slots the instruction at slot `pc` has: 1, or 2 for lddw. pc must be below `slots`. */
unsigned toll_sbf_slots_at(const toll_sbf_code *code, uint64_t pc);

/* Append the text of the instruction at slot `pc`, which must be below `slots`. False: no memory.
 */
bool toll_sbf_append_text(toll_buffer *out, const toll_sbf_code *code, uint64_t pc);

#endif
