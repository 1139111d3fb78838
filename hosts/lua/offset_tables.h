/* offset_tables.h - functions of ours in place of Lua's, for the modules (program and libraries)
 * that call Lua as a shared library.
 *
 * A module calls another one's functions through its global offset table. The entries of the
 * functions that are to be replaced are overwritten in memory, once, and stay so, as our module
 * does. A program with Lua linked in has no such entries, nor does Lua need them to call itself:
 * those calls are not seen. Nor are they on other machines than x86-64 and AArch64.
 *
 * All functions may be called in any thread. */
#ifndef TOLL_LUA_OFFSET_TABLES_H
#define TOLL_LUA_OFFSET_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct host_replacement {
    const char *name; /* of a function of Lua's */
    uintptr_t real;   /* its address, and */
    uintptr_t ours;   /* that of the function which is called in its place */
} host_replacement;

/* Replaces the functions in all modules that are loaded. `list` must live as long as the process,
 * and be the same in each call. */
void host_replace_calls(const host_replacement *list, size_t count);

/* The same in modules that were loaded since, if there are any; cheap if not. */
void host_replace_new_calls(void);

/* To be called in a process that was just forked. Had the parent other threads? */
void host_fork_tables(bool had_threads);

#endif
