/* options.h - the options of the command line: one table of them, and the settings that they set.
 *
 * An option is one row of the table in options.c. The row says which kind of value the option has,
 * where in toll_settings it is stored and which subcommands accept the option. Parsing, --help, the
 * man page and shell completion use only this table. Help lists options in the order of the
 * rows. */
#ifndef TOLL_CLI_OPTIONS_H
#define TOLL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <toll/toll.h>

typedef struct toll_number {
    uint32_t value;
    bool is_set; /* given on the command line */
} toll_number;

typedef struct toll_share {
    double value; /* from 0 to below 1 */
    bool is_set;
} toll_share;

/* One of the words of an option's row. */
typedef struct toll_word {
    const char *text; /* NULL: not on the command line */
    uint32_t place;   /* index in the row's words; the default is 0 */
} toll_word;

/* Indexes in the words of --clock and --color; those of --sort are toll_report_sort. */
enum { TOLL_CLOCK_WALL, TOLL_CLOCK_CPU, TOLL_CLOCK_NONE, TOLL_CLOCK_EACH, TOLL_CLOCK_SAMPLED };
enum { TOLL_COLOR_AUTO, TOLL_COLOR_ALWAYS, TOLL_COLOR_NEVER };

/* The values of an option that may be given more than once. */
typedef struct toll_texts {
    const char **items;
    size_t count, capacity;
} toll_texts;

typedef struct toll_program_files {
    toll_program_file *items;
    size_t count, capacity;
} toll_program_files;

/* The values from a command line. Texts belong to the command line; lists are freed by
 * toll_settings_free. A flag is 1 if it was given. */
typedef struct toll_settings {
    toll_format_options format;
    toll_solana_options solana;
    toll_supcom_options supcom;
    toll_filter filter;
    const char *output, *from, *to, *timeline, *only, *skip, *costs, *invoke, *serve, *inbox,
        *preimages, *preimage_endpoint, *dal_pages, *installer_config, *rollup, *pvm_version,
        *kernel_run, *budget, *write_budget, *before, *limits, *by, *links, *where_before,
        *where_after, *tight, *junit, *openmetrics, *code_quality;
    toll_texts dirs, envs, shows, source_dirs, prefix_maps, debugs, fail_over;
    toll_program_files elfs, idls;
    toll_word sort, clock, color;
    toll_number max_depth, frame_limit, depth, rows, top, width, repeat;
    uint64_t max_memory;
    toll_share prune, threshold;
    int fold_recursion, tree, json, difference, by_site, sections, no_ticks, twice, lines, inlines,
        call_lines, call_kinds, no_calls, no_overhead, outside, quiet, ticks, heap, join_threads,
        kernel, full, assembly, mangled, flame, html, view, keep_all, by_function, annotations,
        markdown, summary, by_category, each, leaks, replace, ctest, lower_only, partial, across,
        per_run, info, help;
    int no_source, source_outside, exact, inside, full_names, skip_line_zero;
    const char *script;     /* toll run --view: the program, whose folder counts like the current
                             * one */
    const char *files_from; /* toll merge */
    const char *margin;     /* toll bench */
    const char *commit;     /* toll history */
    toll_number keep;
    toll_number runs, warmup; /* toll compare */
    const char *input;
    int no_profile;
    toll_number jobs, seconds, hz;
    toll_number sample; /* a value of 0: the default */
    int skip_torn, mixed, list, no_confine;
    toll_folded_options folded;
    toll_reader_options readers[3]; /* see guest_options.h; names of unused options are in
                                     * `unused` */
    char unused[64];
} toll_settings;

typedef enum toll_option_kind {
    TOLL_FLAG,         /* int: becomes 1 */
    TOLL_UNFLAG,       /* int: becomes 0 */
    TOLL_TEXT,         /* const char * */
    TOLL_READ_FORMAT,  /* const char *: the name of a format that is read */
    TOLL_WRITE_FORMAT, /* const char *: the name of a format that is written */
    TOLL_WORD,         /* toll_word */
    TOLL_NUMBER,       /* toll_number */
    TOLL_SIZE,         /* uint64_t: bytes, as 512M */
    TOLL_SHARE,        /* toll_share: as 0.1% or 0.001 */
    TOLL_LIST,         /* toll_texts: each option adds one */
    TOLL_LABELS,      /* const char *: each option adds a line KEY=VALUE; freed with the settings */
    TOLL_PROGRAM_FILE /* toll_program_files: FILE or ID=FILE, each option adds one */
} toll_option_kind;

/* The subcommands, in the order of the table in commands.c. */
typedef enum toll_command_id {
    TOLL_CMD_RUN,
    TOLL_CMD_ATTACH,
    TOLL_CMD_CONTROL,
    TOLL_CMD_CONVERT,
    TOLL_CMD_REPORT,
    TOLL_CMD_VIEW,
    TOLL_CMD_ANNOTATE,
    TOLL_CMD_DIFF,
    TOLL_CMD_MERGE,
    TOLL_CMD_CHECK,
    TOLL_CMD_BENCH,
    TOLL_CMD_COMPARE,
    TOLL_CMD_HISTORY,
    TOLL_CMD_INSTRUMENT,
    TOLL_CMD_DOCTOR,
    TOLL_CMD_COUNT
} toll_command_id;

/* How the command uses a file that an option names. A shell completes the names of all of them. */
typedef enum toll_file_use {
    TOLL_FILE_NONE,
    TOLL_FILE_READ,       /* or a folder, whose files are read */
    TOLL_FILE_WRITTEN,    /* it is replaced */
    TOLL_FILE_REWRITTEN,  /* both */
    TOLL_FILE_PROGRAM = 4 /* read, and so are files beside it that it names */
} toll_file_use;

/* Which words of a profile a shell offers for an option's value. */
typedef enum toll_offer {
    TOLL_OFFER_NONE,
    TOLL_OFFER_VALUES,    /* value types */
    TOLL_OFFER_FUNCTIONS, /* patterns that match the names of functions */
    TOLL_OFFER_THREADS,   /* patterns that match the names of threads */
    TOLL_OFFER_LABELS,    /* keys of labels */
    TOLL_OFFER_NAMES      /* names of functions, as they are: of an operand */
} toll_offer;

typedef struct toll_option {
    const char *name;     /* long, without -- */
    const char *argument; /* its name in the help; NULL: the option takes none; "[=N]": it may be
                             left out */
    const char *help;
    const char *words; /* TOLL_WORD: the words, separated by blanks */
    size_t place;      /* offset of the value in toll_settings, in bytes */
    toll_option_kind kind;
    unsigned commands;    /* bits, 1 << toll_command_id */
    char letter;          /* short, 0: none */
    toll_file_use file;   /* how the file is used that the value names; else TOLL_FILE_NONE */
    toll_offer offers;    /* words of the profile that is read, if it is one for reading */
    bool is_wasm_alone;   /* toll run: only for WebAssembly; run.cjs accepts it, too */
    bool is_kernel_alone; /* toll run: only with --kernel */
} toll_option;

enum { TOLL_MOST_OPTIONS = 160 };
extern const toll_option toll_options[]; /* toll_option_count of them */
extern const unsigned toll_option_count;

/* May the option's argument be left out? */
static inline bool toll_option_may_be_bare(const toll_option *option)
{
    return option->argument && option->argument[0] == '[' && option->argument[1] == '=';
}

/* Is the option's value the name of a format? */
static inline bool toll_option_is_format(const toll_option *option)
{
    return option->kind == TOLL_READ_FORMAT || option->kind == TOLL_WRITE_FORMAT;
}

/* The settings before any option. */
toll_settings toll_default_settings(void);

/* Store the option's argument (NULL for a flag, or if it was left out) in the settings. Returns an
 * exit status, after a message, if it is wrong; or -1: continue. */
int toll_option_set(const toll_option *option, char *argument, toll_settings *settings);

/* The ith value of a flag (""), text, word, list or program file on the command line. NULL: no more
 * values, or the option is of another kind. */
const char *toll_option_value(const toll_option *option, const toll_settings *settings, size_t i);

void toll_settings_free(toll_settings *settings);

#endif
