/* os.h - what the library needs of the operating system: files, folders, a clock. os_posix.c has it
 * for Linux, macOS, the BSDs and WASI, os_windows.c for Windows; each is empty elsewhere, so that
 * every build compiles both. os_map.c has files as memory, where that is safe.
 *
 * A path is bytes, as the system knows it; on Windows UTF-8, with / and \. Files hold bytes: line
 * ends stay as they are. A descriptor is the C library's, and programs that this process starts do
 * not inherit it. What fails sets errno. Nothing allocates memory, and on POSIX only what a signal
 * handler may call is called, but for folders and toll_os_create_scratch: the Lua host writes
 * profiles from one. */
#ifndef TOLL_BASE_OS_H
#define TOLL_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLL_OS_PATH_SIZE = 4096 }; /* bytes, with the NUL */

typedef enum toll_os_kind { TOLL_OS_REGULAR, TOLL_OS_FOLDER, TOLL_OS_DEVICE } toll_os_kind;

typedef struct toll_os_info {
    toll_os_kind kind;     /* TOLL_OS_DEVICE: also a pipe, a socket */
    uint64_t size;         /* bytes, of a regular file */
    uint32_t mode;         /* permissions; 0 where there are none */
    uint32_t owner;        /* of the file, as a number; 0 where there are none */
    int64_t modified;      /* when it was last written to, in seconds since 1970-01-01 UTC, */
    uint32_t modified_ns;  /* and nanoseconds, as far as the system knows them */
    uint64_t device, file; /* which it is, by whatever path; file 0: the system does not say */
} toll_os_info;

/* --- paths -------------------------------------------------------------------------------------*/

/* The name at the end of a path: what follows the last separator. */
const char *toll_os_file_name(const char *path);

/* What is at a path. False, with ENOENT: nothing. */
bool toll_os_look(const char *path, toll_os_info *info);

/* Are both for certain the same file, or folder? */
static inline bool toll_os_is_same(const toll_os_info *a, const toll_os_info *b)
{
    return a->file != 0 && a->file == b->file && a->device == b->device;
}

/* The file that a path stands for: links are followed, also to a file that is not there yet (not on
 * Windows and WASI, where a link is a file like others). Returns `path` or `room`, which has
 * TOLL_OS_PATH_SIZE bytes. */
const char *toll_os_target(const char *path, char *room);

/* The whole path of what is there, without links, "." and "..", into real[TOLL_OS_PATH_SIZE].
 * False: nothing is there, or its path is too long. (WASI has no such call: there a path with links
 * has no real path.) */
bool toll_os_real_path(const char *path, char *real);

/* May this process write the file? */
bool toll_os_may_write(const char *path);

/* --- files -------------------------------------------------------------------------------------*/

/* Descriptors of standard input and output, for bytes. */
int toll_os_standard_input(void);
int toll_os_standard_output(void);

/* Open a file for reading, and say in *info what it is. A descriptor, or -1; EISDIR: a folder. */
int toll_os_open_to_read(const char *path, toll_os_info *info);

/* Open a regular file for reading by its real path. Never waits, opens no device, and follows no
 * link: what is opened is at that path, whatever others do meanwhile. A descriptor, or -1; ELOOP: a
 * part of the path is a link by now; ENOTSUP: no regular file, or one that the system makes up as
 * it is read (in /proc, /sys, wherever these are). */
int toll_os_open_real(const char *real, toll_os_info *info);

/* Open what exists and is no regular file for writing. A descriptor, or -1. */
int toll_os_open_to_write(const char *path);

/* Make a new file, open for writing. A descriptor, or -1; EEXIST: there is a file of that name. */
int toll_os_create(const char *path);

/* Make a file without a name in the folder of `path`, which is gone when it is closed unless
 * toll_os_give_name gives it a name. A descriptor, or -1: the system or the file system has no such
 * files. */
int toll_os_create_unnamed(const char *path);
bool toll_os_give_name(int fd, const char *path);

/* Make a file for reading and writing that is gone when it is closed or this process ends, in the
 * folder for temporary files. `name` is part of its name until then; path[size] is set to where it
 * is, for messages. A descriptor, or -1. */
int toll_os_create_scratch(const char *name, char *path, size_t size);

/* Make files such as the next calls of toll_os_create_scratch return, before this process gives up
 * the right to make them. For one thread. */
void toll_os_keep_scratch(void);

/* Make a new file for reading and writing. A descriptor, or -1; EEXIST: there is a file of that
 * name.
 */
int toll_os_create_to_map(const char *path);

/* Give a file the permissions of another. True also where there are none, or they are not ours to
 * give. */
bool toll_os_set_mode(int fd, uint32_t mode);

/* At most `size` bytes, as read(2) and write(2) do; interrupted calls are repeated. Returns how
 * many there were (for reading 0: the end), or -1. */
ptrdiff_t toll_os_read(int fd, void *to, size_t size);
ptrdiff_t toll_os_write(int fd, const void *data, size_t size);

/* All `size` bytes at an offset. */
bool toll_os_read_at(int fd, void *to, size_t size, uint64_t offset);
bool toll_os_write_at(int fd, const void *data, size_t size, uint64_t offset);

/* In os_map.c. Make the file that long, and take the disk's room for the bytes between the two:
 * what is written there later, also through a mapping, finds room. False, with ENOTSUP: this system
 * or file system cannot; with ENOSPC: the disk is full. */
bool toll_os_reserve(int fd, uint64_t from, uint64_t end);

/* Cut the file to that size, or lengthen it. */
bool toll_os_set_size(int fd, uint64_t size);

/* The bytes of a file from `offset` on as memory; what is written to it is in the file at once,
 * also if this process is killed. The bytes must be reserved. NULL: the system cannot, or has no
 * room. */
void *toll_os_map(int fd, uint64_t offset, size_t size);
void toll_os_unmap(void *data, size_t size);

/* Wait until what was written to the file, or to the entries of the folder that `path` is in, is on
 * the disk: it is there also if the machine stops. True also where the system or the file system
 * has no such call. */
bool toll_os_sync(int fd);
bool toll_os_sync_folder_of(const char *path);

/* A number for the name of a new file, that no other call and process is likely to get. It is no
 * secret: what keeps a file apart from others is that it is made anew or not at all. */
uint64_t toll_os_name_number(void);

/* Two numbers as one, each bit of which goes by all of theirs (SplitMix64's last steps). */
static inline uint64_t toll_os_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a + b * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

bool toll_os_close(int fd);
void toll_os_delete(const char *path);

/* Rename a file of the same folder; one that has the new name already is replaced in one step: at
 * each moment there is the old one or the new one. */
bool toll_os_rename(const char *from, const char *to);

/* --- folders -----------------------------------------------------------------------------------*/

typedef struct toll_os_folder {
    void *handle;
    char name[1024]; /* of the entry at hand, where the system has it in another form */
} toll_os_folder;

bool toll_os_folder_open(toll_os_folder *folder, const char *path);
void toll_os_folder_close(toll_os_folder *folder);

/* The name of the next entry, in no order, good until the next call. NULL: at the end with errno 0,
 * else with what went wrong. */
const char *toll_os_folder_next(toll_os_folder *folder);

/* --- the clock ---------------------------------------------------------------------------------*/

/* Nanoseconds since some moment, on a clock that is never set. */
uint64_t toll_os_clock_ns(void);

/* The name of the function that it reads: "clock_gettime". */
const char *toll_os_clock_name(void);

#endif
