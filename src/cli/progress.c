/* progress.c - see progress.h.
 *
 * A timer shows it, so that work that reports no progress (sorting, compressing) is shown, too. The
 * timer's function writes text that was prepared: it must not allocate or lock. */
#include "progress.h"

#include "base/os.h"
#include "console.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <toll/error.h>

static char what[160];                /* "reading FILE" */
static volatile sig_atomic_t percent; /* -1: not known */
static volatile sig_atomic_t is_shown;
static bool is_on;

static void show(void)
{
    char line[200] = "\r";
    size_t n = strlen(what);
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
    is_shown = toll_os_write(TOLL_STDERR, line, n + 4) > 0;
}

void toll_progress_begin(bool is_wanted, const char *doing, const char *name)
{
    if (!is_wanted || !toll_console_is_terminal(TOLL_STDERR))
        return;
    int n = snprintf(what, sizeof what, "%s ", doing);
    toll_printable(name, what + n, sizeof what - (size_t)n);
    percent = -1;
    if (is_on) { /* the second counts from the beginning of the first work */
        if (is_shown)
            show();
        return;
    }
    is_on = true;
    toll_console_start_timer(show);
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
        toll_console_stop_timer();
    is_on = false;
    toll_progress_clear();
}
