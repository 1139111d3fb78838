/* source_files.c - see source_files.h. */
#include "source_files.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/os.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    READ_SIZE = 16 * 1024,
    MOST_SIZE = 8 * 1024 * 1024, /* bytes of a file; sources that people read are smaller */
    MOST_KEPT = 64 * 1024 * 1024 /* bytes of all texts; the next file then frees the others */
};

typedef enum source_state {
    UNREAD,
    FOUND,
    MAPPED, /* in a source map */
    MISSING,
    OUTSIDE,
    NO_TEXT,
    TOO_LARGE
} source_state;

struct toll_source_file {
    toll_buffer text;     /* if the state is FOUND */
    const char *map_text; /* if the state is MAPPED */
    size_t map_size;
    const toll_debug *map; /* the program that has the source map */
    source_state state;    /* UNREAD also if the text was freed */
    bool is_newer;
};

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* --- finding a file ----------------------------------------------------------------------------*/

/* The profile's path, with the prefix in FROM=TO replaced. */
static bool find_mapped(const char *map, const char *name, char path[TOLL_OS_PATH_SIZE])
{
    const char *equals = strchr(map, '=');
    size_t n = (size_t)(equals - map);
    bool is_whole =
        n > 0 && strncmp(name, map, n) == 0 && (is_separator(map[n - 1]) || is_separator(name[n]));
    int size = is_whole ? snprintf(path, TOLL_OS_PATH_SIZE, "%s%s", equals + 1, name + n) : -1;
    return size > 0 && size < TOLL_OS_PATH_SIZE && toll_os_is_file(path);
}

/* The longest end of the profile's path that exists in the folder. */
static bool find_in_folder(const char *folder, const char *name, char path[TOLL_OS_PATH_SIZE])
{
    while (*name) {
        while (is_separator(*name))
            name++;
        int size = *name ? snprintf(path, TOLL_OS_PATH_SIZE, "%s/%s", folder, name) : -1;
        if (size > 0 && size < TOLL_OS_PATH_SIZE && toll_os_is_file(path))
            return true;
        while (*name && !is_separator(*name))
            name++;
    }
    return false;
}

/* The path itself. A path for which Windows would ask another machine needs --source-outside. */
static bool find_itself(const toll_source_files *files, const char *name,
                        char path[TOLL_OS_PATH_SIZE])
{
    bool is_remote = is_separator(name[0]) && is_separator(name[1]);
    int size = snprintf(path, TOLL_OS_PATH_SIZE, "%s", name);
    if (is_remote && !files->roots.are_all)
        return false;
    return size > 0 && size < TOLL_OS_PATH_SIZE && toll_os_is_file(path);
}

/* --- reading it --------------------------------------------------------------------------------*/

/* False: reading failed; see errno. */
static bool read_all(int fd, toll_source_file *file)
{
    uint8_t bytes[READ_SIZE];
    ptrdiff_t got;
    file->state = FOUND;
    while ((got = toll_os_read(fd, bytes, sizeof bytes)) > 0) {
        if (memchr(bytes, 0, (size_t)got))
            file->state = NO_TEXT;
        else if (file->text.size + (size_t)got > MOST_SIZE)
            file->state = TOO_LARGE;
        if (file->state != FOUND || !toll_buffer_append(&file->text, bytes, (size_t)got))
            return true;
    }
    return got == 0;
}

static bool read_real(const char *real, int64_t newer_than, toll_source_file *file)
{
    toll_os_info info;
    int fd = toll_os_open_real(real, &info);
    if (fd < 0)
        return false;
    file->is_newer = info.modified > newer_than;
    if (info.size > MOST_SIZE)
        file->state = TOO_LARGE;
    bool good = info.size > MOST_SIZE || read_all(fd, file);
    int error = errno;
    toll_os_close(fd);
    errno = error;
    return good;
}

/* Read the file at a path if it may be shown. A file that cannot be read is treated as missing,
 * after a warning. True: do not search elsewhere. */
static bool try_path(const toll_source_files *files, const char *path, toll_source_file *file)
{
    char real[TOLL_OS_PATH_SIZE];
    if (!toll_os_real_path(path, real))
        return false;
    if (!toll_source_roots_have(&files->roots, real)) {
        file->state = files->roots.are_all ? NO_TEXT : OUTSIDE;
        return false;
    }
    if (!read_real(real, files->newer_than, file)) {
        toll_job_warn(files->job, "%.300s: cannot read: %s", path, strerror(errno));
        file->state = MISSING;
    }
    if (file->state != FOUND)
        toll_buffer_free(&file->text);
    return true;
}

/* --- in source maps ----------------------------------------------------------------------------*/

/* One that is too large for a map may still be found as a file. */
static bool find_in_maps(const toll_source_files *files, const char *name, toll_source_file *file)
{
    size_t size = TOLL_SOURCE_MISSING;
    for (size_t i = 0; i < files->debugs->count && size == TOLL_SOURCE_MISSING; i++) {
        file->map = files->debugs->items[i];
        if (toll_debug_source(file->map, name, &file->map_text, &size)) {
            file->map_size = size;
            file->state = MAPPED;
            return true;
        }
    }
    file->map = NULL;
    file->state = size == TOLL_SOURCE_UNREADABLE ? TOO_LARGE : file->state;
    return false;
}

static void load(const toll_source_files *files, const char *name, toll_source_file *file)
{
    const toll_settings *s = files->job->settings;
    char path[TOLL_OS_PATH_SIZE];
    file->state = MISSING;
    for (size_t i = 0; i < s->prefix_maps.count; i++)
        if (find_mapped(s->prefix_maps.items[i], name, path) && try_path(files, path, file))
            return;
    for (size_t i = 0; i < s->source_dirs.count; i++)
        if (find_in_folder(s->source_dirs.items[i], name, path) && try_path(files, path, file))
            return;
    if (!find_in_maps(files, name, file) && find_itself(files, name, path))
        try_path(files, path, file);
}

/* NULL: no memory. */
static toll_source_file *file_named(toll_source_files *files, const char *name)
{
    uint32_t id = toll_strtab_add(&files->names, name, strlen(name));
    if (id == UINT32_MAX ||
        !toll_array_grow(&files->job->allocator, &files->files, &files->capacity, id, 1))
        return NULL;
    for (; files->count <= id; files->count++) {
        files->files[files->count] = (toll_source_file){ .state = UNREAD };
        toll_buffer_init(&files->files[files->count].text, &files->job->allocator);
    }
    return &files->files[id];
}

static void forget_texts(toll_source_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->files[i].state == FOUND) {
            toll_buffer_free(&files->files[i].text);
            files->files[i].state = UNREAD;
        }
    files->kept = 0;
}

/* Texts are valid until the next call. */
toll_status toll_source_files_get(void *user, const char *name, const char **text, size_t *size,
                                  toll_error *err)
{
    static const size_t why[] = { [MISSING] = TOLL_SOURCE_MISSING,
                                  [OUTSIDE] = TOLL_SOURCE_OUTSIDE,
                                  [NO_TEXT] = TOLL_SOURCE_UNREADABLE,
                                  [TOO_LARGE] = TOLL_SOURCE_UNREADABLE };
    toll_source_files *files = user;
    if (files->kept > MOST_KEPT)
        forget_texts(files);
    toll_source_file *file = file_named(files, name);
    if (!file)
        return toll_fail_nomem(err);
    if (file->state == UNREAD) {
        load(files, name, file);
        if (file->text.failed)
            return toll_fail_nomem(err);
        files->kept += file->text.size;
    }
    if (file->state == MAPPED) {
        *text = file->map_text;
        *size = file->map_size;
        return TOLL_OK;
    }
    bool found = file->state == FOUND;
    *text = !found ? NULL : file->text.size ? (const char *)file->text.data : "";
    *size = found ? file->text.size : why[file->state];
    return TOLL_OK;
}

const char *toll_source_files_origin(void *user, const char *name)
{
    const toll_source_files *files = user;
    uint32_t id = toll_strtab_find(&files->names, name, strlen(name));
    bool is_mapped = id < files->count && files->files[id].state == MAPPED;
    return is_mapped ? toll_os_file_name(toll_debug_source_map(files->files[id].map)) : "";
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

toll_status toll_source_files_begin(toll_source_files *files, const toll_job *job,
                                    const toll_profile *p, const char *path,
                                    const toll_debug_files *debugs, toll_error *err)
{
    toll_os_info info;
    int64_t start = toll_profile_start_ns(p);
    *files = (toll_source_files){ .job = job, .debugs = debugs, .newer_than = INT64_MAX };
    if (start)
        files->newer_than = (start + toll_profile_duration_ns(p)) / 1000000000;
    else if (toll_os_look(path, &info) && info.kind == TOLL_OS_REGULAR)
        files->newer_than = info.modified;
    toll_strtab_init(&files->names, &job->allocator);
    return toll_source_roots_begin(&files->roots, job->settings, &job->allocator, err);
}

/* Warn about the files for which `is_one` holds: their number, and the first. */
static void warn(const toll_source_files *files, bool (*is_one)(const toll_source_file *),
                 const char *what)
{
    const char *first = NULL;
    size_t more = 0;
    char others[40] = "";
    for (uint32_t id = 1; id < files->count; id++)
        if (is_one(&files->files[id])) {
            more += first != NULL;
            first = first ? first : toll_strtab_text(&files->names, id);
        }
    if (more)
        snprintf(others, sizeof others, " and %zu more", more);
    if (first)
        toll_job_warn(files->job, "%.200s%s: %s", first, others, what);
}

static bool is_missing(const toll_source_file *file)
{
    return file->state == MISSING;
}

static bool is_outside(const toll_source_file *file)
{
    return file->state == OUTSIDE;
}

static bool is_no_source(const toll_source_file *file)
{
    return file->state == NO_TEXT || file->state == TOO_LARGE;
}

static bool is_newer(const toll_source_file *file)
{
    return file->is_newer;
}

static uint32_t count_mapped(const toll_source_files *files)
{
    uint32_t count = 0;
    for (uint32_t id = 1; id < files->count; id++)
        count += files->files[id].state == MAPPED;
    return count;
}

/* "source: 12 files embedded, 3 outside this folder left out; --source-outside takes them". */
static void say_what_page_has(const toll_source_files *files, const toll_page_sources *page)
{
    char text[300], mapped[60] = "", outside[120] = "";
    uint32_t n = page->outside, m = page->embedded, of_maps = count_mapped(files);
    if (of_maps)
        snprintf(mapped, sizeof mapped, " (%" PRIu32 " from the program's source map)", of_maps);
    if (n)
        snprintf(outside, sizeof outside,
                 ", %" PRIu32 " outside this folder left out; --source-outside takes %s", n,
                 n == 1 ? "it" : "them");
    snprintf(text, sizeof text, "source: %" PRIu32 " file%s embedded%s%s", m, m == 1 ? "" : "s",
             mapped, outside);
    if ((n || m) && !files->job->settings->quiet)
        toll_tell("", text);
}

void toll_source_files_warn(const toll_source_files *files, const toll_page_sources *page)
{
    if (page)
        say_what_page_has(files, page);
    else
        warn(files, is_outside,
             "the source is outside this folder, and is not shown; --source-outside shows it");
    warn(files, is_missing,
         "the source is not there, lines have their numbers alone; say where it is with "
         "--source-dir or --prefix-map");
    warn(files, is_no_source,
         "no text, more than 8 MiB, or in /proc, /sys, /dev: not shown as source");
    warn(files, is_newer, "the source is newer than the profile, its lines may have moved");
}

void toll_source_files_free(toll_source_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        toll_buffer_free(&files->files[i].text);
    toll_mem_free(&files->job->allocator, files->files, files->capacity, sizeof *files->files);
    toll_strtab_free(&files->names);
    toll_source_roots_free(&files->roots);
}
