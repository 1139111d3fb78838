/* assembly_code.c - see assembly_code.h. */
#include "debug/assembly_code.h"

#include "base/elf64.h"
#include "base/fail.h"
#include "debug/code_file.h"
#include "wasm/instruction_text.h"

#include <string.h>

enum { RELOCATION_SIZE = 16, TYPE_RELOCATIONS = 9, RELOCATION_CALL = 10, FLAGS_AT = 48 };

bool toll_assembly_has_code(const toll_debug *d)
{
    return d->module.size || d->program.size;
}

/* --- modules -----------------------------------------------------------------------------------*/

static toll_status open_module(toll_assembly_code *c, const toll_wasm_costs *costs, toll_error *err)
{
    const toll_debug *d = c->debug;
    toll_status status = toll_wasm_module_read(&c->module, &c->mem, toll_debug_path(d),
                                               d->module.data + TOLL_CODE_FILE_HEAD,
                                               d->module.size - TOLL_CODE_FILE_HEAD, err);
    if (!status)
        status = toll_wasm_names_read(&c->names, &c->module, err);
    return status ? status : toll_wasm_stretches_create(&c->module, costs, &c->stretches, err);
}

/* A function of the module has the name that reports have for it; the module's own names are of
 * imported ones. */
static const char *name_of_function(void *user, uint32_t function)
{
    const toll_assembly_code *c = user;
    const toll_wasm_module *m = &c->module;
    toll_debug_function f;
    if (function >= m->function_count)
        return NULL;
    if (function < m->imported_functions)
        return toll_wasm_plain_name(&c->names, function);
    uint64_t address = (uint64_t)(m->functions[function].body.data - m->code.data);
    return toll_debug_find_function(c->debug, address, &f) && *f.name ? f.name : NULL;
}

static bool append_wasm(toll_assembly_code *c, uint64_t address, toll_buffer *out)
{
    const toll_wasm_module *m = &c->module;
    uint32_t function = toll_wasm_function_at(m, address);
    toll_wasm_instruction i;
    toll_wasm_cursor cursor;
    if (function == UINT32_MAX)
        return true;
    const toll_wasm_bytes *body = &m->functions[function].body;
    size_t start = (size_t)(m->code.data - m->bytes.data) + (size_t)address;
    toll_wasm_cursor_init(&cursor, m->bytes.data, start,
                          (size_t)(body->data - m->bytes.data) + body->size);
    return !toll_wasm_next(&cursor, &i) ||
           toll_wasm_append_text(out, &cursor, &i, name_of_function, c);
}

/* --- programs of Solana ------------------------------------------------------------------------*/

/* The function at a slot, which the file may not have as a symbol. */
static const char *function_at(void *user, uint64_t pc)
{
    const toll_assembly_code *c = user;
    toll_debug_function f;
    uint64_t address = c->address + pc * TOLL_SBF_SLOT_SIZE;
    bool known = toll_debug_find_function(c->debug, address, &f) && f.begin == address && *f.name;
    return known ? f.name : NULL;
}

static const char *relocated(void *user, uint64_t pc)
{
    const toll_assembly_code *c = user;
    uint32_t name = toll_u64map_find(&c->relocations, c->address + pc * TOLL_SBF_SLOT_SIZE);
    return name == UINT32_MAX ? NULL : toll_strtab_text(&c->texts, name);
}

/* The name of a symbol, with an end; NULL: it has none. */
static const char *name_of(const toll_elf *e, const toll_elf_section *table,
                           const toll_elf_section *strings, uint64_t symbol, size_t *size)
{
    if (symbol >= table->size / TOLL_ELF_SYMBOL_SIZE)
        return NULL;
    uint64_t at = toll_elf_read_symbol(e, table, symbol * TOLL_ELF_SYMBOL_SIZE).name;
    const char *name = (const char *)e->data + strings->offset + at;
    const char *end = at < strings->size ? memchr(name, 0, (size_t)(strings->size - at)) : NULL;
    *size = end ? (size_t)(end - name) : 0;
    return *size ? name : NULL;
}

static bool add_relocation(toll_assembly_code *c, uint64_t address, const char *name, size_t size)
{
    uint32_t id = toll_strtab_add(&c->texts, name, size);
    return id != UINT32_MAX && (toll_u64map_find(&c->relocations, address) != UINT32_MAX ||
                                toll_u64map_add(&c->relocations, address, id));
}

/* What loaders put into calls: names of system calls, and of functions in some files. */
static toll_status read_relocations(toll_assembly_code *c, const toll_elf *e,
                                    const toll_elf_section *list, toll_error *err)
{
    toll_elf_section table, strings;
    toll_status status = toll_elf_read_section(e, list->link, &table, err);
    if (!status)
        status = toll_elf_read_section(e, table.link, &strings, err);
    for (uint64_t at = 0; !status && list->size - at >= RELOCATION_SIZE; at += RELOCATION_SIZE) {
        const uint8_t *entry = e->data + list->offset + at;
        uint64_t info = toll_elf_load(entry + 8, 8);
        size_t size;
        const char *name = name_of(e, &table, &strings, info >> 32, &size);
        if ((uint32_t)info == RELOCATION_CALL && name &&
            !add_relocation(c, toll_elf_load(entry, 8), name, size))
            return toll_fail_nomem(err);
    }
    return status;
}

static toll_status take_section(toll_assembly_code *c, const toll_elf *e,
                                const toll_elf_section *names, const toll_elf_section *s,
                                toll_error *err)
{
    if (!c->sbf.text && toll_elf_has_string(e, names, s->name, ".text")) {
        c->sbf.text = e->data + s->offset;
        c->sbf.slots = s->size / TOLL_SBF_SLOT_SIZE;
        c->address = s->address;
    }
    return s->type == TYPE_RELOCATIONS ? read_relocations(c, e, s, err) : TOLL_OK;
}

static toll_status open_program(toll_assembly_code *c, toll_error *err)
{
    const toll_buffer *bytes = &c->debug->program;
    toll_input *in;
    toll_elf e = { .data = bytes->data + TOLL_CODE_FILE_HEAD,
                   .size = bytes->size - TOLL_CODE_FILE_HEAD };
    toll_elf_section names, section;
    toll_status status =
        toll_input_from_memory(&c->mem, e.data, e.size, toll_debug_path(c->debug), &in, err);
    if (status)
        return status;
    e.in = in;
    c->sbf = (toll_sbf_code){ .user = c, .function_at = function_at, .relocated = relocated };
    status = toll_elf_read_header(&e, err);
    if (!status)
        status = toll_elf_read_section(&e, e.names_index, &names, err);
    if (!status)
        c->sbf.version = (unsigned)toll_elf_load(e.data + FLAGS_AT, 4);
    for (uint32_t i = 0; !status && i < e.section_count; i++) {
        status = toll_elf_read_section(&e, i, &section, err);
        if (!status)
            status = take_section(c, &e, &names, &section, err);
    }
    toll_input_free(in);
    return status;
}

/* The slot at an address; UINT64_MAX: there is none. */
static uint64_t slot_at(const toll_assembly_code *c, uint64_t address)
{
    uint64_t offset = address - c->address;
    return address >= c->address && offset % TOLL_SBF_SLOT_SIZE == 0 &&
                   offset / TOLL_SBF_SLOT_SIZE < c->sbf.slots
               ? offset / TOLL_SBF_SLOT_SIZE
               : UINT64_MAX;
}

uint64_t toll_assembly_code_next(const toll_assembly_code *c, uint64_t address)
{
    uint64_t pc = slot_at(c, address);
    return pc == UINT64_MAX ? 0 : address + TOLL_SBF_SLOT_SIZE * toll_sbf_slots_at(&c->sbf, pc);
}

/* --- both --------------------------------------------------------------------------------------*/

toll_status toll_assembly_code_open(toll_assembly_code *c, const toll_mem *mem, const toll_debug *d,
                                    const toll_wasm_costs *costs, toll_error *err)
{
    if (c->is_open)
        return TOLL_OK;
    *c = (toll_assembly_code){ .mem = *mem, .debug = d, .is_open = true };
    toll_u64map_init(&c->relocations, mem);
    toll_strtab_init(&c->texts, mem);
    c->module.mem = *mem;
    return d->module.size ? open_module(c, costs, err) : open_program(c, err);
}

void toll_assembly_code_free(toll_assembly_code *c)
{
    if (!c->is_open)
        return;
    toll_wasm_stretches_free(c->stretches);
    toll_wasm_names_free(&c->names);
    toll_wasm_module_free(&c->module);
    toll_u64map_free(&c->relocations);
    toll_strtab_free(&c->texts);
    *c = (toll_assembly_code){ .is_open = false };
}

bool toll_assembly_code_append_text(toll_assembly_code *c, uint64_t address, toll_buffer *out)
{
    if (c->debug->module.size)
        return append_wasm(c, address, out);
    uint64_t pc = slot_at(c, address);
    return pc == UINT64_MAX || toll_sbf_append_text(out, &c->sbf, pc);
}
