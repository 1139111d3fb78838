/* progress.c - a line on a terminal's standard error while work takes over a second. See
 * progress.h.
 *
 * A timer shows it, so that work that reports no progress (sorting, compressing) is shown, too. The
 * signal handler writes text that was prepared: it may not allocate or lock. */
#define _GNU_SOURCE
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <toll/error.h>
#include <unistd.h>

static char what[160];                /* "reading FILE" */
static volatile sig_atomic_t percent; /* -1: not known */
static volatile sig_atomic_t is_shown;
static bool is_on;

static void show(int signal_number)
{
    char line[200] = "\r";
    size_t n = strlen(what);
    (void)signal_number;
    memcpy(line + 1, what, n);
    n++;
    if (percent >= 0) {
        line[n++] = ' ';
        if (percent >= 100)
            line[n++] = '1';
        if (percent >= 10)
            line[n++] = (char)('0' + percent / 10 % 10);
        line[n++] = (char)('0' + percent % 10);
        line[n++] = '%';
    }
    memcpy(line + n, " \x1b[K", 4);
    is_shown = write(STDERR_FILENO, line, n + 4) > 0;
}

static void set_timer(long microseconds)
{
    struct itimerval t = { .it_value = { microseconds / 1000000, microseconds % 1000000 },
                           .it_interval = { 0, microseconds ? 250000 : 0 } };
    setitimer(ITIMER_REAL, &t, NULL);
}

void toll_progress_begin(bool is_wanted, const char *doing, const char *name)
{
    struct sigaction action = { .sa_handler = show, .sa_flags = SA_RESTART };
    if (!is_wanted || !isatty(STDERR_FILENO))
        return;
    int n = snprintf(what, sizeof what, "%s ", doing);
    toll_printable(name, what + n, sizeof what - (size_t)n);
    percent = -1;
    if (is_on) { /* the second is counted from the beginning of the first work */
        if (is_shown)
            show(0);
        return;
    }
    is_on = true;
    sigaction(SIGALRM, &action, NULL);
    set_timer(1000000);
}

void toll_progress_at(void *user, uint64_t done, uint64_t whole)
{
    (void)user;
    if (whole)
        percent = (sig_atomic_t)(done / (whole / 100 + 1));
}

void toll_progress_clear(void)
{
    if (is_shown)
        fprintf(stderr, "\r\x1b[K");
    is_shown = 0;
}

void toll_progress_end(void)
{
    if (is_on)
        set_timer(0);
    is_on = false;
    toll_progress_clear();
}
