/* merge_inputs.h - lists the paths of the profiles that toll merge adds up. First come those on the
 * command line, then those of a list (--files-from); for a folder, each file in it. One at a time,
 * so that memory does not depend on their number. */
#ifndef TOLL_CLI_MERGE_INPUTS_H
#define TOLL_CLI_MERGE_INPUTS_H

#include "folder_files.h"
#include "options.h"

typedef struct toll_merge_inputs {
    const toll_settings *settings;
    int count; /* number of remaining operands */
    char **operands;
    toll_input *list; /* NULL: none */
    char separator;   /* of the list: a line end, or NUL */
    uint64_t line;    /* line of the list, or index of the path, from 1 */
    toll_folder_files folder;
} toll_merge_inputs;

/* Errors: TOLL_E_IO, TOLL_E_NOMEM: the list cannot be read. */
toll_status toll_merge_inputs_begin(toll_merge_inputs *inputs, const toll_allocator *allocator,
                                    const toll_settings *settings, int count, char **operands,
                                    toll_error *err);
void toll_merge_inputs_end(toll_merge_inputs *inputs);

/* Copy the path of the next profile to path[TOLL_OS_PATH_SIZE]; an empty one: no more. Errors:
 * TOLL_E_UNKNOWN_FORMAT: neither a file nor a folder, and the caller may continue with the next;
 * TOLL_E_UNSUPPORTED: a link that leads back to itself, or to a folder in which it is: nothing is
 * missing without it, and the caller continues with the next;
 * TOLL_E_IO, TOLL_E_NOMEM, TOLL_E_SYNTAX: the caller cannot continue. */
toll_status toll_merge_inputs_next(toll_merge_inputs *inputs, char *path, toll_error *err);

/* Copy the next path of the list only, without opening folders; an empty one: no more. */
toll_status toll_merge_inputs_listed(toll_merge_inputs *inputs, char *path, toll_error *err);

#endif
