/* browser_wasi.c - reports that WASI cannot start a browser, or any program. See browser.h. */
#include "browser.h"

#ifdef __wasi__

#include <errno.h>
#include <stdio.h>

bool toll_browser_make_folder(char *path, size_t size)
{
    (void)path;
    (void)size;
    errno = ENOTSUP;
    return false;
}

toll_browser_result toll_browser_open(const char *path)
{
    (void)path;
    return TOLL_BROWSER_NOT_FOUND;
}

const char *toll_browser_name(void)
{
    return NULL;
}

void toll_browser_begin(toll_browser *b, const char *folder, const char *path)
{
    *b = (toll_browser){ .folder = folder, .path = path };
}

toll_browser_result toll_browser_end(toll_browser *b, bool opens)
{
    if (opens)
        return toll_browser_open(b->path);
    remove(b->folder);
    return TOLL_BROWSER_NOT_FOUND;
}

#endif
