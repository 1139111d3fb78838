/* dwarf_read.h - turns DWARF 2 to 5 into an address map.
 *
 * Of split DWARF the file has lines and addresses, and for each unit the name of a file with its
 * functions and inlined calls (.dwo). These, or one package of them all (.dwp), are read if they
 * lie beside the file. Without them its lines are still there. */
#ifndef TOLL_DEBUG_DWARF_READ_H
#define TOLL_DEBUG_DWARF_READ_H

#include "debug/code_file.h"

/* How much is read. */
typedef enum toll_dwarf_parts {
    TOLL_DWARF_ALL,
    TOLL_DWARF_FUNCTIONS /* their names, files and lines: no inlined calls, no line tables */
} toll_dwarf_parts;

/* Where files of split DWARF are. */
typedef struct toll_split_source {
    /* Append the bytes of the file of that name, which has no folder in it. Errors: TOLL_E_IO
     * (there is none that can be read), TOLL_E_LIMIT (it is too large), TOLL_E_NOMEM. */
    toll_status (*read)(void *user, const char *name, toll_buffer *bytes, toll_error *err);
    void *user;
} toll_split_source;

/* Why the functions of a unit of split DWARF are not known. */
typedef enum toll_split_loss {
    TOLL_SPLIT_MISSING, /* there is no such file */
    TOLL_SPLIT_OTHER,   /* it is of another build */
    TOLL_SPLIT_DAMAGED,
    TOLL_SPLIT_LOSSES
} toll_split_loss;

typedef struct toll_split_lost {
    uint32_t count;  /* of units */
    char files[160]; /* names of the first few, */
    bool is_cut;     /* and there are more */
} toll_split_lost;

/* What became of it. */
typedef struct toll_dwarf_result {
    uint32_t split_units; /* whose functions are in files of their own */
    toll_split_lost lost[TOLL_SPLIT_LOSSES];
    bool has_functions; /* there are subprograms of live code */
    char damage[160];   /* what is wrong, nothing was kept; or "" */
} toll_dwarf_result;

/* Read the sections of `file`, and add to `map` what they say of its code. `split` may be NULL: no
 * other files are read. Errors: TOLL_E_NOMEM. Damaged debug information is no error: see *result.
 */
toll_status toll_dwarf_read(const toll_code_file *file, toll_dwarf_parts parts,
                            const toll_split_source *split, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err);

#endif
