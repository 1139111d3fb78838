/* debug_files.h - the files of --debug: opens them, and gives a profile names and lines by them. */
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

/* Replace *profile by one with the debug information of the settings' files; of a folder those
 * count that the profile is of; and of those of --elf, with lines. Then the stacks are selected and
 * folded, by the names that functions have now; `timeline` as for toll_job_select. Nothing without
 * these. `mapped`, which may be NULL, gets the programs with source maps, whose texts may be shown:
 * toll_debug_files_free is due, also on failure. Returns an exit status, after a message if it
 * failed. */
int toll_debug_files_apply(toll_job *job, toll_timeline **timeline, toll_profile **profile,
                           toll_debug_files *mapped);

/* The same in steps, for a profile that is still wanted: open the files, where the settings name
 * none those that the profile is of, if they are where they were, or beside the profile at `path`,
 * or in the current folder; make another profile by them; find what each instruction cost in the
 * functions of that one. Each returns an exit status, after a
 * message if it failed. toll_debug_files_free is due also then. */
int toll_debug_files_find(toll_debug_files *files, toll_job *job, const toll_profile *profile,
                          const char *path);
int toll_debug_files_symbolize(toll_debug_files *files, toll_profile **out);
int toll_debug_files_assemble(toll_debug_files *files, const toll_wasm_costs *costs,
                              const toll_profile *symbolized, toll_assembly **out);
void toll_debug_files_free(toll_debug_files *files);

/* Keep in the profile where its program was: a comment, by which the program is found again. */
toll_status toll_debug_files_remember(toll_profile *profile, const char *program, toll_error *err);

#endif
