/* command.h - the toll command: one table of subcommands, one table of options.
 *
 * A subcommand is one file, cmd_NAME.c, with one function, and one row in commands.c. An option is
 * one row in options.c; parsing, --help, the man page and completion all read that row. */
#ifndef TOLL_CLI_COMMAND_H
#define TOLL_CLI_COMMAND_H

#include "base/nearest.h"

#include <stdbool.h>
#include <toll/toll.h>

enum { TOLL_EXIT_OK = 0, TOLL_EXIT_BAD_INPUT = 1, TOLL_EXIT_USAGE = 2 };

enum { TOLL_MOST_ELFS = 64, TOLL_MOST_DIRS = 64, TOLL_MOST_ENVS = 256 };

/* What a command line can say; each subcommand takes some of it. */
typedef struct toll_settings {
    const char *output, *from, *names, *to, *value, *focus, *ignore, *thread, *color, *clock,
        *timeline, *logs, *only, *skip, *costs, *invoke, *inbox, *preimages;
    const char *dirs[TOLL_MOST_DIRS], *envs[TOLL_MOST_ENVS];
    unsigned dir_count, env_count;
    toll_sbf_elf elfs[TOLL_MOST_ELFS];
    unsigned elf_count;
    toll_report_sort sort;
    uint64_t max_memory, max_depth, depth, rows;
    bool rows_set, max_depth_set, sort_set;
    bool flamechart, fold_recursion, tree, json, difference, by_site, sections, no_ticks, quiet,
        ticks, heap, join_threads, kernel, no_call_lines, strict, help;
} toll_settings;

typedef enum toll_option_id {
    TOLL_OPT_OUTPUT,
    TOLL_OPT_FROM,
    TOLL_OPT_NAMES,
    TOLL_OPT_CALL_LINES,
    TOLL_OPT_NO_CALL_LINES,
    TOLL_OPT_STRICT,
    TOLL_OPT_TO,
    TOLL_OPT_ELF,
    TOLL_OPT_LOGS,
    TOLL_OPT_ONLY,
    TOLL_OPT_SKIP,
    TOLL_OPT_NO_TICKS,
    TOLL_OPT_INVOKE,
    TOLL_OPT_DIR,
    TOLL_OPT_ENV,
    TOLL_OPT_KERNEL,
    TOLL_OPT_INBOX,
    TOLL_OPT_PREIMAGES,
    TOLL_OPT_COSTS,
    TOLL_OPT_DEPTH,
    TOLL_OPT_VALUE,
    TOLL_OPT_FOCUS,
    TOLL_OPT_IGNORE,
    TOLL_OPT_THREAD,
    TOLL_OPT_FOLD_RECURSION,
    TOLL_OPT_MAX_DEPTH,
    TOLL_OPT_BY_SITE,
    TOLL_OPT_SECTIONS,
    TOLL_OPT_FLAMECHART,
    TOLL_OPT_TREE,
    TOLL_OPT_DIFFERENCE,
    TOLL_OPT_JSON,
    TOLL_OPT_SORT,
    TOLL_OPT_ROWS,
    TOLL_OPT_CLOCK,
    TOLL_OPT_TICKS,
    TOLL_OPT_HEAP,
    TOLL_OPT_JOIN_THREADS,
    TOLL_OPT_TIMELINE,
    TOLL_OPT_COLOR,
    TOLL_OPT_MAX_MEMORY,
    TOLL_OPT_QUIET,
    TOLL_OPT_HELP,
    TOLL_OPT_COUNT
} toll_option_id;

/* What a shell may offer after an option. */
typedef enum toll_completion {
    TOLL_COMPLETE_NONE,
    TOLL_COMPLETE_FILE,
    TOLL_COMPLETE_FORMAT,
    TOLL_COMPLETE_WORDS /* those of `words` */
} toll_completion;

typedef struct toll_option {
    const char *name;     /* long, without -- */
    char letter;          /* short, 0: none */
    const char *argument; /* NULL: takes none */
    const char *help;
    toll_completion completion;
    const char *words; /* separated by blanks */
} toll_option;

extern const toll_option toll_options[TOLL_OPT_COUNT];

typedef struct toll_command {
    const char *name;
    const char *summary;   /* for the list of commands */
    const char *usage;     /* what follows `toll NAME` */
    const char *text;      /* a few lines more for --help and the man page */
    uint64_t options;      /* bits, 1 << toll_option_id */
    bool stops_at_operand; /* options end at the first operand: it has options of its own */
    int (*run)(toll_settings *settings, int argc, char **argv); /* operands only */
} toll_command;

extern const toll_command toll_commands[];
extern const unsigned toll_command_count;

/* The command of that name, or NULL. */
const toll_command *toll_command_named(const char *name);

/* Read the options of argv[1..]; operands end up at argv[*first]. Returns an exit status for a bad
 * command line (already told), or -1: go on. */
int toll_parse_options(const toll_command *command, int argc, char **argv, toll_settings *settings,
                       int *first);

/* A line on a terminal while work takes long (progress.c): "DOING NAME", and how much of it is
 * done. Any work may begin another; the end takes the line away. */
void toll_progress_begin(const toll_settings *settings, const char *doing, const char *name);
void toll_progress_at(void *user, uint64_t done, uint64_t whole);
void toll_progress_clear(void);
void toll_progress_end(void);

/* One line on standard error, "toll: " in front. Returns `status`. */
int toll_complain(int status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The same for any line: `prefix` as it is, `text` as base/printable.h says. */
void toll_tell(const char *prefix, const char *text);

void toll_print_command_help(const toll_command *command);
void toll_print_help(void);
int toll_print_man(void);
int toll_print_completion(const char *shell);

/* --- profiles in and out (profile_io.c) --------------------------------------------------------*/

/* One run of the command: its memory, its settings. */
typedef struct toll_job {
    toll_settings *settings;
    toll_budget budget;
    toll_allocator allocator;
    toll_format_options format_options;
} toll_job;

void toll_job_begin(toll_job *job, toll_settings *settings);

/* Can the settings' output be written at all? To be asked before work begins. Returns an exit
 * status. */
int toll_job_check_output(const toll_job *job);

/* Read a file; with filters and folds of the settings applied. `timeline` as toll_profile_read.
 * Failures are told; returns an exit status. */
int toll_job_load(toll_job *job, const char *path, toll_timeline **timeline, toll_profile **out);

/* Read all operands and merge them. */
int toll_job_load_all(toll_job *job, int count, char **paths, toll_timeline **timeline,
                      toll_profile **out);

/* Write to settings->output, by its name or --to. toll_job_check_output was asked. */
int toll_job_save(toll_job *job, const toll_profile *profile, const toll_timeline *timeline);

/* A warning, unless they are not wanted. */
void toll_job_warn(const toll_job *job, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Tell a failure of the library; says how to raise the limit if that was the cause. */
int toll_job_fail(const toll_job *job, const toll_error *err);

/* What the settings say about reports; colours only on a terminal, NO_COLOR honoured. */
toll_report_options toll_job_report_options(const toll_job *job, uint32_t rows);

/* Standard output as a stream, and its end (a failure is told). */
int toll_job_stdout(toll_job *job, toll_output **out);
int toll_job_finish(toll_job *job, toll_output *out, toll_status status, const toll_error *err);

/* --- the subcommands ---------------------------------------------------------------------------*/

/* "5.1 5.4 in DIR": what `toll run` can profile, for --version. */
void toll_print_lua_versions(void);

int toll_cmd_run(toll_settings *settings, int argc, char **argv);
int toll_cmd_convert(toll_settings *settings, int argc, char **argv);
int toll_cmd_report(toll_settings *settings, int argc, char **argv);
int toll_cmd_diff(toll_settings *settings, int argc, char **argv);
int toll_cmd_merge(toll_settings *settings, int argc, char **argv);
int toll_cmd_check(toll_settings *settings, int argc, char **argv);
int toll_cmd_instrument(toll_settings *settings, int argc, char **argv);

#endif
