/* run.h - the parts of toll run: a guest (run_lua.c, run_wasm.c) is a process that profiles itself;
 * run_output.c chooses its files; run_child.c starts it, passes on signals and the exit status, and
 * says if no profile was written; run_functions.c finds where a module's functions are defined, and
 * run_lines.c its lines. */
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
    char output[PATH_MAX];                       /* the profile's absolute path */
    char timeline[PATH_MAX];                     /* the timeline's absolute path; "": none */
    const toll_format *format, *timeline_format; /* timeline_format is NULL without a timeline */
    int argc;
    char **argv;       /* of the guest, its name first; NULL-terminated */
    const char *shown; /* what its summary calls the profile; NULL: by its path */
    /* Called when the guest has ended and has written a profile, also if a signal ended it; or
     * NULL. Returns an exit status, for a guest whose own is 0. */
    int (*written)(const struct toll_run *run, void *user);
    void *written_user;
} toll_run;

/* Profile the guest; an exit status. */
int toll_run_lua(const toll_run *run);
int toll_run_wasm(const toll_run *run);

/* The same of a module with --lines: then gives the profile lines by the module's debug
 * information. If that fails it says so, and the profile is without. A format that is only written
 * gets its lines by way of a file in the native format beside it. */
int toll_run_wasm_lines(const toll_run *run, toll_settings *settings);

/* With --view: plan that the profile is shown when it was written. Returns an exit status, or -1:
 * continue. */
int toll_run_plan_view(toll_run *run, toll_settings *settings);

/* The file from which a page gets the run's order in time; NULL: there is none that can be read,
 * which is said. */
const char *toll_run_page_timeline(const toll_run *run);

/* Is a page of HTML what the run writes? */
bool toll_run_writes_page(const toll_run *run);

/* Print "5.1 5.4 in DIR": the versions of Lua that toll run can profile. */
void toll_print_lua_versions(void);

/* Is the guest a WebAssembly module? */
bool toll_run_is_wasm(const char *program);

/* Put the labels of the settings into the environment, beside those that are there. Returns an exit
 * status, or -1: continue. */
int toll_run_set_labels(const toll_settings *settings);

/* Choose the output files by the settings. Returns an exit status, or -1: continue. */
int toll_run_choose_outputs(toll_run *run);

/* Check that they can be created. Returns an exit status, or -1: continue. */
int toll_run_check_outputs(const toll_run *run);

/* Check that the run will have the value that --value names. Whether it has time and heap is in the
 * settings; `has_ticks`: it counts instructions. Returns an exit status, or -1: continue. */
int toll_run_check_value(const toll_settings *settings, bool has_ticks);

/* Write where each function of the module is defined, a line each: "BEGIN END LINE FILE", in order
 * of the addresses. Nothing, where that is not known. */
void toll_run_write_functions(const toll_run *run, int fd);

/* The number of the file from which the process reads what is written by `tell`. */
enum { TOLL_RUN_TOLD = 3 };

/* How the process of a kind of guest behaves. */
typedef struct toll_run_ways {
    bool reports;     /* it reports over a pipe whether the profile was written: see run_child.c */
    bool interrupted; /* SIGTERM and SIGHUP reach it as SIGINT, the only signal that it can write
                         its profile after */
    /* While it starts: write to fd what it will read, to the end; or NULL. */
    void (*tell)(const toll_run *run, int fd);
    /* If it reports: print why `program` may have loaded no profiler, and what to do. */
    void (*explain)(const toll_run *run, const char *program);
} toll_run_ways;

/* Start argv[0] with these arguments and wait for its end. Returns its exit status, or 1 if that is
 * 0 and no profile was written; if a signal ended it, the same signal ends this process. */
int toll_run_child(const toll_run *run, char **argv, const toll_run_ways *ways);

/* Is there a regular file of that name; is there a program of that name on the PATH? */
bool toll_run_is_file(const char *path);
bool toll_run_is_program(const char *name);

/* Find the first of `places` (NULL-terminated, relative to the folder of this command) that
 * contains `file`, into folder[PATH_MAX]. */
bool toll_run_find_beside(const char *const *places, const char *file, char *folder);

#endif
