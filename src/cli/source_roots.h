/* source_roots.h - decides which files may be shown as source.
 *
 * A profile names files, and the author of the profile chose the names. So a file is shown only if
 * it is in a folder in which the user works or that the user has named: the current folder, or the
 * git work tree that contains it; the same for the script that toll run was given; each
 * --source-dir; the target of each --prefix-map. In such a folder, names that begin with a dot are
 * not shown (.git/config and .env contain secrets), unless the folder itself is one of them or
 * inside one. */
#ifndef TOLL_CLI_SOURCE_ROOTS_H
#define TOLL_CLI_SOURCE_ROOTS_H

#include "options.h"

#include "base/strtab.h"

/* All zero except `paths`: no folder. */
typedef struct toll_source_roots {
    toll_strtab paths; /* real paths, from id 1 on */
    bool are_all;      /* --source-outside: any folder is allowed, except the kernel's */
} toll_source_roots;

/* Call toll_source_roots_free also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_source_roots_begin(toll_source_roots *roots, const toll_settings *settings,
                                    const toll_allocator *allocator, toll_error *err);
void toll_source_roots_free(toll_source_roots *roots);

/* May the file be shown? `real` is its real path: toll_os_real_path. */
bool toll_source_roots_have(const toll_source_roots *roots, const char *real);

#endif
