/* folder_files.c - see folder_files.h. */
#include "folder_files.h"

#include "base/array.h"
#include "base/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_OVERHEAD = 16 + sizeof(char *)
}; /* bytes: a memory block's, and the pointer to the
    * name */

void toll_folder_files_init(toll_folder_files *f, const toll_mem *mem, size_t room)
{
    f->mem = *mem;
    f->depth = 0;
    f->room = room;
}

static void free_text(const toll_mem *mem, char *text)
{
    if (text)
        toll_mem_free(mem, text, strlen(text) + 1, 1);
}

static size_t room_of(const char *name)
{
    return strlen(name) + 1 + NAME_OVERHEAD;
}

/* Free the names from index `from` on. */
static void drop_names(const toll_mem *mem, toll_folder_level *l, size_t from)
{
    for (size_t i = from; i < l->count; i++) {
        l->used -= room_of(l->names[i]);
        free_text(mem, l->names[i]);
    }
    l->count = from;
}

static void leave(toll_folder_files *f)
{
    toll_folder_level *l = &f->levels[--f->depth];
    drop_names(&f->mem, l, 0);
    free_text(&f->mem, l->last);
    toll_mem_free(&f->mem, l->names, l->capacity, sizeof *l->names);
}

void toll_folder_files_free(toll_folder_files *f)
{
    while (f->depth)
        leave(f);
}

/* --- the names of one folder -------------------------------------------------------------------*/

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort the names. If they need more than their room, keep only the first half. */
static void cut(const toll_mem *mem, toll_folder_level *l)
{
    if (l->count)
        qsort(l->names, l->count, sizeof *l->names, compare_names);
    if (l->used <= l->room || l->count < 2)
        return;
    drop_names(mem, l, l->count / 2);
    l->kept = l->count;
}

static bool add_name(const toll_mem *mem, toll_folder_level *l, const char *name)
{
    size_t size = strlen(name) + 1;
    if (!toll_array_grow(mem, &l->names, &l->capacity, l->count, 1))
        return false;
    char *copy = toll_mem_new(mem, size, 1);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    l->names[l->count++] = copy;
    l->used += room_of(copy);
    if (l->used > l->room)
        cut(mem, l);
    return true;
}

/* May the name belong to the next batch, by the names read so far? */
static bool may_be_next(const toll_folder_level *l, const char *name)
{
    if (*name == '.' || (l->last && strcmp(name, l->last) <= 0))
        return false;
    return !l->kept || strcmp(name, l->names[l->kept - 1]) < 0;
}

/* Read the next batch of names of the innermost folder. */
static toll_status list(toll_folder_files *f, toll_error *err)
{
    toll_folder_level *l = &f->levels[f->depth - 1];
    toll_os_folder folder;
    const char *name;
    bool good = true;
    l->kept = 0;
    l->next = 0;
    if (!toll_os_folder_open(&folder, f->path))
        return toll_fail(err, TOLL_E_IO, "%s: cannot open: %s", f->path, strerror(errno));
    while (good && (name = toll_os_folder_next(&folder)) != NULL)
        if (may_be_next(l, name))
            good = add_name(&f->mem, l, name);
    int failure = good ? errno : 0;
    toll_os_folder_close(&folder);
    if (!good)
        return toll_fail_nomem(err);
    if (failure)
        return toll_fail(err, TOLL_E_IO, "%s: cannot list: %s", f->path, strerror(failure));
    cut(&f->mem, l);
    return TOLL_OK;
}

/* Read the innermost folder's next batch: the names after the last one. */
static toll_status list_more(toll_folder_files *f, toll_error *err)
{
    toll_folder_level *l = &f->levels[f->depth - 1];
    free_text(&f->mem, l->last);
    l->last = l->names[--l->count];
    l->used -= room_of(l->last);
    drop_names(&f->mem, l, 0);
    f->path[l->path_size] = 0;
    return list(f, err);
}

/* --- folders -----------------------------------------------------------------------------------*/

static toll_status fail_long(const char *path, toll_error *err)
{
    return toll_fail(err, TOLL_E_IO, "%.300s...: a path of more than %d bytes", path,
                     TOLL_OS_PATH_SIZE - 1);
}

/* The bytes that the outer folders have not used. A folder with a single name may have used more
 * than its room. */
static size_t room_left(const toll_folder_files *f)
{
    size_t used = 0;
    for (size_t i = 0; i < f->depth; i++)
        used += f->levels[i].used;
    return used < f->room ? f->room - used : 0;
}

/* Refuse a folder that is being listed already. Where the system has no identity of folders, the
 * greatest depth ends the way around. */
static toll_status check_loop(const toll_folder_files *f, const char *path,
                              const toll_os_info *info, toll_error *err)
{
    for (size_t i = 0; i < f->depth; i++)
        if (toll_os_is_same(&f->levels[i].info, info))
            return toll_fail(err, TOLL_E_UNSUPPORTED,
                             "%.200s: is passed over: it leads back to the folder %.*s, in which "
                             "it is; remove the link",
                             path, (int)f->levels[i].path_size, path);
    return TOLL_OK;
}

toll_status toll_folder_files_enter(toll_folder_files *f, const char *path, toll_error *err)
{
    size_t size = strlen(path);
    toll_os_info info = { .kind = TOLL_OS_FOLDER };
    toll_os_look(path, &info); /* if that fails, listing it reports why */
    toll_status status = check_loop(f, path, &info, err);
    if (status)
        return status;
    if (f->depth == TOLL_FOLDER_DEEPEST)
        return toll_fail(err, TOLL_E_IO,
                         "%.300s: more than %d folders in one another; does a link lead back?",
                         path, TOLL_FOLDER_DEEPEST);
    if (size >= sizeof f->path)
        return fail_long(path, err);
    memmove(f->path, path, size + 1);
    f->levels[f->depth] =
        (toll_folder_level){ .path_size = size, .room = room_left(f) / 2, .info = info };
    f->depth++;
    return list(f, err);
}

toll_status toll_folder_files_next(toll_folder_files *f, const char **path, toll_error *err)
{
    *path = NULL;
    while (f->depth) {
        toll_folder_level *l = &f->levels[f->depth - 1];
        if (l->next == l->count) {
            toll_status status = l->kept ? list_more(f, err) : TOLL_OK;
            if (status)
                return status;
            if (l->next == l->count)
                leave(f);
            continue;
        }
        const char *name = l->names[l->next++];
        size_t size = l->path_size, name_size = strlen(name);
        bool has_slash = size && f->path[size - 1] == '/';
        if (size + !has_slash + name_size >= sizeof f->path)
            return fail_long(f->path, err);
        if (!has_slash)
            f->path[size++] = '/';
        memcpy(f->path + size, name, name_size + 1);
        *path = f->path;
        return TOLL_OK;
    }
    return TOLL_OK;
}
