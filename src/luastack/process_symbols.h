/* process_symbols.h - the functions that the files in another process export, and room for code of
 * ours in it. Linux, programs of 64 bits. */
#ifndef TOLL_LUA_PROCESS_SYMBOLS_H
#define TOLL_LUA_PROCESS_SYMBOLS_H

#include "process_memory.h"

/* The address of an exported function, of the first file by address that has one; 0: none. */
uint64_t toll_process_function(const toll_mappings *mappings, const char *name);

/* Find at least `size` bytes of memory with execute permission that no file's code uses: the rest
 * of the last page of a file's code. 0: there is none. */
uint64_t toll_process_room(const toll_mappings *mappings, size_t size);

#endif
