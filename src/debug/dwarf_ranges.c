/* dwarf_ranges.c - addresses, and ranges of them. libdw knows those of a unit that is in one piece;
 * a unit of split DWARF has them in lists of its skeleton, which are read here. See dwarf_reader.h.
 */
#if TOLL_HAVE_LIBDW

#include "base/elf64.h"
#include "debug/dwarf_reader.h"
#include "wasm/cursor.h"

#include <dwarf.h>

/* --- numbers -----------------------------------------------------------------------------------*/

static toll_wasm_cursor cursor_at(toll_dwarf_bytes bytes, size_t at)
{
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, bytes.data, at < bytes.size ? at : bytes.size, bytes.size);
    return c;
}

/* Where the cursor is; what follows a failure is not read. */
static size_t place_of(const toll_wasm_cursor *c, toll_dwarf_bytes bytes)
{
    return bytes.size - toll_wasm_left(c);
}

/* A little-endian number; 0 after a failure. */
static uint64_t take(toll_wasm_cursor *c, int size)
{
    const uint8_t *at = toll_wasm_take_bytes(c, (size_t)size);
    return at ? toll_elf_load(at, size) : 0;
}

/* --- addresses ---------------------------------------------------------------------------------*/

/* The address of that number in the list. */
static bool find_address(const toll_dwarf_split *s, uint64_t i, uint64_t *address)
{
    if (i >= s->addresses.size / s->address_size)
        return false;
    *address = toll_elf_load(s->addresses.data + i * s->address_size, s->address_size);
    return true;
}

/* How many bytes a form of numbers of addresses has; 0: as many as LEB128 takes; -1: it is none. */
static int size_of_index(unsigned form)
{
    switch (form) {
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index: return 0;
    case DW_FORM_addrx1: return 1;
    case DW_FORM_addrx2: return 2;
    case DW_FORM_addrx3: return 3;
    case DW_FORM_addrx4: return 4;
    default: return -1;
    }
}

bool toll_dwarf_address(const toll_dwarf_reader *r, Dwarf_Attribute *attribute, uint64_t *address)
{
    const toll_dwarf_split *s = &r->split;
    int size = s->is_open ? size_of_index(dwarf_whatform(attribute)) : -1;
    Dwarf_Addr value;
    if (size < 0) {
        bool good = dwarf_formaddr(attribute, &value) == 0;
        *address = good ? value : 0;
        return good;
    }
    toll_wasm_cursor c = cursor_at(s->entries, (size_t)(attribute->valp - s->entries.data));
    uint64_t i = size ? take(&c, size) : toll_wasm_take_u64(&c);
    return c.status == TOLL_OK && find_address(s, i, address);
}

/* --- ranges of a split unit --------------------------------------------------------------------*/

/* From DW_AT_low_pc to DW_AT_high_pc, which is an address or a size. False: there is no such range.
 */
static bool find_single(const toll_dwarf_reader *r, Dwarf_Die *die, toll_code_range *out)
{
    Dwarf_Attribute value;
    Dwarf_Word size;
    if (!dwarf_attr(die, DW_AT_low_pc, &value) || !toll_dwarf_address(r, &value, &out->begin) ||
        !dwarf_attr(die, DW_AT_high_pc, &value))
        return false;
    if (toll_dwarf_address(r, &value, &out->end))
        return true;
    if (dwarf_formudata(&value, &size) != 0)
        return false;
    out->end = out->begin + size;
    return true;
}

/* Where in the lists of DWARF 5 the list of that number is. Behind their header is a table. */
static bool find_in_table(const toll_dwarf_split *s, uint64_t i, size_t *at)
{
    enum { HEADER = 12, HEADER_64 = 20 };
    toll_wasm_cursor c = cursor_at(s->ranges, 0);
    bool is_64 = take(&c, 4) == UINT32_MAX;
    size_t table = is_64 ? HEADER_64 : HEADER, size = is_64 ? 8 : 4;
    c = cursor_at(s->ranges, table - 4);
    if (i >= take(&c, 4) || i >= s->ranges.size / size)
        return false;
    c = cursor_at(s->ranges, table + (size_t)i * size);
    uint64_t offset = take(&c, (int)size);
    if (c.status || offset >= s->ranges.size)
        return false;
    *at = table + (size_t)offset;
    return true;
}

/* Where the list of the entry is: a number, or an offset. */
static bool find_list(const toll_dwarf_split *s, Dwarf_Die *die, size_t *at)
{
    Dwarf_Attribute value;
    if (!dwarf_attr(die, DW_AT_ranges, &value))
        return false;
    toll_wasm_cursor c = cursor_at(s->entries, (size_t)(value.valp - s->entries.data));
    unsigned form = dwarf_whatform(&value);
    if (form == DW_FORM_rnglistx) {
        uint64_t i = toll_wasm_take_u64(&c);
        return c.status == TOLL_OK && find_in_table(s, i, at);
    }
    uint64_t offset = form == DW_FORM_sec_offset ? take(&c, s->offset_size) : UINT64_MAX;
    *at = (size_t)offset;
    return c.status == TOLL_OK && offset < s->ranges.size;
}

/* What an entry of a list is. */
typedef enum entry_kind { IS_END, IS_RANGE, IS_BASE } entry_kind;

static uint64_t take_indexed(const toll_dwarf_split *s, toll_wasm_cursor *c)
{
    uint64_t i = toll_wasm_take_u64(c), address = 0;
    if (!find_address(s, i, &address))
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "no such address");
    return address;
}

/* The next entry of a list of DWARF 5; IS_END also after a failure of the cursor. */
static entry_kind take_entry(const toll_dwarf_split *s, toll_wasm_cursor *c, uint64_t *base,
                             toll_code_range *out)
{
    entry_kind kind = IS_RANGE;
    switch (toll_wasm_take_u8(c)) {
    case DW_RLE_base_addressx:
        *base = take_indexed(s, c);
        kind = IS_BASE;
        break;
    case DW_RLE_base_address:
        *base = take(c, s->address_size);
        kind = IS_BASE;
        break;
    case DW_RLE_startx_endx:
        out->begin = take_indexed(s, c);
        out->end = take_indexed(s, c);
        break;
    case DW_RLE_startx_length:
        out->begin = take_indexed(s, c);
        out->end = out->begin + toll_wasm_take_u64(c);
        break;
    case DW_RLE_offset_pair:
        out->begin = *base + toll_wasm_take_u64(c);
        out->end = *base + toll_wasm_take_u64(c);
        break;
    case DW_RLE_start_end:
        out->begin = take(c, s->address_size);
        out->end = take(c, s->address_size);
        break;
    case DW_RLE_start_length:
        out->begin = take(c, s->address_size);
        out->end = out->begin + toll_wasm_take_u64(c);
        break;
    default: return IS_END;
    }
    return c->status ? IS_END : kind;
}

/* The same of DWARF 4: pairs of addresses, that of two zeros the last; behind the largest address a
 * new base. */
static entry_kind take_pair(const toll_dwarf_split *s, toll_wasm_cursor *c, uint64_t *base,
                            toll_code_range *out)
{
    uint64_t largest = s->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t begin = take(c, s->address_size), end = take(c, s->address_size);
    if (c->status || (begin == 0 && end == 0))
        return IS_END;
    if (begin == largest) {
        *base = end;
        return IS_BASE;
    }
    *out = (toll_code_range){ *base + begin, *base + end };
    return IS_RANGE;
}

/* The next range of the list that is at ranges->next. */
static bool next_of_list(toll_dwarf_reader *r, toll_dwarf_ranges *ranges, toll_code_range *out)
{
    const toll_dwarf_split *s = &r->split;
    toll_wasm_cursor c = cursor_at(s->ranges, ranges->next);
    entry_kind kind;
    do {
        if (!toll_dwarf_work(r, 1))
            return false;
        kind = s->version < 5 ? take_pair(s, &c, &ranges->base, out)
                              : take_entry(s, &c, &ranges->base, out);
    } while (kind == IS_BASE);
    ranges->next = place_of(&c, s->ranges);
    return kind == IS_RANGE;
}

static bool next_of_split(toll_dwarf_reader *r, toll_dwarf_ranges *ranges, toll_code_range *out)
{
    enum { IN_LIST = 1, AT_END };
    if (ranges->at == 0 && find_single(r, ranges->die, out)) {
        ranges->at = AT_END;
        return true;
    }
    if (ranges->at == 0) {
        ranges->base = r->split.base;
        ranges->at = find_list(&r->split, ranges->die, &ranges->next) ? IN_LIST : AT_END;
    }
    return ranges->at == IN_LIST && next_of_list(r, ranges, out);
}

/* --- ranges of any unit ------------------------------------------------------------------------*/

bool toll_dwarf_next_range(toll_dwarf_reader *r, toll_dwarf_ranges *ranges, toll_code_range *out)
{
    if (r->split.is_open)
        return next_of_split(r, ranges, out);
    Dwarf_Addr base = ranges->base, begin, end;
    ranges->at = dwarf_ranges(ranges->die, ranges->at, &base, &begin, &end);
    ranges->base = base;
    if (ranges->at <= 0 || !toll_dwarf_work(r, 1))
        return false;
    *out = (toll_code_range){ begin, end };
    return true;
}

#else
typedef int toll_no_dwarf_ranges; /* ISO C wants something in each file */
#endif
