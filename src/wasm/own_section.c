/* own_section.c - see own_section.h. */
#include "wasm/own_section.h"

#include "base/fail.h"
#include "base/lz4.h"
#include "base/os.h"
#include "base/text.h"
#include "wasm/build_id.h"
#include "wasm/call_places.h"
#include "wasm/counters.h"
#include "wasm/definitions.h"
#include "wasm/producers.h"

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

/* Append the content of `part` as a text, preceded by its size. */
static void put_part(toll_buffer *out, const toll_buffer *part)
{
    out->failed |= part->failed;
    put_text(out, (const char *)part->data, part->size);
}

static void put_names(const toll_wasm_rewrite *w, const toll_wasm_definitions *d, toll_buffer *out)
{
    toll_buffer name;
    toll_buffer_init(&name, &w->mem);
    for (uint32_t f = 0; !out->failed && f < w->module->function_count; f++) {
        toll_buffer_clear(&name);
        toll_wasm_put_function_name(d, w, f, &name);
        put_part(out, &name);
    }
    toll_buffer_free(&name);
}

/* The module's file name, without folders, its build id, and its compilers. */
static void put_identity(const toll_wasm_rewrite *w, toll_buffer *out)
{
    const char *name = toll_os_file_name(w->module->path);
    toll_buffer part;
    toll_buffer_init(&part, &w->mem);
    put_text(out, name, strlen(name));
    toll_wasm_append_build_id(w->module, &part);
    put_part(out, &part);
    toll_buffer_clear(&part);
    toll_wasm_append_compilers(w->module, &part);
    put_part(out, &part);
    toll_buffer_free(&part);
}

/* --- functions ---------------------------------------------------------------------------------*/

static void put_addresses(const toll_wasm_module *m, toll_buffer *out)
{
    uint32_t last = 0;
    for (uint32_t f = m->imported_functions; f < m->function_count; f++) {
        uint32_t address = toll_wasm_address_of(m, f);
        toll_wasm_put_u32(out, address - last);
        last = address;
    }
}

/* Append the files, and for each function the number of its file and its line. */
static void put_definitions(const toll_wasm_definitions *d, const toll_wasm_module *m,
                            toll_buffer *out)
{
    uint32_t count = d->files.count ? (uint32_t)d->files.count - 1 : 0;
    toll_wasm_put_u32(out, count);
    for (uint32_t i = 1; i <= count; i++)
        put_text(out, toll_strtab_text(&d->files, i), toll_strtab_size(&d->files, i));
    for (uint32_t f = m->imported_functions; count && f < m->function_count; f++) {
        toll_wasm_put_u32(out, d->of[f].file);
        if (d->of[f].file)
            toll_wasm_put_u32(out, d->of[f].line);
    }
}

/* --- counters ----------------------------------------------------------------------------------*/

/* Append the counters of one function, from number `first` on. Returns the number of the next
 * function's first counter. */
static size_t put_counters_of(const toll_wasm_rewrite *w, uint32_t function, size_t first,
                              toll_buffer *out)
{
    size_t end = first;
    uint32_t last = toll_wasm_address_of(w->module, function);
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

/* --- calls -------------------------------------------------------------------------------------*/

/* Append the calls of one function, from rewrite->calls[first] on. Returns the index of the next
 * function's first call. */
static size_t put_calls_of(const toll_wasm_rewrite *w, uint32_t function, size_t first,
                           toll_buffer *out)
{
    size_t end = first;
    uint32_t last = toll_wasm_address_of(w->module, function);
    while (end < w->call_count && w->calls[end].function == function)
        end++;
    toll_wasm_put_u32(out, (uint32_t)(end - first));
    for (size_t i = first; i < end; i++) {
        toll_wasm_put_u32(out, w->calls[i].address - last);
        last = w->calls[i].address;
    }
    return end;
}

static void put_calls(const toll_wasm_rewrite *w, toll_buffer *out)
{
    size_t next = 0;
    toll_wasm_put_u32(out, (uint32_t)w->call_count);
    if (w->call_count == 0)
        return;
    for (uint32_t f = w->module->imported_functions; f < w->module->function_count; f++)
        next = put_calls_of(w, f, next, out);
}

/* --- the linker's names ------------------------------------------------------------------------*/

static void put_symbols(const toll_wasm_rewrite *w, toll_buffer *out)
{
    const toll_wasm_bytes *symbols = w->names.symbols;
    uint32_t count = 0, last = 0;
    toll_buffer name;
    toll_buffer_init(&name, &w->mem);
    for (uint32_t f = 0; f < w->module->function_count; f++)
        count += symbols[f].size > 0;
    toll_wasm_put_u32(out, count);
    for (uint32_t f = 0; f < w->module->function_count; f++) {
        if (symbols[f].size == 0)
            continue;
        toll_buffer_clear(&name);
        toll_text_append_clean(&name, (const char *)symbols[f].data, symbols[f].size);
        toll_wasm_put_u32(out, f - last);
        put_part(out, &name);
        last = f;
    }
    toll_buffer_free(&name);
}

/* --- all of it ---------------------------------------------------------------------------------*/

static void put_content(const toll_wasm_rewrite *w, toll_buffer *out)
{
    toll_wasm_definitions definitions;
    out->failed |= !toll_wasm_definitions_find(&definitions, w);
    toll_wasm_put_name(out, w->costs.name);
    put_names(w, &definitions, out);
    toll_wasm_put_u32(out, w->module->imported_functions);
    put_identity(w, out);
    put_addresses(w->module, out);
    put_definitions(&definitions, w->module, out);
    put_counters(w, out);
    put_calls(w, out);
    put_symbols(w, out);
    toll_wasm_put_u32(out, toll_wasm_is_prompt(w));
    if (w->options->linked) {
        toll_wasm_put_u32(out, w->options->first_function);
        toll_wasm_put_u32(out, w->options->first_call);
    }
    toll_wasm_definitions_free(&definitions);
}

/* Append the content as a block of LZ4, or as it is if that is no longer. */
static void put_packed(const toll_buffer *content, toll_buffer *out)
{
    size_t head = out->size;
    toll_wasm_put_u32(out, (uint32_t)content->size);
    size_t start = out->size;
    toll_lz4_append(out, content->data, content->size);
    if (out->failed || out->size - start < content->size)
        return;
    out->size = head;
    toll_wasm_put_u32(out, 0);
    toll_buffer_append(out, content->data, content->size);
}

toll_status toll_wasm_put_own_section(const toll_wasm_rewrite *w, toll_buffer *out, toll_error *err)
{
    toll_buffer content;
    toll_buffer_init(&content, &w->mem);
    put_content(w, &content);
    toll_wasm_put_name(out, TOLL_WASM_SECTION);
    toll_buffer_append_byte(out, TOLL_WASM_SECTION_VERSION);
    toll_wasm_put_u32(out, w->options->max_depth);
    toll_wasm_put_u32(out, (uint32_t)w->module->function_count);
    out->failed |= content.failed;
    bool is_large = content.size > INT32_MAX;
    if (!out->failed && !is_large)
        put_packed(&content, out);
    toll_buffer_free(&content);
    if (is_large)
        return toll_fail(err, TOLL_E_LIMIT, "%s: the names of its functions have more than 2 GB",
                         w->module->path);
    return out->failed ? toll_fail_nomem(err) : TOLL_OK;
}
