/* threads.c - a thread frees what the main one has allocated, and allocates blocks that leak. */
#include <emscripten.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { FREED = 1000, LEFT = 3000 };

static void *volatile from_main, *volatile from_thread;
static atomic_int done;

EMSCRIPTEN_KEEPALIVE void allocate(void)
{
    from_main = malloc(FREED);
}

static void *work(void *unused)
{
    free(from_main);
    from_thread = malloc(LEFT);
    done = 1;
    return unused;
}

EMSCRIPTEN_KEEPALIVE int start(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, work, NULL) || pthread_detach(thread);
}

EMSCRIPTEN_KEEPALIVE int is_done(void)
{
    return done;
}

int main(void)
{
    return 0;
}
