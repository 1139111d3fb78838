/* os_windows.c - files and the clock of Windows. See os.h. */
#include "base/os.h"

#ifdef _WIN32

#include "base/os_path_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { NAME_TRIES = 100, MOST_AT_ONCE = 1 << 30, STANDARD_INPUT = 0, STANDARD_OUTPUT = 1 };

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
    toll_wide_path wide;
    return toll_os_widen(path, &wide)
               ? descriptor(toll_os_open_handle(wide.text, access, creation, FILE_ATTRIBUTE_NORMAL))
               : -1;
}

int toll_os_open_to_read(const char *path, toll_os_info *info)
{
    int fd = open_path(path, GENERIC_READ, OPEN_EXISTING);
    if (fd >= 0) {
        toll_os_describe((HANDLE)_get_osfhandle(fd), info);
    } else if (errno == EACCES) { /* folders cannot be opened like files */
        errno = toll_os_look(path, info) && info->kind == TOLL_OS_FOLDER ? EISDIR : EACCES;
    }
    return fd;
}

int toll_os_open_real(const char *real, toll_os_info *info)
{
    int fd = open_path(real, GENERIC_READ, OPEN_EXISTING);
    if (fd < 0)
        return -1;
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    toll_os_describe(handle, info);
    bool is_regular = info->kind == TOLL_OS_REGULAR;
    if (is_regular && toll_os_is_at(handle, real))
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
        return toll_os_keep_error();
    return WideCharToMultiByte(CP_UTF8, 0, folder, -1, text, (int)size, NULL, NULL) ||
           toll_os_keep_error();
}

void toll_os_keep_scratch(void)
{
}

int toll_os_create_scratch(const char *name, char *path, size_t size)
{
    wchar_t folder[MAX_PATH + 1];
    char text[3 * MAX_PATH + 1];
    toll_wide_path wide;
    *path = 0;
    if (!scratch_folder(folder, text, sizeof text))
        return -1;
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(path, size, "%s%s-%016" PRIx64 ".tmp", text, name, toll_os_name_number());
        if (!toll_os_widen(path, &wide))
            return -1;
        int fd =
            descriptor(toll_os_open_handle(wide.text, GENERIC_READ | GENERIC_WRITE, CREATE_NEW,
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
            return toll_os_keep_error();
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
            return toll_os_keep_error();
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
    return FlushFileBuffers((HANDLE)_get_osfhandle(fd)) || toll_os_keep_error();
}

/* Nothing to do: MoveFileExW with MOVEFILE_WRITE_THROUGH has already waited. */
bool toll_os_sync_folder_of(const char *path)
{
    (void)path;
    return true;
}

/* A mutex with the folder's identity in its name. */
bool toll_os_lock_folder_of(const char *path)
{
    char folder[TOLL_OS_PATH_SIZE] = ".", name[64];
    const size_t n = (size_t)(toll_os_file_name(path) - path);
    toll_os_info info;
    if (n >= sizeof folder)
        return false;
    if (n) {
        memcpy(folder, path, n);
        folder[n] = 0;
    }
    if (!toll_os_look(folder, &info) || info.file == 0)
        return false;
    snprintf(name, sizeof name, "toll-%llx-%llx", (unsigned long long)info.device,
             (unsigned long long)info.file);
    HANDLE mutex = CreateMutexA(NULL, FALSE, name);
    const DWORD got = mutex ? WaitForSingleObject(mutex, INFINITE) : WAIT_FAILED;
    return got == WAIT_OBJECT_0 || got == WAIT_ABANDONED; /* of a process that has ended */
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
    toll_wide_path wide;
    if (toll_os_widen(path, &wide))
        DeleteFileW(wide.text);
}

bool toll_os_rename(const char *from, const char *to)
{
    toll_wide_path wide_from, wide_to;
    return toll_os_widen(from, &wide_from) && toll_os_widen(to, &wide_to) &&
           (MoveFileExW(wide_from.text, wide_to.text,
                        MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
            toll_os_keep_error());
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

uint64_t toll_os_real_ns(void)
{
    const uint64_t FROM_1601 = 116444736000000000; /* to 1970, in tenths of a microsecond */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    uint64_t count = (uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime;
    return (count - FROM_1601) * 100;
}

const char *toll_os_clock_name(void)
{
    return "QueryPerformanceCounter";
}

#endif
