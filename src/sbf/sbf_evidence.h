/* sbf_evidence.h - what a function without a name does, by the system calls in its code. */
#ifndef TOLL_SBF_SBF_EVIDENCE_H
#define TOLL_SBF_SBF_EVIDENCE_H

#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

/* Where the functions of a program begin, as far as calls show. */
typedef struct toll_sbf_starts {
    uint8_t *bits; /* one for each slot of the text */
    size_t slots;
} toll_sbf_starts;

/* Find them; `starts` is empty before. Calls have the target's distance, or, as loaders of SBPF v0
 * to v2 write them, the hash of its slot. False: no memory; they are empty. Cost: O(slots). */
bool toll_sbf_starts_find(toll_sbf_starts *starts, const toll_mem *mem, const uint8_t *text,
                          size_t text_size);
void toll_sbf_starts_free(toll_sbf_starts *starts, const toll_mem *mem);

/* The most telling system call in the function that begins at slot `pc`, up to where the next one
 * begins; NULL: it makes none that is known. */
const char *toll_sbf_evidence(const toll_sbf_starts *starts, const uint8_t *text, uint64_t pc);

#endif
