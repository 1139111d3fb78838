/* open_files.h - counts the files that this process has open, to find those that are never closed.
 * Linux. */
#ifndef TOLL_TESTS_OPEN_FILES_H
#define TOLL_TESTS_OPEN_FILES_H

#include <dirent.h>
#include <stddef.h>

/* How many there are, plus what reading the folder adds, which is the same each time. */
static inline size_t test_open_files(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#endif
