/* run.h - what the parts of toll run share.
 *
 * A guest (run_lua.c, run_wasm.c) is a process that profiles itself. run_output.c chooses its
 * files; run_child.c starts it, passes on signals and the exit status, and reports if no profile
 * was written, or run_asked.c asks the caller to start it; run_functions.c finds where a module's
 * functions are defined, and run_lines.c its lines. */
#ifndef TOLL_CLI_RUN_H
#define TOLL_CLI_RUN_H

#include "complain.h"
#include "options.h"

#include "base/os.h"

#include <limits.h>
#include <stdbool.h>

enum {
    TOLL_RUN_ROWS = 20,   /* rows of the summary */
    TOLL_RUN_DEPTH = 1000 /* frames deeper than this are charged to their ancestor there */
};

typedef struct toll_run {
    const toll_settings *settings;
    char output[PATH_MAX];                       /* the profile's absolute path */
    char timeline[PATH_MAX];                     /* the timeline's absolute path; "": none */
    const toll_format *format, *timeline_format; /* timeline_format is NULL without a timeline */
    int argc;
    char **argv;       /* of the guest, its name first; NULL-terminated */
    const char *shown; /* the summary's name for the profile; NULL: its path */
    /* Called when the guest has ended and has written a profile, even if a signal ended it; or
     * NULL. Returns an exit status, which is used if the guest's own is 0. */
    int (*written)(const struct toll_run *run, void *user);
    void *written_user;
} toll_run;

/* Profile the guest; returns an exit status. */
int toll_run_lua(const toll_run *run);
int toll_run_wasm(const toll_run *run);

/* Profile a module with --lines: then adds lines to the profile by the module's debug information.
 * If that fails, a message says so, and the profile has none. For a format that can only be
 * written, the process records a file in the native format beside it. */
int toll_run_wasm_lines(const toll_run *run, toll_settings *settings);

/* With --view: plan to show the profile after it was written. Returns an exit status, or -1:
 * continue. */
int toll_run_plan_view(toll_run *run, toll_settings *settings);

/* The file from which a page reads the run's timeline. NULL, after a message: there is none that
 * can be read. */
const char *toll_run_page_timeline(const toll_run *run);

/* Does the run write a page of HTML? */
bool toll_run_writes_page(const toll_run *run);

/* Find toll.wasm: where the variable TOLL_WASM_DIR says, or, on Linux, beside this command. NULL,
 * and `path` has it; or what is wrong and what to do, which is valid until the next call. */
const char *toll_run_find_recorder(char path[PATH_MAX]);

/* Whether toll run can profile one kind of guest here. */
typedef struct toll_run_need {
    bool works;
    char found[2 * PATH_MAX]; /* with what it works; or what is missing; printable */
    const char *get;          /* what is to be done if it does not work */
} toll_run_need;

/* Look for what toll run needs to profile Lua, and WebAssembly. */
void toll_run_find_lua(toll_run_need *need);
void toll_run_find_wasm(toll_run_need *need);

/* Is the guest a Lua script, or an interpreter of Lua by its name? */
bool toll_run_is_lua(const char *program);

/* Choose the interpreter for a script: name[size]; "" if the program is not a script, and so an
 * interpreter itself. Returns an exit status after a message, or -1: continue. */
int toll_run_choose_interpreter(const char *program, char *name, size_t size);

/* Is the guest a WebAssembly module? */
bool toll_run_is_wasm(const char *program);
bool toll_run_is_component(const char *program);

/* Put the settings' labels into the environment, in addition to those already there. Returns an
 * exit status, or -1: continue. */
int toll_run_set_labels(const toll_settings *settings);

/* Choose the output files by the settings. Returns an exit status, or -1: continue. */
int toll_run_choose_outputs(toll_run *run);

/* Check that they can be created. Returns an exit status, or -1: continue. */
int toll_run_check_outputs(const toll_run *run);

/* Identifies a file, such as the profile's, and when it was written. */
typedef struct toll_run_mark {
    bool is_there;
    toll_os_info info;
} toll_run_mark;

toll_run_mark toll_run_mark_file(const char *path);

/* Was the file written between the two marks? */
bool toll_run_is_written(const toll_run_mark *before, const toll_run_mark *after);

/* What a run can count, besides what the settings show. */
typedef struct toll_run_values {
    bool wall, cpu; /* time, by which clock */
    bool ticks;     /* instructions */
    bool samples;   /* samples, and nothing else */
} toll_run_values;

/* Check that the run will have the value that --value names. Returns an exit status, or -1:
 * continue. */
int toll_run_check_value(const toll_settings *settings, toll_run_values counted);

/* Write where each function of the module is defined, a line each: "BEGIN END LINE FILE", sorted by
 * address. Writes nothing if that is not known. */
void toll_run_write_functions(const toll_run *run, int fd);

/* The descriptor from which the process reads what `send` writes. */
enum { TOLL_RUN_INPUT = 3 };

/* How the process of one kind of guest behaves. */
typedef struct toll_run_ways {
    bool reports;     /* reports over a pipe whether the profile was written: see run_child.c */
    bool interrupted; /* SIGTERM and SIGHUP are passed on as SIGINT, the only signal after which it
                       * can write its profile */
    bool serves;      /* it serves until a signal: see end_server in run_child.c */
    /* Writes to fd what the process reads, while the process starts; or NULL. */
    void (*send)(const toll_run *run, int fd);
    const char *after_crash; /* "; and what may help", or NULL */
    /* If it reports: prints why `program` may not have loaded the profiler, and what to do. */
    void (*explain)(const toll_run *run, const char *program);
} toll_run_ways;

/* Start argv[0] with these arguments and wait for its end. Returns its exit status, or 1 if that is
 * 0 and no profile was written. If a signal ended it, the same signal ends this process. */
int toll_run_child(const toll_run *run, char **argv, const toll_run_ways *ways);

/* Give the processes that this one starts a stack of `most` bytes, or as much of that as the system
 * allows. Returns their size; 0: it is not known, and the starter chooses it. */
uint64_t toll_run_grow_stack(uint64_t most);

/* Find the first of `places` (NULL-terminated, absolute or relative to the folder of this command)
 * that contains `file`; folder[PATH_MAX] becomes that place. */
bool toll_run_find_beside(const char *const *places, const char *file, char *folder);

#endif
