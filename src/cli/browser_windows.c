/* browser_windows.c - opens a file with the program that Windows associates with it. See
 * browser.h. */
#include "browser.h"

#ifdef _WIN32

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <windows.h>

/* must come after windows.h */
#include <shellapi.h>

/* Use the user's own folder for temporary files, which other users cannot open. */
bool toll_browser_make_folder(char *path, size_t size)
{
    wchar_t place[MAX_PATH + 1], folder[MAX_PATH + 40];
    DWORD n = GetTempPathW(MAX_PATH, place);
    errno = EIO;
    if (n == 0 || n > MAX_PATH)
        return false;
    for (unsigned i = 0; i < 10000; i++) {
        _snwprintf(folder, MAX_PATH + 39, L"%lstoll-%lu-%u", place, GetCurrentProcessId(), i);
        if (CreateDirectoryW(folder, NULL))
            return WideCharToMultiByte(CP_UTF8, 0, folder, -1, path, (int)size, NULL, NULL) > 0;
        if (GetLastError() != ERROR_ALREADY_EXISTS)
            return false;
    }
    return false;
}

toll_browser_result toll_browser_open(const char *path)
{
    wchar_t wide[MAX_PATH + 1];
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, MAX_PATH))
        return TOLL_BROWSER_NOT_FOUND;
    return (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32
               ? TOLL_BROWSER_STARTED
               : TOLL_BROWSER_NOT_FOUND;
}

const char *toll_browser_name(void)
{
    return "what Windows opens pages with";
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
