/* dwarf_abbrevs.h - reads tables of abbreviations: for each code, the tag of an entry, and its
 * attributes with their forms. */
#ifndef TOLL_DWARF_DWARF_ABBREVS_H
#define TOLL_DWARF_DWARF_ABBREVS_H

#include "base/mem.h"
#include "dwarf/dwarf_cursor.h"

typedef struct toll_dwarf_spec {
    uint16_t attribute, form; /* UINT16_MAX: a larger, unknown value */
    int64_t constant;         /* of DW_FORM_implicit_const */
} toll_dwarf_spec;

typedef struct toll_dwarf_abbrev {
    uint64_t code;
    uint32_t first, count; /* of `specs` */
    uint16_t tag;
    bool has_children;
} toll_dwarf_abbrev;

typedef struct toll_dwarf_abbrevs {
    toll_dwarf_abbrev *list; /* by code, each once */
    size_t count, capacity;
    toll_dwarf_spec *specs;
    size_t spec_count, spec_capacity;
    bool is_dense; /* the codes are 1, 2, 3, ... */
} toll_dwarf_abbrevs;

/* Read a table. *used is its size in bytes. Errors, without a message: TOLL_E_SYNTAX (damaged),
 * TOLL_E_NOMEM. Call toll_dwarf_abbrevs_free also after a failure. */
toll_status toll_dwarf_abbrevs_read(toll_dwarf_abbrevs *abbrevs, const toll_mem *mem,
                                    toll_dwarf_bytes section, uint64_t offset, size_t *used);
void toll_dwarf_abbrevs_free(toll_dwarf_abbrevs *abbrevs, const toll_mem *mem);

/* The abbreviation of that code, or NULL. */
const toll_dwarf_abbrev *toll_dwarf_abbrev_find(const toll_dwarf_abbrevs *abbrevs, uint64_t code);

#endif
