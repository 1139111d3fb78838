/* recorded_command_posix.c - starts the command and waits for it. See recorded_command.h. */
#define _GNU_SOURCE /* mkdtemp */
#include "recorded_command.h"

#include "base/os.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int toll_recorded_command_begin(toll_recorded_command *c, toll_job *job, const char *const *own,
                                int argc, char **argv)
{
    *c = (toll_recorded_command){ .job = job };
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
}

/* --- a run -------------------------------------------------------------------------------------*/

/* In the new process: execute the command. */
static void become(const toll_recorded_command *c)
{
    int in = open("/dev/null", O_RDONLY), out = 2;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (c->job->settings->quiet)
        out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0)
        _exit(127);
    const char *run = toll_os_file_name(c->folder); /* no other run has it */
    if (c->by && (setenv("TOLL_OUT", c->profile, 1) || setenv("TOLL_BY", c->by, 1) ||
                  setenv("TOLL_RUN", run, 1)))
        _exit(127);
    execvp(c->line[0], c->line);
    toll_complain(0, "cannot run %s: %s", c->line[0], strerror(errno));
    _exit(127);
}

static int run(const toll_recorded_command *c, const char *who)
{
    int status;
    remove(c->profile);
    pid_t child = fork();
    if (child < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", c->line[0],
                             strerror(errno));
    if (child == 0)
        become(c);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for the command: %s",
                                 strerror(errno));
    if (WIFSIGNALED(status))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s was ended by signal %d", who,
                             WTERMSIG(status));
    if (WEXITSTATUS(status))
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s ended with exit status %d; only runs that succeed are compared",
                             who, WEXITSTATUS(status));
    return TOLL_EXIT_OK;
}

int toll_recorded_command_run(const toll_recorded_command *c, const char *who)
{
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*term)(int) = signal(SIGTERM, SIG_IGN);
    int status = run(c, who);
    signal(SIGINT, interrupt);
    signal(SIGTERM, term);
    if (status || access(c->profile, R_OK) == 0)
        return status;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         c->by
                             ? "%s wrote no profile to the file that TOLL_OUT names, or {} stands "
                               "for, %s"
                             : "%s wrote no profile to the file that {} stands for, %s",
                         who, c->profile);
}

#endif
