/* process_files.h - files that this process and another one both use, although they may see other
 * folders, and belong to users who do not trust each other. Linux 5.6.
 *
 * They are memory with a descriptor (memfd_create), which is taken from the process as it is, never
 * opened by a path: what its user does with files meanwhile changes nothing for us. */
#ifndef TOLL_LUA_PROCESS_FILES_H
#define TOLL_LUA_PROCESS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TOLL_THEIR_PATH = 64 };

/* A descriptor of ours for memory that the process has one of, the caller's to close. -1: it
 * cannot be had, or is of something else (errno). */
int toll_process_descriptor(pid_t pid, int descriptor);

/* Let the process see a copy of a file of ours: in memory that it has a descriptor of, which must
 * be empty; or, if it sees no /proc, in its root folder. `theirs` is the path for it. False:
 * error[size] says why not. */
bool toll_process_give_file(pid_t pid, int descriptor, const char *path,
                            char theirs[TOLL_THEIR_PATH], char *error, size_t size);

/* Remove the copy if it is in a folder. */
void toll_process_remove_file(pid_t pid, const char *theirs);

#endif
