/* forks.c - a process is forked while another thread is in the middle of an event. In the forked
 * process that event never ends; a signal must still end the process. */
#include "host.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 10 };

static atomic_bool is_done;

static int go_on(lua_State *L)
{
    lua_pushboolean(L, !atomic_load(&is_done));
    return 1;
}

static void *record(void *file)
{
    lua_State *L = host_new();
    lua_register(L, "go_on", go_on);
    lua_pushstring(L, file);
    lua_setglobal(L, "file");
    host_run(L, "options.output = file toll.start(options) local function leaf() end "
                "while go_on() do leaf() leaf() leaf() leaf() end toll.stop()");
    lua_close(L);
    return NULL;
}

static void run(void)
{
    char folder[] = "/tmp/toll-lua-host-XXXXXX", file[64];
    pthread_t thread;
    host_require(mkdtemp(folder) != NULL, "cannot make %s", folder);
    snprintf(file, sizeof file, "%s/it.folded", folder);
    host_require(!pthread_create(&thread, NULL, record, file), "no thread");
    usleep(100000);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        int status;
        if (child == 0) {
            alarm(20); /* ends a child that SIGTERM does not end */
            raise(SIGTERM);
            exit(0);
        }
        host_require(child > 0 && waitpid(child, &status, 0) == child, "no child");
        host_require(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM,
                     "a child has status %#x, not that of SIGTERM", (unsigned)status);
    }
    atomic_store(&is_done, true);
    pthread_join(thread, NULL);
    unlink(file);
    rmdir(folder);
}

const host_test host_forks = { "forks", run };
