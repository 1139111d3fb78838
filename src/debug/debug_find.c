/* debug_find.c - looks up addresses in debug information. See toll/debug.h. */
#include "debug/debug_data.h"

#include <string.h>

enum {
    MOST_PLAIN = 256,   /* bytes of a function's own name that are searched in a longer one; */
    MOST_NAME = 1 << 14 /* bytes of that one. Compilers write shorter ones */
};

const char *toll_debug_path(const toll_debug *d)
{
    return (const char *)d->path.data;
}

const char *toll_debug_build_id(const toll_debug *d)
{
    return (const char *)d->build_id.data;
}

const char *toll_debug_remark(const toll_debug *d)
{
    return (const char *)d->remark.data;
}

unsigned toll_debug_gives(const toll_debug *d)
{
    return (d->map.body_count || d->has_functions ? (unsigned)TOLL_DEBUG_NAMES : 0) |
           (d->map.any_line ? (unsigned)TOLL_DEBUG_LINES : 0) |
           (d->has_functions ? (unsigned)TOLL_DEBUG_INLINES : 0);
}

/* --- names -------------------------------------------------------------------------------------*/

static const char *text(const toll_debug *d, uint32_t id)
{
    return toll_strtab_text(&d->map.texts, id);
}

static uint32_t shown(const toll_debug *d, uint32_t id)
{
    return id < d->map.shown_count ? d->map.shown[id] : id;
}

/* What is known about a function. */
typedef struct identity {
    const char *name, *system_name, *file;
    uint32_t line;
} identity;

/* The identity of a function from DWARF. If its symbol cannot be demangled, its plain name is
 * used. */
static identity by_dwarf(const toll_debug *d, const toll_map_function *f)
{
    uint32_t name = shown(d, f->system_name);
    if (name == f->system_name && f->plain_name && strncmp(text(d, name), "_Z", 2) == 0)
        name = f->plain_name;
    return (identity){ text(d, name), name == f->system_name ? "" : text(d, f->system_name),
                       text(d, f->file), f->line };
}

static identity by_body(const toll_debug *d, const toll_map_body *body)
{
    uint32_t name = shown(d, body->system_name);
    return (identity){ text(d, name), name == body->system_name ? "" : text(d, body->system_name),
                       "", 0 };
}

static bool begins_with(const char *name, const char *beginning)
{
    bool is_empty = !*beginning;
    while (*beginning && *name == *beginning) {
        name++;
        beginning++;
    }
    return !is_empty && !*beginning;
}

/* Is the linker's name of a body the function's symbol, mangled or demangled? Tools may add
 * suffixes. */
static bool is_symbol(const toll_debug *d, const char *name, const toll_map_function *f)
{
    return begins_with(name, text(d, f->system_name)) ||
           begins_with(name, text(d, shown(d, f->system_name)));
}

/* Does that name contain the function's plain name? It does in C++, where the name section has
 * names with parameters. Hostile files may have names of any length, and searching one long name in
 * another takes quadratic time; so only the beginnings of long names are compared. */
static bool has_plain_name(const toll_debug *d, const char *name, const toll_map_function *f)
{
    const char *plain = text(d, f->plain_name ? f->plain_name : f->system_name);
    /* the plain name without template arguments; conversion operators contain types */
    size_t size = 0;
    while (size < MOST_PLAIN && plain[size] && plain[size] != '<' && plain[size] != ' ')
        size++;
    for (const char *end = name + strnlen(name, MOST_NAME); size && name < end; name++)
        if (strncmp(name, plain, size) == 0)
            return true;
    return false;
}

/* The identity of the function at an address. Tools that rewrite modules join equal functions and
 * keep the DWARF of one: then the body's name is right, but file and line may be of another
 * function. */
static identity identify(const toll_debug *d, const toll_map_scope *scope,
                         const toll_map_body *body)
{
    const toll_map_function *f =
        scope && scope->function != TOLL_MAP_NONE ? &d->map.functions[scope->function] : NULL;
    bool has_name = body && !begins_with(text(d, body->system_name), "function[");
    if (!f)
        return body ? by_body(d, body) : (identity){ "", "", "", 0 };
    identity dwarf = by_dwarf(d, f), own = dwarf;
    if (!has_name)
        return dwarf;
    own = by_body(d, body);
    if (!is_symbol(d, own.name, f) && !has_plain_name(d, own.name, f))
        return own;
    own.file = dwarf.file;
    own.line = dwarf.line;
    own.system_name = text(d, f->system_name);
    if (strcmp(own.system_name, own.name) == 0)
        own.system_name = "";
    return own;
}

/* --- functions ---------------------------------------------------------------------------------*/

static const toll_map_scope *scope_of(const toll_debug *d, uint32_t scope)
{
    return scope == TOLL_MAP_NONE ? NULL : &d->map.scopes[scope];
}

int toll_debug_find_function(const toll_debug *d, uint64_t address, toll_debug_function *out)
{
    toll_debug_function found = { .name = "", .system_name = "", .file = "" };
    const toll_map_body *body = toll_address_map_body(&d->map, address);
    const toll_map_piece *extent = toll_address_map_extent(&d->map, address);
    const toll_map_scope *scope = extent ? scope_of(d, extent->scope) : NULL;
    identity function = identify(d, scope, body);
    found.name = function.name;
    found.system_name = function.system_name;
    found.file = function.file;
    found.line = function.line;
    if (body) {
        found.begin = body->begin;
        found.end = body->end;
    } else if (extent) {
        found.begin = extent->begin;
        found.end = extent->end;
    }
    if (out)
        *out = found;
    return scope || body;
}

int toll_debug_function_at(const toll_debug *d, uint32_t i, toll_debug_function *out)
{
    /* Compilers differ in where a body begins: before or after its size. */
    if (i < d->map.body_count)
        return toll_debug_find_function(d, d->map.bodies[i].end - 1, out);
    if (out)
        *out = (toll_debug_function){ .name = "", .system_name = "", .file = "" };
    return 0;
}

const char *toll_debug_file_by_lines(const toll_debug *d, uint64_t address)
{
    const toll_map_body *body = toll_address_map_body(&d->map, address);
    const toll_map_piece *extent = toll_address_map_extent(&d->map, address);
    const toll_map_scope *function = extent ? scope_of(d, extent->scope) : NULL;
    bool has_file = function && function->function != TOLL_MAP_NONE &&
                    d->map.functions[function->function].file;
    if (!body || has_file) /* a function with a file in DWARF but not here is another one */
        return "";
    const toll_map_piece *piece = toll_address_map_piece(&d->map, body->end - 1);
    uint32_t unit = piece ? d->map.scopes[piece->scope].unit : TOLL_MAP_NONE;
    const toll_map_row *row = toll_address_map_first_row(&d->map, unit, body->begin, body->end);
    return row ? text(d, row->file) : "";
}

/* --- places ------------------------------------------------------------------------------------*/

static toll_debug_place place_in(const toll_debug *d, const toll_map_scope *scope,
                                 const toll_map_body *body)
{
    bool is_inlined = scope && scope->parent != TOLL_MAP_NONE;
    identity function =
        is_inlined ? by_dwarf(d, &d->map.functions[scope->function]) : identify(d, scope, body);
    return (toll_debug_place){ .name = function.name,
                               .system_name = function.system_name,
                               .file = function.file,
                               .line = function.line,
                               .at_file = "" };
}

uint32_t toll_debug_places(const toll_debug *d, uint64_t address, toll_debug_place *places,
                           uint32_t room)
{
    const toll_map_body *body = toll_address_map_body(&d->map, address);
    const toll_map_piece *piece = toll_address_map_piece(&d->map, address);
    const toll_map_scope *scope = piece ? scope_of(d, piece->scope) : NULL;
    const toll_map_row *row =
        toll_address_map_row(&d->map, scope ? scope->unit : TOLL_MAP_NONE, address);
    uint32_t count = 0, file = row ? row->file : 0, line = row ? row->line : 0,
             column = row ? row->column : 0;
    if (!scope && !body && !row)
        return 0;
    do {
        if (count < room && places) {
            places[count] = place_in(d, scope, body);
            places[count].at_file = text(d, file);
            places[count].at_line = line;
            places[count].at_column = column;
        }
        count++;
        if (!scope)
            break;
        file = scope->call_file;
        line = scope->call_line;
        column = scope->call_column;
        scope = scope_of(d, scope->parent);
    } while (scope);
    return count;
}

/* --- texts of sources --------------------------------------------------------------------------*/

const char *toll_debug_source_map(const toll_debug *d)
{
    return (const char *)d->source_map.data;
}

int toll_debug_source(const toll_debug *d, const char *file, const char **text, size_t *size)
{
    const toll_source_item *item = file ? toll_source_texts_find(&d->texts, file) : NULL;
    bool found = item && item->text;
    if (text)
        *text = found ? item->text : NULL;
    if (size)
        *size = found  ? item->size
                : item ? (size_t)TOLL_SOURCE_UNREADABLE
                       : (size_t)TOLL_SOURCE_MISSING;
    return found;
}
