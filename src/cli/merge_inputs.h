/* merge_inputs.h - the paths of the profiles that toll merge adds up: those on the command line,
 * then those of a list (--files-from), each file of what is a folder. One at a time, so that their
 * number costs no memory. */
#ifndef TOLL_CLI_MERGE_INPUTS_H
#define TOLL_CLI_MERGE_INPUTS_H

#include "folder_files.h"
#include "options.h"

typedef struct toll_merge_inputs {
    const toll_settings *settings;
    int count; /* operands that are left */
    char **operands;
    toll_input *list; /* NULL: none */
    char separator;   /* of the list: a line end, or NUL */
    uint64_t line;    /* of the list; counts paths from 1 */
    toll_folder_files folder;
} toll_merge_inputs;

/* Errors: TOLL_E_IO, TOLL_E_NOMEM: the list cannot be read. */
toll_status toll_merge_inputs_begin(toll_merge_inputs *inputs, const toll_allocator *allocator,
                                    const toll_settings *settings, int count, char **operands,
                                    toll_error *err);
void toll_merge_inputs_end(toll_merge_inputs *inputs);

/* The path of the next profile into path[TOLL_OS_PATH_SIZE]; an empty one: there are no more.
 * Errors: TOLL_E_UNKNOWN_FORMAT: what is at that path is neither a file nor a folder, and one may
 * go on with the next; TOLL_E_IO, TOLL_E_NOMEM, TOLL_E_SYNTAX: nothing comes after. */
toll_status toll_merge_inputs_next(toll_merge_inputs *inputs, char *path, toll_error *err);

/* The next path of the list alone, as it is; an empty one: there are no more. */
toll_status toll_merge_inputs_listed(toll_merge_inputs *inputs, char *path, toll_error *err);

#endif
