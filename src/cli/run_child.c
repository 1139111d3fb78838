/* run_child.c - the guest's process. See run.h. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- finding things ----------------------------------------------------------------------------*/

bool toll_run_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool toll_run_is_program(const char *name)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t n = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
        if (toll_run_is_file(file) && access(file, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

bool toll_run_find_beside(const char *const *places, const char *file, char *folder)
{
    char self[PATH_MAX / 2], path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return false;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (; *places; places++) {
        snprintf(path, sizeof path, "%s/%s/%s", self, *places, file);
        if (toll_run_is_file(path)) {
            snprintf(folder, PATH_MAX, "%s/%s", self, *places);
            return true;
        }
    }
    return false;
}

bool toll_run_ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* --- the process -------------------------------------------------------------------------------*/

static volatile sig_atomic_t child;
static volatile sig_atomic_t passed; /* the last signal that came as another one to the child */
static bool as_interrupts;

/* The terminal's signals reach the child by themselves; those that somebody sent to us are passed
 * on. */
static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
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
}

static void die_likewise(int signal_number)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal_number, &plain, NULL);
    raise(signal_number);
}

/* When the file was written, and which it is. */
typedef struct mark {
    bool is_there;
    struct stat st;
} mark;

static mark mark_of(const char *path)
{
    mark m;
    m.is_there = stat(path, &m.st) == 0;
    return m;
}

static bool is_written(const mark *before, const mark *after)
{
    return after->is_there &&
           (!before->is_there || after->st.st_ino != before->st.st_ino ||
            after->st.st_mtim.tv_sec != before->st.st_mtim.tv_sec ||
            after->st.st_mtim.tv_nsec != before->st.st_mtim.tv_nsec || !S_ISREG(after->st.st_mode));
}

static int wait_for_child(const char *program, const char *output, const mark *before,
                          const char *hint)
{
    int status;
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for %s: %s", program,
                                 strerror(errno));
    mark after = mark_of(output);
    if (!is_written(before, &after) && WIFSIGNALED(status))
        toll_complain(0, "no profile was written: %s was killed by a signal", program);
    else if (!is_written(before, &after) && WEXITSTATUS(status) != 127 && hint)
        toll_complain(0, "no profile was written: %s %s", program, hint);
    if (WIFSIGNALED(status))
        die_likewise(passed && WTERMSIG(status) == SIGINT ? passed : WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int toll_run_child(char **argv, const char *output, const char *hint, bool interrupts)
{
    mark before = mark_of(output);
    as_interrupts = interrupts;
    pid_t pid = fork();
    if (pid < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        execvp(argv[0], argv);
        toll_complain(0, "cannot run %s: %s", argv[0], strerror(errno));
        _exit(127);
    }
    child = pid;
    set_signals();
    return wait_for_child(argv[0], output, &before, hint);
}
