/* process_pause.c - see process_pause.h. */
#ifdef __linux__
#include "process_pause.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

enum {
    FILE_SIZE = 512,  /* of what is read about a thread */
    YIELDS = 200,     /* before the wait for a stop sleeps: it takes some microseconds */
    MOST_SLEEPS = 400 /* of 50 us: what waits where nothing stops it is let go later */
};

/* Threads that are traced, but have not stopped, or have ended while they were stopped: each must
 * still be waited for, or it would stay as it is until this process ends. */
static pid_t pending[TOLL_MOST_PAUSED];
static uint32_t pending_count;

/* What a thread does: 'R' runs, 'Z' and 'X' have ended; 0: it is gone. */
static char state_of(pid_t pid, pid_t thread)
{
    char path[64], text[FILE_SIZE];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)pid, (long)thread);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = 0;
    const char *name_end = strrchr(text, ')'); /* a name may contain anything */
    if (!name_end || name_end[1] != ' ')
        return 0;
    return name_end[2];
}

static void let_go_later(pid_t thread)
{
    pending[pending_count++] = thread; /* there is room: list_running */
}

/* The signal that a stopped thread would have got, from its status; 0: none. */
static int signal_of(int status)
{
    return status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
}

static bool let_go(pid_t thread, int number)
{
    return !ptrace(PTRACE_DETACH, thread, NULL, (void *)(uintptr_t)number);
}

void toll_process_let_go(void)
{
    for (uint32_t i = pending_count; i-- > 0;) {
        int status;
        pid_t got = waitpid(pending[i], &status, __WALL | WNOHANG);
        bool stays =
            got == 0 || (got > 0 && WIFSTOPPED(status) && !let_go(pending[i], signal_of(status)));
        if (!stays)
            pending[i] = pending[--pending_count];
    }
}

/* Wait until a seized thread stops. Returns what waitpid returns; 0: it has not stopped yet. */
static pid_t await_stop(pid_t thread, int *status)
{
    for (int tries = 0;; tries++) {
        pid_t got = waitpid(thread, status, __WALL | WNOHANG);
        if (got || tries == YIELDS + MOST_SLEEPS)
            return got;
        if (tries < YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){ 0, 50L * 1000 }, NULL);
    }
}

/* List the threads that run; p->running counts also those for which there is no room. */
static void list_running(toll_pause *p, pid_t pid)
{
    char path[40];
    const struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    while (threads && (entry = readdir(threads))) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        char state = 0;
        if (thread > 0)
            state = state_of(pid, thread);
        p->has_ended &= !state || state == 'Z' || state == 'X';
        if (state != 'R')
            continue;
        p->running++;
        if (p->count + pending_count < TOLL_MOST_PAUSED)
            p->threads[p->count++] = thread;
    }
    if (threads)
        closedir(threads);
}

/* Trace the listed threads, before one is stopped: a thread that runs another program waits for the
 * end of the others, and whoever wants to trace it waits for that. */
static void seize(toll_pause *p, pid_t pid)
{
    uint32_t seized = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!ptrace(PTRACE_SEIZE, p->threads[i], NULL, NULL))
            p->threads[seized++] = p->threads[i];
        else if (state_of(pid, p->threads[i]) != 'R')
            p->running--; /* it has ended */
    }
    p->count = seized;
}

void toll_process_pause(toll_pause *p, pid_t pid)
{
    uint32_t stopped = 0;
    *p = (toll_pause){ .has_ended = true };
    toll_process_let_go();
    list_running(p, pid);
    seize(p, pid);
    for (uint32_t i = 0; i < p->count; i++)
        ptrace(PTRACE_INTERRUPT, p->threads[i], NULL, NULL);
    for (uint32_t i = 0; i < p->count; i++) {
        int status = 0;
        pid_t thread = p->threads[i], got = await_stop(thread, &status);
        if (got == thread && WIFSTOPPED(status)) {
            p->signals[stopped] = signal_of(status);
            p->threads[stopped++] = thread;
        } else if (got) {
            p->running--; /* it has ended */
        } else {
            let_go_later(thread);
        }
    }
    p->count = stopped;
}

void toll_process_resume(toll_pause *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (!let_go(p->threads[i], p->signals[i])) /* it was killed */
            let_go_later(p->threads[i]);
    p->count = 0;
    toll_process_let_go();
}

#else

typedef int toll_no_process_pause; /* a file may not be empty */

#endif
