/* summary.c - see summary.h. */
#include "summary.h"

#include "report/markdown.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable[] = "GITHUB_STEP_SUMMARY";

const char *toll_summary_path(void)
{
    const char *text = getenv(variable);
    return text && *text ? text : NULL;
}

int toll_summary_check(const toll_settings *s)
{
    if (!s->summary || toll_summary_path())
        return -1;
    return toll_complain(TOLL_EXIT_USAGE,
                         "--summary: %s is not set; a step of GitHub's Actions has it; elsewhere "
                         "name a file by it, or print with --markdown",
                         variable);
}

/* Append in one write: parts of other steps are not changed. */
static int append(const void *data, size_t size)
{
    FILE *f = fopen(toll_summary_path(), "ab");
    bool good = f && fwrite(data, 1, size, f) == size;
    int why = errno;
    if (f && fclose(f) != 0 && good) {
        good = false;
        why = errno;
    }
    if (!good)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: cannot append the summary: %s",
                             toll_summary_path(), strerror(why));
    return TOLL_EXIT_OK;
}

static int put_stdout(toll_job *job, const void *data, size_t size)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_stdout(job, &out);
    if (status)
        return status;
    toll_output_write(out, data, size);
    return toll_job_finish(job, out, TOLL_OK, &err);
}

void toll_summary_put_title(toll_output *out, const char *name, const char *after)
{
    toll_output_printf(out, "### ");
    toll_markdown_put_code(out, name);
    if (after) {
        toll_output_printf(out, " to ");
        toll_markdown_put_code(out, after);
    }
    toll_output_printf(out, "\n\n");
}

int toll_summary_put(toll_job *job, toll_summary_fn put, const void *user)
{
    toll_output *out;
    size_t size;
    toll_error err = { TOLL_OK, "" };
    int status = TOLL_EXIT_OK;
    if (!job->settings->summary && !job->settings->markdown)
        return TOLL_EXIT_OK;
    if (toll_output_to_memory(&job->allocator, 0, &out, &err))
        return toll_job_fail(job, &err);
    toll_status failed = put(user, out, &err);
    toll_output_write(out, "\n", 1); /* an empty line ends HTML: the next part is Markdown again */
    if (!failed)
        failed = toll_output_commit(out, &err);
    const void *data = toll_output_data(out, &size);
    if (failed)
        status = toll_job_fail(job, &err);
    if (!status && job->settings->summary)
        status = append(data, size);
    if (!status && job->settings->markdown)
        status = put_stdout(job, data, size);
    toll_output_free(out);
    return status;
}
