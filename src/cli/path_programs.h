/* path_programs.h - finds programs on the PATH, on POSIX systems and on WASI. */
#ifndef TOLL_CLI_PATH_PROGRAMS_H
#define TOLL_CLI_PATH_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* Is there a program of that name[size] on the PATH? A name with a slash is a path. */
bool toll_path_has_program(const char *name, size_t size);

#endif
