/* process_pause.c - see process_pause.h. */
#ifdef __linux__
#include "process_pause.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum {
    INTERRUPTIONS = 3, /* of the wait for a stop, by signals to this process */
    FILE_SIZE = 2048   /* more than /proc says of a thread */
};

/* Read a file of /proc about a thread. "" if the thread is gone. */
static void read_about(pid_t pid, const char *thread, const char *name, char text[FILE_SIZE])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/%s", (long)pid, thread, name);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(text, 1, FILE_SIZE - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = 0;
}

/* What a thread does: 'R' runs, 'Z' and 'X' have ended; 0: it is gone. */
static char state_of(pid_t pid, const char *thread)
{
    char text[FILE_SIZE];
    read_about(pid, thread, "stat", text);
    const char *name_end = strrchr(text, ')'); /* a name may contain anything */
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

static bool is_traced(pid_t pid, const char *thread)
{
    char text[FILE_SIZE];
    read_about(pid, thread, "status", text);
    const char *tracer = strstr(text, "\nTracerPid:\t");
    return tracer && tracer[12] != '0';
}

/* Wait until a thread stops, and add it. */
static void await_stop(toll_pause *p, pid_t thread)
{
    int status, tries = 0;
    pid_t got;
    while ((got = waitpid(thread, &status, __WALL)) < 0 && errno == EINTR && tries < INTERRUPTIONS)
        tries++;
    if (got == thread && !WIFSTOPPED(status))
        p->running--; /* it has ended */
    if (got != thread || !WIFSTOPPED(status))
        return;
    p->threads[p->count] = thread;
    p->signals[p->count++] = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
}

void toll_process_pause(toll_pause *p, pid_t pid)
{
    char path[40];
    const struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    *p = (toll_pause){ .has_ended = true };
    while (threads && (entry = readdir(threads))) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        char state = thread > 0 ? state_of(pid, entry->d_name) : 0;
        p->has_ended &= !state || state == 'Z' || state == 'X';
        if (state != 'R')
            continue;
        bool is_seized = p->count < TOLL_MOST_PAUSED && !ptrace(PTRACE_SEIZE, thread, NULL, NULL);
        p->running += is_seized || p->count == TOLL_MOST_PAUSED ||
                      is_traced(pid, entry->d_name); /* else it is ending */
        if (is_seized && !ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
            await_stop(p, thread);
    }
    if (threads)
        closedir(threads);
}

void toll_process_resume(toll_pause *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        ptrace(PTRACE_DETACH, p->threads[i], NULL, (void *)(uintptr_t)p->signals[i]);
    p->count = 0;
}

#else

typedef int toll_no_process_pause; /* a file may not be empty */

#endif
