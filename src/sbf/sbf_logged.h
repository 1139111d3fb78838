/* sbf_logged.h - what functions without names do, by the instruction that they log: a program logs
 * "Instruction: Transfer" before it does that, and has the text among its constants. */
#ifndef TOLL_SBF_SBF_LOGGED_H
#define TOLL_SBF_SBF_LOGGED_H

#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

/* The constants that a program may read. */
typedef struct toll_sbf_constants {
    const uint8_t *data;
    size_t size;
    uint64_t address; /* where the program has them */
} toll_sbf_constants;

typedef struct toll_sbf_logged_function {
    uint32_t slot; /* where it begins */
    uint32_t name; /* in `names` */
} toll_sbf_logged_function;

typedef struct toll_sbf_logged {
    toll_mem mem;
    toll_buffer names;               /* each with a NUL */
    toll_sbf_logged_function *items; /* by slot */
    size_t count, capacity;
} toll_sbf_logged;

/* Find the functions of a program whose instructions are text[text_size]:
 * - a function that logs one instruction does that;
 * - if it logs several, it chooses between them: the function that it calls after each, and that is
 *   called nowhere else, does that one.
 * Call toll_sbf_logged_free in any case. False: no memory. Cost: O(text_size). */
bool toll_sbf_logged_find(toll_sbf_logged *logged, const toll_mem *mem, const uint8_t *text,
                          size_t text_size, const toll_sbf_constants *constants);
void toll_sbf_logged_free(toll_sbf_logged *logged);

/* The instruction of the function that begins at slot `pc`; NULL: not known. */
const char *toll_sbf_logged_name(const toll_sbf_logged *logged, uint64_t pc);

#endif
