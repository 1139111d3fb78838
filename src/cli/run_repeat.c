/* run_repeat.c - runs a command several times and compares the profiles. See repeat.h.
 *
 * The command is a program for toll run; or any command, with {} in place of the file to which it
 * writes a profile. Each run has no input, and its output goes to standard error, since the
 * comparison is printed on standard output. */
#define _GNU_SOURCE /* pipe2 */
#include "repeat.h"

#include "gate.h"
#include "gates/equal.h"
#include "progress.h"

#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the command -------------------------------------------------------------------------------*/

typedef struct repeat {
    toll_job *job;
    char folder[PATH_MAX / 2], profile[PATH_MAX];
    char **line;       /* NULL-terminated */
    toll_buffer *made; /* the arguments in `line` that had {} in them */
    size_t count;      /* arguments of the command */
    toll_equal equal;
} repeat;

static bool has_place(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strstr(argv[i], "{}"))
            return true;
    return false;
}

/* Copy an argument with the profile's path in place of each {}. */
static char *with_profile(const repeat *r, const char *text, toll_buffer *made)
{
    const char *place;
    while ((place = strstr(text, "{}")) != NULL) {
        toll_buffer_append(made, text, (size_t)(place - text));
        toll_buffer_append_text(made, r->profile);
        text = place + 2;
    }
    toll_buffer_append_text(made, text);
    return (char *)toll_buffer_cstr(made);
}

/* Make the command line: as given, or with toll run before it. False: no memory. */
static bool make_line(repeat *r, int argc, char **argv)
{
    enum { OWN = 8 }; /* toll run -q -o FILE --ticks --heap -- */
    const toll_settings *s = r->job->settings;
    bool is_plain = !has_place(argc, argv);
    size_t n = 0;
    r->count = (size_t)argc;
    r->line = calloc((size_t)argc + OWN + 1, sizeof *r->line);
    r->made = calloc((size_t)argc, sizeof *r->made);
    if (!r->line || !r->made)
        return false;
    if (is_plain) {
        static char self[] = "/proc/self/exe", run[] = "run", quiet[] = "-q", output[] = "-o",
                    ticks[] = "--ticks", heap[] = "--heap", end[] = "--";
        char *const own[] = { self, run, quiet, output, r->profile };
        memcpy(r->line, own, sizeof own);
        n = sizeof own / sizeof *own;
        if (s->ticks)
            r->line[n++] = ticks;
        if (s->heap)
            r->line[n++] = heap;
        r->line[n++] = end;
    }
    for (int i = 0; i < argc; i++) {
        toll_buffer_init(&r->made[i], &r->job->allocator);
        r->line[n++] = is_plain ? argv[i] : with_profile(r, argv[i], &r->made[i]);
        if (!r->line[n - 1])
            return false;
    }
    return true;
}

/* --- a run -------------------------------------------------------------------------------------*/

/* In the new process: execute the command. */
static void become(const repeat *r)
{
    int in = open("/dev/null", O_RDONLY), out = 2;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (r->job->settings->quiet)
        out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0)
        _exit(127);
    execvp(r->line[0], r->line);
    toll_complain(0, "cannot run %s: %s", r->line[0], strerror(errno));
    _exit(127);
}

static int run_once(const repeat *r, uint32_t number)
{
    int status;
    remove(r->profile);
    pid_t child = fork();
    if (child < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", r->line[0],
                             strerror(errno));
    if (child == 0)
        become(r);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for the command: %s",
                                 strerror(errno));
    if (WIFSIGNALED(status))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "run %u was ended by signal %d", (unsigned)number,
                             WTERMSIG(status));
    if (WEXITSTATUS(status))
        return toll_complain(
            TOLL_EXIT_BAD_INPUT,
            "run %u ended with exit status %d; only runs that succeed are compared",
            (unsigned)number, WEXITSTATUS(status));
    if (access(r->profile, R_OK) != 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "run %u wrote no profile to the file that {} stands for, %s",
                             (unsigned)number, r->profile);
    return TOLL_EXIT_OK;
}

/* Read the run's profile, without places, and compare it. */
static int add_run(repeat *r)
{
    toll_profile *p, *folded;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_load(r->job, r->profile, NULL, &p);
    if (status)
        return status;
    toll_status failed = toll_profile_check(p, 0, &err);
    if (!failed && toll_profile_has_places(p)) {
        failed = toll_profile_fold_places(p, &folded, &err);
        if (!failed) {
            toll_profile_free(p);
            p = folded;
        }
    }
    if (!failed)
        failed = toll_equal_add(&r->equal, p, &err);
    if (p != r->equal.first)
        toll_profile_free(p);
    return failed ? toll_job_fail(r->job, &err) : TOLL_EXIT_OK;
}

static int run_all(repeat *r)
{
    uint32_t times = r->job->settings->repeat.value;
    int status = TOLL_EXIT_OK;
    toll_progress_end();
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*term)(int) = signal(SIGTERM, SIG_IGN);
    for (uint32_t i = 1; !status && i <= times; i++) {
        status = run_once(r, i);
        if (!status)
            status = add_run(r);
    }
    signal(SIGINT, interrupt);
    signal(SIGTERM, term);
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static int make_folder(repeat *r)
{
    const char *temporary = getenv("TMPDIR");
    int n = snprintf(r->folder, sizeof r->folder, "%s/toll-XXXXXX",
                     temporary && *temporary ? temporary : "/tmp");
    if (n < 0 || (size_t)n >= sizeof r->folder || !mkdtemp(r->folder)) {
        *r->folder = 0;
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "cannot make a folder for profiles: %s; set "
                             "TMPDIR to one that can be written",
                             strerror(errno));
    }
    snprintf(r->profile, sizeof r->profile, "%s/run.pb.gz", r->folder);
    return TOLL_EXIT_OK;
}

static int say(repeat *r)
{
    toll_output *out;
    toll_findings findings;
    toll_error err = { TOLL_OK, "" };
    int status = r->job->settings->quiet ? TOLL_EXIT_OK : toll_job_stdout(r->job, &out);
    if (status)
        return status;
    if (!r->job->settings->quiet) {
        toll_equal_put(&r->equal, out);
        status = toll_job_finish(r->job, out, TOLL_OK, &err);
    }
    toll_findings_init(&findings, &r->job->allocator);
    if (!status && toll_equal_check(&r->equal, r->job->settings->format.value, &findings, &err))
        status = toll_job_fail(r->job, &err);
    if (!status)
        status = toll_gate_finish(r->job, &findings);
    toll_findings_free(&findings);
    return status;
}

static void clean_up(repeat *r)
{
    if (*r->profile)
        remove(r->profile);
    if (*r->folder)
        rmdir(r->folder);
    for (size_t i = 0; r->made && i < r->count; i++)
        if (r->made[i].data)
            toll_buffer_free(&r->made[i]);
    free(r->made);
    free(r->line);
    toll_equal_free(&r->equal);
}

int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out)
{
    repeat r = { .job = job };
    *out = NULL;
    toll_equal_init(&r.equal, &job->allocator);
    int status = make_folder(&r);
    if (!status && !make_line(&r, argc, argv))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (!status)
        status = run_all(&r);
    if (!status)
        status = say(&r);
    if (!status) {
        *out = r.equal.first;
        r.equal.first = NULL;
    }
    clean_up(&r);
    return status;
}
