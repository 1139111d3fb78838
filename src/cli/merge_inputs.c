/* merge_inputs.c - see merge_inputs.h. */
#include "merge_inputs.h"

#include "base/fail.h"
#include "base/input.h"

#include <errno.h>
#include <string.h>

enum { NAMES_SHARE = 64 }; /* the share (1/64) of --max-memory for the names of files in folders */

/* Open a list. One from find -print0 has a NUL after its first path. */
static toll_status begin_list(toll_merge_inputs *in, const toll_allocator *allocator,
                              toll_error *err)
{
    toll_status status = toll_input_open(allocator, in->settings->files_from, &in->list, err);
    if (status)
        return status;
    size_t size;
    const uint8_t *data = toll_input_peek(in->list, TOLL_OS_PATH_SIZE, &size);
    bool has_nul = size && memchr(data, 0, size < TOLL_OS_PATH_SIZE ? size : TOLL_OS_PATH_SIZE);
    in->separator = has_nul ? 0 : '\n';
    return toll_input_check(in->list, err);
}

toll_status toll_merge_inputs_begin(toll_merge_inputs *in, const toll_allocator *allocator,
                                    const toll_settings *settings, int count, char **operands,
                                    toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    *in = (toll_merge_inputs){ .settings = settings, .count = count, .operands = operands };
    toll_folder_files_init(&in->folder, &mem, (size_t)settings->max_memory / NAMES_SHARE);
    return settings->files_from ? begin_list(in, allocator, err) : TOLL_OK;
}

void toll_merge_inputs_end(toll_merge_inputs *in)
{
    toll_folder_files_free(&in->folder);
    toll_input_free(in->list);
}

/* --- the list ----------------------------------------------------------------------------------*/

static toll_status fail_entry(const toll_merge_inputs *in, const char *what, toll_error *err)
{
    return toll_fail_line(in->list, in->line, err, TOLL_E_SYNTAX, "%s", what);
}

/* Read the next entry of the list, which may be empty. *is_end: no more entries. */
static toll_status next_entry(toll_merge_inputs *in, char *path, bool *is_end, toll_error *err)
{
    size_t got;
    const char *data = (const char *)toll_input_peek(in->list, TOLL_OS_PATH_SIZE, &got);
    toll_status status = toll_input_check(in->list, err);
    *is_end = got == 0;
    if (status || *is_end)
        return status;
    in->line++;
    size_t size = got < TOLL_OS_PATH_SIZE ? got : TOLL_OS_PATH_SIZE;
    const char *end = memchr(data, in->separator, size);
    if (!end && got >= TOLL_OS_PATH_SIZE)
        return fail_entry(in, "a path of more than 4095 bytes; is this a list of paths?", err);
    size = end ? (size_t)(end - data) : size;
    memcpy(path, data, size);
    toll_input_skip(in->list, size + (end != NULL));
    if (in->separator && size && path[size - 1] == '\r')
        size--;
    path[size] = 0;
    if (in->separator && memchr(path, 0, size))
        return fail_entry(in, "a NUL within a line; is this a list of paths?", err);
    return TOLL_OK;
}

toll_status toll_merge_inputs_listed(toll_merge_inputs *in, char *path, toll_error *err)
{
    bool is_end;
    toll_status status;
    do
        status = next_entry(in, path, &is_end, err);
    while (!status && !is_end && !*path);
    if (status || is_end)
        *path = 0;
    else if (strcmp(path, "-") == 0)
        strcpy(path, "./-"); /* in a list, "-" is a file's name */
    return status;
}

/* --- all ---------------------------------------------------------------------------------------*/

/* Get the next operand or entry of the list. */
static toll_status next_given(toll_merge_inputs *in, char *path, toll_error *err)
{
    *path = 0;
    if (!in->count)
        return in->list ? toll_merge_inputs_listed(in, path, err) : TOLL_OK;
    const char *operand = *in->operands++;
    in->count--;
    if (!*operand)
        return toll_fail(err, TOLL_E_IO, "an empty name names no file");
    if (strlen(operand) >= TOLL_OS_PATH_SIZE)
        return toll_fail(err, TOLL_E_IO, "%.300s...: a path of more than %d bytes", operand,
                         TOLL_OS_PATH_SIZE - 1);
    strcpy(path, operand);
    return TOLL_OK;
}

/* Get the next entry of the current folder; an empty path: no more. */
static toll_status next_in_folder(toll_merge_inputs *in, char *path, toll_error *err)
{
    const char *next;
    *path = 0;
    toll_status status = toll_folder_files_next(&in->folder, &next, err);
    if (!status && next)
        strcpy(path, next);
    return status;
}

/* Find out what is at a path. If it does not exist, reading it reports that. But a link that leads
 * to itself, in a folder, is no file. */
static toll_status look(const char *path, bool is_given, toll_os_info *info, toll_error *err)
{
    if (strcmp(path, "-") == 0 || toll_os_look(path, info))
        return TOLL_OK;
#ifdef ELOOP
    if (!is_given && errno == ELOOP)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%.300s: is passed over: the link leads to itself; remove it", path);
#else
    (void)is_given;
#endif
    return TOLL_OK;
}

toll_status toll_merge_inputs_next(toll_merge_inputs *in, char *path, toll_error *err)
{
    for (;;) {
        toll_os_info info = { .kind = TOLL_OS_REGULAR };
        toll_status status = next_in_folder(in, path, err);
        bool is_given = !status && !*path;
        if (is_given)
            status = next_given(in, path, err);
        if (status || !*path)
            return status;
        status = look(path, is_given, &info, err);
        if (status)
            return status;
        if (info.kind == TOLL_OS_DEVICE && !is_given)
            return toll_fail(err, TOLL_E_UNKNOWN_FORMAT, "%s: is neither a file nor a folder",
                             path);
        if (info.kind != TOLL_OS_FOLDER || toll_format_for_folder(path, in->settings->from))
            return TOLL_OK;
        status = toll_folder_files_enter(&in->folder, path, err);
        if (status)
            return status;
    }
}
