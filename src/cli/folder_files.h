/* folder_files.h - lists the files in a folder and its subfolders, one at a time, each folder's
 * entries in the byte order of their names. Names that begin with a dot are skipped.
 *
 * However many files a folder has, only the first of their names in order are in memory, as many as
 * there is room for. A larger folder is listed again for the next batch. Each folder gets half of
 * the room that the outer folders have not used.
 *
 * A link to a folder in which it is itself would lead around forever: such a folder is refused. */
#ifndef TOLL_CLI_FOLDER_FILES_H
#define TOLL_CLI_FOLDER_FILES_H

#include "base/mem.h"
#include "base/os.h"

#include <toll/error.h>

enum { TOLL_FOLDER_DEEPEST = 64 };

/* A folder that is being listed. */
typedef struct toll_folder_level {
    size_t path_size; /* of the folder in toll_folder_files.path */
    char **names;     /* sorted once the batch is complete */
    size_t count, capacity, next;
    size_t kept;       /* how many names were kept when the room was used up; names after the last
                        * of those belong to a later batch. 0: no more names follow this batch */
    size_t used, room; /* bytes that the names use, and may use */
    char *last;        /* the last name of the previous batch; NULL: this is the first */
    toll_os_info info; /* which folder it is, whatever its path */
} toll_folder_level;

typedef struct toll_folder_files {
    toll_mem mem;
    char path[TOLL_OS_PATH_SIZE];
    toll_folder_level levels[TOLL_FOLDER_DEEPEST];
    size_t depth; /* 0: nothing remains */
    size_t room;  /* bytes that the names of all levels may use */
} toll_folder_files;

/* `room`: how many bytes names may use. A folder has at least one name in memory, even with less
 * room. */
void toll_folder_files_init(toll_folder_files *files, const toll_mem *mem, size_t room);
void toll_folder_files_free(toll_folder_files *files);

/* Continue with the content of folder `path`: the first one, or one that toll_folder_files_next
 * returned. `path` may be files->path. Errors: TOLL_E_IO, TOLL_E_NOMEM; TOLL_E_UNSUPPORTED: the
 * path leads back to a folder in which it is. Nothing has changed then, and toll_folder_files_next
 * continues after it. */
toll_status toll_folder_files_enter(toll_folder_files *files, const char *path, toll_error *err);

/* Get the path of the next entry, which may be a folder. Valid until the next call; NULL at the
 * end. Errors: as above. */
toll_status toll_folder_files_next(toll_folder_files *files, const char **path, toll_error *err);

#endif
