/* debug_files.h - finds and opens the files of --debug, and adds their names and lines to a
 * profile. */
#ifndef TOLL_CLI_DEBUG_FILES_H
#define TOLL_CLI_DEBUG_FILES_H

#include "job.h"

/* The programs of a profile, opened. All zeros: none. */
typedef struct toll_debug_files {
    toll_job *job;
    const toll_profile *profile;
    toll_error err;
    toll_debug **items;
    size_t count, capacity;
} toll_debug_files;

/* Replace *profile by one with the debug information of the settings' files. In a folder, only
 * files that belong to the profile count; with lines, the files of --elf count, too. Then the
 * stacks are selected and folded, by the new names of functions; `timeline` as for toll_job_select.
 * Does nothing without such files. `mapped`, which may be NULL, gets the programs with source maps,
 * whose texts may be shown; call toll_debug_files_free on it, also on failure. Returns an exit
 * status, after a message if it failed. */
int toll_debug_files_apply(toll_job *job, toll_timeline **timeline, toll_profile **profile,
                           toll_debug_files *mapped);

/* The same in steps, for a caller that keeps the profile. Open the files: those that the settings
 * name or, without these, the profile's own, where they were, beside the profile at `path`, or in
 * the current folder. Make another profile by them. Find what each instruction cost in the
 * functions of that one. Each returns an exit status, after a message if it failed. Call
 * toll_debug_files_free also then. */
int toll_debug_files_find(toll_debug_files *files, toll_job *job, const toll_profile *profile,
                          const char *path);
int toll_debug_files_symbolize(toll_debug_files *files, toll_profile **out);
int toll_debug_files_assemble(toll_debug_files *files, const toll_wasm_costs *costs,
                              const toll_profile *symbolized, toll_assembly **out);
void toll_debug_files_free(toll_debug_files *files);

/* Store in the profile where its program was: a comment, by which the program is found again. */
toll_status toll_debug_files_remember(toll_profile *profile, const char *program, toll_error *err);

#endif
