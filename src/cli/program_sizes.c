/* program_sizes.c - see program_sizes.h. */
#include "program_sizes.h"

#include "base/json_write.h"
#include "base/os.h"
#include "base/printable.h"
#include "base/text.h"
#include "report/markdown.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char comment[] = "target/deploy/"; /* "target/deploy/counter.so: 35176 bytes" */

/* Find or add a program by its name, in order. Of too many those that come first are kept. NULL,
 * and it is counted: there is no room for it. */
static toll_program_size *place(toll_program_sizes *s, const char *name, size_t size)
{
    char text[TOLL_PROGRAM_NAME_SIZE];
    uint32_t at = 0;
    if (size >= sizeof text) {
        s->left_out++;
        return NULL;
    }
    snprintf(text, sizeof text, "%.*s", (int)size, name);
    while (at < s->count && strcmp(s->items[at].name, text) < 0)
        at++;
    if (at < s->count && strcmp(s->items[at].name, text) == 0)
        return &s->items[at];
    s->left_out += s->count == TOLL_PROGRAM_SIZES;
    if (at == TOLL_PROGRAM_SIZES)
        return NULL;
    s->count -= s->count == TOLL_PROGRAM_SIZES;
    memmove(&s->items[at + 1], &s->items[at], (s->count - at) * sizeof *s->items);
    s->count++;
    s->items[at] = (toll_program_size){ .before = -1, .after = -1 };
    memcpy(s->items[at].name, text, sizeof text);
    return &s->items[at];
}

static void list(toll_program_sizes *s, const char *folder, toll_os_folder *open)
{
    char path[TOLL_OS_PATH_SIZE];
    const char *name;
    toll_os_info info;
    while ((name = toll_os_folder_next(open)) != NULL) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!toll_text_ends_with(name, ".so") || n < 0 || (size_t)n >= sizeof path ||
            !toll_os_look(path, &info) || info.kind != TOLL_OS_REGULAR || info.size > INT64_MAX)
            continue;
        toll_program_size *program = place(s, name, strlen(name));
        if (program)
            program->after = (int64_t)info.size;
    }
    s->is_known = true;
}

void toll_program_sizes_find(toll_program_sizes *s)
{
    enum { FOLDERS = 8 };
    char folder[sizeof "target/deploy" + (size_t)3 * FOLDERS] = "target/deploy";
    *s = (toll_program_sizes){ 0 };
    for (int i = 0; i < FOLDERS; i++) {
        toll_os_folder open;
        if (toll_os_folder_open(&open, folder)) {
            list(s, folder, &open);
            toll_os_folder_close(&open);
            return;
        }
        memmove(folder + 3, folder, strlen(folder) + 1);
        memcpy(folder, "../", 3);
    }
}

/* --- comments ----------------------------------------------------------------------------------*/

/* Take a comment apart. False: it is about something else. */
static bool read_comment(const char *text, const char **name, size_t *size, uint64_t *bytes)
{
    const char *colon = strrchr(text, ':');
    if (strncmp(text, comment, sizeof comment - 1) != 0 || !colon ||
        colon < text + sizeof comment - 1 || !toll_text_ends_with(text, " bytes"))
        return false;
    *name = text + sizeof comment - 1;
    *size = (size_t)(colon - *name);
    size_t digits = strlen(colon) - sizeof " bytes" + 1;
    return *size && digits > 2 && colon[1] == ' ' && toll_text_u64(colon + 2, digits - 2, bytes) &&
           *bytes <= INT64_MAX;
}

void toll_program_sizes_compare(toll_program_sizes *s, const toll_profile *before)
{
    for (uint32_t i = 0; s->is_known && i < toll_profile_comment_count(before); i++) {
        const char *name;
        size_t size;
        uint64_t bytes;
        if (!read_comment(toll_profile_comment(before, i), &name, &size, &bytes))
            continue;
        toll_program_size *program = place(s, name, size);
        if (program)
            program->before = (int64_t)bytes;
        s->is_compared = true;
    }
}

int toll_program_sizes_keep(const toll_job *job, const toll_program_sizes *s, toll_profile *p)
{
    char text[sizeof comment + TOLL_PROGRAM_NAME_SIZE + 40];
    toll_error err = { TOLL_OK, "" };
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i].after < 0)
            continue;
        snprintf(text, sizeof text, "%s%s: %" PRId64 " bytes", comment, s->items[i].name,
                 s->items[i].after);
        if (toll_profile_add_comment(p, text, &err))
            return toll_job_fail(job, &err);
    }
    return TOLL_EXIT_OK;
}

/* --- tables ------------------------------------------------------------------------------------*/

typedef struct cells {
    char size[TOLL_VALUE_TEXT_SIZE], change[TOLL_VALUE_TEXT_SIZE + 1];
} cells;

static void set_cells(const toll_program_sizes *s, const toll_program_size *program, cells *c)
{
    char by[TOLL_VALUE_TEXT_SIZE];
    *c = (cells){ "", "" };
    if (program->after >= 0)
        toll_value_text(program->after, "bytes", c->size);
    if (!s->is_compared)
        return;
    if (program->before < 0 || program->after < 0)
        snprintf(c->change, sizeof c->change, "%s", program->after < 0 ? "gone" : "new");
    else if (program->after != program->before)
        snprintf(c->change, sizeof c->change, "%s%s", program->after > program->before ? "+" : "",
                 toll_value_text(program->after - program->before, "bytes", by));
}

static void put_left_out(const toll_program_sizes *s, toll_output *out)
{
    if (s->left_out)
        toll_output_printf(out, "\n%" PRIu32 " more program%s\n", s->left_out,
                           s->left_out == 1 ? "" : "s");
}

void toll_program_sizes_put(const toll_program_sizes *s, toll_output *out)
{
    cells c;
    int size = (int)strlen("size"), change = s->is_compared ? (int)strlen("change") : 0;
    for (uint32_t i = 0; i < s->count; i++) {
        set_cells(s, &s->items[i], &c);
        size = (int)strlen(c.size) > size ? (int)strlen(c.size) : size;
        change = (int)strlen(c.change) > change ? (int)strlen(c.change) : change;
    }
    change += s->is_compared ? 2 : 0;
    if (s->count)
        toll_output_printf(out, "\n%*s%*s  program\n", size, "size", change,
                           s->is_compared ? "change" : "");
    for (uint32_t i = 0; i < s->count; i++) {
        set_cells(s, &s->items[i], &c);
        toll_output_printf(out, "%*s%*s  ", size, c.size, change, c.change);
        toll_output_put_printable(out, s->items[i].name);
        toll_output_printf(out, "\n");
    }
    put_left_out(s, out);
}

void toll_program_sizes_markdown(const toll_program_sizes *s, toll_output *out)
{
    cells c;
    if (s->count)
        toll_output_printf(out, s->is_compared ? "\n| size | change | program |\n|--:|--:|:--|\n"
                                               : "\n| size | program |\n|--:|:--|\n");
    for (uint32_t i = 0; i < s->count; i++) {
        set_cells(s, &s->items[i], &c);
        toll_output_printf(out, s->is_compared ? "| %s | %s | " : "| %s%s | ", c.size, c.change);
        toll_markdown_put_code(out, s->items[i].name);
        toll_output_printf(out, " |\n");
    }
    put_left_out(s, out);
}

void toll_program_sizes_json(const toll_program_sizes *s, toll_output *out)
{
    toll_output_printf(out, "[");
    for (uint32_t i = 0; i < s->count; i++) {
        const toll_program_size *program = &s->items[i];
        toll_output_printf(out, "%s{\"name\":", i ? ",\n" : "\n");
        toll_json_put_string(out, program->name);
        if (program->after >= 0)
            toll_output_printf(out, ",\"size\":%" PRId64, program->after);
        if (program->before >= 0)
            toll_output_printf(out, ",\"before\":%" PRId64, program->before);
        toll_output_printf(out, "}");
    }
    toll_output_printf(out, "]");
}
