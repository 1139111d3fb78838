/* findings.c - see findings.h. */
#include "gates/findings.h"

#include "base/array.h"
#include "base/printable.h"
#include "report/markdown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void toll_findings_init(toll_findings *f, const toll_mem *mem)
{
    *f = (toll_findings){ .mem = *mem };
    toll_buffer_init(&f->text, mem);
}

void toll_findings_free(toll_findings *f)
{
    toll_mem_free(&f->mem, f->items, f->capacity, sizeof *f->items);
    toll_buffer_free(&f->text);
    f->items = NULL;
    f->count = f->capacity = 0;
}

void toll_findings_begin(toll_findings *f, const char *file, uint32_t line)
{
    size_t at = f->text.size;
    f->failed |= !toll_buffer_append(&f->text, file, strlen(file) + 1);
    f->failed |= !toll_array_grow(&f->mem, &f->items, &f->capacity, f->count, 1);
    if (!f->failed)
        f->items[f->count++] =
            (toll_finding){ .file = at, .first = f->text.size, .line = *file ? line : 0 };
}

void toll_findings_end_line(toll_findings *f)
{
    f->failed |= !toll_buffer_append_byte(&f->text, 0);
    if (!f->failed)
        f->items[f->count - 1].lines++;
}

void toll_findings_line(toll_findings *f, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    toll_buffer_append_text(&f->text, text);
    toll_findings_end_line(f);
}

static const char *text_at(const toll_findings *f, size_t at)
{
    return (const char *)f->text.data + at;
}

static const char *next_line(const char *line)
{
    return line + strlen(line) + 1;
}

const char *toll_finding_line(const toll_findings *f, const toll_finding *finding, uint32_t n)
{
    const char *line = text_at(f, finding->first);
    while (n--)
        line = next_line(line);
    return line;
}

/* Make a path relative to the repository, where CI systems find it: "src/a.lua" of
 * "/home/runner/work/repo/src/a.lua". */
const char *toll_path_within(const char *workspace, const char *path)
{
    size_t n = workspace ? strlen(workspace) : 0;
    while (n && workspace[n - 1] == '/')
        n--;
    if (n && strncmp(path, workspace, n) == 0 && path[n] == '/')
        path += n + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

const char *toll_finding_path(const toll_findings *f, const toll_finding *finding,
                              const char *workspace)
{
    return toll_path_within(workspace, text_at(f, finding->file));
}

/* How many of them are printed. */
static size_t shown(const toll_findings *f, uint32_t most)
{
    return most && most < f->count ? most : f->count;
}

void toll_findings_put(const toll_findings *f, uint32_t most, toll_output *out)
{
    size_t count = shown(f, most);
    for (size_t i = 0; i < count; i++) {
        const char *line = text_at(f, f->items[i].first);
        for (uint32_t n = 0; n < f->items[i].lines; n++, line = next_line(line)) {
            toll_output_printf(out, "toll: ");
            toll_output_put_printable(out, line);
            toll_output_write(out, "\n", 1);
        }
    }
    if (count < f->count)
        toll_output_printf(out, "toll: ... and %zu more\n", f->count - count);
}

void toll_findings_markdown(const toll_findings *f, toll_output *out)
{
    toll_output_printf(out, "**Over the limit:**\n\n");
    toll_markdown_begin_pre(out);
    for (size_t i = 0; i < f->count; i++) {
        const char *line = text_at(f, f->items[i].first);
        for (uint32_t n = 0; n < f->items[i].lines; n++, line = next_line(line))
            toll_markdown_put_line(out, line, strlen(line));
    }
    toll_markdown_end_pre(out);
}

/* --- annotations -------------------------------------------------------------------------------*/

typedef struct annotation {
    toll_output *out;
    const char *special; /* these characters are written as %XX */
} annotation;

static void put_encoded(void *user, const char *text, size_t size)
{
    const annotation *a = user;
    for (size_t i = 0; i < size; i++) {
        if (text[i] && strchr(a->special, text[i]))
            toll_output_printf(a->out, "%%%02X", (unsigned char)text[i]);
        else
            toll_output_write(a->out, &text[i], 1);
    }
}

static void put_data(toll_output *out, const char *text, const char *special)
{
    annotation a = { out, special };
    toll_put_printable(text, strlen(text), put_encoded, &a);
}

void toll_findings_annotate(const toll_findings *f, const char *workspace, uint32_t most,
                            toll_output *out)
{
    size_t count = shown(f, most);
    for (size_t i = 0; i < count; i++) {
        const toll_finding *finding = &f->items[i];
        const char *file = toll_finding_path(f, finding, workspace);
        const char *line = text_at(f, finding->first);
        toll_output_printf(out, "::error ");
        if (*file) {
            toll_output_printf(out, "file=");
            put_data(out, file, "%:,");
            toll_output_printf(out, ",");
        }
        if (finding->line)
            toll_output_printf(out, "line=%u,", (unsigned)finding->line);
        toll_output_printf(out, "title=toll::");
        for (uint32_t n = 0; n < finding->lines; n++, line = next_line(line)) {
            toll_output_printf(out, n ? "%%0A" : "");
            put_data(out, line, "%");
        }
        toll_output_write(out, "\n", 1);
    }
    if (count < f->count)
        toll_output_printf(out, "::error title=toll::... and %zu more\n", f->count - count);
}
