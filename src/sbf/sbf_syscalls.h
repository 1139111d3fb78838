/* sbf_syscalls.h - the table of system calls of Solana's VM, by the hash in their call
 * instruction. */
#ifndef TOLL_SBF_SBF_SYSCALLS_H
#define TOLL_SBF_SBF_SYSCALLS_H

#include "sbf/sbf_price.h"

#include <stdint.h>

typedef enum toll_sbf_syscall_kind {
    TOLL_SBF_OTHER,
    TOLL_SBF_LOG,       /* writes one line `Program log: ...` */
    TOLL_SBF_INVOKE,    /* runs another program */
    TOLL_SBF_UNITS,     /* writes one line `Program consumption: NUMBER units remaining` */
    TOLL_SBF_REMAINING, /* returns that number */
    TOLL_SBF_FIND,      /* writes a bump to the address in r5 */
    TOLL_SBF_COPY,
    TOLL_SBF_FILL
} toll_sbf_syscall_kind;

typedef struct toll_sbf_syscall {
    uint32_t hash; /* 32-bit murmur3 of the name */
    toll_sbf_syscall_kind kind;
    /* The register that has the address of the memory that the call writes (0: it writes none), and
     * how many bytes at most; 0: not known. */
    uint8_t result;
    uint16_t result_size;
    toll_sbf_price_fn price;
    uint16_t detail; /* see toll_sbf_price_fn */
    const char *name;
} toll_sbf_syscall;

/* Find a system call; NULL: the hash is not known. O(log of the table). Any thread. */
const toll_sbf_syscall *toll_sbf_syscall_find(uint32_t hash);

/* The table, sorted by hash: 0, 1, ... until NULL. */
const toll_sbf_syscall *toll_sbf_syscall_at(unsigned i);

/* Apply a call to `memory`: what the call changed becomes unknown. `syscall` may be NULL. */
void toll_sbf_syscall_changes(const toll_sbf_syscall *syscall, const toll_sbf_args *args,
                              toll_sbf_memory *memory);

#endif
