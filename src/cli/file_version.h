/* file_version.h - reads which version of Toll a file is of that toll run loads into a guest's
 * process: a Lua module, run.cjs. */
#ifndef TOLL_CLI_FILE_VERSION_H
#define TOLL_CLI_FILE_VERSION_H

#include <stdbool.h>

enum { TOLL_FILE_VERSION_SIZE = 16 };

/* The version is text behind `words`, which such a file contains once. False: there is none, or the
 * file cannot be read. */
bool toll_file_version(const char *path, const char *words, char version[TOLL_FILE_VERSION_SIZE]);

/* Is the file of this command's version? If not, `why` is "PATH is of Toll 0.2.0, and this command
 * of Toll 0.1.0", and printable. */
bool toll_file_version_fits(const char *path, const char *words, char *why, int why_size);

#endif
