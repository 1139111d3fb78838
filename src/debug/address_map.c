/* address_map.c - see address_map.h. */
#include "debug/address_map.h"

#include "base/array.h"
#include "demangle/demangle.h"
#include "base/search.h"
#include "base/text.h"
#include "debug/map_pieces.h"

#include <stdlib.h>
#include <string.h>

void toll_address_map_init(toll_address_map *m, const toll_mem *mem)
{
    *m = (toll_address_map){ .mem = *mem };
    toll_strtab_init(&m->texts, mem);
}

static void free_lines(toll_address_map *m)
{
    toll_mem_free(&m->mem, m->units, m->unit_capacity, sizeof *m->units);
    toll_mem_free(&m->mem, m->rows, m->row_capacity, sizeof *m->rows);
    toll_mem_free(&m->mem, m->functions, m->function_capacity, sizeof *m->functions);
    toll_mem_free(&m->mem, m->scopes, m->scope_capacity, sizeof *m->scopes);
    toll_mem_free(&m->mem, m->pieces, m->piece_capacity, sizeof *m->pieces);
    toll_mem_free(&m->mem, m->extents, m->extent_capacity, sizeof *m->extents);
}

void toll_address_map_free(toll_address_map *m)
{
    free_lines(m);
    toll_mem_free(&m->mem, m->bodies, m->body_capacity, sizeof *m->bodies);
    toll_mem_free(&m->mem, m->shown, m->shown_count, sizeof *m->shown);
    toll_strtab_free(&m->texts);
    toll_address_map_init(m, &m->mem);
}

void toll_address_map_drop_lines(toll_address_map *m)
{
    free_lines(m);
    m->units = NULL;
    m->rows = NULL;
    m->functions = NULL;
    m->scopes = NULL;
    m->pieces = m->extents = NULL;
    m->unit_count = m->unit_capacity = m->row_count = m->row_capacity = 0;
    m->function_count = m->function_capacity = 0;
    m->scope_count = m->scope_capacity = m->piece_count = m->piece_capacity = 0;
    m->extent_count = m->extent_capacity = 0;
    m->any_line = false;
}

toll_map_mark toll_address_map_mark(const toll_address_map *m)
{
    return (toll_map_mark){ m->function_count, m->scope_count, m->piece_count };
}

void toll_address_map_drop_scopes(toll_address_map *m, toll_map_mark mark)
{
    m->function_count = mark.functions;
    m->scope_count = mark.scopes;
    m->piece_count = mark.pieces;
}

/* --- adding ------------------------------------------------------------------------------------*/

uint32_t toll_address_map_text(toll_address_map *m, const char *text, size_t size)
{
    if (toll_text_check(text, size) == size)
        return toll_strtab_add(&m->texts, text, size);
    toll_buffer clean;
    toll_buffer_init(&clean, &m->mem);
    uint32_t id = TOLL_MAP_NONE;
    if (toll_text_append_clean(&clean, text, size))
        id = toll_strtab_add(&m->texts, (const char *)clean.data, clean.size);
    toll_buffer_free(&clean);
    return id;
}

bool toll_address_map_add_body(toll_address_map *m, toll_map_body body)
{
    if (!toll_array_grow(&m->mem, &m->bodies, &m->body_capacity, m->body_count, 1))
        return false;
    m->bodies[m->body_count++] = body;
    return true;
}

bool toll_address_map_add_unit(toll_address_map *m, uint32_t *out)
{
    if (m->unit_count >= TOLL_MAP_NONE ||
        !toll_array_grow(&m->mem, &m->units, &m->unit_capacity, m->unit_count, 1))
        return false;
    *out = (uint32_t)m->unit_count;
    m->units[m->unit_count++] = (toll_map_unit){ .first_row = m->row_count };
    return true;
}

bool toll_address_map_add_row(toll_address_map *m, toll_map_row row)
{
    if (!toll_array_grow(&m->mem, &m->rows, &m->row_capacity, m->row_count, 1))
        return false;
    m->rows[m->row_count++] = row;
    m->units[m->unit_count - 1].row_count++;
    m->any_line = m->any_line || row.line;
    return true;
}

bool toll_address_map_add_function(toll_address_map *m, toll_map_function function, uint32_t *out)
{
    if (m->function_count >= TOLL_MAP_NONE ||
        !toll_array_grow(&m->mem, &m->functions, &m->function_capacity, m->function_count, 1))
        return false;
    *out = (uint32_t)m->function_count;
    m->functions[m->function_count++] = function;
    return true;
}

bool toll_address_map_add_scope(toll_address_map *m, toll_map_scope scope, uint32_t *out)
{
    if (m->scope_count >= TOLL_MAP_NONE ||
        !toll_array_grow(&m->mem, &m->scopes, &m->scope_capacity, m->scope_count, 1))
        return false;
    *out = (uint32_t)m->scope_count;
    m->scopes[m->scope_count++] = scope;
    return true;
}

bool toll_address_map_add_piece(toll_address_map *m, toll_map_piece piece)
{
    if (piece.begin >= piece.end)
        return true;
    if (!toll_array_grow(&m->mem, &m->pieces, &m->piece_capacity, m->piece_count, 1))
        return false;
    m->pieces[m->piece_count++] = piece;
    return true;
}

/* --- order -------------------------------------------------------------------------------------*/

/* Compare bodies: by address; at one address the longest first, then the one whose name was added
 * first. */
static int compare_bodies(const void *left, const void *right)
{
    const toll_map_body *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->system_name < b->system_name ? -1 : a->system_name > b->system_name;
}

/* Two names of one function (aliases) become one body. A body that reaches into the next one, or
 * has no known end, ends there. */
void toll_address_map_sort_bodies(toll_address_map *m)
{
    size_t kept = 0;
    if (m->body_count)
        qsort(m->bodies, m->body_count, sizeof *m->bodies, compare_bodies);
    for (size_t i = 0; i < m->body_count; i++) {
        if (kept && m->bodies[kept - 1].begin == m->bodies[i].begin)
            continue;
        if (kept && m->bodies[kept - 1].end > m->bodies[i].begin)
            m->bodies[kept - 1].end = m->bodies[i].begin;
        m->bodies[kept++] = m->bodies[i];
    }
    m->body_count = kept;
}

static int compare_rows(const void *left, const void *right)
{
    const toll_map_row *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

/* Are the rows in order? Most readers add a unit's rows by address. */
static bool in_order(const toll_map_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (rows[i - 1].address > rows[i].address)
            return false;
    return true;
}

static void sort_rows(toll_address_map *m)
{
    for (size_t u = 0; m->rows && u < m->unit_count; u++) {
        toll_map_row *rows = m->rows + m->units[u].first_row;
        if (!in_order(rows, m->units[u].row_count))
            qsort(rows, m->units[u].row_count, sizeof *rows, compare_rows);
    }
}

/* --- extents of subprograms --------------------------------------------------------------------*/

/* The subprogram around a scope; TOLL_MAP_NONE if it is a unit's scope. */
static uint32_t subprogram_of(const toll_address_map *m, uint32_t scope)
{
    while (m->scopes[scope].parent != TOLL_MAP_NONE)
        scope = m->scopes[scope].parent;
    return m->scopes[scope].function == TOLL_MAP_NONE ? TOLL_MAP_NONE : scope;
}

static bool join_extents(toll_address_map *m)
{
    for (size_t i = 0; i < m->piece_count; i++) {
        toll_map_piece extent = m->pieces[i];
        toll_map_piece *last = m->extent_count ? &m->extents[m->extent_count - 1] : NULL;
        extent.scope = subprogram_of(m, extent.scope);
        if (extent.scope == TOLL_MAP_NONE)
            continue;
        if (last && last->end == extent.begin && last->scope == extent.scope) {
            last->end = extent.end;
            continue;
        }
        if (!toll_array_grow(&m->mem, &m->extents, &m->extent_capacity, m->extent_count, 1))
            return false;
        m->extents[m->extent_count++] = extent;
    }
    return true;
}

/* --- names as people write them ----------------------------------------------------------------*/

static bool demangle_texts(toll_address_map *m)
{
    size_t count = m->texts.count;
    toll_buffer room;
    bool good = true;
    if (count == 0)
        return true;
    m->shown = toll_mem_new(&m->mem, count, sizeof *m->shown);
    if (!m->shown)
        return false;
    m->shown_count = count;
    toll_buffer_init(&room, &m->mem);
    for (size_t i = 0; good && i < count; i++) {
        const char *text = toll_strtab_text(&m->texts, (uint32_t)i);
        const char *name = toll_demangled(text, &room);
        m->shown[i] = (uint32_t)i;
        if (name && name != text)
            m->shown[i] = toll_strtab_add(&m->texts, name, strlen(name));
        good = name && m->shown[i] != UINT32_MAX;
    }
    toll_buffer_free(&room);
    return good;
}

/* Free the unused room of the arrays, which may be a third of their content. */
static bool trim(toll_address_map *m)
{
    return toll_array_trim(&m->mem, &m->bodies, &m->body_capacity, m->body_count) &&
           toll_array_trim(&m->mem, &m->rows, &m->row_capacity, m->row_count) &&
           toll_array_trim(&m->mem, &m->functions, &m->function_capacity, m->function_count) &&
           toll_array_trim(&m->mem, &m->scopes, &m->scope_capacity, m->scope_count);
}

bool toll_address_map_finish(toll_address_map *m)
{
    if (!trim(m))
        return false;
    sort_rows(m);
    return toll_map_pieces_flatten(m) && join_extents(m) && demangle_texts(m);
}

/* --- looking up --------------------------------------------------------------------------------*/

const toll_map_body *toll_address_map_body(const toll_address_map *m, uint64_t address)
{
    size_t before = toll_search_up_to(m->bodies, m->body_count, sizeof *m->bodies, address);
    return before && address < m->bodies[before - 1].end ? &m->bodies[before - 1] : NULL;
}

static const toll_map_piece *find_piece(const toll_map_piece *pieces, size_t count,
                                        uint64_t address)
{
    size_t before = toll_search_up_to(pieces, count, sizeof *pieces, address);
    return before && address < pieces[before - 1].end ? &pieces[before - 1] : NULL;
}

const toll_map_piece *toll_address_map_piece(const toll_address_map *m, uint64_t address)
{
    return find_piece(m->pieces, m->piece_count, address);
}

const toll_map_piece *toll_address_map_extent(const toll_address_map *m, uint64_t address)
{
    return find_piece(m->extents, m->extent_count, address);
}

/* The rows of a unit, and their number. */
static const toll_map_row *rows_of(const toll_address_map *m, uint32_t unit, size_t *count)
{
    if (unit == TOLL_MAP_NONE && m->scope_count == 0)
        unit = 0; /* rows of a source map */
    *count = unit < m->unit_count ? m->units[unit].row_count : 0;
    return *count ? m->rows + m->units[unit].first_row : NULL;
}

const toll_map_row *toll_address_map_first_row(const toll_address_map *m, uint32_t unit,
                                               uint64_t begin, uint64_t end)
{
    enum { MOST = 64 }; /* the most rows to read: this is called for each address of the function */
    size_t count;
    const toll_map_row *rows = rows_of(m, unit, &count);
    size_t at = count && begin ? toll_search_up_to(rows, count, sizeof *rows, begin - 1) : 0;
    for (size_t most = at + MOST; at < count && at < most && rows[at].address < end; at++)
        if (rows[at].line)
            return &rows[at];
    return NULL;
}

const toll_map_row *toll_address_map_row(const toll_address_map *m, uint32_t unit, uint64_t address)
{
    size_t count;
    const toll_map_row *rows = rows_of(m, unit, &count);
    size_t before = count ? toll_search_up_to(rows, count, sizeof *rows, address) : 0;
    if (before == 0 || rows[before - 1].is_end)
        return NULL;
    /* A row of the previous function is not valid for this one. */
    const toll_map_body *body = toll_address_map_body(m, address);
    return body && rows[before - 1].address < body->begin ? NULL : &rows[before - 1];
}
