/* exits.c - one thread ends the process, and writes the files of another one that sleeps. The other
 * thread wakes up in the middle of that: from then on it is no longer recorded. */
#include "host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 10, STEP_US = 2000, STEPS = 100 };

/* All of them are read and written relaxed, so that ThreadSanitizer takes none of them for what
 * orders the two threads. */
static atomic_bool is_asleep, is_awake, is_done;

static bool look(atomic_bool *at)
{
    return atomic_load_explicit(at, memory_order_relaxed);
}

static void set(atomic_bool *at)
{
    atomic_store_explicit(at, true, memory_order_relaxed);
}

/* --- the thread that records -------------------------------------------------------------------*/

static lua_Alloc lua_alloc;
static bool sleeps_soon;

/* Lua's allocator. The thread sleeps in here, since no event of the profiler follows from that, as
 * one does when a C function returns. */
static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    if (sleeps_soon) {
        sleeps_soon = false;
        set(&is_asleep);
        while (!look(&is_awake))
            usleep(STEP_US);
    }
    return lua_alloc(user, block, old_size, new_size);
}

static int sleep_soon(lua_State *L)
{
    (void)L;
    sleeps_soon = true;
    return 0;
}

static void *record(void *code)
{
    lua_State *L = host_new();
    void *user;
    lua_alloc = lua_getallocf(L, &user);
    lua_setallocf(L, allocate, user);
    lua_register(L, "sleep_soon", sleep_soon);
    host_run(L, code);
    set(&is_done);
    for (;;) /* until the process ends */
        pause();
    return NULL;
}

/* --- the thread that ends the process ----------------------------------------------------------*/

/* The clock is read, for the last time in the recording. */
static void wake_the_other(void)
{
    set(&is_awake);
    for (int i = 0; i < STEPS && !look(&is_done); i++)
        usleep(STEP_US);
}

static void end_process(void *code)
{
    pthread_t thread;
    host_require(!pthread_create(&thread, NULL, record, code), "no thread");
    while (!look(&is_asleep) && !look(&is_done))
        usleep(STEP_US);
    host_require(look(&is_asleep), "nothing was allocated, or freed");
    host_at_clock = wake_the_other;
    exit(0);
}

/* `wakes` is what runs after the sleep, which its first allocation is. */
static void end_a_recording(const char *file, const char *clock, const char *wakes)
{
    char code[512];
    int status;
    snprintf(code, sizeof code,
             "options.output = '%s' options.clock = '%s' toll.start(options) "
             "local function leaf() end\n"
             "collectgarbage() "
             "for i = 1, %d do leaf(); (function() return i end)() end "
             "sleep_soon() %s",
             file, clock, CALLS, wakes);
    pid_t child = fork();
    if (child == 0)
        end_process(code);
    host_require(child > 0 && waitpid(child, &status, 0) == child, "no child");
    host_require(status == 0, "%s: the process ended with status %#x", wakes, (unsigned)status);
    toll_profile *profile = host_read(file);
    int64_t calls = host_self(profile, "calls", "leaf");
    host_require(calls == CALLS, "%s, %s: %lld calls, not %d", clock, wakes, (long long)calls,
                 CALLS);
    toll_profile_free(profile);
    unlink(file);
}

static void run(void)
{
    char folder[] = "/tmp/toll-lua-host-XXXXXX", file[64];
    host_require(mkdtemp(folder) != NULL, "cannot make %s", folder);
    snprintf(file, sizeof file, "%s/it.pb.gz", folder);
    end_a_recording(file, "cpu", "local t = {} leaf()"); /* an event, */
    end_a_recording(file, "wall", "local t = {} leaf()");
    end_a_recording(file, "cpu", "collectgarbage()"); /* functions that are freed */
    rmdir(folder);
}

const host_test host_exits = { "exits", run };
