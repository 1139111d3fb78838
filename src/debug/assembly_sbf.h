/* assembly_sbf.h - disassembles a Solana program, one instruction at a time. A build without Solana
 * cannot. For src/debug only. */
#ifndef TOLL_DEBUG_ASSEMBLY_SBF_H
#define TOLL_DEBUG_ASSEMBLY_SBF_H

#include "base/strtab.h"
#include "base/u64map.h"
#include "debug/debug_data.h"
#include "sbf/sbf_text.h"

typedef struct toll_assembly_sbf {
    const toll_debug *debug;
    toll_sbf_code code;
    uint64_t address;        /* the address of its slot 0 */
    toll_u64map relocations; /* address of a call -> name in texts */
    toll_strtab texts;
} toll_assembly_sbf;

/* Does this build know the instructions of Solana programs? */
bool toll_assembly_has_sbf(void);

/* Open the code of a file, in a zeroed struct. Call toll_assembly_sbf_free also after a failure.
 * `debug` must outlive it. Errors: those of a bad file, TOLL_E_NOMEM. */
toll_status toll_assembly_sbf_open(toll_assembly_sbf *code, const toll_mem *mem,
                                   const toll_debug *debug, toll_error *err);
void toll_assembly_sbf_free(toll_assembly_sbf *code); /* a zeroed struct is allowed */

/* Append the text of the instruction at `address`; nothing if there is none. False: no memory. */
bool toll_assembly_sbf_append_text(const toll_assembly_sbf *code, uint64_t address,
                                   toll_buffer *out);

/* The address of the next instruction; 0 if there is none, or none at `address`. */
uint64_t toll_assembly_sbf_next(const toll_assembly_sbf *code, uint64_t address);

#endif
