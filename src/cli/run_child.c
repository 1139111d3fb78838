/* run_child.c - the guest's process. See run.h.
 *
 * A guest that reports inherits the writing end of a pipe; TOLL_RUN_REPORT is its number. Its
 * profiler sends a byte there at each step (hosts/lua/profile_files.c): L, it was loaded; W, all
 * files are written; F, one could not be written, which has been reported. */
#define _GNU_SOURCE /* pipe2 */
#include "path_programs.h"
#include "run.h"

#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- finding things ----------------------------------------------------------------------------*/

bool toll_run_find_beside(const char *const *places, const char *file, char *folder)
{
    char self[PATH_MAX / 2], path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return false;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (; *places; places++) {
        bool is_relative = **places != '/';
        const char *above = is_relative ? self : "", *slash = is_relative ? "/" : "";
        snprintf(path, sizeof path, "%s%s%s/%s", above, slash, *places, file);
        if (toll_os_is_file(path)) {
            snprintf(folder, PATH_MAX, "%s%s%s", above, slash, *places);
            return true;
        }
    }
    return false;
}

uint64_t toll_run_grow_stack(uint64_t most)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return 0;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most)
        most = limit.rlim_max;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < most) {
        limit.rlim_cur = most;
        if (setrlimit(RLIMIT_STACK, &limit) != 0)
            return 0;
    }
    return most;
}

/* --- signals -----------------------------------------------------------------------------------*/

static volatile sig_atomic_t child;
static volatile sig_atomic_t passed; /* the last signal that was passed on to the child as another
                                      * one */
static bool as_interrupts, serves;

enum { GRACE = 2 }; /* seconds */

/* Let a server end. SIGTERM is never lost, but only takes effect between two requests. So if it is
 * not enough, or at the second signal, SIGINT interrupts the request that is being handled. It is
 * not sent first: Node ends at once if SIGINT comes when a request begins or ends. */
static void end_server(int signal_number)
{
    static volatile sig_atomic_t is_asked;
    if (signal_number != SIGALRM)
        passed = signal_number;
    kill((pid_t)child, is_asked ? SIGINT : SIGTERM);
    is_asked = 1;
    alarm(GRACE);
}

/* Pass on signals that a process sent; the child receives the terminal's signals directly. */
static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (serves && child > 0) {
        end_server(signal_number);
        return;
    }
    bool changed = as_interrupts && (signal_number == SIGTERM || signal_number == SIGHUP);
    if (changed)
        passed = signal_number;
    if (child > 0 && (changed || info->si_code <= 0)) /* SI_USER, SI_QUEUE, SI_TKILL */
        kill((pid_t)child, changed ? SIGINT : signal_number);
}

static void set_signals(void)
{
    static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
    struct sigaction pass = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &pass, NULL);
    if (serves)
        sigaction(SIGALRM, &pass, NULL);
    signal(SIGPIPE, SIG_IGN); /* finish files even if no process reads what is printed meanwhile */
}

static void die_likewise(int signal_number)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal_number, &plain, NULL);
    raise(signal_number);
}

/* --- was the profile written? ------------------------------------------------------------------*/

/* What the guest has reported so far. It is read without waiting for the end of the pipe, which the
 * guest's children may keep open. */
typedef struct report {
    bool loaded, written, failed;
} report;

static report read_report(int fd)
{
    report r = { 0 };
    char bytes[256];
    ptrdiff_t n;
    while ((n = toll_os_read(fd, bytes, sizeof bytes)) > 0) {
        r.loaded |= memchr(bytes, 'L', (size_t)n) != NULL;
        r.written |= memchr(bytes, 'W', (size_t)n) != NULL;
        r.failed |= memchr(bytes, 'F', (size_t)n) != NULL;
    }
    if (n < 0 && errno != EAGAIN) {
        toll_complain(0, "cannot read what became of the profile: %s", strerror(errno));
        r.failed = true;
    }
    return r;
}

/* After the guest has ended: if no profile was written, print why and return false. */
static bool explain_failure(const toll_run *run, const toll_run_ways *ways, const char *program,
                            const report *r, bool is_new)
{
    if (r->failed)
        return false;
    if (r->written || (r->loaded && is_new))
        return true;
    if (r->loaded)
        toll_complain(0,
                      "no profile was written: %s ended by _exit or exec, which lets the profiler "
                      "do nothing more; let it end by os.exit, or at its end",
                      program);
    else
        ways->explain(run, program);
    return false;
}

/* The files before the program began. */
typedef struct marks {
    toll_run_mark output, timeline;
} marks;

/* --- the process -------------------------------------------------------------------------------*/

/* Let the guest inherit *fd, the pipe for its report, under a number that it will not use for a
 * file of its own; TOLL_RUN_REPORT has the number. *fd becomes it. False: no memory. */
static bool inherit_report(int *fd)
{
    enum { UNCOMMON = 200 };
    char number[12];
    int high = fcntl(*fd, F_DUPFD, UNCOMMON);
    high = high >= 0 ? high : fcntl(*fd, F_DUPFD, 3);
    close(*fd);
    *fd = high;
    snprintf(number, sizeof number, "%d", high);
    return setenv("TOLL_RUN_REPORT", number, 1) == 0;
}

/* In the new process: execute the guest. The kernel is asked to end it when its parent ends; if the
 * parent has already ended, getppid returns another number. */
static void become(char **argv, pid_t parent, int input_fd)
{
    if (serves) {
        setpgid(0, 0);            /* the terminal's signals come to the parent alone */
        if (isatty(STDIN_FILENO)) /* of which another process group must not read */
            dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
        _exit(127);
    if (input_fd == TOLL_RUN_INPUT)
        fcntl(input_fd, F_SETFD, 0); /* not closed by exec */
    else if (input_fd >= 0)
        dup2(input_fd, TOLL_RUN_INPUT);
    execvp(argv[0], argv);
    toll_complain(0, "cannot run %s: %s", argv[0], strerror(errno));
    _exit(127);
}

/* Does the program itself do what makes the system end it so? */
static bool is_crash(int signal_number)
{
    static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] == signal_number)
            return true;
    return false;
}

/* Programs end themselves by the other signals, too: V8 does when its memory is exhausted. */
static bool is_defect(int signal_number)
{
    return signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGILL;
}

/* A signal has ended the program, and there is no profile. A timeline in the native format has what
 * was called before. */
static void explain_death(const toll_run *run, const toll_run_ways *ways, const marks *before,
                          const char *program, int signal_number)
{
    char kept[2 * PATH_MAX] =
        "with --timeline NAME.toll-timeline what is called until shortly before is kept";
    toll_run_mark after = toll_run_mark_file(run->timeline);
    bool grows = *run->timeline && strcmp(run->timeline_format->name, "timeline") == 0;
    if (grows)
        snprintf(kept, sizeof kept, "%s %s", run->settings->timeline,
                 toll_run_is_written(&before->timeline, &after)
                     ? "has what was called until shortly before"
                     : "was not begun either");
    toll_complain(0, "no profile was written: %s %s (%s); %s%s", program,
                  is_crash(signal_number) ? "has crashed" : "was killed", strsignal(signal_number),
                  kept, is_defect(signal_number) && ways->after_crash ? ways->after_crash : "");
}

static int wait_for_child(const toll_run *run, const char *program, const toll_run_ways *ways,
                          const marks *before, int report_fd)
{
    int status;
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for %s: %s", program,
                                 strerror(errno));
    alarm(0);
    child = 0;
    toll_run_mark after = toll_run_mark_file(run->output);
    bool is_new = toll_run_is_written(&before->output, &after);
    report r = ways->reports ? read_report(report_fd) : (report){ 0 };
    int own = is_new && run->written ? run->written(run, run->written_user) : TOLL_EXIT_OK;
    if (WIFSIGNALED(status)) {
        if (!is_new && !r.failed)
            explain_death(run, ways, before, program, WTERMSIG(status));
        die_likewise(passed && WTERMSIG(status) == SIGINT ? passed : WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    bool good = !ways->reports || WEXITSTATUS(status) == 127 ||
                explain_failure(run, ways, program, &r, is_new);
    if (WEXITSTATUS(status))
        return WEXITSTATUS(status);
    return good ? own : TOLL_EXIT_BAD_INPUT;
}

int toll_run_child(const toll_run *run, char **argv, const toll_run_ways *ways)
{
    int ends[2] = { -1, -1 }, input[2] = { -1, -1 };
    int status = toll_run_check_outputs(run);
    if (status >= 0)
        return status;
    const marks before = { toll_run_mark_file(run->output), toll_run_mark_file(run->timeline) };
    if ((ways->reports && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) ||
        (ways->send && pipe2(input, O_CLOEXEC) != 0))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot make a pipe: %s", strerror(errno));
    if (ways->reports && !inherit_report(&ends[1]))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    serves = ways->serves;
    pid_t self = getpid(), pid = fork();
    if (pid < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", argv[0], strerror(errno));
    if (pid == 0)
        become(argv, self, input[0]);
    as_interrupts = ways->interrupted;
    child = pid;
    set_signals();
    if (ways->send) {
        close(input[0]);
        ways->send(run, input[1]);
        close(input[1]);
    }
    status = wait_for_child(run, argv[0], ways, &before, ends[0]);
    if (ways->reports) {
        close(ends[0]);
        close(ends[1]);
    }
    return status;
}
