/* process_symbols.c - see process_symbols.h. All is read out of the process's memory, and nothing
 * in it is trusted. */
#ifdef __linux__
#include "process_symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEGMENTS = 64, MOST_DYNAMIC = 256, MOST_TABLE = 64 << 20 };

/* A file that is mapped: its program headers, and what its addresses are relative to. */
typedef struct module {
    const toll_mappings *all;
    uint64_t begin, base;
    Elf64_Phdr segments[MOST_SEGMENTS];
    int count;
} module;

/* Read the head of the file whose first byte is at a mapping's begin. */
static bool read_module(module *m, const toll_mappings *all, const toll_mapping *at)
{
    Elf64_Ehdr head;
    m->all = all;
    m->begin = at->begin;
    if (!at->inode || at->offset || !at->is_readable ||
        !toll_process_read(all->pid, at->begin, &head, sizeof head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_phnum > MOST_SEGMENTS || head.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    m->count = head.e_phnum;
    m->base = at->begin;
    if (!toll_process_read(all->pid, at->begin + head.e_phoff, m->segments,
                           (size_t)m->count * sizeof *m->segments))
        return false;
    for (int i = 0; i < m->count; i++)
        if (m->segments[i].p_type == PT_LOAD && m->segments[i].p_offset == 0)
            m->base = at->begin - m->segments[i].p_vaddr;
    return true;
}

/* --- symbols -----------------------------------------------------------------------------------*/

typedef struct tables {
    uint64_t symbols, names, names_size;
} tables;

/* Some systems make these addresses absolute when they load a file. */
static uint64_t absolute(const module *m, uint64_t address)
{
    return address < m->base ? m->base + address : address;
}

static bool find_tables(const module *m, tables *t)
{
    Elf64_Dyn dynamic[MOST_DYNAMIC];
    *t = (tables){ 0 };
    for (int i = 0; i < m->count; i++) {
        size_t size = sizeof dynamic;
        if (m->segments[i].p_type != PT_DYNAMIC)
            continue;
        if (m->segments[i].p_memsz < size)
            size = (size_t)m->segments[i].p_memsz;
        if (!toll_process_read(m->all->pid, m->base + m->segments[i].p_vaddr, dynamic, size))
            return false;
        for (size_t k = 0; k < size / sizeof *dynamic && dynamic[k].d_tag != DT_NULL; k++) {
            if (dynamic[k].d_tag == DT_SYMTAB)
                t->symbols = absolute(m, dynamic[k].d_un.d_ptr);
            else if (dynamic[k].d_tag == DT_STRTAB)
                t->names = absolute(m, dynamic[k].d_un.d_ptr);
            else if (dynamic[k].d_tag == DT_STRSZ)
                t->names_size = dynamic[k].d_un.d_val;
        }
    }
    return t->symbols && t->names > t->symbols;
}

/* Read memory, at most MOST_TABLE bytes of it. NULL: it cannot be read, or no memory. */
static void *read_table(const module *m, uint64_t address, uint64_t size)
{
    void *table = size && size <= MOST_TABLE ? malloc((size_t)size) : NULL;
    if (table && toll_process_read(m->all->pid, address, table, (size_t)size))
        return table;
    free(table);
    return NULL;
}

/* Is the text at a place of the names that one? */
static bool is_named(const tables *t, const char *names, uint32_t at, const char *name)
{
    size_t size = strlen(name) + 1;
    return at < t->names_size && size <= t->names_size - at && memcmp(names + at, name, size) == 0;
}

/* Names come behind the symbols in every linker's files: what is between them is read as symbols,
 * which must be functions in code. */
static uint64_t find_function(const module *m, const char *name)
{
    tables t;
    uint64_t found = 0;
    if (!find_tables(m, &t))
        return 0;
    size_t count = (size_t)(t.names - t.symbols) / sizeof(Elf64_Sym);
    Elf64_Sym *symbols = read_table(m, t.symbols, count * sizeof *symbols);
    char *names = symbols ? read_table(m, t.names, t.names_size) : NULL;
    for (size_t i = 0; names && !found && i < count; i++) {
        const Elf64_Sym *s = &symbols[i];
        if (!s->st_shndx || ELF64_ST_TYPE(s->st_info) != STT_FUNC ||
            !is_named(&t, names, s->st_name, name))
            continue;
        const toll_mapping *in = toll_mapping_of(m->all, m->base + s->st_value);
        if (in && in->is_executable)
            found = m->base + s->st_value;
    }
    free(names);
    free(symbols);
    return found;
}

uint64_t toll_process_function(const toll_mappings *all, const char *name)
{
    module m;
    uint64_t found = 0;
    for (size_t i = 0; !found && i < all->count; i++)
        if (read_module(&m, all, &all->list[i]))
            found = find_function(&m, name);
    return found;
}

/* --- room for code -----------------------------------------------------------------------------*/

uint64_t toll_process_room(const toll_mappings *all, size_t size)
{
    module m;
    for (size_t i = 0; i < all->count; i++) {
        if (!read_module(&m, all, &all->list[i]))
            continue;
        for (int k = 0; k < m.count; k++) {
            const Elf64_Phdr *s = &m.segments[k];
            uint64_t end = (m.base + s->p_vaddr + s->p_filesz + 15) & ~(uint64_t)15;
            const toll_mapping *in = toll_mapping_of(all, end - 16);
            if (s->p_type == PT_LOAD && s->p_flags & PF_X && s->p_filesz >= 16 && in &&
                in->is_executable && !in->is_writable && in->inode && end < in->end &&
                in->end - end >= size)
                return end;
        }
    }
    return 0;
}

#else

typedef int toll_no_process_symbols; /* a file may not be empty */

#endif
