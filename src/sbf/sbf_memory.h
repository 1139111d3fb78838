/* sbf_memory.h - what a register trace shows of a program's memory: the words that it has stored.
 *
 * Prices of some system calls depend on lengths in memory, which programs store there shortly
 * before. This is a cache of the last words that were stored, by address; a word that is not in it,
 * or that something else may have changed since, is unknown, never wrong.
 *
 * A byte that a system call wrote is known once the program loads it: it is watched. */
#ifndef TOLL_SBF_SBF_MEMORY_H
#define TOLL_SBF_SBF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLL_SBF_MEMORY_WORDS = 4096, TOLL_SBF_WATCHED = 16 };

typedef struct toll_sbf_memory {
    uint64_t words[TOLL_SBF_MEMORY_WORDS]; /* addresses / 8 */
    uint64_t values[TOLL_SBF_MEMORY_WORDS];
    uint8_t known[TOLL_SBF_MEMORY_WORDS]; /* a bit for each byte */
    struct {
        uint64_t address;
        size_t tag;
    } watched[TOLL_SBF_WATCHED];
    unsigned watched_count;
    void *user;
    void (*loaded)(void *user, size_t tag, uint8_t value); /* of a watched byte */
} toll_sbf_memory;

/* Forget everything. */
void toll_sbf_memory_clear(toll_sbf_memory *memory);

/* The instruction `insn`, a load or store of versions 0, 1 and 3 of the machine (others are passed
 * over), with the registers before it; those after it follow them. O(1). */
void toll_sbf_memory_store(toll_sbf_memory *memory, const uint8_t *insn, const uint8_t *regs);
void toll_sbf_memory_load(toll_sbf_memory *memory, const uint8_t *insn, const uint8_t *regs);

/* What system calls do. `size` may be anything: the work is bounded. */
void toll_sbf_memory_forget(toll_sbf_memory *memory, uint64_t address, uint64_t size);
void toll_sbf_memory_copy(toll_sbf_memory *memory, uint64_t to, uint64_t from, uint64_t size);
void toll_sbf_memory_fill(toll_sbf_memory *memory, uint64_t to, uint8_t byte, uint64_t size);

/* Forget what another program may change: accounts. */
void toll_sbf_memory_forget_accounts(toll_sbf_memory *memory);

/* Call memory->loaded when this byte, which has just been written, is loaded. If too many are
 * watched, the oldest is dropped. */
void toll_sbf_memory_watch(toll_sbf_memory *memory, uint64_t address, size_t tag);

/* The 64 bits at `address`; false: not known. */
bool toll_sbf_memory_read(const toll_sbf_memory *memory, uint64_t address, uint64_t *out);

#endif
