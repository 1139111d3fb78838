/* host.h - for tests of C programs that contain Lua: makes states that can load the profiler, and
 * reads their profiles. A test is a function that returns if it passes; a failure ends the program
 * with a message and status 1. */
#ifndef TOLL_TEST_LUA_HOST_H
#define TOLL_TEST_LUA_HOST_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdbool.h>
#include <stdint.h>
#include <toll/toll.h>

typedef struct host_test {
    const char *name;
    void (*run)(void);
} host_test;

extern const host_test host_threads, host_hooks, host_collected, host_coroutines, host_outside,
    host_memory, host_forks, host_exits, host_late, host_unseen, host_starts, host_asks;

/* A state with the standard libraries and `toll`, whose option table is the global `options`. */
lua_State *host_new(void);

/* The same for a state that is there. */
void host_open(lua_State *L);

/* Run a chunk, which must not fail. */
void host_run(lua_State *L, const char *code);

/* Resume, with no arguments; the status, as every Lua since 5.2 has it. What was yielded or
 * returned is taken off. */
int host_resume(lua_State *co, lua_State *from);

void host_require(bool is_right, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was recorded last, the caller's to free. */
toll_profile *host_profile(lua_State *L);

/* The profile in a file, the caller's to free. */
toll_profile *host_read(const char *path);

/* The sum of a column over all frames of that name; "(outside)" is what no frame was charged. */
int64_t host_self(const toll_profile *profile, const char *column, const char *name);

/* The count of the note that begins with `text`; 0: there is none. */
uint64_t host_note(const toll_profile *profile, const char *text);

/* Called when this thread next reads a clock; NULL: nothing is. */
extern _Thread_local void (*host_at_clock)(void);

/* The clock of toll.start { clock = "cpu" } goes on by that. */
__attribute__((visibility("default"))) void host_pass_time(int64_t ns); /* modules call it, too */

#endif
