/* ci_files.c - see ci_files.h. */
#include "ci_files.h"

#include "base/os.h"
#include "gates/ci_reports.h"

#include <stdlib.h>
#include <string.h>

typedef struct ci_file {
    const char *option, *path;
    void (*put)(const toll_verdicts *verdicts, toll_output *out);
} ci_file;

enum { FILES = 3 };

const char *toll_ci_workspace(void)
{
    static const char *const variables[] = { "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE" };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *folder = getenv(variables[i]);
        if (folder && *folder)
            return folder;
    }
    return NULL;
}

static void put_code_quality(const toll_verdicts *verdicts, toll_output *out)
{
    toll_verdicts_put_code_quality(verdicts, toll_ci_workspace(), out);
}

static void list_files(const toll_settings *s, ci_file files[FILES])
{
    files[0] = (ci_file){ "junit", s->junit, toll_verdicts_put_junit };
    files[1] = (ci_file){ "openmetrics", s->openmetrics, toll_verdicts_put_openmetrics };
    files[2] = (ci_file){ "code-quality", s->code_quality, put_code_quality };
}

bool toll_ci_is_asked(const toll_settings *s)
{
    return s->junit || s->openmetrics || s->code_quality;
}

/* Another file of the command line that is the same as files[i]; NULL: there is none. */
static const char *replaced_by(const toll_settings *s, const ci_file files[FILES], size_t i,
                               int argc, char **argv)
{
    const char *const others[] = { s->budget, s->before, s->output };
    const char *path = files[i].path;
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        if (others[o] && toll_os_name_the_same(path, others[o]))
            return others[o];
    for (size_t o = 0; o < i; o++)
        if (files[o].path && toll_os_name_the_same(path, files[o].path))
            return files[o].path;
    for (int a = 0; a < argc; a++)
        if (toll_os_name_the_same(path, argv[a]))
            return argv[a];
    return NULL;
}

int toll_ci_check(toll_settings *s, const char *command, const char *gate, bool is_gated, int argc,
                  char **argv)
{
    ci_file files[FILES];
    list_files(s, files);
    for (size_t i = 0; i < FILES; i++) {
        if (files[i].path && strcmp(files[i].path, "-") == 0)
            return toll_complain(TOLL_EXIT_USAGE,
                                 "%s: --%s needs a file's name: standard output has the result as "
                                 "people read it",
                                 command, files[i].option);
        const char *other = files[i].path ? replaced_by(s, files, i, argc, argv) : NULL;
        if (other) {
            s->junit = s->openmetrics = s->code_quality = NULL; /* nothing is written */
            return toll_complain(TOLL_EXIT_USAGE,
                                 "%s: --%s %s would replace %s; give it a name of its own", command,
                                 files[i].option, files[i].path, other);
        }
        if (files[i].path && !is_gated)
            return toll_complain(TOLL_EXIT_USAGE, "%s: --%s is for %s", command, files[i].option,
                                 gate);
    }
    return -1;
}

static int write_file(toll_job *job, const ci_file *file, const toll_verdicts *verdicts)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    if (toll_output_open(&job->allocator, file->path, 0, &out, &err))
        return toll_job_fail(job, &err);
    toll_output_set_sync(out, !job->settings->format.no_sync);
    file->put(verdicts, out);
    return toll_job_finish(job, out, TOLL_OK, &err);
}

/* Print `put` on standard output. */
static int print(toll_job *job, const toll_verdicts *verdicts,
                 void (*put)(const toll_verdicts *, toll_output *))
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_stdout(job, &out);
    if (status)
        return status;
    put(verdicts, out);
    return toll_job_finish(job, out, TOLL_OK, &err);
}

int toll_ci_write(toll_job *job, const toll_verdicts *verdicts)
{
    ci_file files[FILES];
    int worst = TOLL_EXIT_OK;
    job->is_judged = true;
    if (verdicts->failed)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    list_files(job->settings, files);
    for (size_t i = 0; i < FILES; i++) {
        bool is_asked = files[i].path && strcmp(files[i].path, "-") != 0;
        int status = is_asked ? write_file(job, &files[i], verdicts) : TOLL_EXIT_OK;
        worst = status > worst ? status : worst;
    }
    if (!worst && job->settings->ctest)
        worst = print(job, verdicts, toll_verdicts_put_ctest);
    return worst;
}

int toll_ci_end(toll_job *job, const char *suite, int status)
{
    const toll_settings *s = job->settings;
    bool is_asked = toll_ci_is_asked(s) || (s->json && s->budget);
    toll_findings findings;
    toll_verdicts verdicts;
    if (status == TOLL_EXIT_OK || job->is_judged || !suite || !is_asked)
        return status;
    toll_findings_init(&findings, &job->allocator);
    toll_verdicts_init(&verdicts, &job->allocator, suite, &findings);
    toll_findings_begin(&findings, "", 0);
    toll_findings_line(&findings, "%s", toll_complained());
    toll_verdicts_add_error(&verdicts, 0);
    verdicts.failed |= findings.failed;
    verdicts.exit_status = status;
    int written = toll_ci_write(job, &verdicts);
    if (!written && s->json && s->budget)
        written = print(job, &verdicts, toll_verdicts_put_error_json);
    toll_verdicts_free(&verdicts);
    toll_findings_free(&findings);
    return written > status ? written : status;
}
