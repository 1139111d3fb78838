/* dwarf_entry.c - see dwarf_entry.h. */
#include "dwarf/dwarf_entry.h"

#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_value.h"

/* The field for an attribute; TOLL_DWARF_FIELDS if it is not kept. */
static toll_dwarf_field field_of(uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_name: return TOLL_DWARF_NAME;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: return TOLL_DWARF_LINKAGE_NAME;
    case DW_AT_low_pc: return TOLL_DWARF_LOW_PC;
    case DW_AT_high_pc: return TOLL_DWARF_HIGH_PC;
    case DW_AT_ranges: return TOLL_DWARF_RANGES;
    case DW_AT_decl_file: return TOLL_DWARF_DECL_FILE;
    case DW_AT_decl_line: return TOLL_DWARF_DECL_LINE;
    case DW_AT_call_file: return TOLL_DWARF_CALL_FILE;
    case DW_AT_call_line: return TOLL_DWARF_CALL_LINE;
    case DW_AT_call_column: return TOLL_DWARF_CALL_COLUMN;
    case DW_AT_abstract_origin: return TOLL_DWARF_ABSTRACT_ORIGIN;
    case DW_AT_specification: return TOLL_DWARF_SPECIFICATION;
    case DW_AT_sibling: return TOLL_DWARF_SIBLING;
    case DW_AT_stmt_list: return TOLL_DWARF_STMT_LIST;
    case DW_AT_comp_dir: return TOLL_DWARF_COMP_DIR;
    case DW_AT_str_offsets_base: return TOLL_DWARF_STR_OFFSETS_BASE;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base: return TOLL_DWARF_ADDR_BASE;
    case DW_AT_rnglists_base: return TOLL_DWARF_RNGLISTS_BASE;
    case DW_AT_GNU_ranges_base: return TOLL_DWARF_GNU_RANGES_BASE;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: return TOLL_DWARF_DWO_NAME;
    case DW_AT_GNU_dwo_id: return TOLL_DWARF_DWO_ID;
    default: return TOLL_DWARF_FIELDS;
    }
}

bool toll_dwarf_read_entry(toll_dwarf_info *info, const toll_dwarf_unit *unit, uint64_t offset,
                           toll_dwarf_entry *entry)
{
    if (!toll_dwarf_info_good(info) || offset < unit->first || offset >= unit->end)
        return false;
    toll_dwarf_bytes bytes = { info->sections.info.data, (size_t)unit->end };
    toll_dwarf_cursor c = toll_dwarf_cursor_at(bytes, offset);
    const toll_dwarf_abbrevs *table = &info->tables[unit->abbrevs];
    uint64_t code = toll_dwarf_uleb(&c);
    entry->offset = offset;
    entry->tag = 0;
    entry->has_children = false;
    entry->has = 0;
    const toll_dwarf_abbrev *abbrev = code ? toll_dwarf_abbrev_find(table, code) : NULL;
    if (c.failed || (code && !abbrev))
        return toll_dwarf_info_fail(info, "an entry has an abbreviation that does not exist");
    for (uint32_t i = 0; abbrev && i < abbrev->count; i++) {
        const toll_dwarf_spec *spec = &table->specs[abbrev->first + i];
        toll_dwarf_value value;
        if (!toll_dwarf_read_value(info, unit, &c, spec->form, spec->constant, &value))
            return toll_dwarf_info_fail(info, "an attribute's value cannot be read");
        toll_dwarf_field field = field_of(spec->attribute);
        if (field == TOLL_DWARF_FIELDS || toll_dwarf_has(entry, field))
            continue;
        entry->fields[field] = value;
        entry->has |= UINT32_C(1) << field;
    }
    if (abbrev) {
        entry->tag = abbrev->tag;
        entry->has_children = abbrev->has_children;
    }
    entry->next = (uint64_t)(c.at - info->sections.info.data);
    return true;
}
