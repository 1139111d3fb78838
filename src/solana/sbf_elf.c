/* sbf_elf.c - reads function symbols and code from an ELF file. See sbf_elf.h.
 *
 * 64-bit, little-endian. Three sections are read: .text (found by its name), the symbol table, and
 * the strings that this refers to. */
#include "solana/sbf_elf.h"

#include "base/array.h"
#include "base/fail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 64,
    SECTION_SIZE = 64,
    SYMBOL_SIZE = 24,
    TYPE_SYMTAB = 2,
    TYPE_NOBITS = 8,
    SYMBOL_FUNCTION = 2,
    INSN_SIZE = 8,
    MACHINE_BPF = 247,
    MACHINE_SBF = 263
};

typedef struct section {
    uint32_t name, type, link;
    uint64_t address, offset, size;
} section;

typedef struct elf {
    toll_input *in;
    const uint8_t *data;
    size_t size;
    uint64_t sections_at;
    uint32_t section_count;
} elf;

static uint64_t load(const uint8_t *at, int bytes)
{
    uint64_t v = 0;
    while (bytes-- > 0)
        v = v << 8 | at[bytes];
    return v;
}

/* --- headers -----------------------------------------------------------------------------------*/

static toll_status check_kind(const elf *e, toll_error *err)
{
    const char *name = toll_input_name(e->in);
    if (e->size < 4 || memcmp(e->data,
                              "\x7f"
                              "ELF",
                              4) != 0)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: is no ELF file; name the program's unstripped .so", name);
    if (e->size < HEADER_SIZE)
        return toll_fail(err, TOLL_E_TRUNCATED, "%s: ends in the ELF header; build it again", name);
    if (e->data[4] != 2 || e->data[5] != 1)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is no 64-bit little-endian ELF file, as programs for SBF are", name);
    unsigned machine = (unsigned)load(e->data + 18, 2);
    if (machine != MACHINE_BPF && machine != MACHINE_SBF)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is built for machine %u, not for BPF (%d) or SBF (%d)", name, machine,
                         MACHINE_BPF, MACHINE_SBF);
    return TOLL_OK;
}

static toll_status read_header(elf *e, toll_error *err)
{
    toll_status status = check_kind(e, err);
    if (status)
        return status;
    e->sections_at = load(e->data + 40, 8);
    e->section_count = (uint32_t)load(e->data + 60, 2);
    uint64_t entry_size = load(e->data + 58, 2);
    if (e->section_count == 0 || entry_size != SECTION_SIZE)
        return toll_fail_byte(e->in, 58, err, TOLL_E_UNSUPPORTED,
                              "%" PRIu32 " section headers of %" PRIu64
                              " bytes; some of 64 are needed for the names",
                              e->section_count, entry_size);
    if (e->sections_at > e->size || (e->size - e->sections_at) / SECTION_SIZE < e->section_count)
        return toll_fail_byte(e->in, 40, err, TOLL_E_TRUNCATED,
                              "the section headers are beyond the end of the file; it is cut off");
    return TOLL_OK;
}

/* Section `i`; its contents are checked to be within the file. */
static toll_status read_section(const elf *e, uint32_t i, section *s, toll_error *err)
{
    if (i >= e->section_count)
        return toll_fail(err, TOLL_E_SYNTAX, "%s: there is no section %" PRIu32 " of %" PRIu32,
                         toll_input_name(e->in), i, e->section_count);
    uint64_t at = e->sections_at + (uint64_t)i * SECTION_SIZE;
    const uint8_t *h = e->data + at;
    *s = (section){ .name = (uint32_t)load(h, 4),
                    .type = (uint32_t)load(h + 4, 4),
                    .link = (uint32_t)load(h + 40, 4),
                    .address = load(h + 16, 8),
                    .offset = load(h + 24, 8),
                    .size = load(h + 32, 8) };
    if (s->type == TYPE_NOBITS)
        s->offset = s->size = 0;
    if (s->offset > e->size || s->size > e->size - s->offset)
        return toll_fail_byte(e->in, at, err, TOLL_E_TRUNCATED,
                              "section %" PRIu32 " reaches beyond the end of the file", i);
    return TOLL_OK;
}

/* Is the string at `at` of a section of strings this one? */
static bool has_string(const elf *e, const section *strings, uint64_t at, const char *text)
{
    size_t size = strlen(text) + 1;
    return at < strings->size && strings->size - at >= size &&
           memcmp(e->data + strings->offset + at, text, size) == 0;
}

/* --- symbols -----------------------------------------------------------------------------------*/

static toll_status add_symbol(toll_sbf_symbols *s, uint64_t name, uint64_t address, uint64_t size,
                              toll_error *err)
{
    if (!toll_array_grow(&s->mem, &s->list, &s->capacity, s->count, 1))
        return toll_fail_nomem(err);
    s->list[s->count++] = (toll_sbf_symbol){ address, size, (size_t)name };
    return TOLL_OK;
}

/* The section of strings is copied as a whole, with a NUL after it: several names may share text.
 */
static toll_status keep_names(toll_sbf_symbols *s, const elf *e, const section *strings,
                              toll_error *err)
{
    toll_buffer_append(&s->names, e->data + strings->offset, (size_t)strings->size);
    return toll_buffer_append_byte(&s->names, 0) ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status read_symbols(toll_sbf_symbols *s, const elf *e, const section *table,
                                toll_error *err)
{
    section strings;
    toll_status status = read_section(e, table->link, &strings, err);
    if (!status)
        status = keep_names(s, e, &strings, err);
    for (uint64_t at = 0; !status && table->size - at >= SYMBOL_SIZE; at += SYMBOL_SIZE) {
        const uint8_t *h = e->data + table->offset + at;
        uint64_t name = load(h, 4);
        bool is_defined = load(h + 6, 2) != 0;
        if ((h[4] & 0xf) != SYMBOL_FUNCTION || !is_defined)
            continue;
        if (name >= strings.size)
            return toll_fail_byte(e->in, table->offset + at, err, TOLL_E_SYNTAX,
                                  "a symbol's name is outside of its section; build it again");
        if (s->names.data[name])
            status = add_symbol(s, name, load(h + 8, 8), load(h + 16, 8), err);
    }
    return status;
}

/* Of several symbols at one address the largest function comes first, then the one whose name is
 * first in the file. */
static int compare_symbols(const void *left, const void *right)
{
    const toll_sbf_symbol *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static toll_status keep_text(toll_sbf_symbols *s, const elf *e, const section *text,
                             toll_error *err)
{
    s->text_address = text->address;
    return toll_buffer_append(&s->text, e->data + text->offset, (size_t)text->size)
               ? TOLL_OK
               : toll_fail_nomem(err);
}

static toll_status read_sections(toll_sbf_symbols *s, const elf *e, toll_error *err)
{
    section names, at;
    bool has_text = false, has_symbols = false;
    toll_status status = read_section(e, (uint32_t)load(e->data + 62, 2), &names, err);
    for (uint32_t i = 0; !status && i < e->section_count; i++) {
        status = read_section(e, i, &at, err);
        if (status)
            break;
        if (has_string(e, &names, at.name, ".text") && !has_text) {
            status = keep_text(s, e, &at, err);
            has_text = true;
        }
        if (!status && at.type == TYPE_SYMTAB && !has_symbols) {
            status = read_symbols(s, e, &at, err);
            has_symbols = true;
        }
    }
    if (!status && (!has_text || !has_symbols))
        status = toll_fail(err, TOLL_E_UNSUPPORTED,
                           "%s: has no %s: it is stripped; name the unstripped file, such as "
                           "target/sbpf-solana-solana/release/NAME.so",
                           toll_input_name(e->in), has_text ? ".symtab" : ".text");
    return status;
}

void toll_sbf_symbols_init(toll_sbf_symbols *s, const toll_mem *mem)
{
    *s = (toll_sbf_symbols){ .mem = *mem };
    toll_buffer_init(&s->text, mem);
    toll_buffer_init(&s->names, mem);
}

void toll_sbf_symbols_free(toll_sbf_symbols *s)
{
    toll_mem_free(&s->mem, s->list, s->capacity, sizeof *s->list);
    toll_buffer_free(&s->text);
    toll_buffer_free(&s->names);
    toll_sbf_symbols_init(s, &s->mem);
}

toll_status toll_sbf_symbols_read(toll_sbf_symbols *s, toll_input *in, toll_error *err)
{
    elf e = { .in = in };
    e.data = toll_input_peek(in, SIZE_MAX, &e.size);
    toll_status status = toll_input_check(in, err);
    if (!status)
        status = read_header(&e, err);
    if (!status)
        status = read_sections(s, &e, err);
    if (!status && s->count)
        qsort(s->list, s->count, sizeof *s->list, compare_symbols);
    return status;
}

/* call, lddw, and mov32 and hor64, which replace lddw in SBPF v2. */
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

/* The last symbol that begins at `address` or before it, the first of those at one address. */
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

const char *toll_sbf_symbols_find(const toll_sbf_symbols *s, uint64_t pc)
{
    if (pc > (UINT64_MAX - s->text_address) / 8)
        return NULL;
    uint64_t address = s->text_address + pc * 8;
    const toll_sbf_symbol *found = symbol_before(s, address);
    if (!found || (found->size && address - found->address >= found->size))
        return NULL;
    return (const char *)s->names.data + found->name;
}
