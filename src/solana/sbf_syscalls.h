/* sbf_syscalls.h - the system calls of Solana's VM by the hash in their call instruction. */
#ifndef TOLL_SOLANA_SBF_SYSCALLS_H
#define TOLL_SOLANA_SBF_SYSCALLS_H

#include <stdint.h>

typedef enum toll_sbf_syscall_kind {
    TOLL_SBF_OTHER,
    TOLL_SBF_LOG,   /* one line `Program log: ...` */
    TOLL_SBF_INVOKE /* runs another program */
} toll_sbf_syscall_kind;

typedef struct toll_sbf_syscall {
    uint32_t hash; /* 32-bit murmur3 of the name */
    toll_sbf_syscall_kind kind;
    uint32_t least; /* compute units, at least, by the runtime's default cost table */
    const char *name;
} toll_sbf_syscall;

/* NULL: none known of that hash. O(log of the table). Any thread. */
const toll_sbf_syscall *toll_sbf_syscall_find(uint32_t hash);

/* The table, sorted by hash: 0, 1, ... until NULL. */
const toll_sbf_syscall *toll_sbf_syscall_at(unsigned i);

#endif
