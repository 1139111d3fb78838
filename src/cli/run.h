/* run.h - what toll run is made of: a guest (run_lua.c, run_wasm.c) is a program of its own that
 * profiles itself; run_child.c starts it, passes signals and the exit status on, and says if no
 * profile came. */
#ifndef TOLL_CLI_RUN_H
#define TOLL_CLI_RUN_H

#include "command.h"

#include <limits.h>
#include <stdbool.h>

enum {
    TOLL_RUN_ROWS = 20,   /* of the summary */
    TOLL_RUN_DEPTH = 1000 /* frames deeper than this are charged to their ancestor there */
};

typedef struct toll_run {
    const toll_settings *settings;
    char output[PATH_MAX]; /* where the profile goes, from the root */
    int argc;
    char **argv; /* of the guest, its name first; NULL-terminated */
} toll_run;

/* Profile the guest; an exit status. */
int toll_run_lua(const toll_run *run);
int toll_run_wasm(const toll_run *run);

/* Is the guest for it? */
bool toll_run_is_wasm(const char *program);

/* Start argv[0] with these arguments, wait for its end; its exit status, or this process ends by
 * the signal that ended it. `hint`: what may be wrong if it wrote no profile. `interrupts`: SIGTERM
 * and SIGHUP reach it as SIGINT, the only signal that it can write its profile after. */
int toll_run_child(char **argv, const char *output, const char *hint, bool interrupts);

/* A plain file of that name; a program of that name on the PATH. */
bool toll_run_is_file(const char *path);
bool toll_run_is_program(const char *name);

/* The first of `places` (NULL-terminated, relative to the folder of this command) that has `file`:
 * into folder[PATH_MAX]. */
bool toll_run_find_beside(const char *const *places, const char *file, char *folder);

bool toll_run_ends_with(const char *text, const char *end);

#endif
