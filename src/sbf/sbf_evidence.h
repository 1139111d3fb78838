/* sbf_evidence.h - what a function without a name does, by the system calls in its code. */
#ifndef TOLL_SBF_SBF_EVIDENCE_H
#define TOLL_SBF_SBF_EVIDENCE_H

#include "base/u64map.h"

#include <stddef.h>
#include <stdint.h>

/* The four bytes of an instruction's constant. */
static inline uint32_t toll_sbf_constant_of(const uint8_t *insn)
{
    return (uint32_t)insn[4] | (uint32_t)insn[5] << 8 | (uint32_t)insn[6] << 16 |
           (uint32_t)insn[7] << 24;
}

/* Where calls lead. They have the target's distance, or, as loaders of SBPF v0 to v2 write them,
 * the hash of its slot. */
typedef struct toll_sbf_targets {
    toll_u64map by_hash;
    size_t slots; /* of the text */
} toll_sbf_targets;

/* Call toll_sbf_targets_free in any case. False: no memory. Cost: O(slots). */
bool toll_sbf_targets_init(toll_sbf_targets *targets, const toll_mem *mem, size_t slots);
void toll_sbf_targets_free(toll_sbf_targets *targets);

/* The slot that the instruction at slot `pc` calls; UINT64_MAX: it is no call of a function in the
 * text. pc must be below `slots`. */
uint64_t toll_sbf_target_of(const toll_sbf_targets *targets, const uint8_t *text, uint64_t pc);

/* Where the functions of a program begin, as far as calls show. */
typedef struct toll_sbf_starts {
    uint8_t *bits; /* one for each slot of the text */
    size_t slots;
} toll_sbf_starts;

/* Find them; `starts` is empty before. False: no memory; they are empty. Cost: O(slots). */
bool toll_sbf_starts_find(toll_sbf_starts *starts, const toll_mem *mem, const uint8_t *text,
                          size_t text_size);
void toll_sbf_starts_free(toll_sbf_starts *starts, const toll_mem *mem);

/* The most telling system call in the function that begins at slot `pc`, up to where the next one
 * begins; NULL: it makes none that is known. */
const char *toll_sbf_evidence(const toll_sbf_starts *starts, const uint8_t *text, uint64_t pc);

#endif
