/* definitions.c - see definitions.h. */
#include "wasm/definitions.h"

#include "base/text.h"

#include <string.h>

uint32_t toll_wasm_address_of(const toll_wasm_module *m, uint32_t function)
{
    return (uint32_t)(m->functions[function].body.data - m->code.data);
}

/* The file and line where a function is defined: from Go's table (*room then holds the text), or
 * else as the caller gives it. NULL if unknown. */
static const char *definition(const toll_wasm_rewrite *w, uint32_t function, uint32_t *line,
                              toll_buffer *room)
{
    const toll_wasm_options *o = w->options;
    const toll_wasm_go_function *go = w->names.go ? &w->names.go[function] : NULL;
    if (!go || !go->file.size)
        return o->define ? o->define(o->define_user, function,
                                     toll_wasm_address_of(w->module, function), line)
                         : NULL;
    *line = go->line;
    toll_buffer_clear(room);
    toll_text_append_clean(room, (const char *)go->file.data, go->file.size);
    return toll_buffer_cstr(room);
}

static bool add_definition(toll_wasm_definitions *d, const toll_wasm_rewrite *w, uint32_t function,
                           toll_buffer *room)
{
    toll_wasm_definition *of = &d->of[function];
    const char *file = definition(w, function, &of->line, room);
    of->file = file ? toll_strtab_add(&d->files, file, strlen(file)) : 0;
    if (of->file == UINT32_MAX || room->failed)
        return false;
    const uint32_t key[] = { w->names.text[function], of->file, of->line };
    of->key = toll_strtab_add(&d->keys, (const char *)key, sizeof key);
    if (of->key == UINT32_MAX)
        return false;
    d->holders[of->key]++;
    return true;
}

bool toll_wasm_definitions_find(toll_wasm_definitions *d, const toll_wasm_rewrite *w)
{
    const toll_wasm_module *m = w->module;
    toll_buffer room;
    *d = (toll_wasm_definitions){ .mem = w->mem, .count = m->function_count + 2 };
    toll_strtab_init(&d->files, &d->mem);
    toll_strtab_init(&d->keys, &d->mem);
    toll_buffer_init(&room, &d->mem);
    d->of = toll_mem_new(&d->mem, d->count, sizeof *d->of);
    d->holders = toll_mem_new(&d->mem, d->count, sizeof *d->holders); /* one for each key, and one
                                                                       * for "" */
    bool good = d->of && d->holders;
    if (w->options->define || w->names.go)
        for (uint32_t f = m->imported_functions; good && f < m->function_count; f++)
            good = add_definition(d, w, f, &room);
    toll_buffer_free(&room);
    return good;
}

void toll_wasm_definitions_free(toll_wasm_definitions *d)
{
    toll_strtab_free(&d->files);
    toll_strtab_free(&d->keys);
    toll_mem_free(&d->mem, d->of, d->count, sizeof *d->of);
    toll_mem_free(&d->mem, d->holders, d->count, sizeof *d->holders);
}

/* A name with a # stays as toll_wasm_append_name made it: another name may become equal to it. */
void toll_wasm_put_function_name(const toll_wasm_definitions *d, const toll_wasm_rewrite *w,
                                 uint32_t function, toll_buffer *out)
{
    const toll_wasm_definition *of = &d->of[function];
    const char *name = toll_wasm_plain_name(&w->names, function);
    if (of->file && d->holders[of->key] == 1 && !strchr(name, '#'))
        toll_buffer_append_text(out, name);
    else
        toll_wasm_append_name(&w->names, function, out);
}
