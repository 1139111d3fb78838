/* report.h - writes profiles as text for people, and as JSON for programs. The output is not
 * committed. */
#ifndef TOLL_REPORT_H
#define TOLL_REPORT_H

#include <toll/profile.h>
#include <toll/stream.h>
#include <toll/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum toll_report_sort {
    TOLL_SORT_SELF = 0,
    TOLL_SORT_TOTAL = 1,
    TOLL_SORT_CALLS = 2,
    TOLL_SORT_NAME = 3
} toll_report_sort;

typedef struct toll_report_options {
    size_t size;       /* sizeof(toll_report_options), as for all options: see toll.h */
    const char *value; /* type of the column; NULL: the default one */
    toll_report_sort sort;
    uint32_t rows;     /* at most; 0: all. What is cut is counted in the last line. */
    int color;         /* 1: ANSI colours */
    int short_names;   /* 1: names of C++ and Rust in their short form, std::vector<...>::f(...),
                          where that distinguishes them; not in JSON */
    int by_category;   /* 1: toll_report_markdown makes a table for each folder of sources */
    int keep_outside;  /* 1: shares are of everything. Else, if more than half of a time is outside
                          of  any function, as in a server, it is left out, and said; not in JSON */
    const char *links; /* there: the address of the sources, which a file's path is added to, such
                          as "https://.../blob/main/"; NULL: no links */
} toll_report_options;

#define TOLL_REPORT_OPTIONS_INIT TOLL_SIZED_INIT(toll_report_options)

/* A table of functions: self, its share, total, its share, calls, name, where. A function's
 * total counts only its outermost frame on a stack. options may be NULL. Errors of this and the
 * following: TOLL_E_ARGUMENT (no such sort; out is NULL), TOLL_E_NOT_FOUND (no such value),
 * TOLL_E_NOMEM, TOLL_E_OVERFLOW; those of the output are kept there. Since 0.1. */
TOLL_API toll_status toll_report_top(const toll_profile *profile,
                                     const toll_report_options *options, toll_output *out,
                                     toll_error *err);

/* The calling-context tree, each thread from its root, children in the order of `sort` (total: the
 * heaviest first). `rows` limits the lines: the stacks with the largest totals are shown.
 * Since 0.1. */
TOLL_API toll_status toll_report_tree(const toll_profile *profile,
                                      const toll_report_options *options, toll_output *out,
                                      toll_error *err);

/* The profile as one JSON object: columns, functions (self, total, calls), threads, notes. A column
 * that is made of samples has `sample`, what one of them represents. Since 0.1. */
TOLL_API toll_status toll_report_json(const toll_profile *profile,
                                      const toll_report_options *options, toll_output *out,
                                      toll_error *err);

/* Write what grew and what shrank: functions, then stacks, the biggest change first. `difference`
 * is what toll_profile_diff made of the two; TOLL_E_ARGUMENT if it lacks a function of theirs.
 * Since 0.1.
 * */
TOLL_API toll_status toll_report_diff(const toll_profile *before, const toll_profile *after,
                                      const toll_profile *difference,
                                      const toll_report_options *options, toll_output *out,
                                      toll_error *err);

/* The difference as one JSON object: change, before, after; functions; stacks (root first).
 * Since 0.1. */
TOLL_API toll_status toll_report_diff_json(const toll_profile *before, const toll_profile *after,
                                           const toll_profile *difference,
                                           const toll_report_options *options, toll_output *out,
                                           toll_error *err);

/* The table of functions as Markdown that GitHub shows, for a summary or a comment; flame graph,
 * tree and notes are below it, collapsed. Names make no markup; long ones are cut. `color` is not
 * used.
 *
 * With `by_category` there is a table for each folder below "src", with at most `rows` functions in
 * the order of files and lines. What a call of an empty function in "src/lib.rs" costs is taken off
 * each call of the others. TOLL_E_ARGUMENT also if `links` is no address of the web. Since 0.1. */
TOLL_API toll_status toll_report_markdown(const toll_profile *profile,
                                          const toll_report_options *options, toll_output *out,
                                          toll_error *err);

/* The same of a difference: what grew and what shrank, the stacks collapsed. Since 0.1. */
TOLL_API toll_status toll_report_diff_markdown(const toll_profile *before,
                                               const toll_profile *after,
                                               const toll_profile *difference,
                                               const toll_report_options *options, toll_output *out,
                                               toll_error *err);

/* --- snapshots ---------------------------------------------------------------------------------*/

typedef struct toll_series_options {
    size_t size;       /* sizeof(toll_series_options), as for all options: see toll.h */
    const char *value; /* type of the column; NULL: that of toll_report_diff for the first and the
                          last */
    const char *const *titles; /* of each profile, such as its file's name; NULL: their numbers */
    uint32_t rows;   /* of functions and of stacks at most; 0: all. What is cut is counted. */
    int short_names; /* 1: as in toll_report_options */
    int only_leaks;  /* 1: only what grew in each step, or has blocks of every age */
    int are_ages; /* 1: the profiles are the blocks of one heap by age, the oldest first: each has
                     what was allocated in one period and is still in use */
} toll_series_options;

#define TOLL_SERIES_OPTIONS_INIT TOLL_SIZED_INIT(toll_series_options)

/* How functions and stacks developed over several profiles of one program in the order of time,
 * such as snapshots of a heap: what grew in each step first, since a leak looks like that. A value
 * of the heap is counted by allocation site; blocks and bytes are side by side. docs/semantics.md,
 * "Snapshots". options may be NULL. Errors: TOLL_E_ARGUMENT (out is NULL; no profile, or over
 * 1,000), TOLL_E_NOT_FOUND (no such value), TOLL_E_NOMEM, TOLL_E_LIMIT, TOLL_E_OVERFLOW; those of
 * the output are kept there. Since 0.1. */
TOLL_API toll_status toll_report_series(const toll_profile *const *profiles, size_t count,
                                        const toll_series_options *options, toll_output *out,
                                        toll_error *err);

/* The same as one JSON object, with all steps. Since 0.1. */
TOLL_API toll_status toll_report_series_json(const toll_profile *const *profiles, size_t count,
                                             const toll_series_options *options, toll_output *out,
                                             toll_error *err);

/* The same as Markdown. Since 0.1. */
TOLL_API toll_status toll_report_series_markdown(const toll_profile *const *profiles, size_t count,
                                                 const toll_series_options *options,
                                                 toll_output *out, toll_error *err);

/* --- line by line ------------------------------------------------------------------------------*/

/* The value of *size if *text is NULL: the reason why there is no source to show. */
enum {
    TOLL_SOURCE_MISSING,   /* the file is not there */
    TOLL_SOURCE_OUTSIDE,   /* the file exists, but must not be shown: see SECURITY.md */
    TOLL_SOURCE_UNREADABLE /* it is not text, or too large for source */
};

/* The source of a file: *text and *size are its bytes, which remain good until the next call;
 * *text is NULL if there is none, and *size says why. `file` is the name that the profile has. */
typedef toll_status (*toll_source_fn)(void *user, const char *file, const char **text, size_t *size,
                                      toll_error *err);

/* Where the text that a toll_source_fn has just given for `file` comes from, if not from that file:
 * the name of a source map, such as "app.wasm.map". Else "". Never NULL. */
typedef const char *(*toll_source_origin_fn)(void *user, const char *file);

/* An instruction of the program, and what it cost. */
typedef struct toll_instruction {
    uint64_t address;
    const char *text;         /* as a disassembler writes it */
    int64_t self, executions; /* over all stacks */
    uint32_t line;            /* 0: of no known one */
    const char *file; /* of the line, where it is another than the function's, or the one that was
                         asked for; else "" */
} toll_instruction;

/* The instructions of a function by file (the function's own first), line and address, with costs
 * of that value; of a function whose name is "" those of all functions in its file. They remain
 * good until the next call. */
typedef toll_status (*toll_instructions_fn)(void *user, const toll_frame *function,
                                            toll_value_type value, const toll_instruction **list,
                                            size_t *count, toll_error *err);

typedef struct toll_annotate_options {
    size_t size;           /* sizeof(toll_annotate_options), as for all options: see toll.h */
    const char *value;     /* type of the column; NULL: the default one */
    const char *what;      /* the name of a function, or else the end of a file's path, or else a
                              part of functions' names; NULL: all functions */
    toll_source_fn source; /* NULL: lines are shown by number */
    void *source_user;
    uint32_t rows;   /* functions (or files) at most; 0: all. What is cut is counted. */
    int full;        /* 1: also the lines between those that cost something */
    int color;       /* 1: ANSI colours */
    int short_names; /* 1: as in toll_report_options */
    toll_instructions_fn instructions; /* NULL: lines alone; see toll_assembly_instructions */
    void *instructions_user;
    double threshold; /* from 0 to below 1: rows whose self value and total are under this share are
                         folded, unless `full` is set: a share of the whole profile, or with `what`
                         of the function's (or file's) total; in a comparison of all changes. 0:
                         none */
    uint32_t top;     /* instead of functions the costliest lines, at most so many; 0: functions */
    int keep_outside; /* 1: as in toll_report_options; a comparison keeps it always */
    toll_source_origin_fn
        source_origin; /* with `source_user`; NULL: texts are those of the files */
} toll_annotate_options;

#define TOLL_ANNOTATE_OPTIONS_INIT TOLL_SIZED_INIT(toll_annotate_options)

/* Write the cost of each line beside its source: the costliest functions first, each line with its
 * share of the whole, its self value, its total if some line has another, and how often it ran if
 * there is a column "executions". Costs of no known line are a separate row: the rows of a function
 * sum up to its self value. Rows "..." have the sum of what they stand for. Where the column has no
 * values in lines, and "line ticks" has, that is shown. options may be NULL. With
 * options.instructions those of each line that ran are below it; they sum up to it, and a note
 * counts the lines where they do not. before  NULL; or a profile to compare with (see
 * toll_profile_align): what grew and what shrank, by line. With options.top each row is a line of
 * the source, summed over all functions that have it, with the function that has most of it; the
 * last row has the sum of all others. Errors: TOLL_E_ARGUMENT (out is NULL; `threshold` is no
 * share; `top` with instructions), TOLL_E_NOT_FOUND (no such value; no such function or file; no
 * lines in the profile), TOLL_E_NOMEM, TOLL_E_OVERFLOW, those of `source`; those of the output are
 * kept there. Since 0.1.
 * */
TOLL_API toll_status toll_report_annotate(const toll_profile *profile, const toll_profile *before,
                                          const toll_annotate_options *options, toll_output *out,
                                          toll_error *err);

/* The same as one JSON object: only lines that cost something, line 0 for what is not known to be
 * of a line. Since 0.1. */
TOLL_API toll_status toll_report_annotate_json(const toll_profile *profile,
                                               const toll_profile *before,
                                               const toll_annotate_options *options,
                                               toll_output *out, toll_error *err);

/* --- a flame graph -----------------------------------------------------------------------------*/

typedef enum toll_colors {
    TOLL_COLORS_NONE = 0, /* letters alone */
    TOLL_COLORS_256 = 1,
    TOLL_COLORS_24_BIT = 2
} toll_colors;

typedef struct toll_flame_options {
    size_t size;        /* sizeof(toll_flame_options), as for all options: see toll.h */
    const char *value;  /* type of the column; NULL: the default one */
    uint32_t width;     /* columns of the terminal, 20 to 10,000; 0: 80 */
    uint32_t rows;      /* at most; 0: all */
    toll_colors colors; /* of the terminal */
    int short_names;    /* 1: as in toll_report_options */
    int keep_outside;   /* 1: as in toll_report_options */
    int reserved;       /* 0 */
} toll_flame_options;

#define TOLL_FLAME_OPTIONS_INIT TOLL_SIZED_INIT(toll_flame_options)

/* A flame graph for the terminal, callers above their callees, the heaviest to the left; a function
 * has as many columns as its share of the whole. Frames narrower than a column, or below the last
 * row, are counted in the last lines. options may be NULL. Errors: TOLL_E_ARGUMENT (out is NULL, no
 * such colours), TOLL_E_NOT_FOUND (no such value), TOLL_E_UNSUPPORTED (negative values),
 * TOLL_E_NOMEM, TOLL_E_OVERFLOW; those of the output are kept there. Since 0.1. */
TOLL_API toll_status toll_report_flame(const toll_profile *profile,
                                       const toll_flame_options *options, toll_output *out,
                                       toll_error *err);

/* --- the page ----------------------------------------------------------------------------------*/

/* How many source files a page has, and why it lacks others. */
typedef struct toll_page_sources {
    uint32_t embedded;
    uint32_t missing, outside, unreadable; /* as toll_source_fn says */
    uint32_t no_room;                      /* beyond 4 MiB */
    uint32_t reserved;                     /* 0 */
} toll_page_sources;

typedef struct toll_page_options {
    size_t size;        /* sizeof(toll_page_options), as for all options: see toll.h */
    const char *title;  /* what the page is called, such as the profile's file; NULL: "profile" */
    const char *before; /* the same of the other profile, in a comparison; NULL: "before" */
    const char *value;  /* type of the column to begin with; NULL: the default one */
    toll_source_fn source; /* of functions that have lines: their files come into the page, 4 MiB of
                              text at most, the costliest first; NULL: none */
    void *source_user;
    int all_source;                /* 1: also of functions without lines */
    int in_time;                   /* 1: the page opens in order of time, if there is a timeline */
    int keep_outside;              /* 1: as in toll_report_options; a comparison keeps it always */
    int reserved;                  /* 0 */
    const toll_timeline *timeline; /* of the profile's run: every call in order, as a third view,
                                      unless there is a profile to compare with; NULL: none */
    toll_page_sources
        *sources; /* NULL; or gets the number of source files, when the page is done */
    toll_source_origin_fn
        source_origin; /* with `source_user`; NULL: texts are those of the files */
    const toll_profile *const
        *between; /* in a comparison: profiles between the two in time, such as snapshots of a
                     heap, the oldest first; the page then has what each function had in each */
    const char *const *between_titles; /* of each; NULL: their numbers */
    uint32_t between_count;
    uint32_t reserved_too; /* 0 */
    const char *series;    /* what all these profiles are, such as "Commits"; NULL: "Snapshots" */
} toll_page_options;

#define TOLL_PAGE_OPTIONS_INIT TOLL_SIZED_INIT(toll_page_options)

/* The profile as a page of HTML, one file that needs no other, with all its stacks: flame graph,
 * table of functions, callers and callees; docs/page.md has its form. options may be NULL.
 *   before  NULL; or a profile to compare with
 * Errors: TOLL_E_ARGUMENT (out is NULL; profiles between without one before), TOLL_E_NOT_FOUND (no
 * such value), TOLL_E_UNSUPPORTED (a build without the page, or without zlib), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, TOLL_E_LIMIT; those of the output are kept there. Since 0.1. */
TOLL_API toll_status toll_report_page(const toll_profile *profile, const toll_profile *before,
                                      const toll_page_options *options, toll_output *out,
                                      toll_error *err);

#define TOLL_VALUE_TEXT_SIZE 48

/* Write a value for people, as in "1.23 ms", "4,096 B", "12,345 CU", to text, which must have room
 * for TOLL_VALUE_TEXT_SIZE bytes (not checked). unit NULL: as a count. Returns text. Threads: any.
 * Since 0.1. */
TOLL_API const char *toll_value_text(int64_t value, const char *unit,
                                     char text[TOLL_VALUE_TEXT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
