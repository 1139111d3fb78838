/* format.h - reads and writes profiles in Toll's formats and those of other tools.
 *
 * One table has all formats. A reader is chosen by the file's content unless a name is given; a
 * writer by the file's name or a given one. */
#ifndef TOLL_FORMAT_H
#define TOLL_FORMAT_H

#include <toll/profile.h>
#include <toll/stream.h>
#include <toll/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a format can store. Everything else is omitted when writing, with a warning. */
enum {
    TOLL_KEEPS_COLUMNS = 1 << 0, /* several value columns */
    TOLL_KEEPS_THREADS = 1 << 1,
    TOLL_KEEPS_SOURCE = 1 << 2, /* files and lines of frames */
    TOLL_KEEPS_KIND = 1 << 3,
    TOLL_KEEPS_NOTES = 1 << 4,    /* notes, comments, start and duration */
    TOLL_KEEPS_NEGATIVE = 1 << 5, /* negative values (differences) */
    TOLL_KEEPS_UNITS = 1 << 6,    /* types and units of columns */
    TOLL_KEEPS_CONTEXT = 1 << 7,  /* whole stacks (callgrind: only caller and callee) */
    TOLL_KEEPS_ORDER = 1 << 8,    /* order in time, from a timeline */
    TOLL_KEEPS_PLACES = 1 << 9    /* lines and addresses within functions */
};

typedef struct toll_format {
    const char *name;              /* "pprof" */
    const char *title;             /* one line for people */
    const char *const *extensions; /* NULL-terminated, ".pb.gz" first */
    unsigned keeps;                /* TOLL_KEEPS_* */
    int reads, writes;             /* 1 if it can */
    int needs_timeline;            /* 1: writes only from a timeline */
} toll_format;

/* The formats, numbered 0, 1, ...; NULL after the last one. Static. Threads: any. Since 0.1. */
TOLL_API const toll_format *toll_format_at(unsigned i);

/* The format of that name, such as "pprof"; NULL if there is none, or name is NULL. Static.
 * Threads: any. Since 0.1. */
TOLL_API const toll_format *toll_format_named(const char *name);

/* The format for a file of that name: by its extension, which may be followed by .gz
 * (x.trace.json.gz is chrome). NULL if there is none, or path is NULL. The file is not read.
 * Static. Threads: any. Since 0.1. */
TOLL_API const toll_format *toll_format_for_path(const char *path);

/* The format of the folder `path`, if the whole folder is one profile, such as a folder with
 * register traces. NULL: it is not such a folder, or path is NULL. `format` restricts the result to
 * the format of that name; NULL: any. Static. Threads: any. Since 0.1. */
TOLL_API const toll_format *toll_format_for_folder(const char *path, const char *format);

/* Options of one format's reader, such as the toll_solana_options of solana.h. */
typedef struct toll_reader_options {
    const char *format;  /* the format; "solana" is for "sbf-trace", too */
    const void *options; /* the struct that the format's header declares; borrowed */
    /* The name of these options in a warning if a file of another format is read, as in "--idl and
     * --elf"; NULL: no warning. */
    const char *unused;
} toll_reader_options;

#define TOLL_MOST_STACKS 1000000  /* most_stacks of `toll run`, and of toll.mjs */
#define TOLL_STACK_BYTES 64000000 /* stack_bytes, unless set otherwise */

typedef struct toll_format_options {
    size_t size; /* sizeof(toll_format_options), as for all options: see toll.h */
    /* Called with a line for users on what was omitted or guessed; may be NULL. */
    void (*warn)(void *user, const char *text);
    void *warn_user;
    /* Writing formats with one value: the type of the column; NULL: the default column. */
    const char *value;
    /* Writing folded: one line for each span of time, in the order of the run (needs a
     * timeline). */
    int flamechart;
    /* Reading by path: see toll_input_on_progress; called for each file separately; may be NULL. */
    toll_progress_fn progress;
    void *progress_user;
    /* Reading: 1: an error instead of a note if data must be omitted: a line of the profiler that
     * is not a stack (supcom), or a recording without its end, because the process was killed or
     * the file truncated (timeline). */
    int strict;
    /* Writing html: the title of the page; NULL: "profile". */
    const char *title;
    /* Writing pprof, folded and perfview, which have each stack in full: the most stacks. If there
     * are more, the smallest are charged to their callers, as by toll_profile_prune_share, with the
     * least share that leaves at most this many (in formats with one value, the share of that
     * value). Frames without a caller stay. 0: all stacks are written. */
    size_t most_stacks;
    /* Writing: labels for all threads, as by toll_profile_with_labels; NULL: none. */
    const char *labels;
    /* Writing formats that have each stack in full: the most bytes of stacks, before compression.
     * If they would take more, the deepest are folded, as by toll_profile_fold_depth, at the
     * largest depth for which they fit, but never at less than 1,000 frames; a note counts them. 0:
     * TOLL_STACK_BYTES; SIZE_MAX: all stacks are written in full. */
    size_t stack_bytes;
    /* toll_profile_save_as: 1: do not wait for the disk (toll_output_set_sync). */
    int no_sync;
    /* Reading: reader_count structs with options of single formats; a reader uses those of its own
     * format. */
    const toll_reader_options *readers;
    size_t reader_count;
} toll_format_options;

#define TOLL_FORMAT_OPTIONS_INIT TOLL_SIZED_INIT(toll_format_options)

/* Read one profile.
 *   in       at its first byte; read to its end, not freed
 *   format   a name out of the table, or NULL: decide by content
 *   options  may be NULL
 *   timeline may be NULL; else, if the file has the order in time, *timeline becomes a new
 *            timeline, which the caller frees; NULL if the file does not
 *   out      a new profile, the caller's to free; NULL on failure
 * Values keep the file's own units. Errors: TOLL_E_ARGUMENT (out is NULL), TOLL_E_NOMEM, TOLL_E_IO,
 * TOLL_E_UNKNOWN_FORMAT, TOLL_E_UNSUPPORTED, TOLL_E_SYNTAX, TOLL_E_TRUNCATED, TOLL_E_LIMIT,
 * TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_read(toll_input *in, const char *format,
                                                       const toll_format_options *options,
                                                       toll_timeline **timeline, toll_profile **out,
                                                       toll_error *err);

/* Read one profile by its path: from a file, "-" (standard input), or a folder with register traces
 * of Solana programs, which is the format sbf-trace.
 *   allocator  NULL: the C library's
 *   format     as above, or NULL: a folder by the files in it, a file by its content
 *   options    may be NULL
 *   timeline   as above; a folder has none
 *   out        as above
 * Errors: those of toll_input_open and toll_profile_read; of a folder also TOLL_E_NOT_FOUND (no
 * traces are in it) and TOLL_E_ARGUMENT (an ELF file without a path, or given for a program that
 * ran other code). A folder's files are read twice, and to find the ELF files of programs again.
 * Threads: any. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_load(const toll_allocator *allocator,
                                                       const char *path, const char *format,
                                                       const toll_format_options *options,
                                                       toll_timeline **timeline, toll_profile **out,
                                                       toll_error *err);

/* Write a profile (and, where the format has the order in time, its timeline, which may be NULL).
 * The output is not committed. Same input, same bytes. `format` is a name out of the table.
 * Errors: TOLL_E_ARGUMENT (format or out is NULL), TOLL_E_UNKNOWN_FORMAT, TOLL_E_UNSUPPORTED,
 * TOLL_E_NOT_FOUND (no such value type), TOLL_E_NOMEM, TOLL_E_IO. Since 0.1. */
TOLL_API toll_status toll_profile_write(const toll_profile *profile, const toll_timeline *timeline,
                                        const char *format, const toll_format_options *options,
                                        toll_output *out, toll_error *err);

/* The usual case: write a profile to a file, whole or not at all, in the format of its extension:
 * toll_profile_save_as without options. Since 0.1. */
TOLL_API toll_status toll_profile_save(const toll_profile *profile, const char *path,
                                       toll_error *err);

/* Write a profile, and its timeline, as toll_profile_write does, into a file.
 *   path     of the file; it is there whole or not at all; compressed if the name ends in .gz, and
 *            pprof unless it ends in .pb; "-" is standard output
 *   format   NULL: by the file's name
 * Errors: those of toll_profile_write. Since 0.1. */
TOLL_API toll_status toll_profile_save_as(const toll_profile *profile,
                                          const toll_timeline *timeline, const char *path,
                                          const char *format, const toll_format_options *options,
                                          toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
