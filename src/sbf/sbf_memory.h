/* sbf_memory.h - a cache of the words that a program has stored, as far as a register trace shows
 * them.
 *
 * Prices of some system calls depend on lengths in memory, which programs store there shortly
 * before. The cache has the last stored words, by address. A word that is not in it, or that may
 * have been changed otherwise, is unknown, never wrong.
 *
 * A byte that a system call wrote becomes known when the program loads it: it is watched. */
#ifndef TOLL_SBF_SBF_MEMORY_H
#define TOLL_SBF_SBF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLL_SBF_MEMORY_WORDS = 4096, TOLL_SBF_WATCHED = 16 };

typedef struct toll_sbf_memory {
    uint64_t words[TOLL_SBF_MEMORY_WORDS]; /* addresses / 8 */
    uint64_t values[TOLL_SBF_MEMORY_WORDS];
    uint8_t known[TOLL_SBF_MEMORY_WORDS]; /* a bit for each known byte */
    struct {
        uint64_t address;
        size_t tag;
    } watched[TOLL_SBF_WATCHED];
    unsigned watched_count;
    void *user;
    void (*loaded)(void *user, size_t tag, uint8_t value); /* called when a watched byte is
                                                            * loaded */
} toll_sbf_memory;

/* Forget everything. */
void toll_sbf_memory_clear(toll_sbf_memory *memory);

/* Execute `insn`, a load or store of versions 0, 1 and 3 of the machine (others are ignored).
 * `regs` are the registers before it, followed by those after it. O(1). */
void toll_sbf_memory_store(toll_sbf_memory *memory, const uint8_t *insn, const uint8_t *regs);
void toll_sbf_memory_load(toll_sbf_memory *memory, const uint8_t *insn, const uint8_t *regs);

/* The effects of system calls. `size` may be any number: the work is bounded. */
void toll_sbf_memory_forget(toll_sbf_memory *memory, uint64_t address, uint64_t size);
void toll_sbf_memory_copy(toll_sbf_memory *memory, uint64_t to, uint64_t from, uint64_t size);
void toll_sbf_memory_fill(toll_sbf_memory *memory, uint64_t to, uint8_t byte, uint64_t size);

/* Forget what another program may change: accounts. */
void toll_sbf_memory_forget_accounts(toll_sbf_memory *memory);

/* Call memory->loaded when this byte, which was just written, is loaded. If too many bytes are
 * watched, the oldest is dropped. */
void toll_sbf_memory_watch(toll_sbf_memory *memory, uint64_t address, size_t tag);

/* Get the 64 bits at `address`. False: not known. */
bool toll_sbf_memory_read(const toll_sbf_memory *memory, uint64_t address, uint64_t *out);

#endif
