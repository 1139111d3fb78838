/* source_roots.h - the folders whose files may be shown as source.
 *
 * A profile names files, and whoever made the profile chose the names. So a file is shown only if
 * it is in a folder that the user works in or has named: the current folder, or the git work tree
 * that it is in; the same of the script that toll run was given; each --source-dir; what each
 * --prefix-map leads to. Below such a folder what begins with a dot is not shown (.git/config and
 * .env have secrets), unless the folder itself is at or below it. */
#ifndef TOLL_CLI_SOURCE_ROOTS_H
#define TOLL_CLI_SOURCE_ROOTS_H

#include "options.h"

#include "base/strtab.h"

/* All zero but for `paths`: no folder. */
typedef struct toll_source_roots {
    toll_strtab paths; /* real paths, from id 1 on */
    bool are_all;      /* --source-outside: any folder will do, but for those of the kernel */
} toll_source_roots;

/* toll_source_roots_free is due also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_source_roots_begin(toll_source_roots *roots, const toll_settings *settings,
                                    const toll_allocator *allocator, toll_error *err);
void toll_source_roots_free(toll_source_roots *roots);

/* May the file be shown? `real` is its real path: toll_os_real_path. */
bool toll_source_roots_have(const toll_source_roots *roots, const char *real);

#endif
