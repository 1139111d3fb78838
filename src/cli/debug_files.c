/* debug_files.c - see debug_files.h. */
#include "debug_files.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/os.h"
#include "cost_table.h"
#include "progress.h"

#include <errno.h>
#include <string.h>

typedef struct files {
    toll_job *job;
    const toll_profile *profile;
    toll_error err;
    toll_debug **items;
    size_t count, capacity;
} files;

static bool add(files *f, toll_debug *debug)
{
    if (toll_array_grow(&f->job->allocator, &f->items, &f->capacity, f->count, 1)) {
        f->items[f->count++] = debug;
        return true;
    }
    toll_debug_free(debug);
    f->err = (toll_error){ TOLL_E_NOMEM, "not enough memory" };
    return false;
}

static bool open_file(files *f, const char *path)
{
    toll_debug *debug;
    toll_progress_begin(!f->job->settings->quiet, "reading", path);
    if (toll_debug_open(&f->job->allocator, path, &debug, &f->err))
        return false;
    if (*toll_debug_remark(debug))
        toll_job_warn(f->job, "%s", toll_debug_remark(debug));
    return add(f, debug);
}

/* --- folders -----------------------------------------------------------------------------------*/

static bool is_of_profile(const files *f, const toll_debug *debug)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(f->profile); i++) {
        const char *id = toll_profile_frame(f->profile, i).build_id;
        if (*id && strcmp(id, toll_debug_build_id(debug)) == 0)
            return true;
    }
    return false;
}

/* Of two files of one build, such as a stripped program and its unstripped twin, the one that gives
 * more is kept; if they give the same, the one whose name is first. */
static bool keep_better(files *f, toll_debug *debug)
{
    for (size_t i = 0; i < f->count; i++) {
        toll_debug *other = f->items[i];
        if (strcmp(toll_debug_build_id(other), toll_debug_build_id(debug)) != 0)
            continue;
        unsigned gives = toll_debug_gives(debug), its = toll_debug_gives(other);
        bool is_better = gives > its || (gives == its && strcmp(toll_debug_path(debug),
                                                                toll_debug_path(other)) < 0);
        toll_debug_free(is_better ? other : debug);
        if (is_better)
            f->items[i] = debug;
        return true;
    }
    return add(f, debug);
}

/* A file that is no program, or none of the profile's, is passed over. */
static bool try_file(files *f, const char *path)
{
    toll_debug *debug;
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_debug_open(&f->job->allocator, path, &debug, &err);
    if (status == TOLL_E_NOMEM) {
        f->err = err;
        return false;
    }
    if (status)
        return true;
    if (is_of_profile(f, debug))
        return keep_better(f, debug);
    toll_debug_free(debug);
    return true;
}

static bool read_folder(files *f, toll_os_folder *folder, const char *path)
{
    toll_buffer room;
    const char *name;
    bool good = true;
    toll_buffer_init(&room, &f->job->allocator);
    while (good && (name = toll_os_folder_next(folder))) {
        toll_buffer_clear(&room);
        toll_buffer_append_text(&room, path);
        toll_buffer_append_byte(&room, '/');
        toll_buffer_append_text(&room, name);
        const char *file = toll_buffer_cstr(&room);
        good = file && try_file(f, file);
        if (!file)
            f->err = (toll_error){ TOLL_E_NOMEM, "not enough memory" };
    }
    toll_buffer_free(&room);
    return good;
}

/* --- all ---------------------------------------------------------------------------------------*/

/* With lines the files of --elf have the lines of the programs whose names they gave. */
static bool open_elfs(files *f)
{
    const toll_settings *s = f->job->settings;
    bool good = true;
    for (size_t i = 0; good && s->lines && i < s->elfs.count; i++)
        good = open_file(f, s->elfs.items[i].path);
    return good;
}

static bool open_all(files *f)
{
    const toll_texts *paths = &f->job->settings->debugs;
    bool good = open_elfs(f);
    for (size_t i = 0; good && i < paths->count; i++) {
        toll_os_folder folder;
        if (!toll_os_folder_open(&folder, paths->items[i])) {
            good = open_file(f, paths->items[i]);
            continue;
        }
        size_t before = f->count;
        good = read_folder(f, &folder, paths->items[i]);
        toll_os_folder_close(&folder);
        if (good && f->count == before)
            toll_job_warn(f->job, "%s: has no program that the profile is of", paths->items[i]);
        for (size_t j = before; good && j < f->count; j++)
            if (*toll_debug_remark(f->items[j]))
                toll_job_warn(f->job, "%s", toll_debug_remark(f->items[j]));
    }
    return good;
}

static bool symbolize(files *f, toll_profile **profile)
{
    toll_wasm_costs *costs;
    toll_profile *out;
    if (toll_choose_costs(f->job, &costs, &f->err))
        return false;
    toll_symbolize_options options = { .size = sizeof options,
                                       .costs = costs,
                                       .inlines = f->job->settings->inlines };
    toll_status status = toll_profile_symbolize(*profile, (const toll_debug *const *)f->items,
                                                f->count, &options, &out, &f->err);
    toll_wasm_costs_free(costs);
    if (status)
        return false;
    toll_profile_free(*profile);
    *profile = out;
    return true;
}

int toll_debug_files_apply(toll_job *job, toll_profile **profile)
{
    files f = { .job = job, .profile = *profile };
    const toll_settings *s = job->settings;
    if (s->debugs.count == 0 && (!s->lines || s->elfs.count == 0))
        return TOLL_EXIT_OK;
    bool good = open_all(&f) && symbolize(&f, profile);
    for (size_t i = 0; i < f.count; i++)
        toll_debug_free(f.items[i]);
    toll_mem_free(&job->allocator, f.items, f.capacity, sizeof *f.items);
    return good ? TOLL_EXIT_OK : toll_job_fail(job, &f.err);
}
