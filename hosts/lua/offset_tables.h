/* offset_tables.h - replaces functions of Lua by ours, in modules (program and libraries) that use
 * Lua as a shared library.
 *
 * A module calls functions of another one through its global offset table. We overwrite the table's
 * entries of the functions that we replace, once. They stay overwritten, as our module stays
 * loaded. A program that has Lua linked in has no such entries, and Lua does not use them for its
 * own calls: those calls are not seen. No calls are seen on processors other than x86-64 and
 * AArch64.
 *
 * All functions may be called in any thread. */
#ifndef TOLL_LUA_OFFSET_TABLES_H
#define TOLL_LUA_OFFSET_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct host_replacement {
    const char *name; /* of a function of Lua */
    uintptr_t real;   /* its address */
    uintptr_t ours;   /* the address of the function that replaces it */
} host_replacement;

/* Replace the functions in all modules that are loaded. `list` must live as long as the process,
 * and be the same in each call. */
void host_replace_calls(const host_replacement *list, size_t count);

/* The same in modules that were loaded since the last time. Cheap if there are none. */
void host_replace_new_calls(void);

/* To be called in a process that was just forked. Had the parent other threads? */
void host_fork_tables(bool had_threads);

#endif
