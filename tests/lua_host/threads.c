/* threads.c - several OS threads, each with states of its own, start and stop again and again. */
#include "../open_files.h"
#include "host.h"

#include <pthread.h>

enum { THREADS = 4, STATES = 3, STARTS = 10 };

static void record_in_new_state(void)
{
    lua_State *L = host_new();
    host_run(L, "function leaf() return 1 end");
    for (int i = 0; i < STARTS; i++)
        host_run(L, "toll.start(options) for i = 1, 10 do leaf() end toll.stop()");
    toll_profile *profile = host_profile(L);
    int64_t calls = host_self(profile, "calls", "leaf");
    host_require(calls == 10, "a thread recorded %lld calls, not 10", (long long)calls);
    toll_profile_free(profile);
    lua_close(L);
}

static void *record(void *unused)
{
    (void)unused;
    for (int i = 0; i < STATES; i++)
        record_in_new_state();
    return NULL;
}

static void run(void)
{
    pthread_t threads[THREADS];
    size_t before = test_open_files();
    for (int i = 0; i < THREADS; i++)
        host_require(!pthread_create(&threads[i], NULL, record, NULL), "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    size_t after = test_open_files();
    host_require(after == before, "%zu files are open, %zu were", after, before);
}

const host_test host_threads = { "threads", run };
