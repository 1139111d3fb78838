/* source_files.h - finds and reads the source files that a profile names, or gets their text
 * from the programs' source maps. Only files in folders that may be shown are read
 * (source_roots.h). */
#ifndef TOLL_CLI_SOURCE_FILES_H
#define TOLL_CLI_SOURCE_FILES_H

#include "debug_files.h"
#include "job.h"
#include "source_roots.h"

typedef struct toll_source_file toll_source_file;

typedef struct toll_source_files {
    const toll_job *job;
    const toll_debug_files *debugs; /* whose source maps may have texts */
    toll_source_roots roots;
    int64_t newer_than; /* seconds since 1970: warn about a file that was modified after that */
    toll_strtab names;  /* as in the profile; ids are indexes in `files` */
    toll_source_file *files; /* index 0, the name "", is not a file */
    size_t count, capacity;
    size_t kept; /* bytes of all texts */
} toll_source_files;

/* Check the settings, before work begins. Returns an exit status. */
int toll_source_files_check(const toll_settings *settings);

/* Begin with `profile`, which was read from `path`. A source that was modified after recording may
 * be another one. Texts in the source maps of `debugs`, which are borrowed, are preferred to files,
 * except to those that --source-dir and --prefix-map name. Call toll_source_files_free also on
 * failure. Errors: TOLL_E_NOMEM. */
toll_status toll_source_files_begin(toll_source_files *files, const toll_job *job,
                                    const toll_profile *profile, const char *path,
                                    const toll_debug_files *debugs, toll_error *err);

/* A toll_source_fn; `user` is the toll_source_files. */
toll_status toll_source_files_get(void *user, const char *file, const char **text, size_t *size,
                                  toll_error *err);

/* A toll_source_origin_fn. */
const char *toll_source_files_origin(void *user, const char *file);

/* Say which files are not shown, and why, and which are newer; of a page also how many it has. */
void toll_source_files_warn(const toll_source_files *files, const toll_page_sources *page);
void toll_source_files_free(toll_source_files *files);

#endif
