/* job.h - what subcommands share: profiles in, selected and folded as the settings say, and
 * profiles out; warnings and failures. */
#ifndef TOLL_CLI_JOB_H
#define TOLL_CLI_JOB_H

#include "complain.h"
#include "options.h"

/* One run of the command: its memory, its settings. */
typedef struct toll_job {
    toll_settings *settings;
    toll_budget budget;
    toll_allocator allocator;
    toll_format_options format_options;
} toll_job;

void toll_job_begin(toll_job *job, toll_settings *settings);

/* Can the settings' output be written at all? To be asked before work begins. Returns an exit
 * status. */
int toll_job_check_output(const toll_job *job);

/* Read a file; with filters and folds of the settings applied. `timeline` as toll_profile_read.
 * Failures are told; returns an exit status. */
int toll_job_load(toll_job *job, const char *path, toll_timeline **timeline, toll_profile **out);

/* Read all operands and merge them. */
int toll_job_load_all(toll_job *job, int count, char **paths, toll_timeline **timeline,
                      toll_profile **out);

/* Write to settings->output, by its name or --to. toll_job_check_output was asked. */
int toll_job_save(toll_job *job, const toll_profile *profile, const toll_timeline *timeline);

/* A warning, unless they are not wanted. */
void toll_job_warn(const toll_job *job, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Tell a failure of the library; says how to raise the limit if that was the cause. */
int toll_job_fail(const toll_job *job, const toll_error *err);

/* What the settings say about reports; colours only on a terminal, NO_COLOR honoured. */
toll_report_options toll_job_report_options(const toll_job *job, uint32_t rows);

/* Standard output as a stream, and its end (a failure is told). */
int toll_job_stdout(toll_job *job, toll_output **out);
int toll_job_finish(toll_job *job, toll_output *out, toll_status status, const toll_error *err);

#endif
