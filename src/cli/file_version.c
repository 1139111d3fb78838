/* file_version.c - see file_version.h. */
#include "file_version.h"

#include "base/os.h"
#include "base/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toll/version.h>

enum { MOST = 64 << 20 }; /* bytes; such a file has less than one million */

/* Keep the version that follows the words, if it is one. */
static bool match(const char *at, const char *end, const char *words,
                  char version[TOLL_FILE_VERSION_SIZE])
{
    size_t size = strlen(words);
    if ((size_t)(end - at) < size + TOLL_FILE_VERSION_SIZE || memcmp(at, words, size) != 0)
        return false;
    memcpy(version, at + size, TOLL_FILE_VERSION_SIZE);
    version[TOLL_FILE_VERSION_SIZE - 1] = 0;
    size_t digits = strspn(version, "0123456789.");
    version[digits] = 0;
    return digits > 0 && digits < TOLL_FILE_VERSION_SIZE - 1;
}

bool toll_file_version(const char *path, const char *words, char version[TOLL_FILE_VERSION_SIZE])
{
    toll_os_info info;
    int fd = toll_os_open_to_read(path, &info);
    if (fd < 0)
        return false;
    size_t size = info.kind == TOLL_OS_REGULAR && info.size < MOST ? (size_t)info.size : 0;
    char *data = size ? malloc(size + TOLL_FILE_VERSION_SIZE) : NULL;
    bool found = false;
    if (data && toll_os_read_at(fd, data, size, 0)) {
        const char *end = data + size + TOLL_FILE_VERSION_SIZE, *at = data;
        memset(data + size, 0, TOLL_FILE_VERSION_SIZE); /* the version may be at the file's end */
        while (!found && (at = memchr(at, *words, (size_t)(end - at))) != NULL)
            found = match(at++, end, words, version);
    }
    free(data);
    toll_os_close(fd);
    return found;
}

bool toll_file_version_fits(const char *path, const char *words, char *why, int why_size)
{
    enum { ROOM = 100 }; /* for the words behind the path */
    char version[TOLL_FILE_VERSION_SIZE];
    bool is_known = toll_file_version(path, words, version);
    if (is_known && strcmp(version, TOLL_VERSION_STRING) == 0)
        return true;
    toll_printable(path, why, (size_t)why_size - ROOM);
    size_t size = strlen(why);
    snprintf(why + size, (size_t)why_size - size,
             " is of %s%s, and this command of Toll " TOLL_VERSION_STRING,
             is_known ? "Toll " : "another version of Toll", is_known ? version : "");
    return false;
}
