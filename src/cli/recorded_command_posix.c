/* recorded_command_posix.c - starts the command and waits for it. See recorded_command.h. */
#define _GNU_SOURCE /* mkdtemp, wait4 */
#include "recorded_command.h"

#include "base/os.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the command -------------------------------------------------------------------------------*/

bool toll_has_profile_place(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strstr(argv[i], "{}"))
            return true;
    return false;
}

/* Copy an argument with the profile's path in place of each {}. NULL: no memory. */
static char *with_profile(const toll_recorded_command *c, const char *text, toll_buffer *made)
{
    const char *place;
    toll_buffer_init(made, &c->job->allocator);
    while ((place = strstr(text, "{}")) != NULL) {
        toll_buffer_append(made, text, (size_t)(place - text));
        toll_buffer_append_text(made, c->profile);
        text = place + 2;
    }
    toll_buffer_append_text(made, text);
    return (char *)toll_buffer_cstr(made);
}

static bool make_line(toll_recorded_command *c, const char *const *own, int argc, char **argv)
{
    size_t n = 0;
    for (n = 0; own && own[n]; n++)
        ;
    c->count = n + (size_t)argc;
    c->line = calloc(c->count + 1, sizeof *c->line);
    c->made = calloc(c->count, sizeof *c->made);
    if (!c->line || !c->made)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        c->line[i] = with_profile(c, i < n ? own[i] : argv[i - n], &c->made[i]);
        if (!c->line[i])
            return false;
    }
    return true;
}

static int make_folder(toll_recorded_command *c)
{
    const char *temporary = getenv("TMPDIR");
    int n = snprintf(c->folder, sizeof c->folder, "%s/toll-XXXXXX",
                     temporary && *temporary ? temporary : "/tmp");
    if (n < 0 || (size_t)n >= sizeof c->folder || !mkdtemp(c->folder)) {
        *c->folder = 0;
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "cannot make a folder for profiles: %s; set "
                             "TMPDIR to one that can be written",
                             strerror(errno));
    }
    snprintf(c->profile, sizeof c->profile, "%s/run.pb.gz", c->folder);
    return TOLL_EXIT_OK;
}

/* --- signals -----------------------------------------------------------------------------------*/

static const int signals[] = { SIGINT, SIGTERM };
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t child, interrupted; /* the run's process; the last signal */
static struct sigaction before[SIGNALS];
static unsigned open_commands;

/* The terminal sends its signals to the run, too. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    interrupted = number;
    if (child > 0 && info->si_code <= 0) /* SI_USER, SI_QUEUE, SI_TKILL */
        kill((pid_t)child, number);
}

static void catch_signals(void)
{
    struct sigaction pass = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO };
    for (int i = 0; open_commands == 0 && i < SIGNALS; i++)
        sigaction(signals[i], &pass, &before[i]);
    open_commands++;
}

static void release_signals(void)
{
    open_commands--;
    for (int i = 0; open_commands == 0 && i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

bool toll_recorded_command_interrupted(void)
{
    return interrupted != 0;
}

/* --- begin and end -----------------------------------------------------------------------------*/

int toll_recorded_command_begin(toll_recorded_command *c, toll_job *job, const char *const *own,
                                int argc, char **argv)
{
    *c = (toll_recorded_command){ .job = job };
    catch_signals();
    int status = make_folder(c);
    if (!status && !make_line(c, own, argc, argv))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    return status;
}

void toll_recorded_command_end(toll_recorded_command *c)
{
    if (*c->profile)
        remove(c->profile);
    if (*c->folder && rmdir(c->folder))
        toll_job_warn(c->job, "%s stays, since it has files of the command", c->folder);
    for (size_t i = 0; c->made && i < c->count; i++)
        if (c->made[i].data)
            toll_buffer_free(&c->made[i]);
    free(c->made);
    free(c->line);
    if (c->job)
        release_signals();
}

/* --- a run -------------------------------------------------------------------------------------*/

/* In the new process: set the variables. */
static bool set_variables(const toll_recorded_command *c)
{
    const char *run = toll_os_file_name(c->folder); /* no other run has it */
    if (c->out == TOLL_OUT_NONE)
        return unsetenv("TOLL_OUT") == 0;
    if (c->out == TOLL_OUT_AS_IT_IS)
        return true;
    return setenv("TOLL_OUT", c->profile, 1) == 0 && setenv("TOLL_RUN", run, 1) == 0 &&
           (!c->by || setenv("TOLL_BY", c->by, 1) == 0);
}

/* In the new process: execute the command. */
static void become(const toll_recorded_command *c)
{
    int in = open(c->input ? c->input : "/dev/null", O_RDONLY), out = 2;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (in < 0 && c->input)
        toll_complain(0, "%s: %s", c->input, strerror(errno));
    if (c->job->settings->quiet)
        out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || !set_variables(c))
        _exit(127);
    execvp(c->line[0], c->line);
    toll_complain(0, "cannot run %s: %s", c->line[0], strerror(errno));
    _exit(127);
}

static uint64_t ns_of(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

/* Start the process, wait for it, and measure it. */
static int run(toll_recorded_command *c, int *status)
{
    struct rusage used;
    uint64_t start = toll_os_clock_ns();
    pid_t started = fork();
    if (started < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", c->line[0],
                             strerror(errno));
    if (started == 0)
        become(c);
    child = started;
    if (interrupted) /* before `child` was known */
        kill(started, interrupted);
    while (wait4(started, status, 0, &used) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for the command: %s",
                                 strerror(errno));
    child = 0;
    c->wall_ns = toll_os_clock_ns() - start;
    c->cpu_ns = ns_of(used.ru_utime) + ns_of(used.ru_stime);
    return TOLL_EXIT_OK;
}

/* Has the run ended well, with a profile? */
static int judge(toll_recorded_command *c, const char *who, int status)
{
    if (WIFSIGNALED(status))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s was ended by signal %d", who,
                             WTERMSIG(status));
    if (WEXITSTATUS(status))
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s ended with exit status %d; only runs that succeed are compared",
                             who, WEXITSTATUS(status));
    c->has_profile = access(c->profile, R_OK) == 0;
    if (c->has_profile || c->may_lack_profile)
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         c->out == TOLL_OUT_NAMED
                             ? "%s wrote no profile to the file that TOLL_OUT names, or {} stands "
                               "for, %s"
                             : "%s wrote no profile to the file that {} stands for, %s",
                         who, c->profile);
}

int toll_recorded_command_run(toll_recorded_command *c, const char *who)
{
    int ended;
    remove(c->profile);
    if (interrupted)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s did not begin: interrupted", who);
    int status = run(c, &ended);
    return status ? status : judge(c, who, ended);
}

#endif
