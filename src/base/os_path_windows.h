/* os_path_windows.h - what the files of Windows share: errors, paths as the system wants them, and
 * handles. Empty elsewhere. */
#ifndef TOLL_BASE_OS_PATH_WINDOWS_H
#define TOLL_BASE_OS_PATH_WINDOWS_H

#ifdef _WIN32

#include "base/os.h"

#include <windows.h>

typedef struct toll_wide_path {
    wchar_t text[TOLL_OS_PATH_SIZE];
} toll_wide_path;

/* Set errno by GetLastError. Always false. */
bool toll_os_keep_error(void);

/* Make a path of UTF-8 one of UTF-16. */
bool toll_os_widen(const char *path, toll_wide_path *wide);

void toll_os_describe(HANDLE handle, toll_os_info *info);

/* Open a file or folder; other processes may read, write, rename and delete it meanwhile, as on
 * POSIX systems. INVALID_HANDLE_VALUE: failed; see errno. */
HANDLE toll_os_open_handle(const wchar_t *path, DWORD access, DWORD creation, DWORD flags);

/* Is `real` the real path of the file, with either separator? */
bool toll_os_is_at(HANDLE handle, const char *real);

#endif

#endif
