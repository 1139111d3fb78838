/* embed_posix.c - handles signals, forks and threads of POSIX systems. See embed_system.h. */
#include "embed/embed_system.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals, STEP_NS = 2 * 1000 * 1000 };

static void (*handler)(int signal_number); /* NULL if none is installed */
static pthread_t vm_thread;

unsigned long toll_embed_process(void)
{
    return (unsigned long)getpid();
}

void toll_embed_set_thread(void)
{
    vm_thread = pthread_self();
}

bool toll_embed_is_vm_thread(void)
{
    return pthread_equal(vm_thread, pthread_self()) != 0;
}

void toll_embed_wait_a_little(void)
{
    nanosleep(&(struct timespec){ 0, STEP_NS }, NULL);
}

void toll_embed_watch_signals(void (*on_signal)(int signal_number))
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;
    sigfillset(&ours.sa_mask); /* a second signal waits until the file is written */
    handler = on_signal;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
}

static void set_default(int signal_number)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL };
    sigaction(signal_number, &by_default, NULL);
}

void toll_embed_leave_signals(void)
{
    struct sigaction now;
    for (int i = 0; handler && i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == handler)
            set_default(signals[i]);
    handler = NULL;
}

void toll_embed_watch_forks(void (*on_fork)(void))
{
    pthread_atfork(NULL, NULL, on_fork);
}

void toll_embed_die(int signal_number)
{
    sigset_t set;
    set_default(signal_number);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
}

#endif
