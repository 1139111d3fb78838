/* dwarf_scopes.c - functions and inlined calls of a unit of DWARF. See dwarf_reader.h.
 *
 * One walk over the unit's entries in the order of the file, with a stack of its own. */
#if TOLL_HAVE_LIBDW

#include "debug/dwarf_reader.h"

#include <dwarf.h>

enum { DEEPEST = 256 }; /* compilers nest entries a few dozen deep */

/* Where in the tree the walk is: an entry, and what its siblings belong to. */
typedef struct level {
    Dwarf_Die die;
    uint32_t scope;       /* around the entry; TOLL_MAP_NONE: it is not in live code */
    toll_code_range clip; /* the code of the function around it */
} level;

typedef struct walk {
    toll_dwarf_reader *r;
    uint32_t unit;
    unsigned depth; /* of levels in use */
    level levels[DEEPEST];
} walk;

/* --- functions as the source has them ----------------------------------------------------------*/

/* A text attribute of the entry, or of one that it refers to; or NULL. */
static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute value;
    return dwarf_attr_integrate(die, attribute, &value) ? dwarf_formstring(&value) : NULL;
}

static uint32_t number_of(Dwarf_Attribute *value)
{
    Dwarf_Word number;
    return value && dwarf_formudata(value, &number) == 0 && number <= UINT32_MAX ? (uint32_t)number
                                                                                 : 0;
}

static bool add_function(toll_dwarf_reader *r, Dwarf_Die *die, uint32_t *out)
{
    Dwarf_Attribute value;
    toll_map_function f = { .system_name = 0 };
    const char *linkage = text_of(die, DW_AT_linkage_name), *name = text_of(die, DW_AT_name);
    if (!linkage)
        linkage = text_of(die, DW_AT_MIPS_linkage_name);
    f.system_name = toll_dwarf_text(r, linkage ? linkage : name);
    f.plain_name = linkage ? toll_dwarf_text(r, name) : 0;
    if (dwarf_attr_integrate(die, DW_AT_decl_file, &value))
        f.file = toll_dwarf_file_of(r, &value);
    f.line = number_of(dwarf_attr_integrate(die, DW_AT_decl_line, &value));
    if (!toll_dwarf_good(r))
        return false;
    return toll_address_map_add_function(r->map, f, out) || toll_dwarf_no_memory(r);
}

/* The function that the entry is an instance of. */
static bool find_function(toll_dwarf_reader *r, Dwarf_Die *die, uint32_t *out)
{
    Dwarf_Attribute value;
    Dwarf_Die origin;
    if (!dwarf_attr(die, DW_AT_abstract_origin, &value) || !dwarf_formref_die(&value, &origin))
        return add_function(r, die, out);
    toll_u64map *functions = r->split.is_open ? &r->split.functions : &r->functions;
    uint64_t key = (uint64_t)(uintptr_t)origin.addr;
    *out = toll_u64map_find(functions, key);
    if (*out != UINT32_MAX)
        return true;
    return add_function(r, &origin, out) &&
           (toll_u64map_add(functions, key, *out) || toll_dwarf_no_memory(r));
}

/* --- where their code is -----------------------------------------------------------------------*/

/* Of code that is gone, tools that rewrite modules leave ranges that are empty, or reach to the end
 * of the address space. */
static bool is_possible(const toll_dwarf_reader *r, uint64_t begin, uint64_t end)
{
    const toll_address_map *m = r->map;
    return begin < end &&
           (!r->file->is_module || m->body_count == 0 || end <= m->bodies[m->body_count - 1].end);
}

/* Add the entry's ranges within `clip` for a scope; those of a function are live. */
static bool add_ranges(toll_dwarf_reader *r, Dwarf_Die *die, uint32_t scope, toll_code_range clip,
                       bool is_function)
{
    toll_dwarf_ranges ranges = { .die = die };
    toll_code_range found;
    while (toll_dwarf_next_range(r, &ranges, &found)) {
        uint64_t begin = found.begin, end = found.end > clip.end ? clip.end : found.end;
        if (begin < clip.begin || begin >= clip.end || !is_possible(r, begin, found.end))
            continue;
        if (!toll_address_map_add_piece(r->map, (toll_map_piece){ begin, end, scope }))
            return toll_dwarf_no_memory(r);
        if (is_function && !toll_dwarf_add_live(r, begin, end))
            return false;
    }
    return toll_dwarf_good(r);
}

/* Whether the function's first range of code that is there begins in live code, and to what it is
 * clipped: in a module to that function's body. Functions that the linker has left out begin at 0,
 * or at the end of the address space; after a tool has rewritten a module, some begin anywhere. */
static bool find_code(toll_dwarf_reader *r, Dwarf_Die *die, toll_code_range *clip)
{
    toll_dwarf_ranges ranges = { .die = die };
    toll_code_range found;
    *clip = (toll_code_range){ 0, UINT64_MAX };
    while (toll_dwarf_next_range(r, &ranges, &found)) {
        if (!is_possible(r, found.begin, found.end) ||
            !toll_code_file_is_code(r->file, r->map, found.begin))
            continue;
        const toll_map_body *body =
            r->file->is_module ? toll_address_map_body(r->map, found.begin) : NULL;
        if (body)
            *clip = (toll_code_range){ body->begin, body->end };
        return true;
    }
    return false;
}

/* Whether the entry says where its code is; if that cannot be read, nothing of the file is
 * believed: a linker has left out the section with the addresses, and what the rest says is off. */
static bool has_code(toll_dwarf_reader *r, Dwarf_Die *die)
{
    Dwarf_Attribute value;
    uint64_t address;
    if (!dwarf_attr(die, DW_AT_low_pc, &value))
        return dwarf_hasattr(die, DW_AT_ranges);
    if (toll_dwarf_address(r, &value, &address))
        return true;
    return toll_dwarf_damaged(r, "the addresses of its functions are not there (the linker has "
                                 "left out .debug_addr)");
}

/* --- the walk ----------------------------------------------------------------------------------*/

static bool visit_function(walk *w, const level *at, level *inner)
{
    Dwarf_Die die = at->die;
    toll_map_scope scope = { .parent = TOLL_MAP_NONE, .unit = w->unit };
    inner->scope = TOLL_MAP_NONE;
    if (!has_code(w->r, &die) || !find_code(w->r, &die, &inner->clip))
        return toll_dwarf_good(w->r);
    if (!find_function(w->r, &die, &scope.function))
        return false;
    w->r->any_file |= w->r->map->functions[scope.function].file != 0;
    return (toll_address_map_add_scope(w->r->map, scope, &inner->scope) ||
            toll_dwarf_no_memory(w->r)) &&
           add_ranges(w->r, &die, inner->scope, inner->clip, true);
}

static bool visit_inlined(walk *w, const level *at, level *inner)
{
    Dwarf_Die die = at->die;
    Dwarf_Attribute value;
    toll_map_scope scope = { .parent = at->scope, .unit = w->unit };
    inner->scope = TOLL_MAP_NONE;
    if (at->scope == TOLL_MAP_NONE || !has_code(w->r, &die))
        return toll_dwarf_good(w->r);
    if (dwarf_attr(&die, DW_AT_call_file, &value))
        scope.call_file = toll_dwarf_file_of(w->r, &value);
    scope.call_line = number_of(dwarf_attr(&die, DW_AT_call_line, &value));
    scope.call_column = number_of(dwarf_attr(&die, DW_AT_call_column, &value));
    return toll_dwarf_good(w->r) && find_function(w->r, &die, &scope.function) &&
           (toll_address_map_add_scope(w->r->map, scope, &inner->scope) ||
            toll_dwarf_no_memory(w->r)) &&
           add_ranges(w->r, &die, inner->scope, inner->clip, false);
}

/* Look at the entry; *inner is what its children belong to. */
static bool visit(walk *w, const level *at, level *inner)
{
    Dwarf_Die die = at->die;
    *inner = *at;
    switch (dwarf_tag(&die)) {
    case DW_TAG_subprogram: return visit_function(w, at, inner);
    case DW_TAG_inlined_subroutine: return visit_inlined(w, at, inner);
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block: return true;
    default: /* a namespace; a type, whose methods may be within it: in Rust those of an enum, too
              */
        inner->scope = TOLL_MAP_NONE;
        return true;
    }
}

/* Go to the entry's first child: false if it has none, or there is a failure. */
static bool descend(walk *w, level *inner)
{
    Dwarf_Die parent = inner->die;
    /* Within a live function there are inlined calls alone. */
    if (w->r->parts == TOLL_DWARF_FUNCTIONS && inner->scope != TOLL_MAP_NONE)
        return false;
    int result = dwarf_child(&parent, &inner->die);
    if (result > 0)
        return false;
    if (result < 0)
        return toll_dwarf_damaged(w->r, dwarf_errmsg(-1));
    if (w->depth == DEEPEST)
        return toll_dwarf_damaged(w->r, "its entries are nested too deeply");
    w->levels[w->depth++] = *inner;
    return true;
}

/* Go to the next entry behind this one and its children. */
static bool advance(walk *w)
{
    for (; w->depth; w->depth--) {
        level *at = &w->levels[w->depth - 1];
        const char *before = at->die.addr;
        int result = dwarf_siblingof(&at->die, &at->die);
        if (result < 0)
            return toll_dwarf_damaged(w->r, dwarf_errmsg(-1));
        if (result == 0 && (const char *)at->die.addr <= before)
            return toll_dwarf_damaged(w->r, "its entries follow one another in a circle");
        if (result == 0)
            return true;
    }
    return false;
}

static void walk_unit(walk *w, Dwarf_Die *unit)
{
    level inner = { .die = *unit, .scope = TOLL_MAP_NONE };
    bool more = descend(w, &inner);
    while (more && toll_dwarf_work(w->r, w->depth)) {
        if (!visit(w, &w->levels[w->depth - 1], &inner))
            return;
        more = descend(w, &inner) || (toll_dwarf_good(w->r) && advance(w));
    }
}

bool toll_dwarf_read_scopes(toll_dwarf_reader *r, Dwarf_Die *unit)
{
    walk *w = toll_mem_new(&r->map->mem, 1, sizeof *w);
    if (!w)
        return toll_dwarf_no_memory(r);
    w->r = r;
    w->unit = (uint32_t)r->map->unit_count - 1;
    walk_unit(w, unit);
    toll_mem_free(&r->map->mem, w, 1, sizeof *w);
    return toll_dwarf_good(r);
}

#else
typedef int toll_no_dwarf_scopes; /* ISO C wants something in each file */
#endif
