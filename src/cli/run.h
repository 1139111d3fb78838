/* run.h - what toll run is made of: a guest (run_lua.c, run_wasm.c) is a program of its own that
 * profiles itself; run_output.c chooses its files; run_child.c starts it, passes signals and the
 * exit status on, and says if no profile came. */
#ifndef TOLL_CLI_RUN_H
#define TOLL_CLI_RUN_H

#include "complain.h"
#include "options.h"

#include <limits.h>
#include <stdbool.h>

enum {
    TOLL_RUN_ROWS = 20,   /* of the summary */
    TOLL_RUN_DEPTH = 1000 /* frames deeper than this are charged to their ancestor there */
};

typedef struct toll_run {
    const toll_settings *settings;
    char output[PATH_MAX];   /* where the profile goes, from the root */
    char timeline[PATH_MAX]; /* where the order in time goes, from the root; "": nowhere */
    const toll_format *format, *timeline_format; /* the latter NULL without a timeline */
    int argc;
    char **argv; /* of the guest, its name first; NULL-terminated */
} toll_run;

/* Profile the guest; an exit status. */
int toll_run_lua(const toll_run *run);
int toll_run_wasm(const toll_run *run);

/* Print "5.1 5.4 in DIR": the versions of Lua that toll run can profile. */
void toll_print_lua_versions(void);

/* Is the guest for it? */
bool toll_run_is_wasm(const char *program);

/* Where the files go, from the settings. An exit status, or -1: go on. */
int toll_run_choose_outputs(toll_run *run);

/* Can they be made there? An exit status, or -1: go on. */
int toll_run_check_outputs(const toll_run *run);

/* Will the run have the value that --value names? Time and heap go by the settings; `has_ticks`: it
 * counts instructions. An exit status, or -1: go on. */
int toll_run_check_value(const toll_settings *settings, bool has_ticks);

/* How a kind of guest behaves as a process. */
typedef struct toll_run_ways {
    bool reports;     /* it says over a pipe what became of the profile: see run_child.c */
    bool interrupted; /* SIGTERM and SIGHUP reach it as SIGINT, the only signal that it can write
                         its profile after */
    /* If it reports: tell why `program` may have loaded no profiler, and what to do. */
    void (*explain)(const toll_run *run, const char *program);
} toll_run_ways;

/* Start argv[0] with these arguments and wait for its end. Its exit status, or 1 where that is 0
 * and no profile was written; or this process ends by the signal that ended it. */
int toll_run_child(const toll_run *run, char **argv, const toll_run_ways *ways);

/* A plain file of that name; a program of that name on the PATH. */
bool toll_run_is_file(const char *path);
bool toll_run_is_program(const char *name);

/* The first of `places` (NULL-terminated, relative to the folder of this command) that has `file`:
 * into folder[PATH_MAX]. */
bool toll_run_find_beside(const char *const *places, const char *file, char *folder);

#endif
