/* dwarf_value.c - see dwarf_value.h. */
#include "dwarf/dwarf_value.h"

#include "dwarf/dwarf_names.h"

/* --- reading -----------------------------------------------------------------------------------*/

/* The size of a form in bytes; 0 if it varies, or the form is unknown. */
static unsigned fixed_size(const toll_dwarf_unit *unit, uint16_t form)
{
    switch (form) {
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1: return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2: return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3: return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4: return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8: return 8;
    case DW_FORM_addr: return unit->address_size;
    case DW_FORM_ref_addr: return unit->version < 3 ? unit->address_size : unit->offset_size;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt: return unit->offset_size;
    default: return 0;
    }
}

/* Skip a block of bytes, which follows its size. */
static bool pass_block(toll_dwarf_cursor *c, uint16_t form)
{
    uint64_t size = form == DW_FORM_block1   ? toll_dwarf_number(c, 1)
                    : form == DW_FORM_block2 ? toll_dwarf_number(c, 2)
                    : form == DW_FORM_block4 ? toll_dwarf_number(c, 4)
                                             : toll_dwarf_uleb(c);
    return toll_dwarf_take(c, size) && !c->failed;
}

static bool read_varying(const toll_dwarf_info *info, toll_dwarf_cursor *c, int64_t constant,
                         toll_dwarf_value *v)
{
    switch (v->form) {
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index: v->number = toll_dwarf_uleb(c); return !c->failed;
    case DW_FORM_sdata: v->number = (uint64_t)toll_dwarf_sleb(c); return !c->failed;
    case DW_FORM_flag_present: v->number = 1; return true;
    case DW_FORM_implicit_const: v->number = (uint64_t)constant; return true;
    case DW_FORM_string:
        v->number = (uint64_t)(c->at - info->sections.info.data);
        return toll_dwarf_text_here(c) != NULL;
    case DW_FORM_data16: return toll_dwarf_take(c, 16) != NULL;
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_exprloc: return pass_block(c, v->form);
    default: return false;
    }
}

bool toll_dwarf_read_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_cursor *c, uint16_t form, int64_t constant,
                           toll_dwarf_value *v)
{
    uint64_t actual = form == DW_FORM_indirect ? toll_dwarf_uleb(c) : form;
    *v = (toll_dwarf_value){ .form = actual < UINT16_MAX ? (uint16_t)actual : 0 };
    unsigned size = fixed_size(unit, v->form);
    if (!size)
        return read_varying(info, c, constant, v);
    v->number = toll_dwarf_number(c, size);
    return !c->failed;
}

/* --- numbers and texts -------------------------------------------------------------------------*/

bool toll_dwarf_number_of(const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out)
{
    if (!toll_dwarf_has(entry, field))
        return false;
    *out = entry->fields[field].number;
    switch (entry->fields[field].form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_sec_offset:
    case DW_FORM_implicit_const: return true;
    default: return false;
    }
}

/* The text at an offset of a section. In its first `size` bytes, every text has an end. */
static const char *text_at(toll_dwarf_bytes section, size_t size, uint64_t offset)
{
    return offset < size ? (const char *)section.data + offset : NULL;
}

/* The text with that number in the unit's list. */
static const char *indexed_text(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                uint64_t index)
{
    toll_dwarf_bytes list = info->sections.str_offsets;
    uint64_t base = unit->str_offsets_base;
    if (base > list.size || index >= (list.size - base) / unit->offset_size)
        return NULL;
    toll_dwarf_cursor c = toll_dwarf_cursor_at(list, base + index * unit->offset_size);
    return text_at(info->sections.str, info->str_size, toll_dwarf_number(&c, unit->offset_size));
}

const char *toll_dwarf_text_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                  toll_dwarf_value value)
{
    switch (value.form) {
    case DW_FORM_string:
        return text_at(info->sections.info, info->sections.info.size, value.number);
    case DW_FORM_strp: return text_at(info->sections.str, info->str_size, value.number);
    case DW_FORM_line_strp:
        return text_at(info->sections.line_str, info->line_str_size, value.number);
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index: return indexed_text(info, unit, value.number);
    default: return NULL;
    }
}

const char *toll_dwarf_text_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                               const toll_dwarf_entry *entry, toll_dwarf_field field)
{
    return toll_dwarf_has(entry, field) ? toll_dwarf_text_value(info, unit, entry->fields[field])
                                        : NULL;
}

/* --- addresses and references ------------------------------------------------------------------*/

bool toll_dwarf_indexed_address(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                uint64_t index, uint64_t *out)
{
    toll_dwarf_bytes list = info->sections.addr;
    *out = 0;
    if (unit->addr_base > list.size || index >= (list.size - unit->addr_base) / unit->address_size)
        return false;
    toll_dwarf_cursor c = toll_dwarf_cursor_at(list, unit->addr_base + index * unit->address_size);
    *out = toll_dwarf_number(&c, unit->address_size);
    return !c.failed;
}

bool toll_dwarf_is_address(uint16_t form)
{
    switch (form) {
    case DW_FORM_addr:
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index: return true;
    default: return false;
    }
}

bool toll_dwarf_address_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out)
{
    *out = 0;
    if (!toll_dwarf_has(entry, field) || !toll_dwarf_is_address(entry->fields[field].form))
        return false;
    *out = entry->fields[field].number;
    return entry->fields[field].form == DW_FORM_addr ||
           toll_dwarf_indexed_address(info, unit, *out, out);
}

bool toll_dwarf_reference_of(const toll_dwarf_unit *unit, const toll_dwarf_entry *entry,
                             toll_dwarf_field field, uint64_t *out)
{
    if (!toll_dwarf_has(entry, field))
        return false;
    toll_dwarf_value v = entry->fields[field];
    switch (v.form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata: *out = unit->offset + v.number; return v.number < UINT64_MAX / 2;
    case DW_FORM_ref_addr: *out = v.number; return true;
    default: return false;
    }
}
