/* os.h - the interface to the operating system: files, folders, a clock. os_posix.c and
 * os_path_posix.c implement it for Linux, macOS, the BSDs and WASI, os_windows.c and
 * os_path_windows.c for Windows; each is empty elsewhere, so that every build compiles all.
 * os_map.c maps files into memory, where that is safe.
 *
 * A path is bytes, as in the system; on Windows UTF-8, with / and \. Files contain bytes: line ends
 * are not converted. A descriptor is the C library's, and child processes do not inherit it. A
 * function that fails sets errno. Nothing allocates memory. On POSIX, all functions except those of
 * folders and toll_os_create_scratch may be called in a signal handler: the Lua host writes
 * profiles from one. */
#ifndef TOLL_BASE_OS_H
#define TOLL_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TOLL_OS_PATH_SIZE = 4096 }; /* bytes, with the NUL */

typedef enum toll_os_kind { TOLL_OS_REGULAR, TOLL_OS_FOLDER, TOLL_OS_DEVICE } toll_os_kind;

typedef struct toll_os_info {
    toll_os_kind kind;     /* TOLL_OS_DEVICE: also a pipe, a socket */
    uint64_t size;         /* bytes, of a regular file */
    uint32_t mode;         /* permissions; 0 where there are none */
    uint32_t owner;        /* of the file, as a number; 0 where there are none */
    int64_t modified;      /* when it was last written to, in seconds since 1970-01-01 UTC, */
    uint32_t modified_ns;  /* and nanoseconds, as far as the system knows them */
    uint64_t device, file; /* the file's identity, independent of its path; file 0: the system has
                            * none */
} toll_os_info;

/* --- paths -------------------------------------------------------------------------------------*/

/* The name at the end of a path: what follows the last separator. */
const char *toll_os_file_name(const char *path);

/* Find out what is at a path. False, with ENOENT: nothing. */
bool toll_os_look(const char *path, toll_os_info *info);

/* Is a regular file there? */
static inline bool toll_os_is_file(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info) && info.kind == TOLL_OS_REGULAR;
}

/* Are both certainly the same file or folder? */
static inline bool toll_os_is_same(const toll_os_info *a, const toll_os_info *b)
{
    return a->file != 0 && a->file == b->file && a->device == b->device;
}

/* Do both paths name the same file? One that does not exist yet has one name here. */
static inline bool toll_os_name_the_same(const char *a, const char *b)
{
    toll_os_info x, y;
    return strcmp(a, b) == 0 ||
           (toll_os_look(a, &x) && toll_os_look(b, &y) && toll_os_is_same(&x, &y));
}

/* The file that a path refers to: links are followed, also to a file that does not exist yet (not
 * on Windows and WASI, where a link is treated as a file). Returns `path` or `room`, which has
 * TOLL_OS_PATH_SIZE bytes. */
const char *toll_os_target(const char *path, char *room);

/* Write the whole path of an existing file or folder, without links, "." and "..", to
 * real[TOLL_OS_PATH_SIZE]. False: nothing is there, or its path is too long. (WASI has no such
 * call: there this fails for a path with links.) */
bool toll_os_real_path(const char *path, char *real);

/* May this process write the file? */
bool toll_os_may_write(const char *path);

/* --- files -------------------------------------------------------------------------------------*/

/* Descriptors of standard input and output, for bytes. */
int toll_os_standard_input(void);
int toll_os_standard_output(void);

/* Open a file for reading, and fill *info. Returns a descriptor, or -1; EISDIR: it is a folder. */
int toll_os_open_to_read(const char *path, toll_os_info *info);

/* Open a regular file for reading by its real path, with either separator on Windows. It never
 * waits, opens no device, and follows no link: the opened file is at that path, whatever other
 * processes do meanwhile. Returns a descriptor, or -1; ELOOP: a part of the path has become a link;
 * ENOTSUP: it is not a regular file, or the system generates its content when it is read (as in
 * /proc and /sys). */
int toll_os_open_real(const char *real, toll_os_info *info);

/* Open an existing object that is not a regular file for writing. Returns a descriptor, or -1. */
int toll_os_open_to_write(const char *path);

/* Create a file and open it for writing. Returns a descriptor, or -1; EEXIST: a file with that name
 * exists. */
int toll_os_create(const char *path);

/* Create a file without a name in the folder of `path`. It vanishes when it is closed, unless
 * toll_os_give_name gives it a name. Returns a descriptor; or -1 if the system or the file system
 * has no such files. */
int toll_os_create_unnamed(const char *path);
bool toll_os_give_name(int fd, const char *path);

/* Create a file for reading and writing in the folder for temporary files. It vanishes when it is
 * closed or this process ends. `name` is part of its name until then; path[size] is set to its
 * path, for messages. Returns a descriptor, or -1. */
int toll_os_create_scratch(const char *name, char *path, size_t size);

/* Create the files that the next calls of toll_os_create_scratch will return, before this process
 * gives up the right to create them. For one thread. */
void toll_os_keep_scratch(void);

/* Create a file for reading and writing. Returns a descriptor, or -1; EEXIST: a file with that name
 * exists.
 * */
int toll_os_create_to_map(const char *path);

/* Set the permissions of a file. True also if the system has none, or does not allow this process
 * to set them. */
bool toll_os_set_mode(int fd, uint32_t mode);

/* Read or write at most `size` bytes, like read(2) and write(2); interrupted calls are repeated.
 * Returns the number of bytes (0 when reading: the end), or -1. */
ptrdiff_t toll_os_read(int fd, void *to, size_t size);
ptrdiff_t toll_os_write(int fd, const void *data, size_t size);

/* Read or write all `size` bytes at an offset. */
bool toll_os_read_at(int fd, void *to, size_t size, uint64_t offset);
bool toll_os_write_at(int fd, const void *data, size_t size, uint64_t offset);

/* In os_map.c. Extend the file to `end`, and reserve room on the disk for the bytes from `from` to
 * `end`: later writes there, also through a mapping, cannot run out of room. False, with ENOTSUP:
 * this system or file system cannot; with ENOSPC: the disk is full. */
bool toll_os_reserve(int fd, uint64_t from, uint64_t end);

/* Truncate or extend the file to that size. */
bool toll_os_set_size(int fd, uint64_t size);

/* Map the bytes of a file from `offset` on into memory. What is written there is in the file at
 * once, even if this process is killed. The bytes must be reserved. NULL: the system cannot do
 * this, or has no room. */
void *toll_os_map(int fd, uint64_t offset, size_t size);
void toll_os_unmap(void *data, size_t size);

/* Wait until the data of the file, or the entries of the folder that contains `path`, are on the
 * disk, so that they survive a stop of the machine. True also if the system or the file system has
 * no such call. */
bool toll_os_sync(int fd);
bool toll_os_sync_folder_of(const char *path);

/* Wait until no other process has the lock of the file's folder, and take it, until this process
 * ends. For a file that is read, changed and replaced: the lock is on no file of its own, which
 * could be left behind. False: the system or the file system has no such locks, or the folder
 * cannot be opened. */
bool toll_os_lock_folder_of(const char *path);

/* A number for the name of a new file, which no other call or process is likely to get. It need not
 * be secret: a new file never replaces an existing one. */
uint64_t toll_os_name_number(void);

/* Mix two numbers into one, so that each of its bits depends on all of theirs (the last steps of
 * SplitMix64). */
static inline uint64_t toll_os_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a + b * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

bool toll_os_close(int fd);
void toll_os_delete(const char *path);

/* Rename a file within its folder. An existing file with the new name is replaced atomically. */
bool toll_os_rename(const char *from, const char *to);

/* --- folders -----------------------------------------------------------------------------------*/

typedef struct toll_os_folder {
    void *handle;
    char name[1024]; /* of the current entry, if the system stores it in another form */
} toll_os_folder;

bool toll_os_folder_open(toll_os_folder *folder, const char *path);
void toll_os_folder_close(toll_os_folder *folder);

/* The name of the next entry, in no particular order, valid until the next call. NULL with errno 0
 * at the end; NULL with another errno on failure. */
const char *toll_os_folder_next(toll_os_folder *folder);

/* --- the clock ---------------------------------------------------------------------------------*/

/* Nanoseconds since some fixed moment, on a clock that nothing sets. */
uint64_t toll_os_clock_ns(void);

/* The name of the system function that it calls: "clock_gettime". */
const char *toll_os_clock_name(void);

/* Nanoseconds since 1970-01-01 UTC, on the clock that people set. */
uint64_t toll_os_real_ns(void);

#endif
