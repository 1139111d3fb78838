/* dwarf_info.h - declares the parts of a file with DWARF (sections, units, entries), and keeps the
 * first failure of reading it.
 *
 * The file may be damaged or hostile. The first failure is kept, and everything fails after it.
 * Hostile files refer to the same bytes again and again, so what is read more than once is counted
 * as work, which is limited. Types, and data that only other files have (dwz), are not read. */
#ifndef TOLL_DWARF_DWARF_INFO_H
#define TOLL_DWARF_DWARF_INFO_H

#include "base/u64map.h"
#include "dwarf/dwarf_abbrevs.h"

/* The sections that are read; borrowed. Sections of split DWARF are listed by their names without
 * .dwo. */
typedef struct toll_dwarf_sections {
    toll_dwarf_bytes info, abbrev, str, line_str, line, ranges, rnglists, addr, str_offsets;
} toll_dwarf_sections;

/* The attributes that are kept of an entry. */
typedef enum toll_dwarf_field {
    TOLL_DWARF_NAME,
    TOLL_DWARF_LINKAGE_NAME,
    TOLL_DWARF_LOW_PC,
    TOLL_DWARF_HIGH_PC,
    TOLL_DWARF_RANGES,
    TOLL_DWARF_DECL_FILE,
    TOLL_DWARF_DECL_LINE,
    TOLL_DWARF_CALL_FILE,
    TOLL_DWARF_CALL_LINE,
    TOLL_DWARF_CALL_COLUMN,
    TOLL_DWARF_ABSTRACT_ORIGIN,
    TOLL_DWARF_SPECIFICATION,
    TOLL_DWARF_SIBLING,
    TOLL_DWARF_STMT_LIST, /* fields from here on are kept only of a unit's first entry */
    TOLL_DWARF_COMP_DIR,
    TOLL_DWARF_STR_OFFSETS_BASE,
    TOLL_DWARF_ADDR_BASE,
    TOLL_DWARF_RNGLISTS_BASE,
    TOLL_DWARF_GNU_RANGES_BASE,
    TOLL_DWARF_DWO_NAME,
    TOLL_DWARF_DWO_ID,
    TOLL_DWARF_FIELDS
} toll_dwarf_field;

/* A value as it is in the entry: a number, or for DW_FORM_string the offset of its text. */
typedef struct toll_dwarf_value {
    uint64_t number;
    uint16_t form;
} toll_dwarf_value;

typedef struct toll_dwarf_entry {
    uint64_t offset, next; /* offsets in .debug_info of this entry, and of the next one */
    uint16_t tag;          /* 0 for a null entry, which ends the siblings */
    bool has_children;
    uint32_t has; /* a bit for each field that the entry has */
    toll_dwarf_value fields[TOLL_DWARF_FIELDS];
} toll_dwarf_entry;

typedef struct toll_dwarf_unit {
    uint64_t offset, first, end; /* offsets in .debug_info of its header, of its first entry, and of
                                  * what follows it */
    uint64_t abbrev_offset;
    uint64_t id;      /* of split DWARF, if has_id */
    uint32_t abbrevs; /* UINT32_MAX: the unit is not open */
    uint16_t version; /* 2 to 5 */
    uint8_t kind;     /* DW_UT_... */
    uint8_t address_size, offset_size;
    bool has_id;
    toll_dwarf_entry root; /* from here on, fields of an open unit. Its first entry, */
    uint64_t str_offsets_base, addr_base, rnglists_base, ranges_base;
    uint64_t low;             /* and the address to which its ranges are relative */
    uint8_t list_offset_size; /* size of the offsets in its table of range lists */
} toll_dwarf_unit;

typedef struct toll_dwarf_info {
    toll_mem mem;
    toll_dwarf_sections sections;
    uint64_t *work_left; /* shared by the files that are read together */
    bool no_memory;
    const char *damage; /* what is wrong with the file, or NULL; static */
    toll_dwarf_unit *units;
    size_t unit_count, unit_capacity;
    toll_dwarf_abbrevs *tables;
    size_t table_count, table_capacity;
    toll_u64map table_at;           /* an offset in .debug_abbrev -> a table */
    size_t str_size, line_str_size; /* up to the last NUL of these sections */
} toll_dwarf_info;

static inline bool toll_dwarf_info_good(const toll_dwarf_info *info)
{
    return !info->no_memory && !info->damage;
}

/* Fail, unless there is a failure already. Always false. */
static inline bool toll_dwarf_info_fail(toll_dwarf_info *info, const char *damage)
{
    if (toll_dwarf_info_good(info))
        info->damage = damage;
    return false;
}

/* Memory ran out. Always false. */
static inline bool toll_dwarf_info_no_memory(toll_dwarf_info *info)
{
    info->no_memory = true;
    return false;
}

/* Count work. False, and a failure, if it is more than a valid file needs. */
static inline bool toll_dwarf_spend(toll_dwarf_info *info, uint64_t amount)
{
    if (amount > *info->work_left)
        return toll_dwarf_info_fail(info, "it refers to the same bytes again and again");
    *info->work_left -= amount;
    return true;
}

static inline bool toll_dwarf_has(const toll_dwarf_entry *entry, toll_dwarf_field field)
{
    return entry->has >> field & 1;
}

#endif
