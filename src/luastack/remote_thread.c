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
#include <time.h>

enum {
    LEAST_STACK = 64 * 1024, /* for dlopen */
    MOST_STOP_MS = 5000      /* a thread may wait where nothing stops it, as for a file server */
};

/* Wait until the thread stops. A signal that it gets meanwhile is handed on. False: it is gone, or
 * does not stop. */
static bool await_stop(pid_t thread)
{
    int status;
    for (int tenth = 0; tenth < 10 * MOST_STOP_MS; tenth++) { /* of a ms */
        pid_t got = waitpid(thread, &status, __WALL | WNOHANG);
        if (got < 0 && errno != EINTR)
            return false;
        if (got != thread) {
            nanosleep(&(struct timespec){ 0, 100L * 1000 }, NULL);
            continue;
        }
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

/* The number of the call of the system that the thread is in. One that a stop has interrupted
 * before goes on as restart_syscall: then its number is in the instruction before (mov $N, %eax).
 */
static long system_call(pid_t pid, const struct user_regs_struct *r)
{
    uint8_t code[7]; /* those two instructions */
    int32_t number;
    if ((long)r->orig_rax != SYS_restart_syscall)
        return (long)r->orig_rax;
    if (!toll_process_read(pid, r->rip - sizeof code, code, sizeof code) || code[0] != 0xb8 ||
        code[5] != 0x0f || code[6] != 0x05)
        return SYS_restart_syscall;
    memcpy(&number, code + 1, sizeof number);
    return number;
}

/* Has the thread called the system to wait for something outside? Nothing of the C library is in
 * the middle of a change then. */
static bool is_waiting(pid_t pid, const struct user_regs_struct *r)
{
    static const long calls[] = { SYS_epoll_wait, SYS_epoll_pwait,     SYS_poll,
                                  SYS_ppoll,      SYS_select,          SYS_pselect6,
                                  SYS_nanosleep,  SYS_clock_nanosleep, SYS_accept,
                                  SYS_accept4,    SYS_wait4,           SYS_rt_sigtimedwait,
                                  SYS_pause,      SYS_recvfrom,        SYS_recvmsg };
    long call = system_call(pid, r);
    if (call == SYS_read)
        return is_stream(pid, r->rdi);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (call == calls[i])
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

/* Is it on the stack that the system or the C library has made for the thread, with room? The
 * latter has the thread's own variables at its end. Others, of coroutines or signals, may be
 * smaller than the memory around them. */
static bool has_stack(const toll_mappings *mappings, const struct user_regs_struct *r)
{
    const toll_mapping *in = toll_mapping_of(mappings, r->rsp);
    bool is_own =
        in && (strcmp(in->path, "[stack]") == 0 || (r->fs_base > r->rsp && r->fs_base < in->end));
    return is_own && in->is_writable && r->rsp - in->begin >= LEAST_STACK;
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
