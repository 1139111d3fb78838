/* tables.h - many profiles as tables for SQL, in memory that other libraries read: Apache Arrow's C
 * data interface (https://arrow.apache.org/docs/format/CDataInterface.html). Those libraries write
 * Parquet and other files. docs/fleet.md says what the tables and their columns mean.
 *
 *     options.take_rows = take;                                 gets the rows, batch by batch
 *     toll_tables_create(NULL, &options, &tables, &err);
 *     toll_tables_add(tables, path, NULL, 0, profile, &err);    for each profile
 *     toll_tables_finish(tables, &err);
 *
 * Memory grows with the number of different functions and stacks, not with the number of profiles;
 * beside that there is one batch of each table.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_TABLES_H
#define TOLL_TABLES_H

#include <stddef.h>
#include <stdint.h>
#include <toll/error.h>
#include <toll/memory.h>
#include <toll/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's two structs. Who includes Arrow's own header has them already: the name of the macro is
 * part of the interface. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

typedef enum toll_table {
    TOLL_TABLE_PROFILES = 0,  /* a row is a profile */
    TOLL_TABLE_SAMPLES = 1,   /* ... the self cost of a stack of a profile in a column, if not 0 */
    TOLL_TABLE_STACKS = 2,    /* ... a stack that has a sample */
    TOLL_TABLE_FUNCTIONS = 3, /* ... a function */
    TOLL_TABLE_COUNT
} toll_table;

/* Takes the next rows of a table: a struct array, whose children are the columns. The callee must
 * release it, at once or later, also on another thread. It must not call functions of the same
 * toll_tables. Returns 0, or something else to make the call that led here fail. */
typedef int (*toll_tables_take)(void *user, toll_table table, struct ArrowArray *rows);

typedef struct toll_tables_options {
    size_t size;                /* sizeof(toll_tables_options), as for all options: see toll.h */
    toll_tables_take take_rows; /* must not be NULL */
    void *user;                 /* passed to take_rows */
    uint64_t most_rows;         /* of a batch; 0: 131,072 */
    uint64_t most_frames;       /* of a batch of stacks, reached by its last one; 0: 262,144 */
} toll_tables_options;

#define TOLL_TABLES_OPTIONS_INIT TOLL_SIZED_INIT(toll_tables_options)

typedef struct toll_tables toll_tables;

/* Create tables without rows.
 *   allocator  NULL: the C library's; copied. It is called when a batch is released, too, on the
 *              thread that does it
 *   options    copied
 *   out        the caller's to free (toll_tables_free)
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_tables_create(const toll_allocator *allocator,
                                                        const toll_tables_options *options,
                                                        toll_tables **out, toll_error *err);

/* Free the tables, and rows that were not taken. NULL is fine. Since 0.1. */
TOLL_API void toll_tables_free(toll_tables *tables);

/* Describe the columns of a table: a struct, whose children are the columns. Nothing can be NULL.
 *   out  the caller's, uninitialised; to be released by out->release
 * Errors: TOLL_E_ARGUMENT (no such table), TOLL_E_NOMEM: nothing is to be released. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_tables_schema(toll_table table, struct ArrowSchema *out,
                                                        toll_error *err);

/* Add a profile. Lines within a function are added up. Values in a unit that is a known multiple of
 * bytes or nanoseconds (B, kB, MB, GB: of 1,000; KiB, MiB, GiB: of 1,024; ns, us, ms, s,
 * microseconds, milliseconds, seconds) become values in bytes or nanoseconds.
 *   name     its name in the tables: its path
 *   labels   labels of the profile, beside its own, and instead of its own of the same key; a key
 *            occurs once. `count` of them
 *   profile  does not change
 * Errors: TOLL_E_ARGUMENT (also: name or labels are not UTF-8), TOLL_E_NOMEM, TOLL_E_OVERFLOW (a
 * value does not fit 64 bits in its new unit), TOLL_E_UNSUPPORTED (two columns would be one in the
 * new unit), TOLL_E_LIMIT (two functions or stacks have one id, or the texts of a row have more
 * than 2 GB), TOLL_E_STATE (take_rows did not return 0, or the tables are finished). After
 * TOLL_E_ARGUMENT nothing has changed; after another failure only toll_tables_free is of use.
 * Since 0.1. */
TOLL_API toll_status toll_tables_add(toll_tables *tables, const char *name,
                                     const toll_thread_label *labels, uint32_t count,
                                     const toll_profile *profile, toll_error *err);

/* Add a row to the profiles for a file that could not be read.
 *   note  why; counted once in the row's notes
 * Parameters and errors are otherwise those of toll_tables_add. Since 0.1. */
TOLL_API toll_status toll_tables_add_unread(toll_tables *tables, const char *name,
                                            const toll_thread_label *labels, uint32_t count,
                                            const char *note, toll_error *err);

/* Pass on all rows that remain, and the functions. Once. Errors: TOLL_E_NOMEM, TOLL_E_STATE, as of
 * toll_tables_add. Since 0.1. */
TOLL_API toll_status toll_tables_finish(toll_tables *tables, toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
