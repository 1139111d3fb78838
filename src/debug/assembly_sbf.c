/* assembly_sbf.c - see assembly_sbf.h. */
#include "debug/assembly_sbf.h"

#include "base/elf64.h"
#include "base/fail.h"
#include "debug/code_file.h"

#include <string.h>

#if TOLL_HAVE_SOLANA

enum { RELOCATION_SIZE = 16, TYPE_RELOCATIONS = 9, RELOCATION_CALL = 10, FLAGS_AT = 48 };

bool toll_assembly_has_sbf(void)
{
    return true;
}

/* The name of the function at a slot, for which the file may have no symbol. */
static const char *function_at(void *user, uint64_t pc)
{
    const toll_assembly_sbf *c = user;
    toll_debug_function f;
    uint64_t address = c->address + pc * TOLL_SBF_SLOT_SIZE;
    bool known = toll_debug_find_function(c->debug, address, &f) && f.begin == address && *f.name;
    return known ? f.name : NULL;
}

static const char *relocated(void *user, uint64_t pc)
{
    const toll_assembly_sbf *c = user;
    uint32_t name = toll_u64map_find(&c->relocations, c->address + pc * TOLL_SBF_SLOT_SIZE);
    return name == UINT32_MAX ? NULL : toll_strtab_text(&c->texts, name);
}

/* The name of a symbol; NULL if it has none, or the name has no end. */
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

static bool add_relocation(toll_assembly_sbf *c, uint64_t address, const char *name, size_t size)
{
    uint32_t id = toll_strtab_add(&c->texts, name, size);
    return id != UINT32_MAX && (toll_u64map_find(&c->relocations, address) != UINT32_MAX ||
                                toll_u64map_add(&c->relocations, address, id));
}

/* Read what loaders write into calls: names of system calls, and of functions in some files. */
static toll_status read_relocations(toll_assembly_sbf *c, const toll_elf *e,
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

static toll_status read_section(toll_assembly_sbf *c, const toll_elf *e,
                                const toll_elf_section *names, const toll_elf_section *s,
                                toll_error *err)
{
    if (!c->code.text && toll_elf_has_string(e, names, s->name, ".text")) {
        c->code.text = e->data + s->offset;
        c->code.slots = s->size / TOLL_SBF_SLOT_SIZE;
        c->address = s->address;
    }
    return s->type == TYPE_RELOCATIONS ? read_relocations(c, e, s, err) : TOLL_OK;
}

toll_status toll_assembly_sbf_open(toll_assembly_sbf *c, const toll_mem *mem, const toll_debug *d,
                                   toll_error *err)
{
    const toll_buffer *bytes = &d->program;
    toll_input *in;
    toll_elf e = { .data = bytes->data, .size = bytes->size };
    toll_elf_section names, section;
    toll_status status = toll_input_from_memory(mem, e.data, e.size, toll_debug_path(d), &in, err);
    c->debug = d;
    toll_u64map_init(&c->relocations, mem);
    toll_strtab_init(&c->texts, mem);
    if (status)
        return status;
    e.in = in;
    c->code = (toll_sbf_code){ .user = c, .function_at = function_at, .relocated = relocated };
    status = toll_elf_read_header(&e, err);
    if (!status)
        status = toll_elf_read_section(&e, e.names_index, &names, err);
    if (!status)
        c->code.version = (unsigned)toll_elf_load(e.data + FLAGS_AT, 4);
    for (uint32_t i = 0; !status && i < e.section_count; i++) {
        status = toll_elf_read_section(&e, i, &section, err);
        if (!status)
            status = read_section(c, &e, &names, &section, err);
    }
    toll_input_free(in);
    return status;
}

/* The slot at an address; UINT64_MAX if there is none. */
static uint64_t slot_at(const toll_assembly_sbf *c, uint64_t address)
{
    uint64_t offset = address - c->address;
    return address >= c->address && offset % TOLL_SBF_SLOT_SIZE == 0 &&
                   offset / TOLL_SBF_SLOT_SIZE < c->code.slots
               ? offset / TOLL_SBF_SLOT_SIZE
               : UINT64_MAX;
}

uint64_t toll_assembly_sbf_next(const toll_assembly_sbf *c, uint64_t address)
{
    uint64_t pc = slot_at(c, address);
    uint64_t slots = pc == UINT64_MAX ? 0 : toll_sbf_slots_at(&c->code, pc);
    return slots ? address + slots * TOLL_SBF_SLOT_SIZE : 0;
}

void toll_assembly_sbf_free(toll_assembly_sbf *c)
{
    toll_u64map_free(&c->relocations);
    toll_strtab_free(&c->texts);
}

bool toll_assembly_sbf_append_text(const toll_assembly_sbf *c, uint64_t address, toll_buffer *out)
{
    uint64_t pc = slot_at(c, address);
    return pc == UINT64_MAX || toll_sbf_append_text(out, &c->code, pc);
}

#else

bool toll_assembly_has_sbf(void)
{
    return false;
}

toll_status toll_assembly_sbf_open(toll_assembly_sbf *c, const toll_mem *mem, const toll_debug *d,
                                   toll_error *err)
{
    (void)c, (void)mem;
    return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: this build of Toll has no part for Solana",
                     toll_debug_path(d));
}

void toll_assembly_sbf_free(toll_assembly_sbf *c)
{
    (void)c;
}

bool toll_assembly_sbf_append_text(const toll_assembly_sbf *c, uint64_t address, toll_buffer *out)
{
    (void)c, (void)address, (void)out;
    return true;
}

uint64_t toll_assembly_sbf_next(const toll_assembly_sbf *c, uint64_t address)
{
    (void)c, (void)address;
    return 0;
}

#endif
