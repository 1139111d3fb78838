/* lua_walk.h - reads the call stack of a Lua state out of the memory of a process, at any moment.
 *
 * It may be called in a signal's handler, or for another process: it allocates nothing, calls no
 * function of Lua, and reads through the system, so that a pointer that is not valid at this moment
 * is an error and no crash. Nearly all reads of a stack are made together, in four calls. */
#ifndef TOLL_LUA_WALK_H
#define TOLL_LUA_WALK_H

#include "lua_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TOLL_LUA_MOST_FRAMES = 200, TOLL_LUA_SHORT_SIZE = 60 /* LUA_IDSIZE */ };

/* A function that is on the stack. */
typedef struct toll_lua_frame {
    uint64_t c_function;           /* its address; 0: a Lua function, which has: */
    uint64_t source;               /* the address of its chunk's name, a string of Lua; */
    uint64_t name_hash;            /* of parts of that name: another string may get its address; */
    int32_t first_line, last_line; /* 0, and -1 or more: the main chunk */
} toll_lua_frame;

/* A stack, and what the next walk can use again. */
typedef struct toll_lua_walk {
    toll_lua_frame frames[TOLL_LUA_MOST_FRAMES]; /* the innermost first */
    uint32_t count;
    bool is_cut; /* there are more frames further out */
    const toll_lua_layout *layout;
    pid_t pid; /* the process; may be the caller's own, and then changes with a fork */
    uint64_t innermost_slot; /* of the innermost frame's function; 0: not known */
    struct toll_lua_scratch *scratch;
} toll_lua_walk;

/* A walk without frames. NULL: no memory, or there are none on this system. */
toll_lua_walk *toll_lua_walk_new(const toll_lua_layout *layout, pid_t pid);

void toll_lua_walk_free(toll_lua_walk *walk);

/* Read the stack of the lua_State at the address `state`. False: it changes at this moment, or this
 * is no lua_State. */
bool toll_lua_walk_state(toll_lua_walk *walk, uint64_t state);

/* The address of the global_State of a lua_State; 0: it cannot be read. */
uint64_t toll_lua_walk_global(const toll_lua_walk *walk, uint64_t state);

/* The coroutine that the innermost frame resumes, if that is one of the C functions `resume`
 * (coroutine.resume) and `wrap` (what coroutine.wrap returns). 0: none. */
uint64_t toll_lua_walk_resumed(const toll_lua_walk *walk, uint64_t resume, uint64_t wrap);

/* The same, whatever C function the innermost frame is of: a coroutine that runs, and that is its
 * first argument or first upvalue. So it may be one that has resumed this one. */
uint64_t toll_lua_walk_related(const toll_lua_walk *walk);

/* Read the text of a chunk's name into text[size], which ends in a NUL then; it may be cut. False:
 * it cannot be read. */
bool toll_lua_walk_text(const toll_lua_walk *walk, uint64_t source, char *text, size_t size);

/* What this version of Lua calls a chunk whose name is its text, as messages of errors do
 * (lua_Debug.short_src): [string "first line..."]. */
void toll_lua_short_source(int version, const char *text, char name[TOLL_LUA_SHORT_SIZE]);

#endif
