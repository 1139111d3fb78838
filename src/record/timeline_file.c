/* timeline_file.c - makes timelines in named files, which grow while the guest runs. See
 * toll/timeline.h.
 * */
#include "base/fail.h"
#include "base/os.h"
#include "record/timeline_data.h"

#include <errno.h>
#include <string.h>

/* Create a file at `path`. An old file is removed, not truncated: a process that still reads or
 * writes it keeps its data. */
static toll_status create_file(const char *path, int *fd, toll_error *err)
{
    toll_os_info info;
    bool exists = toll_os_look(path, &info);
    if (exists && info.kind != TOLL_OS_REGULAR)
        return toll_fail(err, TOLL_E_IO,
                         "%s: is no file: a timeline grows while the program runs; name a file",
                         path);
    if (exists)
        toll_os_delete(path);
    *fd = toll_os_create_to_map(path);
    return *fd >= 0 ? TOLL_OK
                    : toll_fail(err, TOLL_E_IO, "%s: cannot create: %s", path, strerror(errno));
}

static toll_status keep_path(toll_timeline *t, const char *path, toll_error *err)
{
    t->path_size = strlen(path) + 1;
    t->path = toll_mem_new(&t->mem, t->path_size, 1);
    if (!t->path)
        return toll_fail_nomem(err);
    memcpy(t->path, path, t->path_size);
    return TOLL_OK;
}

toll_status toll_timeline_create_in(const toll_mem *mem, toll_value_type axis, int fd,
                                    const char *path, toll_timeline **out, toll_error *err)
{
    toll_timeline *t;
    toll_status status = toll_timeline_make(mem, &t, err);
    *out = NULL;
    if (status)
        return status;
    if (path)
        status = keep_path(t, path, err);
    if (!status)
        return toll_timeline_begin(t, axis, fd, out, err);
    toll_timeline_free(t);
    return status;
}

toll_status toll_timeline_create_file(const toll_allocator *allocator, toll_value_type axis,
                                      const char *path, toll_timeline **out, toll_error *err)
{
    char room[TOLL_OS_PATH_SIZE];
    toll_mem mem = toll_mem_from(allocator);
    toll_timeline *t;
    int fd = -1;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!path)
        return toll_fail_null(err, "path");
    toll_status status = toll_timeline_make(&mem, &t, err);
    if (status)
        return status;
    path = toll_os_target(path, room);
    status = keep_path(t, path, err);
    if (!status)
        status = create_file(path, &fd, err);
    if (!status)
        return toll_timeline_begin(t, axis, fd, out, err);
    toll_timeline_free(t);
    return status;
}

static void give_back(toll_timeline *t, toll_store_block *block)
{
    toll_status status = toll_store_give_back(&t->store, block);
    if (status)
        toll_timeline_store_failed(t, status);
}

toll_status toll_timeline_finish(toll_timeline *t, toll_error *err)
{
    if (t->is_finished)
        return toll_timeline_status(t, err);
    toll_define_notes(t);
    for (size_t i = 0; i < t->thread_count; i++) {
        toll_timeline_thread *thread = t->threads[i];
        give_back(t, &thread->block);
        thread->next = thread->limit = NULL;
    }
    toll_define_end(t, toll_timeline_event_count(t));
    give_back(t, &t->definitions);
    if (!toll_store_end(&t->store))
        toll_timeline_keep_failure(t, TOLL_E_IO, "cannot cut its file to its size");
    t->is_finished = true;
    return toll_timeline_status(t, err);
}
