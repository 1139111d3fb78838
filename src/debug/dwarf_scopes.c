/* dwarf_scopes.c - reads the functions and inlined calls of a DWARF unit. See dwarf_reader.h.
 *
 * It walks once over the unit's entries, in the order of the file, with an explicit stack. */
#include "debug/dwarf_reader.h"
#include "dwarf/dwarf_entry.h"
#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_range_list.h"
#include "dwarf/dwarf_unit.h"
#include "dwarf/dwarf_value.h"

enum {
    DEEPEST = 256,       /* compilers nest entries a few dozen deep */
    MOST_REFERENCES = 16 /* references followed: from an inlined call to its function, from that to
                          * its declaration, ... */
};

/* The context of the siblings on one level of the tree. */
typedef struct level {
    uint32_t scope;       /* the scope around them; TOLL_MAP_NONE if they are not in live code */
    toll_code_range clip; /* the code of the function around them */
    bool is_passed;       /* they are skipped */
} level;

typedef struct walk {
    toll_dwarf_reader *r;
    const toll_dwarf_unit *unit; /* of r->from */
    uint32_t map_unit;
    unsigned depth; /* of levels in use */
    level levels[DEEPEST];
} walk;

/* --- functions as the source has them ----------------------------------------------------------*/

static uint32_t number_of(const toll_dwarf_entry *entry, toll_dwarf_field field)
{
    uint64_t number;
    return toll_dwarf_number_of(entry, field, &number) && number <= UINT32_MAX ? (uint32_t)number
                                                                               : 0;
}

/* The file for a file number in an entry of `unit`. */
static uint32_t file_of(toll_dwarf_reader *r, const toll_dwarf_unit *unit,
                        const toll_dwarf_entry *entry, toll_dwarf_field field)
{
    uint64_t number;
    if (!toll_dwarf_number_of(entry, field, &number))
        return 0;
    bool is_own = r->from == &r->info;
    toll_dwarf_unit *of = is_own ? &r->info.units[unit - r->info.units] : r->skeleton;
    return toll_dwarf_file_of(r, of, number);
}

/* The data about a function in an entry and the entries that it refers to. */
typedef struct description {
    const char *linkage, *name;
    uint32_t file, line;
    bool has_file, has_line;
} description;

static void describe(toll_dwarf_reader *r, const toll_dwarf_unit *unit,
                     const toll_dwarf_entry *entry, description *d)
{
    if (!d->linkage)
        d->linkage = toll_dwarf_text_of(r->from, unit, entry, TOLL_DWARF_LINKAGE_NAME);
    if (!d->name)
        d->name = toll_dwarf_text_of(r->from, unit, entry, TOLL_DWARF_NAME);
    if (!d->has_file && toll_dwarf_has(entry, TOLL_DWARF_DECL_FILE)) {
        d->has_file = true;
        d->file = file_of(r, unit, entry, TOLL_DWARF_DECL_FILE);
    }
    if (!d->has_line && toll_dwarf_has(entry, TOLL_DWARF_DECL_LINE)) {
        d->has_line = true;
        d->line = number_of(entry, TOLL_DWARF_DECL_LINE);
    }
}

/* Read the entry that `entry` refers to: the function that it is an instance of, or its
 * declaration. *unit becomes the unit of that entry. */
static bool follow(toll_dwarf_reader *r, const toll_dwarf_unit **unit,
                   const toll_dwarf_entry *entry, toll_dwarf_entry *to)
{
    uint64_t offset;
    if (!toll_dwarf_reference_of(*unit, entry, TOLL_DWARF_ABSTRACT_ORIGIN, &offset) &&
        !toll_dwarf_reference_of(*unit, entry, TOLL_DWARF_SPECIFICATION, &offset))
        return false;
    *unit = toll_dwarf_unit_at(r->from, offset);
    return *unit && toll_dwarf_read_entry(r->from, *unit, offset, to) &&
           toll_dwarf_spend(r->from, to->next - to->offset);
}

static bool add_function(toll_dwarf_reader *r, const toll_dwarf_unit *unit,
                         const toll_dwarf_entry *entry, uint32_t *out)
{
    description d = { .linkage = NULL };
    toll_map_function f = { .system_name = 0 };
    toll_dwarf_entry here = *entry, next;
    for (int i = 0; i < MOST_REFERENCES; i++) {
        describe(r, unit, &here, &d);
        if ((d.linkage && d.name && d.has_file && d.has_line) || !follow(r, &unit, &here, &next))
            break;
        here = next;
    }
    f.system_name = toll_dwarf_text(r, d.linkage ? d.linkage : d.name);
    f.plain_name = d.linkage ? toll_dwarf_text(r, d.name) : 0;
    f.file = d.file;
    f.line = d.line;
    if (!toll_dwarf_good(r))
        return false;
    return toll_address_map_add_function(r->map, f, out) || toll_dwarf_no_memory(r);
}

/* Find the function that the entry is an instance of. */
static bool find_function(walk *w, const toll_dwarf_entry *entry, uint32_t *out)
{
    toll_dwarf_reader *r = w->r;
    toll_dwarf_entry origin;
    const toll_dwarf_unit *unit = w->unit;
    uint64_t offset;
    if (!toll_dwarf_reference_of(unit, entry, TOLL_DWARF_ABSTRACT_ORIGIN, &offset))
        return add_function(r, unit, entry, out);
    toll_u64map *functions = r->from == &r->info ? &r->functions : &r->split.functions;
    *out = toll_u64map_find(functions, offset);
    if (*out != UINT32_MAX)
        return true;
    if (!follow(r, &unit, entry, &origin))
        return toll_dwarf_good(r) && add_function(r, w->unit, entry, out);
    return add_function(r, unit, &origin, out) &&
           (toll_u64map_add(functions, offset, *out) || toll_dwarf_no_memory(r));
}

/* --- where their code is -----------------------------------------------------------------------*/

/* Is the range possible? For removed code, tools that rewrite modules leave ranges that are empty,
 * or extend to the end of the address space. */
static bool is_possible(const toll_dwarf_reader *r, uint64_t begin, uint64_t end)
{
    const toll_address_map *m = r->map;
    return begin < end &&
           (!r->file->is_module || m->body_count == 0 || end <= m->bodies[m->body_count - 1].end);
}

/* Add the parts of the entry's ranges within `clip` to a scope. Ranges of a function are live. */
static bool add_ranges(const walk *w, const toll_dwarf_entry *entry, const level *inner,
                       bool is_function)
{
    toll_dwarf_reader *r = w->r;
    toll_dwarf_range_list ranges = toll_dwarf_ranges_of(r->from, w->unit, entry);
    uint64_t begin, end;
    while (toll_dwarf_next_range(r->from, w->unit, &ranges, &begin, &end)) {
        uint64_t clipped = end > inner->clip.end ? inner->clip.end : end;
        if (begin < inner->clip.begin || begin >= inner->clip.end || !is_possible(r, begin, end))
            continue;
        if (!toll_address_map_add_piece(r->map, (toll_map_piece){ begin, clipped, inner->scope }))
            return toll_dwarf_no_memory(r);
        if (is_function && !toll_dwarf_add_live(r, begin, clipped))
            return false;
    }
    return toll_dwarf_good(r);
}

/* Does the function's first possible range begin in live code? If so, *clip becomes the range to
 * which the function is clipped: in a module, that function's body. Functions that the linker has
 * removed begin at 0, or at the end of the address space; after a tool has rewritten a module, some
 * begin anywhere. */
static bool find_code(const walk *w, const toll_dwarf_entry *entry, toll_code_range *clip)
{
    toll_dwarf_reader *r = w->r;
    toll_dwarf_range_list ranges = toll_dwarf_ranges_of(r->from, w->unit, entry);
    uint64_t begin, end;
    *clip = (toll_code_range){ 0, UINT64_MAX };
    while (toll_dwarf_next_range(r->from, w->unit, &ranges, &begin, &end)) {
        if (!is_possible(r, begin, end) || !toll_code_file_is_code(r->file, r->map, begin))
            continue;
        const toll_map_body *body =
            r->file->is_module ? toll_address_map_body(r->map, begin) : NULL;
        if (body)
            *clip = (toll_code_range){ body->begin, body->end };
        return true;
    }
    return false;
}

/* Does the entry have ranges of code? If they cannot be read, the whole file is rejected: the
 * linker has removed the section with the addresses, so the rest is wrong. */
static bool has_code(const walk *w, const toll_dwarf_entry *entry)
{
    uint64_t address;
    if (!toll_dwarf_has(entry, TOLL_DWARF_LOW_PC))
        return toll_dwarf_has(entry, TOLL_DWARF_RANGES);
    if (toll_dwarf_address_of(w->r->from, w->unit, entry, TOLL_DWARF_LOW_PC, &address))
        return true;
    return toll_dwarf_damaged(w->r, "the addresses of its functions are not there (the linker has "
                                    "left out .debug_addr)");
}

/* --- the walk ----------------------------------------------------------------------------------*/

static bool visit_function(walk *w, const toll_dwarf_entry *entry, level *inner)
{
    toll_dwarf_reader *r = w->r;
    toll_map_scope scope = { .parent = TOLL_MAP_NONE, .unit = w->map_unit };
    inner->scope = TOLL_MAP_NONE;
    if (!has_code(w, entry) || !find_code(w, entry, &inner->clip))
        return toll_dwarf_good(r);
    if (!find_function(w, entry, &scope.function))
        return false;
    r->any_file |= r->map->functions[scope.function].file != 0;
    return (toll_address_map_add_scope(r->map, scope, &inner->scope) || toll_dwarf_no_memory(r)) &&
           add_ranges(w, entry, inner, true);
}

static bool visit_inlined(walk *w, const toll_dwarf_entry *entry, level *inner)
{
    toll_dwarf_reader *r = w->r;
    toll_map_scope scope = { .parent = inner->scope, .unit = w->map_unit };
    inner->scope = TOLL_MAP_NONE;
    if (scope.parent == TOLL_MAP_NONE || !has_code(w, entry))
        return toll_dwarf_good(r);
    scope.call_file = file_of(r, w->unit, entry, TOLL_DWARF_CALL_FILE);
    scope.call_line = number_of(entry, TOLL_DWARF_CALL_LINE);
    scope.call_column = number_of(entry, TOLL_DWARF_CALL_COLUMN);
    return toll_dwarf_good(r) && find_function(w, entry, &scope.function) &&
           (toll_address_map_add_scope(r->map, scope, &inner->scope) || toll_dwarf_no_memory(r)) &&
           add_ranges(w, entry, inner, false);
}

/* Visit the entry. *inner is its context, and becomes the context of its children. */
static bool visit(walk *w, const toll_dwarf_entry *entry, level *inner)
{
    switch (entry->tag) {
    case DW_TAG_subprogram: return visit_function(w, entry, inner);
    case DW_TAG_inlined_subroutine: return visit_inlined(w, entry, inner);
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block: return true;
    default: /* a namespace; a type, whose methods may be within it: in Rust those of an enum, too
              */
        inner->scope = TOLL_MAP_NONE;
        return true;
    }
}

/* Go to the entry's children; or past them, if they are skipped and the entry has the offset of
 * what follows them. */
static bool descend(walk *w, const toll_dwarf_entry *entry, level inner, uint64_t *at)
{
    /* Within a live function there are only inlined calls. */
    inner.is_passed |= w->r->parts == TOLL_DWARF_FUNCTIONS && inner.scope != TOLL_MAP_NONE;
    uint64_t sibling;
    if (inner.is_passed && toll_dwarf_reference_of(w->unit, entry, TOLL_DWARF_SIBLING, &sibling) &&
        sibling > *at) {
        *at = sibling;
        return true;
    }
    if (w->depth == DEEPEST)
        return toll_dwarf_damaged(w->r, "its entries are nested too deeply");
    w->levels[w->depth++] = inner;
    return true;
}

static bool walk_unit(walk *w)
{
    toll_dwarf_entry entry;
    uint64_t at = w->unit->root.next;
    bool good = w->unit->root.has_children &&
                descend(w, &w->unit->root, (level){ .scope = TOLL_MAP_NONE }, &at);
    while (good && w->depth && toll_dwarf_read_entry(w->r->from, w->unit, at, &entry)) {
        level inner = w->levels[w->depth - 1];
        at = entry.next;
        if (entry.tag == 0)
            w->depth--;
        else
            good = (inner.is_passed || visit(w, &entry, &inner)) &&
                   (!entry.has_children || descend(w, &entry, inner, &at));
    }
    return toll_dwarf_good(w->r);
}

bool toll_dwarf_read_scopes(toll_dwarf_reader *r, const toll_dwarf_unit *unit)
{
    walk *w = toll_mem_new(&r->map->mem, 1, sizeof *w);
    if (!w)
        return toll_dwarf_no_memory(r);
    w->r = r;
    w->unit = unit;
    w->depth = 0;
    w->map_unit = (uint32_t)r->map->unit_count - 1;
    bool good = walk_unit(w);
    toll_mem_free(&r->map->mem, w, 1, sizeof *w);
    return good;
}
