/* code_elf.c - reads the parts of an ELF file that debug information needs. See code_file.h. */
#include "base/elf64.h"
#include "base/fail.h"
#include "debug/code_file.h"

#include <inttypes.h>
#include <string.h>

typedef struct elf_reader {
    toll_code_file *file;
    toll_address_map *map;
    toll_elf elf;
    toll_elf_section names;
} elf_reader;

static toll_status add_symbol(elf_reader *r, const toll_elf_section *strings,
                              const toll_elf_symbol *symbol, toll_error *err)
{
    uint64_t left = symbol->name < strings->size ? strings->size - symbol->name : 0;
    const char *name = (const char *)r->elf.data + strings->offset + symbol->name;
    const char *end = left ? memchr(name, 0, (size_t)left) : NULL;
    if (!end)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: a symbol's name is outside of its section; build it again",
                         r->file->path);
    if (end == name || symbol->address > UINT64_MAX - symbol->size)
        return TOLL_OK;
    /* A function of unknown size extends up to the next one. */
    uint64_t until = symbol->size ? symbol->address + symbol->size : UINT64_MAX;
    uint32_t id = toll_address_map_text(r->map, name, (size_t)(end - name));
    if (id == TOLL_MAP_NONE ||
        !toll_address_map_add_body(r->map, (toll_map_body){ symbol->address, until, id }))
        return toll_fail_nomem(err);
    return TOLL_OK;
}

static toll_status read_symbols(elf_reader *r, const toll_elf_section *table, toll_error *err)
{
    toll_elf_section strings;
    toll_status status = toll_elf_read_section(&r->elf, table->link, &strings, err);
    for (uint64_t at = 0; !status && table->size - at >= TOLL_ELF_SYMBOL_SIZE;
         at += TOLL_ELF_SYMBOL_SIZE) {
        toll_elf_symbol symbol = toll_elf_read_symbol(&r->elf, table, at);
        if (symbol.type == TOLL_ELF_FUNCTION && symbol.is_defined)
            status = add_symbol(r, &strings, &symbol, err);
    }
    return status;
}

static bool add_code(toll_code_file *f, const toll_elf_section *s)
{
    if (!(s->flags & TOLL_ELF_EXECUTABLE) || s->address > UINT64_MAX - s->memory_size)
        return true;
    return toll_code_ranges_add(&f->code, &f->mem, s->address, s->address + s->memory_size);
}

static bool add_debug(elf_reader *r, const toll_elf_section *s)
{
    const char *start = (const char *)r->elf.data + r->names.offset + s->name;
    const char *end =
        s->name < r->names.size ? memchr(start, 0, (size_t)(r->names.size - s->name)) : NULL;
    const char *name = end ? toll_debug_section_name(start, (size_t)(end - start)) : NULL;
    if (!name || s->type == TOLL_ELF_NOBITS || toll_code_file_section(r->file, name))
        return true;
    return toll_code_file_add_section(
        r->file, (toll_debug_section){ name, (size_t)s->offset, (size_t)s->size, s->flags });
}

static toll_status read_section(elf_reader *r, const toll_elf_section *s, toll_error *err)
{
    bool good = add_code(r->file, s) && add_debug(r, s);
    if (!good)
        return toll_fail_nomem(err);
    return s->type == TOLL_ELF_SYMTAB ? read_symbols(r, s, err) : TOLL_OK;
}

toll_status toll_code_file_read_elf(toll_code_file *f, toll_input *in, toll_address_map *map,
                                    toll_error *err)
{
    elf_reader r = { .file = f, .map = map };
    r.elf = (toll_elf){ .in = in, .data = f->bytes.data, .size = f->bytes.size };
    toll_status status = toll_elf_read_header(&r.elf, err);
    uint64_t machine = status ? 0 : toll_elf_load(r.elf.data + 18, 2);
    f->is_bpf = machine == TOLL_ELF_BPF || machine == TOLL_ELF_SBF;
    if (!status)
        status = toll_elf_read_section(&r.elf, r.elf.names_index, &r.names, err);
    for (uint32_t i = 0; !status && i < r.elf.section_count; i++) {
        toll_elf_section s;
        status = toll_elf_read_section(&r.elf, i, &s, err);
        if (!status)
            status = read_section(&r, &s, err);
    }
    toll_code_ranges_join(&f->code);
    if (!status)
        status = toll_elf_append_build_id(&r.elf, &f->build_id, err);
    return status;
}
