/* os_windows.c - files, folders and the clock of Windows. See os.h. */
#include "base/os.h"

#ifdef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

enum { NAME_TRIES = 100, MOST_AT_ONCE = 1 << 30, STANDARD_INPUT = 0, STANDARD_OUTPUT = 1 };

/* --- errors ------------------------------------------------------------------------------------*/

/* Set errno by GetLastError. Always false. */
static bool keep_error(void)
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

typedef struct wide_path {
    wchar_t text[TOLL_OS_PATH_SIZE];
} wide_path;

static bool widen(const char *path, wide_path *wide)
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

static void describe(HANDLE handle, toll_os_info *info)
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
static HANDLE open_handle(const wchar_t *path, DWORD access, DWORD creation, DWORD flags)
{
    HANDLE handle =
        CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    creation, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        keep_error();
    return handle;
}

bool toll_os_look(const char *path, toll_os_info *info)
{
    wide_path wide;
    if (!widen(path, &wide))
        return false;
    HANDLE handle = open_handle(wide.text, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    describe(handle, info);
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
    wide_path wide;
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
    wide_path wide;
    if (!widen(path, &wide))
        return false;
    HANDLE handle = open_handle(wide.text, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool good = path_of(handle, real);
    CloseHandle(handle);
    return good;
}

bool toll_os_may_write(const char *path)
{
    wide_path wide;
    return widen(path, &wide) && _waccess(wide.text, 2) == 0;
}

/* --- files -------------------------------------------------------------------------------------*/

int toll_os_standard_input(void)
{
    _setmode(STANDARD_INPUT, _O_BINARY);
    return STANDARD_INPUT;
}

int toll_os_standard_output(void)
{
    _setmode(STANDARD_OUTPUT, _O_BINARY);
    return STANDARD_OUTPUT;
}

static int descriptor(HANDLE handle)
{
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (fd < 0)
        CloseHandle(handle);
    return fd;
}

static int open_path(const char *path, DWORD access, DWORD creation)
{
    wide_path wide;
    return widen(path, &wide)
               ? descriptor(open_handle(wide.text, access, creation, FILE_ATTRIBUTE_NORMAL))
               : -1;
}

int toll_os_open_to_read(const char *path, toll_os_info *info)
{
    int fd = open_path(path, GENERIC_READ, OPEN_EXISTING);
    if (fd >= 0) {
        describe((HANDLE)_get_osfhandle(fd), info);
    } else if (errno == EACCES) { /* folders cannot be opened like files */
        errno = toll_os_look(path, info) && info->kind == TOLL_OS_FOLDER ? EISDIR : EACCES;
    }
    return fd;
}

int toll_os_open_real(const char *real, toll_os_info *info)
{
    char path[TOLL_OS_PATH_SIZE];
    int fd = open_path(real, GENERIC_READ, OPEN_EXISTING);
    if (fd < 0)
        return -1;
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    describe(handle, info);
    bool is_regular = info->kind == TOLL_OS_REGULAR;
    if (is_regular && path_of(handle, path) && is_same_path(path, real))
        return fd;
    _close(fd);
    errno = is_regular ? ELOOP : ENOTSUP;
    return -1;
}

int toll_os_open_to_write(const char *path)
{
    return open_path(path, GENERIC_WRITE, OPEN_EXISTING);
}

int toll_os_create(const char *path)
{
    return open_path(path, GENERIC_WRITE, CREATE_NEW);
}

int toll_os_create_to_map(const char *path)
{
    return open_path(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW);
}

int toll_os_create_unnamed(const char *path)
{
    (void)path;
    return -1;
}

bool toll_os_give_name(int fd, const char *path)
{
    (void)fd;
    (void)path;
    return false;
}

/* The folder for temporary files, with a separator at its end. */
static bool scratch_folder(wchar_t folder[MAX_PATH + 1], char *text, size_t size)
{
    const wchar_t *set = _wgetenv(L"TMPDIR");
    if (set && *set && wcslen(set) < MAX_PATH)
        swprintf(folder, MAX_PATH + 1, L"%ls\\", set);
    else if (!GetTempPathW(MAX_PATH + 1, folder))
        return keep_error();
    return WideCharToMultiByte(CP_UTF8, 0, folder, -1, text, (int)size, NULL, NULL) || keep_error();
}

void toll_os_keep_scratch(void)
{
}

int toll_os_create_scratch(const char *name, char *path, size_t size)
{
    wchar_t folder[MAX_PATH + 1];
    char text[3 * MAX_PATH + 1];
    wide_path wide;
    *path = 0;
    if (!scratch_folder(folder, text, sizeof text))
        return -1;
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(path, size, "%s%s-%016" PRIx64 ".tmp", text, name, toll_os_name_number());
        if (!widen(path, &wide))
            return -1;
        int fd = descriptor(open_handle(wide.text, GENERIC_READ | GENERIC_WRITE, CREATE_NEW,
                                        FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE));
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool toll_os_set_mode(int fd, uint32_t mode)
{
    (void)fd;
    (void)mode;
    return true;
}

static unsigned at_once(size_t size)
{
    return size < MOST_AT_ONCE ? (unsigned)size : MOST_AT_ONCE;
}

ptrdiff_t toll_os_read(int fd, void *to, size_t size)
{
    return _read(fd, to, at_once(size));
}

ptrdiff_t toll_os_write(int fd, const void *data, size_t size)
{
    return _write(fd, data, at_once(size));
}

static OVERLAPPED at_offset(uint64_t offset)
{
    OVERLAPPED at = { 0 };
    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    return at;
}

bool toll_os_read_at(int fd, void *to, size_t size, uint64_t offset)
{
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    for (size_t done = 0; done < size;) {
        OVERLAPPED at = at_offset(offset + done);
        DWORD n = 0;
        if (!ReadFile(handle, (char *)to + done, at_once(size - done), &n, &at))
            return keep_error();
        if (n == 0)
            return false;
        done += n;
    }
    return true;
}

bool toll_os_write_at(int fd, const void *data, size_t size, uint64_t offset)
{
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    for (size_t done = 0; done < size;) {
        OVERLAPPED at = at_offset(offset + done);
        DWORD n = 0;
        if (!WriteFile(handle, (const char *)data + done, at_once(size - done), &n, &at))
            return keep_error();
        done += n;
    }
    return true;
}

bool toll_os_set_size(int fd, uint64_t size)
{
    return _chsize_s(fd, (__int64)size) == 0;
}

bool toll_os_sync(int fd)
{
    return FlushFileBuffers((HANDLE)_get_osfhandle(fd)) || keep_error();
}

/* Nothing to do: MoveFileExW with MOVEFILE_WRITE_THROUGH has already waited. */
bool toll_os_sync_folder_of(const char *path)
{
    (void)path;
    return true;
}

uint64_t toll_os_name_number(void)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return toll_os_mix((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime,
                       toll_os_clock_ns() ^ (uint64_t)GetCurrentProcessId() << 40 ^
                           (uintptr_t)&now);
}

bool toll_os_close(int fd)
{
    return _close(fd) == 0;
}

void toll_os_delete(const char *path)
{
    wide_path wide;
    if (widen(path, &wide))
        DeleteFileW(wide.text);
}

bool toll_os_rename(const char *from, const char *to)
{
    wide_path wide_from, wide_to;
    return widen(from, &wide_from) && widen(to, &wide_to) &&
           (MoveFileExW(wide_from.text, wide_to.text,
                        MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
            keep_error());
}

/* --- folders -----------------------------------------------------------------------------------*/

bool toll_os_folder_open(toll_os_folder *folder, const char *path)
{
    wide_path wide;
    folder->handle = widen(path, &wide) ? _wopendir(wide.text) : NULL;
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
    keep_error();
    return NULL;
}

/* --- the clock ---------------------------------------------------------------------------------*/

uint64_t toll_os_clock_ns(void)
{
    LARGE_INTEGER count, a_second;
    QueryPerformanceFrequency(&a_second);
    QueryPerformanceCounter(&count);
    uint64_t ticks = (uint64_t)count.QuadPart, rate = (uint64_t)a_second.QuadPart;
    return ticks / rate * 1000000000u + ticks % rate * 1000000000u / rate;
}

const char *toll_os_clock_name(void)
{
    return "QueryPerformanceCounter";
}

#endif
