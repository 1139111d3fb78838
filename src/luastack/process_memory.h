/* process_memory.h - the memory of another process: its mappings, and what is in them. Linux. */
#ifndef TOLL_LUA_PROCESS_MEMORY_H
#define TOLL_LUA_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct toll_mapping {
    uint64_t begin, end, offset; /* addresses; the place in the file */
    uint64_t device, inode;      /* inode 0: no file */
    bool is_readable, is_writable, is_executable, is_shared;
    char path[256]; /* cut; "": anonymous; "[heap]" */
} toll_mapping;

/* What differs between a process and a later one of the same number, and between its program and
 * the next one that it executes. */
typedef struct toll_process_program {
    unsigned long long start; /* since the system's boot, in ticks */
    uint8_t vector[512];      /* auxv: where its parts and its random bytes are */
    size_t vector_size;
} toll_process_program;

typedef struct toll_mappings {
    pid_t pid;
    toll_process_program program;
    toll_mapping *list; /* by address */
    size_t count;
} toll_mappings;

/* Read /proc/PID/maps. False: there is no such process, it is not ours, or no memory (errno). The
 * caller frees them in any case. */
bool toll_mappings_read(toll_mappings *mappings, pid_t pid);
void toll_mappings_free(toll_mappings *mappings);

/* Is the process still the one, and does it run the program, of which they were read? */
bool toll_mappings_are_current(const toll_mappings *mappings);

/* The mapping that has an address; NULL: none. */
const toll_mapping *toll_mapping_of(const toll_mappings *mappings, uint64_t address);

/* Read memory. False: not all of it can be read (errno). */
bool toll_process_read(pid_t pid, uint64_t address, void *out, size_t size);

/* Call `look` for the bytes of a mapping, part by part; parts overlap by `overlap` bytes, so that
 * what is shorter is whole in one of them. Ends when `look` returns false, or nothing more can be
 * read. `look` gets the address of the part, which is one of 16. */
typedef bool toll_look(void *user, uint64_t address, const uint8_t *bytes, size_t size);
void toll_mapping_look(pid_t pid, const toll_mapping *mapping, size_t overlap, toll_look *look,
                       void *user);

#endif
