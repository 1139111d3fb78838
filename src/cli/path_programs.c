/* path_programs.c - see path_programs.h. */
#define _XOPEN_SOURCE 700
#include "path_programs.h"

#include "base/os.h"

#ifndef _WIN32

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    return toll_os_is_file(path) && access(path, X_OK) == 0;
}

bool toll_path_has_program(const char *name, size_t size)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    if (memchr(name, '/', size)) {
        int n = snprintf(file, sizeof file, "%.*s", (int)size, name);
        return n >= 0 && (size_t)n < sizeof file && is_program(file);
    }
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t folder = strcspn(path, ":");
        int n = snprintf(file, sizeof file, "%.*s/%.*s", (int)folder, path, (int)size, name);
        if (n >= 0 && (size_t)n < sizeof file && is_program(file))
            return true;
        path += folder + (path[folder] == ':');
    }
    return false;
}

#endif
