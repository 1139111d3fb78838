/* os_path_windows.c - paths and folders of Windows, and its errors. See os.h. */
#include "base/os.h"

#ifdef _WIN32

#include "base/os_path_windows.h"

#include <dirent.h>
#include <errno.h>
#include <io.h>
#include <string.h>
#include <wchar.h>

/* --- errors ------------------------------------------------------------------------------------*/

/* Set errno by GetLastError. Always false. */
bool toll_os_keep_error(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    default: errno = EIO;
    }
    return false;
}

/* --- paths -------------------------------------------------------------------------------------*/

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

const char *toll_os_file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (is_separator(*path) || (*path == ':' && path == name + 1))
            name = path + 1;
    return name;
}

/* Are two paths the same, whichever separators they have? */
static bool is_same_path(const char *a, const char *b)
{
    while (*a && (*a == *b || (is_separator(*a) && is_separator(*b)))) {
        a++;
        b++;
    }
    return *a == *b;
}

bool toll_os_widen(const char *path, toll_wide_path *wide)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide->text, TOLL_OS_PATH_SIZE))
        return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return false;
}

/* A FILETIME counts 100 ns since 1601. */
static int64_t seconds_since_1970(FILETIME time)
{
    uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return (int64_t)(ticks / 10000000) - INT64_C(11644473600);
}

void toll_os_describe(HANDLE handle, toll_os_info *info)
{
    BY_HANDLE_FILE_INFORMATION file;
    *info = (toll_os_info){ .kind = TOLL_OS_DEVICE };
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &file))
        return;
    info->device = file.dwVolumeSerialNumber;
    info->file = (uint64_t)file.nFileIndexHigh << 32 | file.nFileIndexLow;
    if (file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) {
        info->kind = TOLL_OS_FOLDER;
        return;
    }
    info->kind = TOLL_OS_REGULAR;
    info->size = (uint64_t)file.nFileSizeHigh << 32 | file.nFileSizeLow;
    info->modified = seconds_since_1970(file.ftLastWriteTime);
}

/* Other processes may read, write, rename and delete the file meanwhile, as on POSIX systems. */
HANDLE toll_os_open_handle(const wchar_t *path, DWORD access, DWORD creation, DWORD flags)
{
    HANDLE handle =
        CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    creation, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        toll_os_keep_error();
    return handle;
}

/* Open a file or a folder, to learn about it. */
static HANDLE open_to_look(const char *path)
{
    toll_wide_path wide;
    if (!toll_os_widen(path, &wide))
        return INVALID_HANDLE_VALUE;
    return toll_os_open_handle(wide.text, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
}

bool toll_os_look(const char *path, toll_os_info *info)
{
    HANDLE handle = open_to_look(path);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    toll_os_describe(handle, info);
    CloseHandle(handle);
    return true;
}

const char *toll_os_target(const char *path, char *room)
{
    (void)room;
    return path;
}

/* The path of a handle, without the \\\\?\\ prefix. */
static bool path_of(HANDLE handle, char *path)
{
    toll_wide_path wide;
    DWORD n = GetFinalPathNameByHandleW(handle, wide.text, TOLL_OS_PATH_SIZE, 0);
    if (n == 0 || n >= TOLL_OS_PATH_SIZE)
        return false;
    wchar_t *start = wide.text;
    if (wcsncmp(start, L"\\\\?\\UNC\\", 8) == 0) {
        start += 6;
        *start = L'\\';
    } else if (wcsncmp(start, L"\\\\?\\", 4) == 0) {
        start += 4;
    }
    return WideCharToMultiByte(CP_UTF8, 0, start, -1, path, TOLL_OS_PATH_SIZE, NULL, NULL) > 0;
}

bool toll_os_real_path(const char *path, char *real)
{
    HANDLE handle = open_to_look(path);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool good = path_of(handle, real);
    CloseHandle(handle);
    return good;
}

bool toll_os_is_at(HANDLE handle, const char *real)
{
    char path[TOLL_OS_PATH_SIZE];
    return path_of(handle, path) && is_same_path(path, real);
}

bool toll_os_may_write(const char *path)
{
    toll_wide_path wide;
    return toll_os_widen(path, &wide) && _waccess(wide.text, 2) == 0;
}

/* --- folders -----------------------------------------------------------------------------------*/

bool toll_os_folder_open(toll_os_folder *folder, const char *path)
{
    toll_wide_path wide;
    folder->handle = toll_os_widen(path, &wide) ? _wopendir(wide.text) : NULL;
    return folder->handle != NULL;
}

void toll_os_folder_close(toll_os_folder *folder)
{
    _wclosedir(folder->handle);
}

const char *toll_os_folder_next(toll_os_folder *folder)
{
    errno = 0;
    struct _wdirent *entry = _wreaddir(folder->handle);
    if (!entry)
        return NULL;
    if (WideCharToMultiByte(CP_UTF8, 0, entry->d_name, -1, folder->name, sizeof folder->name, NULL,
                            NULL))
        return folder->name;
    toll_os_keep_error();
    return NULL;
}

#endif
