/* lua_find.h - finds the Lua in another process: its version, and its states. Linux. */
#ifndef TOLL_LUA_FIND_H
#define TOLL_LUA_FIND_H

#include "lua_layout.h"
#include "process_memory.h"

enum { TOLL_MOST_LUA_STATES = 64 };

/* Versions that a process contains: bits. */
typedef enum toll_lua_versions {
    TOLL_LUA_51 = 1,
    TOLL_LUA_52 = 2,
    TOLL_LUA_53 = 4,
    TOLL_LUA_54 = 8,
    TOLL_LUA_JIT = 16
} toll_lua_versions;

struct toll_lua_stacks;

/* A Lua state: its main thread. */
typedef struct toll_lua_state {
    uint64_t address;
    const toll_lua_layout *layout;
} toll_lua_state;

typedef struct toll_lua_states {
    toll_lua_state list[TOLL_MOST_LUA_STATES];
    uint32_t count;
    bool is_cut; /* there are more */
} toll_lua_states;

/* What is known of files that several processes have mapped: none is searched twice. All 0: nothing
 * so far. */
typedef struct toll_lua_files {
    struct toll_lua_file *list;
    size_t count, room;
} toll_lua_files;

void toll_lua_files_free(toll_lua_files *files);

/* Which versions of Lua does the process contain? Each has its name in its program or library. */
unsigned toll_lua_versions_in(const toll_mappings *mappings, toll_lua_files *files);

/* Find the states of these versions. LuaJIT's are not among them. */
void toll_lua_find_states(const toll_mappings *mappings, unsigned versions,
                          toll_lua_states *states);

/* Find those of LuaJIT, whose stacks cannot be read: they have no layout. */
void toll_lua_find_jit_states(const toll_mappings *mappings, toll_lua_states *states);

/* Is there still a state, as it was found? */
bool toll_lua_is_state(pid_t pid, const toll_lua_state *state);

/* Find a coroutine of a state, whose global_State is at `global`, that the host has resumed and
 * that runs now: C code that runs it has its address on a stack of the process. 0: none was found.
 */
uint64_t toll_lua_find_running(const toll_mappings *mappings, const toll_lua_layout *layout,
                               uint64_t global, struct toll_lua_stacks *stacks);

/* Memory for that, for one call after the other. NULL: no memory. */
struct toll_lua_stacks *toll_lua_stacks_new(void);
void toll_lua_stacks_free(struct toll_lua_stacks *stacks);

/* "Lua 5.1, LuaJIT" */
const char *toll_lua_versions_text(unsigned versions, char text[64]);

#endif
