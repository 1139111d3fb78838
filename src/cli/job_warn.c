/* job_warn.c - prints warnings of a command. See job.h. */
#include "job.h"

#include <stdarg.h>
#include <stdio.h>

void toll_job_warn(const toll_job *job, const char *format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (job->warn)
        job->warn(job->warn_user, text);
    else if (!job->settings->quiet)
        toll_tell("warning: ", text);
}
