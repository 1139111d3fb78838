/* control_signal.c - see control_signal.h. */
#define _GNU_SOURCE /* syscall */
#include "control_signal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int host_control_signal(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = { { "USR1", SIGUSR1 },
                    { "USR2", SIGUSR2 },
                    { "URG", SIGURG },
                    { "WINCH", SIGWINCH },
                    { "IO", SIGIO } };
    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(name, signals[i].name) == 0)
            return signals[i].number;
    char *end;
    long number = strtol(name, &end, 10);
    return *name && !*end && number >= SIGRTMIN && number <= SIGRTMAX ? (int)number : 0;
}

bool host_handle_signal(int signal_number, host_signal_handler *handler, toll_error *err)
{
    struct sigaction ours = { .sa_sigaction = handler, .sa_flags = SA_RESTART | SA_SIGINFO }, now;
    sigfillset(&ours.sa_mask);
    if (sigaction(signal_number, NULL, &now)) {
        *err = (toll_error){ TOLL_E_ARGUMENT, "there is no such signal" };
        return false;
    }
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handler)
        return true;
    if (now.sa_flags & SA_SIGINFO || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)) {
        *err = (toll_error){ TOLL_E_UNSUPPORTED, "" };
        snprintf(err->text, sizeof err->text,
                 "the program itself handles signal %d (%s); choose another one", signal_number,
                 strsignal(signal_number));
        return false;
    }
    sigaction(signal_number, &ours, NULL);
    return true;
}

bool host_has_handler(int signal_number, host_signal_handler *handler)
{
    struct sigaction now;
    return !sigaction(signal_number, NULL, &now) && now.sa_flags & SA_SIGINFO &&
           now.sa_sigaction == handler;
}

static char mark; /* its address is the value of a signal that was passed on */

void host_pass_on(int signal_number, pid_t thread)
{
    siginfo_t info = { .si_signo = signal_number, .si_code = SI_QUEUE };
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = &mark;
    syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, signal_number, &info);
}

bool host_is_passed_on(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE && info->si_pid == getpid() &&
           info->si_value.sival_ptr == (void *)&mark;
}
