/* source_files.c - see source_files.h. */
#include "source_files.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/input.h"
#include "base/os.h"

#include <stdio.h>
#include <string.h>

struct toll_source_file {
    toll_buffer
        name; /* as the profile has it, which may be gone when it is warned about the file */
    toll_buffer text; /* empty if the file was not found */
    bool is_found, is_newer;
};

static const char *name_of(const toll_source_file *file)
{
    return (const char *)file->name.data;
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static bool is_file(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info) && info.kind == TOLL_OS_REGULAR;
}

/* --- where a file is ---------------------------------------------------------------------------*/

/* The profile's path with the prefix that FROM=TO names exchanged. */
static bool find_mapped(const char *map, const char *name, char path[TOLL_OS_PATH_SIZE])
{
    const char *equals = strchr(map, '=');
    size_t n = (size_t)(equals - map);
    bool is_whole =
        n > 0 && strncmp(name, map, n) == 0 && (is_separator(map[n - 1]) || is_separator(name[n]));
    int size = is_whole ? snprintf(path, TOLL_OS_PATH_SIZE, "%s%s", equals + 1, name + n) : -1;
    return size > 0 && size < TOLL_OS_PATH_SIZE && is_file(path);
}

/* The folder with the longest end of the profile's path that is there. */
static bool find_in_folder(const char *folder, const char *name, char path[TOLL_OS_PATH_SIZE])
{
    while (*name) {
        while (is_separator(*name))
            name++;
        int size = *name ? snprintf(path, TOLL_OS_PATH_SIZE, "%s/%s", folder, name) : -1;
        if (size > 0 && size < TOLL_OS_PATH_SIZE && is_file(path))
            return true;
        while (*name && !is_separator(*name))
            name++;
    }
    return false;
}

static bool find_file(const toll_settings *s, const char *name, char path[TOLL_OS_PATH_SIZE])
{
    for (size_t i = 0; i < s->prefix_maps.count; i++)
        if (find_mapped(s->prefix_maps.items[i], name, path))
            return true;
    for (size_t i = 0; i < s->source_dirs.count; i++)
        if (find_in_folder(s->source_dirs.items[i], name, path))
            return true;
    int size = snprintf(path, TOLL_OS_PATH_SIZE, "%s", name);
    return size > 0 && size < TOLL_OS_PATH_SIZE && is_file(path);
}

/* --- its text ----------------------------------------------------------------------------------*/

static toll_status read_all(const toll_allocator *allocator, const char *path, toll_buffer *text,
                            toll_error *err)
{
    toll_input *in;
    size_t got;
    toll_status status = toll_input_open(allocator, path, &in, err);
    if (status)
        return status;
    for (;;) {
        const uint8_t *bytes = toll_input_peek(in, 1, &got);
        if (got == 0)
            break;
        toll_buffer_append(text, bytes, got);
        toll_input_skip(in, got);
    }
    status = toll_input_check(in, err);
    if (!status && text->failed)
        status = toll_fail_nomem(err);
    toll_input_free(in);
    return status;
}

/* A file that cannot be read is as one that is not there, after a warning. */
static toll_status load(toll_source_files *files, toll_source_file *file, toll_error *err)
{
    char path[TOLL_OS_PATH_SIZE];
    toll_os_info info;
    toll_error why = { TOLL_OK, "" };
    if (!find_file(files->job->settings, name_of(file), path))
        return TOLL_OK;
    toll_status status = read_all(&files->job->allocator, path, &file->text, &why);
    if (status == TOLL_E_NOMEM)
        return toll_fail_nomem(err);
    if (status)
        toll_job_warn(files->job, "%s", why.text);
    file->is_found = !status;
    file->is_newer = toll_os_look(path, &info) && info.modified > files->newer_than;
    return TOLL_OK;
}

static toll_source_file *file_named(const toll_source_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(name_of(&files->files[i]), name) == 0)
            return &files->files[i];
    return NULL;
}

toll_status toll_source_files_get(void *user, const char *name, const char **text, size_t *size,
                                  toll_error *err)
{
    toll_source_files *files = user;
    toll_source_file *file = file_named(files, name);
    if (!file) {
        if (!toll_array_grow(&files->job->allocator, &files->files, &files->capacity, files->count,
                             1))
            return toll_fail_nomem(err);
        file = &files->files[files->count];
        *file = (toll_source_file){ 0 };
        toll_buffer_init(&file->name, &files->job->allocator);
        toll_buffer_init(&file->text, &files->job->allocator);
        toll_buffer_append(&file->name, name, strlen(name) + 1);
        if (file->name.failed)
            return toll_fail_nomem(err);
        files->count++;
        toll_status status = load(files, file, err);
        if (status)
            return status;
    }
    *text = file->is_found ? (const char *)file->text.data : NULL;
    *size = file->is_found ? file->text.size : 0;
    return TOLL_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

int toll_source_files_check(const toll_settings *s)
{
    for (size_t i = 0; i < s->prefix_maps.count; i++)
        if (!strchr(s->prefix_maps.items[i], '='))
            return toll_complain(TOLL_EXIT_USAGE, "--prefix-map: '%s' is not FROM=TO",
                                 s->prefix_maps.items[i]);
    return TOLL_EXIT_OK;
}

void toll_source_files_begin(toll_source_files *files, const toll_job *job, const toll_profile *p,
                             const char *path)
{
    toll_os_info info;
    int64_t start = toll_profile_start_ns(p);
    *files = (toll_source_files){ .job = job, .newer_than = INT64_MAX };
    if (start)
        files->newer_than = (start + toll_profile_duration_ns(p)) / 1000000000;
    else if (toll_os_look(path, &info) && info.kind == TOLL_OS_REGULAR)
        files->newer_than = info.modified;
}

/* Warn about the files for which `is_one` holds: how many, and which is the first. */
static void warn(const toll_source_files *files, bool (*is_one)(const toll_source_file *),
                 const char *what)
{
    const char *first = NULL;
    size_t more = 0;
    char others[40] = "";
    for (size_t i = 0; i < files->count; i++)
        if (is_one(&files->files[i])) {
            more += first != NULL;
            first = first ? first : name_of(&files->files[i]);
        }
    if (more)
        snprintf(others, sizeof others, " and %zu more", more);
    if (first)
        toll_job_warn(files->job, "%.200s%s: %s", first, others, what);
}

static bool is_missing(const toll_source_file *file)
{
    return !file->is_found;
}

static bool is_newer(const toll_source_file *file)
{
    return file->is_newer;
}

void toll_source_files_warn(const toll_source_files *files)
{
    warn(files, is_missing,
         "the source is not there, lines have their numbers alone; say where it is with "
         "--source-dir or --prefix-map");
    warn(files, is_newer, "the source is newer than the profile, its lines may have moved");
}

void toll_source_files_free(toll_source_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        toll_buffer_free(&files->files[i].name);
        toll_buffer_free(&files->files[i].text);
    }
    toll_mem_free(&files->job->allocator, files->files, files->capacity, sizeof *files->files);
}
