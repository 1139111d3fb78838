/* folder_files.h - the files in a folder and in those below it, one after the other, each folder's
 * entries in the order of the bytes of their names. Names that begin with a dot are passed over.
 *
 * However many files a folder has, only so many of their names are in memory as there is room for:
 * the first ones in order. A folder of more is listed again for the next. Each folder has half of
 * the room that those around it leave. */
#ifndef TOLL_CLI_FOLDER_FILES_H
#define TOLL_CLI_FOLDER_FILES_H

#include "base/mem.h"
#include "base/os.h"

#include <toll/error.h>

enum { TOLL_FOLDER_DEEPEST = 64 };

/* A folder that is being gone through. */
typedef struct toll_folder_level {
    size_t path_size; /* of the folder in toll_folder_files.path */
    char **names;     /* sorted, once the batch is complete */
    size_t count, capacity, next;
    size_t kept;       /* 0: the folder has no names behind these; else how many of them were kept
                          when there was no more room: what is not less than the last of those is
                          for a later batch */
    size_t used, room; /* bytes that the names take, and may take */
    char *last;        /* the greatest name of the batch before; NULL: there is none */
} toll_folder_level;

typedef struct toll_folder_files {
    toll_mem mem;
    char path[TOLL_OS_PATH_SIZE];
    toll_folder_level levels[TOLL_FOLDER_DEEPEST];
    size_t depth; /* 0: there is nothing more */
    size_t room;  /* bytes that the names of all levels may take */
} toll_folder_files;

/* `room`: how many bytes names may take; a folder has one name in memory however small it is. */
void toll_folder_files_init(toll_folder_files *files, const toll_mem *mem, size_t room);
void toll_folder_files_free(toll_folder_files *files);

/* Go on with what is in the folder `path`: at first, or one that toll_folder_files_next has given.
 * `path` may be files->path. Errors: TOLL_E_IO, TOLL_E_NOMEM. */
toll_status toll_folder_files_enter(toll_folder_files *files, const char *path, toll_error *err);

/* The path of the next entry, which may be a folder: good until the next call; NULL at the end.
 * Errors: as above. */
toll_status toll_folder_files_next(toll_folder_files *files, const char **path, toll_error *err);

#endif
