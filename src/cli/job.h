/* job.h - does what subcommands share: reads profiles, selects and folds them by the settings,
 * writes profiles, prints warnings and failures. */
#ifndef TOLL_CLI_JOB_H
#define TOLL_CLI_JOB_H

#include "complain.h"
#include "gates/origin.h"
#include "label_keys.h"
#include "options.h"
#include "shared_budget.h"

/* One run of the command: its memory, its settings. */
typedef struct toll_job {
    toll_settings *settings;
    toll_budget budget;
    toll_allocator allocator;
    toll_format_options format_options;
    bool selects_later; /* select stacks not on loading, but once functions have their names:
                         * toll_job_select */
    bool keeps_labels;  /* keep threads' labels; otherwise they are removed, unless --by names
                         * them */
    bool by_is_own;     /* the keys of settings->by are not the user's: nothing is said of them */
    bool is_part;       /* files are parts of a sum; call toll_job_end_sum after them */
    const char *also_where; /* labels beside those of the settings' --where; NULL: none */
    toll_origin
        *origin; /* gets the runs of the stacks that are selected; NULL: they are not asked for */
    bool is_judged;             /* what was compared has its verdicts, in the files of ci_files.h */
    int64_t runs;               /* values are those of so many runs (--per-run) */
    bool keeps_blocks;          /* symbolizing keeps addresses, for toll annotate --asm */
    toll_shared_budget *shared; /* used instead of `budget`; NULL: not shared */
    void (*warn)(void *user, const char *text); /* gets warnings; NULL: they are printed */
    void *warn_user;
    char labels[TOLL_LABEL_KEYS_SIZE]; /* "commit=3f2a, host": labels of the profile read last, if
                                        * they are needed */
} toll_job;

void toll_job_begin(toll_job *job, toll_settings *settings);

/* Prepare for threads that use copies of the job at the same time: its memory then comes from
 * `budget`. */
void toll_job_share_memory(toll_job *job, toll_shared_budget *budget);

/* Do the settings name files with debug information: by --debug, or by --elf with lines? */
bool toll_job_names_debug_files(const toll_job *job);

/* The title of the page of the profile from `path`: the file's name; NULL: it has none. */
const char *toll_job_title(const char *path);

/* Check that the settings' output can be written, before work begins. Returns an exit status. */
int toll_job_check_output(const toll_job *job);

/* Read a file, and apply the filters and folds of the settings. `timeline`: as for
 * toll_profile_read. Returns an exit status, after a message if it failed. */
int toll_job_load(toll_job *job, const char *path, toll_timeline **timeline, toll_profile **out);

/* The same without a message and without a progress line. */
toll_status toll_job_read(toll_job *job, const char *path, toll_timeline **timeline,
                          toll_profile **out, toll_error *err);

/* Apply the settings' filters and folds to a profile for which this was not done on loading.
 * `timeline` may be NULL. Returns an exit status, after a message if it failed. */
int toll_job_select(toll_job *job, toll_timeline **timeline, toll_profile **profile);

/* Call when all parts were read and added up: prunes the sum by the settings, and warns if no stack
 * was selected from any part. Returns an exit status, after a message if it failed. */
int toll_job_end_sum(toll_job *job, toll_profile **sum);

/* Read all operands and merge them. */
int toll_job_load_all(toll_job *job, int count, char **paths, toll_timeline **timeline,
                      toll_profile **out);

/* Write to settings->output, in the format of its name or --to. Call toll_job_check_output
 * before. */
int toll_job_save(toll_job *job, const toll_profile *profile, const toll_timeline *timeline);

/* Print a warning, unless --quiet was given. */
void toll_job_warn(const toll_job *job, const char *format, ...) TOLL_PRINTF(2, 3);

/* Warn about value types that only one of two profiles has: they cannot be compared. */
void toll_job_warn_unmatched(const toll_job *job, const toll_profile *before,
                             const toll_profile *after);

/* Prepare two profiles for a comparison: match functions that have moved since `before`. Returns an
 * exit status, after a message if it failed. */
int toll_job_align(toll_job *job, toll_profile **before, const toll_profile *after);

/* Print a failure of the library. If the memory limit caused it, the message says how to raise
 * it. */
int toll_job_fail(const toll_job *job, const toll_error *err);

/* The report options of the settings. Colours only on a terminal, and not with NO_COLOR. */
toll_report_options toll_job_report_options(const toll_job *job, uint32_t rows);

/* Open standard output as a stream; and finish it, with a message if it failed. */
int toll_job_stdout(toll_job *job, toll_output **out);
int toll_job_finish(toll_job *job, toll_output *out, toll_status status, const toll_error *err);

#endif
