/* main.c - lua_host TEST [portable]: runs one test; see host.h. */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
#endif

static const host_test *const tests[] = { &host_threads,   &host_hooks,      &host_starts,
                                          &host_collected, &host_coroutines, &host_outside,
                                          &host_memory,    &host_forks,      &host_exits,
                                          &host_late,      &host_unseen,     &host_asks };

static bool portable;

/* --- time --------------------------------------------------------------------------------------*/

static _Thread_local int64_t cpu_time_ns = 1000000000;
_Thread_local void (*host_at_clock)(void);

/* Takes the place of the C library's: the processor's time passes when a test says so. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *t)
{
    void (*at_clock)(void) = host_at_clock;
    host_at_clock = NULL;
    if (at_clock)
        at_clock();
    if (clock == CLOCK_THREAD_CPUTIME_ID) {
        *t = (struct timespec){ cpu_time_ns / 1000000000, cpu_time_ns % 1000000000 };
        return 0;
    }
    timespec_get(t, TIME_UTC);
    return 0;
}

void host_pass_time(int64_t ns)
{
    cpu_time_ns += ns;
}

/* --- states ------------------------------------------------------------------------------------*/

void host_require(bool is_right, const char *format, ...)
{
    va_list arguments;
    if (is_right)
        return;
    va_start(arguments, format);
    fprintf(stderr, "FAILED: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    _Exit(1);
}

void host_run(lua_State *L, const char *code)
{
    if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0))
        host_require(false, "%s\nin:\n%s", lua_tostring(L, -1), code);
}

int host_resume(lua_State *co, lua_State *from)
{
    (void)from;
#if LUA_VERSION_NUM >= 504
    int count;
    int status = lua_resume(co, from, 0, &count);
#elif LUA_VERSION_NUM >= 502
    int status = lua_resume(co, from, 0);
#else
    int status = lua_resume(co, 0);
#endif
    if (status == 0 || status == LUA_YIELD)
        lua_settop(co, 0);
    return status;
}

#ifdef HOST_HAS_TOLL
int luaopen_toll(lua_State *L);
#endif

void host_open(lua_State *L)
{
    luaL_openlibs(L);
#ifdef HOST_HAS_TOLL
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_toll);
    lua_setfield(L, -2, "toll");
    lua_pop(L, 2);
#else
    lua_getglobal(L, "package");
    lua_pushstring(L, HOST_MODULES "/?.so");
    lua_setfield(L, -2, "cpath");
    lua_pop(L, 1);
#endif
    lua_newtable(L);
    lua_pushstring(L, "cpu");
    lua_setfield(L, -2, "clock");
    lua_pushboolean(L, portable);
    lua_setfield(L, -2, "portable");
    lua_setglobal(L, "options");
    host_run(L, "toll = require 'toll'");
}

lua_State *host_new(void)
{
    lua_State *L = luaL_newstate();
    host_require(L != NULL, "luaL_newstate: no memory");
    host_open(L);
    return L;
}

/* --- profiles ----------------------------------------------------------------------------------*/

toll_profile *host_read(const char *path)
{
    toll_error err = { TOLL_OK, "" };
    toll_input *in;
    toll_profile *profile;
    host_require(!toll_input_open(NULL, path, &in, &err), "%s", err.text);
    host_require(!toll_profile_read(in, NULL, NULL, NULL, &profile, &err), "%s", err.text);
    toll_input_free(in);
    return profile;
}

toll_profile *host_profile(lua_State *L)
{
    char path[] = "/tmp/toll-lua-host-XXXXXX";
    int fd = mkstemp(path);
    host_require(fd >= 0, "cannot make %s", path);
    close(fd);
    lua_pushstring(L, path);
    lua_setglobal(L, "path");
    host_run(L, "toll.write(path, 'pprof')");
    toll_profile *profile = host_read(path);
    unlink(path);
    return profile;
}

static const char *name_of(const toll_profile *profile, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(profile, node);
    return frame == TOLL_NONE ? "(outside)" : toll_profile_frame(profile, frame).name;
}

int64_t host_self(const toll_profile *profile, const char *column, const char *name)
{
    uint32_t i = toll_profile_find_column(profile, column);
    int64_t sum = 0;
    for (toll_node_id n = 0; i != TOLL_NONE && n < toll_profile_node_count(profile); n++)
        if (strcmp(name_of(profile, n), name) == 0)
            sum += toll_profile_self(profile, n, i);
    return sum;
}

uint64_t host_note(const toll_profile *profile, const char *text)
{
    uint64_t count = 0, all = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(profile); i++)
        if (strncmp(toll_profile_note(profile, i, &count), text, strlen(text)) == 0)
            all += count;
    return all;
}

int main(int argc, char **argv)
{
    /* Without restartable sequences, CPU time is what the function above says. */
    if (!getenv("HOST_HAS_CLOCK") && setenv("HOST_HAS_CLOCK", "1", 1) == 0 &&
        setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1) == 0)
        execv("/proc/self/exe", argv);
    portable = argc > 2 && strcmp(argv[2], "portable") == 0;
    for (size_t i = 0; argc > 1 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i]->name, argv[1]) == 0) {
            tests[i]->run();
            return 0;
        }
    fprintf(stderr, "usage: lua_host TEST [portable]\n");
    return 2;
}
