/* new_file.c - see new_file.h. */
#include "base/new_file.h"

#include "base/fail.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_TRIES = 100,
    NAME_KEPT = 100, /* bytes of the target's name that the temporary name contains */
    NUMBER_SIZE = 40 /* bytes of what follows the target's name */
};

/* How many bytes of the target's path the temporary name keeps: the target's name may be as long as
 * the file system allows, and the temporary one must not be longer. */
static size_t kept_size(const char *target)
{
    const char *name = toll_os_file_name(target);
    size_t n = strlen(name);
    if (n > NAME_KEPT)
        for (n = NAME_KEPT; n && ((uint8_t)name[n] & 0xc0) == 0x80;) /* between characters */
            n--;
    return (size_t)(name - target) + n;
}

/* Until the commit the file is called TARGET.NUMBER.tmp, in the same folder so that rename works.
 * Files left by a killed process never conflict, since numbers are not reused. `make` creates the
 * file, and only if no file has that name. False: errno has the reason. */
static bool try_names(toll_new_file *f, bool (*make)(toll_new_file *f))
{
    int kept = (int)kept_size(f->target);
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(f->temporary, f->temporary_size, "%.*s.%016" PRIx64 ".tmp", kept, f->target,
                 toll_os_name_number());
        if (make(f))
            return f->named = true;
        if (errno != EEXIST)
            break;
    }
    return false;
}

static bool make_file(toll_new_file *f)
{
    f->fd = toll_os_create(f->temporary);
    return f->fd >= 0;
}

static bool name_file(toll_new_file *f)
{
    return toll_os_give_name(f->fd, f->temporary);
}

/* Open a file without a name, if the system has such files: nothing remains of it if this process
 * is killed. */
static bool open_unnamed(toll_new_file *f)
{
    f->fd = toll_os_create_unnamed(f->target);
    return f->unnamed = f->fd >= 0;
}

/* Fail with a message about the folder: users do not know the temporary file. */
static toll_status fail_beside(const toll_new_file *f, const char *name, toll_error *err)
{
    int why = errno;
    if (why == EEXIST || why == ENAMETOOLONG) /* about the name itself */
        return toll_fail(err, TOLL_E_IO, "%s: cannot create %s beside it: %s", name, f->temporary,
                         strerror(why));
    return toll_fail(err, TOLL_E_IO, "%s: cannot create: %s", name, strerror(why));
}

static toll_status fail_to(const char *action, const char *name, toll_error *err)
{
    return toll_fail(err, TOLL_E_IO, "%s: cannot %s: %s", name, action, strerror(errno));
}

static bool set_target(toll_new_file *f, const char *path)
{
    char room[TOLL_OS_PATH_SIZE];
    const char *target = toll_os_target(path, room);
    f->target_size = strlen(target) + 1;
    f->temporary_size = f->target_size + NUMBER_SIZE;
    f->target = toll_mem_new(&f->mem, f->target_size, 1);
    f->temporary = toll_mem_new(&f->mem, f->temporary_size, 1);
    if (f->target)
        memcpy(f->target, target, f->target_size);
    return f->target && f->temporary;
}

toll_status toll_new_file_open(toll_new_file *f, const toll_mem *mem, const char *path,
                               const toll_os_info *old, toll_error *err)
{
    *f = (toll_new_file){ .mem = *mem, .fd = -1 };
    if (old && !toll_os_may_write(path))
        return fail_to("write", path, err);
    if (!set_target(f, path))
        return toll_fail_nomem(err);
    if (!open_unnamed(f) && !try_names(f, make_file))
        return fail_beside(f, path, err);
    if (old && !toll_os_set_mode(f->fd, old->mode))
        return fail_to("create", path, err);
    return TOLL_OK;
}

toll_status toll_new_file_save(toll_new_file *f, const char *name, bool is_synced, toll_error *err)
{
    if (f->unnamed && !try_names(f, name_file))
        return fail_beside(f, name, err);
    return is_synced && !toll_os_sync(f->fd) ? fail_to("write to the disk", name, err) : TOLL_OK;
}

toll_status toll_new_file_replace(toll_new_file *f, const char *name, bool is_synced,
                                  toll_error *err)
{
    if (!toll_os_rename(f->temporary, f->target))
        return fail_to("rename into place", name, err);
    f->named = false;
    return is_synced && !toll_os_sync_folder_of(f->target)
               ? fail_to("write its name to the disk", name, err)
               : TOLL_OK;
}

void toll_new_file_free(toll_new_file *f)
{
    if (f->named)
        toll_os_delete(f->temporary);
    toll_mem_free(&f->mem, f->temporary, f->temporary_size, 1);
    toll_mem_free(&f->mem, f->target, f->target_size, 1);
}
