/* source_files.h - finds the source files that a profile names, and keeps their text. */
#ifndef TOLL_CLI_SOURCE_FILES_H
#define TOLL_CLI_SOURCE_FILES_H

#include "job.h"

typedef struct toll_source_file toll_source_file;

typedef struct toll_source_files {
    const toll_job *job;
    int64_t newer_than; /* seconds since 1970: a file written to after that is told of */
    toll_source_file *files;
    size_t count, capacity;
} toll_source_files;

/* Check the settings, before work begins. Returns an exit status. */
int toll_source_files_check(const toll_settings *settings);

/* `profile` was read from `path`: a source that was written to after it was recorded may be another
 * one. */
void toll_source_files_begin(toll_source_files *files, const toll_job *job,
                             const toll_profile *profile, const char *path);

/* A toll_source_fn; `user` is the toll_source_files. */
toll_status toll_source_files_get(void *user, const char *file, const char **text, size_t *size,
                                  toll_error *err);

/* Warn about files that were not found, and about those that are newer. */
void toll_source_files_warn(const toll_source_files *files);
void toll_source_files_free(toll_source_files *files);

#endif
