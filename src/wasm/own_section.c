/* own_section.c - see own_section.h. */
#include "wasm/own_section.h"

#include "base/fail.h"
#include "base/text.h"
#include "wasm/build_id.h"
#include "wasm/counters.h"

#include <string.h>

static void put_text(toll_buffer *out, const char *text, size_t size)
{
    toll_wasm_put_u32(out, (uint32_t)size);
    toll_wasm_put_bytes(out, (toll_wasm_bytes){ (const uint8_t *)text, size });
}

static void put_u64(toll_buffer *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        toll_buffer_append_byte(out, (uint8_t)(value | 0x80));
    toll_buffer_append_byte(out, (uint8_t)value);
}

/* Append what is in `part` as a text. */
static void put_part(toll_buffer *out, const toll_buffer *part)
{
    out->failed |= part->failed;
    put_text(out, (const char *)part->data, part->size);
}

static void put_names(const toll_wasm_rewrite *w, toll_buffer *out)
{
    toll_buffer name;
    toll_buffer_init(&name, &w->mem);
    toll_wasm_put_u32(out, (uint32_t)w->module->function_count);
    for (uint32_t f = 0; !out->failed && f < w->module->function_count; f++) {
        toll_buffer_clear(&name);
        toll_wasm_append_name(&w->names, f, &name);
        put_part(out, &name);
    }
    toll_buffer_free(&name);
}

/* The module's file name, without folders, and its build id. */
static void put_identity(const toll_wasm_rewrite *w, toll_buffer *out)
{
    const char *path = w->module->path, *slash = strrchr(path, '/');
    toll_buffer id;
    toll_buffer_init(&id, &w->mem);
    path = slash ? slash + 1 : path;
    put_text(out, path, strlen(path));
    toll_wasm_append_build_id(w->module, &id);
    put_part(out, &id);
    toll_buffer_free(&id);
}

/* --- functions ---------------------------------------------------------------------------------*/

static uint32_t address_of(const toll_wasm_module *m, uint32_t function)
{
    return (uint32_t)(m->functions[function].body.data - m->code.data);
}

static void put_addresses(const toll_wasm_module *m, toll_buffer *out)
{
    uint32_t last = 0;
    for (uint32_t f = m->imported_functions; f < m->function_count; f++) {
        uint32_t address = address_of(m, f);
        toll_wasm_put_u32(out, address - last);
        last = address;
    }
}

/* The file that a function is defined in, and its line, of Go's table (then *room holds the text),
 * else as the caller tells it; NULL: not known. */
static const char *definition(const toll_wasm_rewrite *w, uint32_t function, uint32_t *line,
                              toll_buffer *room)
{
    const toll_wasm_options *o = w->options;
    const toll_wasm_go_function *go = w->names.go ? &w->names.go[function] : NULL;
    if (!go || !go->file.size)
        return o->define
                   ? o->define(o->define_user, function, address_of(w->module, function), line)
                   : NULL;
    *line = go->line;
    toll_buffer_clear(room);
    toll_text_append_clean(room, (const char *)go->file.data, go->file.size);
    return toll_buffer_cstr(room);
}

/* Append the definition of each function: the number of its file, which is put into `files`, and
 * its line. */
static void put_definitions(const toll_wasm_rewrite *w, toll_strtab *files, toll_buffer *out)
{
    const toll_wasm_module *m = w->module;
    toll_buffer room;
    toll_buffer_init(&room, &w->mem);
    for (uint32_t f = m->imported_functions; !out->failed && f < m->function_count; f++) {
        uint32_t line = 0;
        const char *file = definition(w, f, &line, &room);
        uint32_t id = file ? toll_strtab_add(files, file, strlen(file)) : 0;
        out->failed |= id == UINT32_MAX || room.failed;
        toll_wasm_put_u32(out, id);
        if (id)
            toll_wasm_put_u32(out, line);
    }
    toll_buffer_free(&room);
}

static void put_files(const toll_wasm_rewrite *w, toll_buffer *out)
{
    toll_strtab files;
    toll_buffer definitions;
    toll_strtab_init(&files, &w->mem);
    toll_buffer_init(&definitions, &w->mem);
    if (w->options->define || w->names.go)
        put_definitions(w, &files, &definitions);
    toll_wasm_put_u32(out, files.count ? (uint32_t)files.count - 1 : 0);
    for (uint32_t i = 1; i < files.count; i++)
        put_text(out, toll_strtab_text(&files, i), toll_strtab_size(&files, i));
    out->failed |= definitions.failed;
    if (files.count > 1)
        toll_buffer_append(out, definitions.data, definitions.size);
    toll_buffer_free(&definitions);
    toll_strtab_free(&files);
}

/* --- counters ----------------------------------------------------------------------------------*/

/* The counters of one function, from number `first` on; returns the number behind them. */
static size_t put_counters_of(const toll_wasm_rewrite *w, uint32_t function, size_t first,
                              toll_buffer *out)
{
    size_t end = first;
    uint32_t last = address_of(w->module, function);
    while (end < w->stretch_count && w->stretches[end].function == function)
        end++;
    toll_wasm_put_u32(out, (uint32_t)(end - first));
    for (size_t i = first; i < end; i++) {
        toll_wasm_put_u32(out, w->stretches[i].address - last);
        put_u64(out, w->stretches[i].cost);
        last = w->stretches[i].address;
    }
    return end;
}

static void put_counters(const toll_wasm_rewrite *w, toll_buffer *out)
{
    size_t next = 0;
    toll_wasm_put_u32(out, (uint32_t)w->stretch_count);
    if (w->stretch_count == 0)
        return;
    for (uint32_t f = w->module->imported_functions; f < w->module->function_count; f++)
        next = put_counters_of(w, f, next, out);
}

toll_status toll_wasm_put_own_section(const toll_wasm_rewrite *w, toll_buffer *out, toll_error *err)
{
    toll_wasm_put_name(out, TOLL_WASM_SECTION);
    toll_buffer_append_byte(out, TOLL_WASM_SECTION_VERSION);
    toll_wasm_put_u32(out, w->options->max_depth);
    toll_wasm_put_name(out, w->costs.name);
    put_names(w, out);
    toll_wasm_put_u32(out, w->module->imported_functions);
    put_identity(w, out);
    put_addresses(w->module, out);
    put_files(w, out);
    put_counters(w, out);
    return out->failed ? toll_fail_nomem(err) : TOLL_OK;
}
