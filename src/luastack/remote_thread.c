/* remote_thread.c - see remote_thread.h. */
#if defined(__linux__) && defined(__x86_64__)
#include "remote_thread.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { LEAST_STACK = 64 * 1024 }; /* for dlopen */

/* Wait until the thread stops. A signal that it gets meanwhile is handed on. False: it is gone. */
static bool await_stop(pid_t thread)
{
    int status;
    pid_t got;
    while ((got = waitpid(thread, &status, __WALL)) == thread || (got < 0 && errno == EINTR)) {
        if (got < 0)
            continue;
        if (!WIFSTOPPED(status))
            return false;
        if (status >> 16 == PTRACE_EVENT_STOP)
            return true;
        ptrace(PTRACE_CONT, thread, NULL, (void *)(uintptr_t)WSTOPSIG(status));
    }
    return false;
}

bool toll_remote_stop(pid_t thread, struct user_regs_struct *registers)
{
    return !ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) && await_stop(thread) &&
           !ptrace(PTRACE_GETREGS, thread, NULL, registers);
}

bool toll_remote_hand_on_signals(pid_t thread)
{
    int status;
    pid_t got;
    while ((got = waitpid(thread, &status, __WALL | WNOHANG)) == thread && WIFSTOPPED(status))
        ptrace(PTRACE_CONT, thread, NULL,
               (void *)(uintptr_t)(status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status)));
    return got == 0;
}

/* Does a descriptor of the process name a pipe, a socket or a device? What reads files, such as the
 * dynamic linker, may be in the middle of a change. */
static bool is_stream(pid_t pid, uint64_t descriptor)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%ld/fd/%" PRIu64, (long)pid, descriptor);
    return stat(path, &file) == 0 &&
           (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode) || S_ISCHR(file.st_mode));
}

/* Has the thread called the system to wait for something outside? Nothing of the C library is in
 * the middle of a change then. */
static bool is_waiting(pid_t pid, const struct user_regs_struct *r)
{
    static const long calls[] = { SYS_epoll_wait,     SYS_epoll_pwait,     SYS_poll,
                                  SYS_ppoll,          SYS_select,          SYS_pselect6,
                                  SYS_nanosleep,      SYS_clock_nanosleep, SYS_accept,
                                  SYS_accept4,        SYS_wait4,           SYS_rt_sigtimedwait,
                                  SYS_pause,          SYS_recvfrom,        SYS_recvmsg,
                                  SYS_restart_syscall };
    if ((long)r->orig_rax == SYS_read)
        return is_stream(pid, r->rdi);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((long)r->orig_rax == calls[i])
            return true;
    return false;
}

/* Does it run code of Lua itself? That calls the C library, but is not in the middle of it. The
 * file is Lua's library, or its interpreter. */
static bool is_in_lua(const toll_mappings *mappings, const struct user_regs_struct *r)
{
    const toll_mapping *in = toll_mapping_of(mappings, r->rip);
    const char *slash = in ? strrchr(in->path, '/') : NULL;
    return (long)r->orig_rax < 0 && slash && in->is_executable &&
           (strncmp(slash, "/lua", 4) == 0 || strncmp(slash, "/liblua", 7) == 0);
}

static bool has_stack(const toll_mappings *mappings, const struct user_regs_struct *r)
{
    const toll_mapping *in = toll_mapping_of(mappings, r->rsp);
    return in && in->is_writable && strcmp(in->path, "[heap]") != 0 &&
           r->rsp - in->begin >= LEAST_STACK;
}

bool toll_remote_may_load(const toll_mappings *mappings, const struct user_regs_struct *r,
                          bool waits_only)
{
    return has_stack(mappings, r) &&
           (is_waiting(mappings->pid, r) || (!waits_only && is_in_lua(mappings, r)));
}

bool toll_remote_is_alive(pid_t pid, pid_t thread)
{
    char text[96], state = 'X';
    snprintf(text, sizeof text, "/proc/%ld/task/%ld/stat", (long)pid, (long)thread);
    FILE *file = fopen(text, "r");
    if (file && fscanf(file, "%*d %*[^)]) %c", &state) != 1)
        state = 'X';
    if (file)
        fclose(file);
    return state != 'X' && state != 'Z';
}

#else

typedef int toll_no_remote_thread; /* a file may not be empty */

#endif
