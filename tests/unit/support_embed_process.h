/* support_embed_process.h - for tests of toll/embed.h in child processes, which end in different
 * ways. */
#ifndef TOLL_TESTS_SUPPORT_EMBED_PROCESS_H
#define TOLL_TESTS_SUPPORT_EMBED_PROCESS_H

#include "support_embed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t ticks;
static const char *out; /* the file that the child writes */
static test_function f = { "f", 0 };

static inline toll_embed *begin_at(const char *path)
{
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = path;
    o.counter = &ticks;
    return toll_embed_begin(&o);
}

/* One frame is open, and has cost 5 since the last event. */
static inline toll_embed *record(const char *path)
{
    toll_embed *e = begin_at(path);
    test_call(e, &f);
    ticks += 5;
    return e;
}

static inline void nap(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* Run `work` in a child process, which exits with 0 if `work` returns. Its standard error is the
 * file `said`. */
static inline pid_t start(void (*work)(void), const char *said)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(fd, STDERR_FILENO);
        close(fd);
        alarm(60); /* ends a test that hangs */
        work();
        exit(0);
    }
    return child;
}

static inline int status_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static inline void expect_said(const char *said, const char *text)
{
    char buffer[4096] = "";
    int fd = open(said, O_RDONLY);
    ssize_t n = read(fd, buffer, sizeof buffer - 1);
    close(fd);
    buffer[n > 0 ? n : 0] = 0;
    if (*text ? !strstr(buffer, text) : *buffer != 0)
        fail_msg("'%s', not '%s'", buffer, text);
}

/* Run `work` in a child, which must exit with 0 after printing `text`; "": nothing. */
static inline void run(void (*work)(void), const char *text)
{
    const char *said = test_file("said");
    assert_int_equal(status_of(start(work, said)), 0);
    expect_said(said, text);
}

static inline void expect_spent(const char *path, int64_t spent)
{
    toll_profile *p = test_load(path);
    assert_int_equal(test_spent(p, "ticks", "f"), spent);
    toll_profile_free(p);
}

#endif
