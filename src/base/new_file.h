/* new_file.h - a file that appears whole or not at all: it is written beside its target, without a
 * name or under a temporary one, and renamed when it is complete. */
#ifndef TOLL_BASE_NEW_FILE_H
#define TOLL_BASE_NEW_FILE_H

#include "base/mem.h"
#include "base/os.h"

typedef struct toll_new_file {
    toll_mem mem;
    int fd;          /* to write to, and to close by the caller; -1: it could not be opened */
    char *target;    /* the final path */
    char *temporary; /* the path until then, if `named` */
    size_t target_size, temporary_size; /* with their NULs */
    bool unnamed;                       /* the file has no name yet */
    bool named;                         /* it is called `temporary` */
} toll_new_file;

/* Open a file for `path`. It gets the mode of the file that it replaces (`old`, or NULL). Free it
 * also after a failure. */
toll_status toll_new_file_open(toll_new_file *file, const toll_mem *mem, const char *path,
                               const toll_os_info *old, toll_error *err);

/* Give the written file a temporary name if it has none, and wait for the disk with `is_synced`.
 * `name` is for messages. */
toll_status toll_new_file_save(toll_new_file *file, const char *name, bool is_synced,
                               toll_error *err);

/* Rename the saved and closed file to its target, and wait with `is_synced` until its folder is on
 * the disk. */
toll_status toll_new_file_replace(toll_new_file *file, const char *name, bool is_synced,
                                  toll_error *err);

/* Delete the file if it was not renamed. */
void toll_new_file_free(toll_new_file *file);

#endif
