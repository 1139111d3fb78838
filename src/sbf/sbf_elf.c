/* sbf_elf.c - see sbf_elf.h.
 *
 * 64-bit, little-endian. Three sections are read: .text (found by its name), the symbol table (in a
 * stripped file the dynamic one), and the string table of these symbols. */
#include "sbf/sbf_elf.h"

#include "base/array.h"
#include "base/elf64.h"
#include "base/fail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    INSN_SIZE = 8,
    DYNAMIC_SYMBOLS = 11, /* a section type */
    SEGMENT_SIZE = 56,    /* bytes of a program header */
    SEGMENT_LOADED = 1,
    SEGMENT_CODE = 1 /* a flag */
};

/* --- headers -----------------------------------------------------------------------------------*/

static toll_status check_kind(const toll_elf *e, toll_error *err)
{
    const char *name = toll_input_name(e->in);
    if (!toll_elf_is_elf(e->data, e->size))
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%s: is no ELF file; name the program's unstripped .so", name);
    if (e->size < TOLL_ELF_HEADER_SIZE)
        return toll_fail(err, TOLL_E_TRUNCATED, "%s: ends in the ELF header; build it again", name);
    if (!toll_elf_is_elf64(e->data, e->size))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is no 64-bit little-endian ELF file, as programs for SBF are", name);
    unsigned machine = (unsigned)toll_elf_load(e->data + 18, 2);
    if (machine != TOLL_ELF_BPF && machine != TOLL_ELF_SBF)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is built for machine %u, not for BPF (%d) or SBF (%d)", name, machine,
                         TOLL_ELF_BPF, TOLL_ELF_SBF);
    return TOLL_OK;
}

static toll_status read_header(toll_elf *e, toll_error *err)
{
    toll_status status = check_kind(e, err);
    if (!status && toll_elf_load(e->data + 60, 2) == 0 && toll_elf_load(e->data + 56, 2) > 0)
        return TOLL_OK; /* the file has only segments */
    return status ? status : toll_elf_read_header(e, err);
}

/* --- symbols -----------------------------------------------------------------------------------*/

static bool add_symbol(toll_sbf_symbols *s, const toll_sbf_symbol *symbol)
{
    if (!toll_array_grow(&s->mem, &s->list, &s->capacity, s->count, 1))
        return false;
    s->list[s->count++] = *symbol;
    return true;
}

bool toll_sbf_symbols_add(toll_sbf_symbols *s, const char *name, uint64_t address, uint64_t size,
                          toll_sbf_how how)
{
    const toll_sbf_symbol symbol = { address, size, s->names.size, how };
    toll_buffer_append_text(&s->names, name);
    return toll_buffer_append_byte(&s->names, 0) && add_symbol(s, &symbol);
}

/* Copy the whole section of strings, with a NUL after it: several names may share text. */
static toll_status keep_names(toll_sbf_symbols *s, const toll_elf *e,
                              const toll_elf_section *strings, toll_error *err)
{
    toll_buffer_append(&s->names, e->data + strings->offset, (size_t)strings->size);
    return toll_buffer_append_byte(&s->names, 0) ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status read_symbols(toll_sbf_symbols *s, const toll_elf *e,
                                const toll_elf_section *table, toll_error *err)
{
    toll_elf_section strings;
    toll_status status = toll_elf_read_section(e, table->link, &strings, err);
    if (!status)
        status = keep_names(s, e, &strings, err);
    for (uint64_t at = 0; !status && table->size - at >= TOLL_ELF_SYMBOL_SIZE;
         at += TOLL_ELF_SYMBOL_SIZE) {
        toll_elf_symbol symbol = toll_elf_read_symbol(e, table, at);
        const toll_sbf_symbol kept = { symbol.address, symbol.size, symbol.name,
                                       s->is_stripped ? TOLL_SBF_BY_DYNAMIC : TOLL_SBF_BY_SYMBOL };
        if (symbol.type != TOLL_ELF_FUNCTION || !symbol.is_defined)
            continue;
        if (symbol.name >= strings.size)
            return toll_fail_byte(e->in, table->offset + at, err, TOLL_E_SYNTAX,
                                  "a symbol's name is outside of its section; build it again");
        if (s->names.data[symbol.name] && !add_symbol(s, &kept))
            status = toll_fail_nomem(err);
    }
    return status;
}

/* Order of symbols: by address; at one address the surest name, then the largest function, then the
 * first in the file. */
static int compare_symbols(const void *left, const void *right)
{
    const toll_sbf_symbol *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->how != b->how)
        return a->how < b->how ? -1 : 1;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

void toll_sbf_symbols_sort(toll_sbf_symbols *s)
{
    if (s->count)
        qsort(s->list, s->count, sizeof *s->list, compare_symbols);
}

static toll_status keep_text(toll_sbf_symbols *s, const toll_elf *e, const toll_elf_section *text,
                             toll_error *err)
{
    s->text_address = text->address;
    return toll_buffer_append(&s->text, e->data + text->offset, (size_t)text->size)
               ? TOLL_OK
               : toll_fail_nomem(err);
}

/* Use the executable segment of a file without sections as its code. */
static toll_status keep_segment(toll_sbf_symbols *s, const toll_elf *e, bool *found,
                                toll_error *err)
{
    uint64_t at = toll_elf_load(e->data + 32, 8), count = toll_elf_load(e->data + 56, 2);
    for (uint64_t i = 0; i < count && at <= e->size && e->size - at >= SEGMENT_SIZE; i++) {
        const uint8_t *h = e->data + at;
        toll_elf_section text = { .address = toll_elf_load(h + 16, 8),
                                  .offset = toll_elf_load(h + 8, 8),
                                  .size = toll_elf_load(h + 32, 8) };
        at += SEGMENT_SIZE;
        if (toll_elf_load(h, 4) != SEGMENT_LOADED || !(toll_elf_load(h + 4, 4) & SEGMENT_CODE))
            continue;
        if (text.offset > e->size || text.size > e->size - text.offset)
            return toll_fail_byte(e->in, at - SEGMENT_SIZE, err, TOLL_E_TRUNCATED,
                                  "segment %" PRIu64 " reaches beyond the end of the file", i);
        *found = true;
        return keep_text(s, e, &text, err);
    }
    return TOLL_OK;
}

/* Name the function at the entry point in the header. */
static toll_status name_entry(toll_sbf_symbols *s, toll_error *err)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].address == s->entry)
            return TOLL_OK;
    return toll_sbf_symbols_add(s, "entrypoint", s->entry, 0, TOLL_SBF_BY_DYNAMIC)
               ? TOLL_OK
               : toll_fail_nomem(err);
}

/* Find the sections. Symbol tables are found by type while the code is read. */
static toll_status find_sections(toll_sbf_symbols *s, const toll_elf *e, toll_elf_section *symbols,
                                 toll_elf_section *dynamic, bool *has_text, toll_error *err)
{
    toll_elf_section names, at;
    toll_status status = toll_elf_read_section(e, e->names_index, &names, err);
    for (uint32_t i = 0; !status && i < e->section_count; i++) {
        status = toll_elf_read_section(e, i, &at, err);
        if (status)
            break;
        if (toll_elf_has_string(e, &names, at.name, ".text") && !*has_text) {
            status = keep_text(s, e, &at, err);
            *has_text = true;
        }
        if (at.type == TOLL_ELF_SYMTAB && !symbols->type)
            *symbols = at;
        if (at.type == DYNAMIC_SYMBOLS && !dynamic->type)
            *dynamic = at;
    }
    return status;
}

static toll_status read_sections(toll_sbf_symbols *s, const toll_elf *e, toll_error *err)
{
    toll_elf_section symbols = { 0 }, dynamic = { 0 };
    bool has_text = false;
    toll_status status = e->section_count ? find_sections(s, e, &symbols, &dynamic, &has_text, err)
                                          : keep_segment(s, e, &has_text, err);
    if (status)
        return status;
    if (!has_text)
        return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: has no code (.text); build it again",
                         toll_input_name(e->in));
    s->is_stripped = !symbols.type;
    if (symbols.type || dynamic.type)
        status = read_symbols(s, e, symbols.type ? &symbols : &dynamic, err);
    return status || !s->is_stripped ? status : name_entry(s, err);
}

void toll_sbf_symbols_init(toll_sbf_symbols *s, const toll_mem *mem)
{
    *s = (toll_sbf_symbols){ .mem = *mem };
    toll_buffer_init(&s->text, mem);
    toll_buffer_init(&s->names, mem);
    toll_buffer_init(&s->build_id, mem);
}

void toll_sbf_symbols_free(toll_sbf_symbols *s)
{
    toll_mem_free(&s->mem, s->list, s->capacity, sizeof *s->list);
    toll_buffer_free(&s->text);
    toll_buffer_free(&s->names);
    toll_buffer_free(&s->build_id);
    toll_sbf_symbols_init(s, &s->mem);
}

/* Read the whole file, but only the beginning of one that is not an ELF file. */
static toll_status read_whole(toll_elf *e, toll_error *err)
{
    e->data = toll_input_peek(e->in, TOLL_ELF_HEADER_SIZE, &e->size);
    if (toll_elf_is_elf(e->data, e->size))
        e->data = toll_input_peek(e->in, SIZE_MAX, &e->size);
    return toll_input_check(e->in, err);
}

toll_status toll_sbf_symbols_read(toll_sbf_symbols *s, toll_input *in, toll_error *err)
{
    toll_elf e = { .in = in };
    toll_status status = read_whole(&e, err);
    if (!status)
        status = read_header(&e, err);
    if (!status) {
        s->entry = toll_elf_load(e.data + 24, 8);
        s->version = (unsigned)toll_elf_load(e.data + 48, 4);
    }
    if (!status)
        status = read_sections(s, &e, err);
    if (!status && e.section_count)
        status = toll_elf_append_build_id(&e, &s->build_id, err);
    if (!status && !toll_buffer_cstr(&s->build_id))
        status = toll_fail_nomem(err);
    if (!status)
        toll_sbf_symbols_sort(s);
    return status;
}

/* Does the opcode have a constant that a loader writes? call, lddw, and mov32 and hor64, which
 * replace lddw in SBPF v2. */
static bool has_loaded_constant(uint8_t opcode)
{
    return opcode == 0x85 || opcode == 0x18 || opcode == 0xb4 || opcode == 0xf7;
}

bool toll_sbf_symbols_have(const toll_sbf_symbols *s, uint64_t pc, const uint8_t *insn)
{
    if (pc >= s->text.size / INSN_SIZE)
        return false;
    const uint8_t *own = s->text.data + pc * INSN_SIZE;
    return memcmp(own, insn, has_loaded_constant(*insn) ? INSN_SIZE / 2 : INSN_SIZE) == 0;
}

bool toll_sbf_symbols_same_code(const toll_sbf_symbols *s, const toll_sbf_symbols *other)
{
    uint64_t count = s->text.size / INSN_SIZE;
    if (s->text.size != other->text.size)
        return false;
    for (uint64_t pc = 0; pc < count; pc++)
        if (!toll_sbf_symbols_have(s, pc, other->text.data + pc * INSN_SIZE))
            return false;
    return true;
}

/* The last symbol that begins at or before `address`; the first of those at one address. */
static const toll_sbf_symbol *symbol_before(const toll_sbf_symbols *s, uint64_t address)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    for (low--; low > 0 && s->list[low - 1].address == s->list[low].address;)
        low--;
    return &s->list[low];
}

uint64_t toll_sbf_symbols_address(const toll_sbf_symbols *s, uint64_t pc)
{
    bool fits = pc <= (UINT64_MAX - s->text_address) / INSN_SIZE;
    return fits ? s->text_address + pc * INSN_SIZE : UINT64_MAX;
}

const char *toll_sbf_symbols_find(const toll_sbf_symbols *s, uint64_t pc, toll_sbf_how *how)
{
    if (how)
        *how = TOLL_SBF_UNNAMED;
    if (pc > (UINT64_MAX - s->text_address) / INSN_SIZE)
        return NULL;
    uint64_t address = toll_sbf_symbols_address(s, pc);
    const toll_sbf_symbol *found = symbol_before(s, address);
    if (!found || (found->size && address - found->address >= found->size))
        return NULL;
    if (s->is_stripped && !found->size && found->address != address)
        return NULL; /* other functions may be between the two */
    if (how)
        *how = found->how;
    return (const char *)s->names.data + found->name;
}
