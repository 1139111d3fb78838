/* console_posix.c - implements console.h on POSIX systems: arguments, terminal and timer. */
#define _GNU_SOURCE /* setitimer */
#include "console.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

static void (*timer_work)(void);

void toll_console_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void toll_console_end_with_readers(void)
{
    signal(SIGPIPE, SIG_DFL);
}

bool toll_console_is_terminal(int fd)
{
    return isatty(fd);
}

unsigned toll_console_width(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
    timer_work();
}

void toll_console_start_timer(void (*work)(void))
{
    struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
    struct itimerval t = { .it_value = { 1, 0 }, .it_interval = { 0, 250000 } };
    timer_work = work;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &t, NULL);
}

void toll_console_stop_timer(void)
{
    struct itimerval t = { .it_interval = { 0, 0 } };
    setitimer(ITIMER_REAL, &t, NULL);
}

#endif
