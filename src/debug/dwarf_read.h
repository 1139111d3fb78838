/* dwarf_read.h - reads DWARF 2 to 5, unit after unit, into an address map.
 *
 * With split DWARF, the file has lines and addresses, and for each unit the name of a file with its
 * functions and inlined calls (.dwo). These files, or a package of all of them (.dwp), are read if
 * they are in the same folder. Without them only lines are known. */
#ifndef TOLL_DEBUG_DWARF_READ_H
#define TOLL_DEBUG_DWARF_READ_H

#include "debug/code_file.h"

/* Which parts are read. */
typedef enum toll_dwarf_parts {
    TOLL_DWARF_ALL,
    TOLL_DWARF_FUNCTIONS /* only names, files and lines of functions: no inlined calls, no line
                          * tables */
} toll_dwarf_parts;

/* The source of files of split DWARF. */
typedef struct toll_split_source {
    /* Append the bytes of the file with that name, which contains no folder. Errors: TOLL_E_IO (no
     * readable file), TOLL_E_LIMIT (it is too large), TOLL_E_NOMEM. */
    toll_status (*read)(void *user, const char *name, toll_buffer *bytes, toll_error *err);
    void *user;
} toll_split_source;

/* The reason why the functions of a unit of split DWARF are unknown. */
typedef enum toll_split_loss {
    TOLL_SPLIT_MISSING, /* there is no such file */
    TOLL_SPLIT_OTHER,   /* it is of another build */
    TOLL_SPLIT_DAMAGED,
    TOLL_SPLIT_LOSSES
} toll_split_loss;

typedef struct toll_split_lost {
    uint32_t count;  /* of units */
    char files[160]; /* names of the first few files, */
    bool is_cut;     /* true if there are more */
} toll_split_lost;

/* The result of reading DWARF. */
typedef struct toll_dwarf_result {
    uint32_t split_units; /* number of units whose functions are in separate files */
    toll_split_lost lost[TOLL_SPLIT_LOSSES];
    bool has_functions; /* there are subprograms with live code */
    char damage[160];   /* what is wrong (nothing was kept then), or "" */
} toll_dwarf_result;

/* Read the sections of `file`, and add the data about its code to `map`. `split` may be NULL: no
 * other files are read. Errors: TOLL_E_NOMEM. Damaged debug information is not an error: see
 * *result.
 * */
toll_status toll_dwarf_read(const toll_code_file *file, toll_dwarf_parts parts,
                            const toll_split_source *split, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err);

#endif
