/* dwarf_files.c - reads the files of a DWARF unit, and the rows of its line table. See
 * dwarf_reader.h.
 * */
#include "base/array.h"
#include "debug/dwarf_reader.h"
#include "dwarf/dwarf_line_table.h"
#include "dwarf/dwarf_value.h"

#include <stdlib.h>
#include <string.h>

/* --- files -------------------------------------------------------------------------------------*/

static bool is_absolute(const char *name)
{
    bool has_letter = (name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z');
    return name[0] == '/' || name[0] == '\\' ||
           (has_letter && name[1] == ':' && (name[2] == '/' || name[2] == '\\'));
}

static void append_part(toll_buffer *path, const char *part)
{
    if (path->size && path->data[path->size - 1] != '/')
        toll_buffer_append_byte(path, '/');
    toll_buffer_append_text(path, part);
}

/* The id of a file's path. A relative name is relative to its folder; a relative folder is relative
 * to the one in which the compiler ran. */
static uint32_t add_path(toll_dwarf_reader *r, const char *base, toll_dwarf_file file)
{
    bool has_folder = file.folder && *file.folder;
    if (!file.name || !*file.name)
        return 0;
    if (is_absolute(file.name) || (!has_folder && !base))
        return toll_dwarf_text(r, file.name);
    toll_buffer path;
    uint32_t id = TOLL_MAP_NONE;
    toll_buffer_init(&path, &r->map->mem);
    bool has_base = base && *base && !(has_folder && is_absolute(file.folder));
    if (has_base && toll_dwarf_spend(r->from, strlen(base)))
        append_part(&path, base);
    if (has_folder && toll_dwarf_spend(r->from, strlen(file.folder)))
        append_part(&path, file.folder);
    append_part(&path, file.name);
    const char *text = toll_buffer_cstr(&path);
    if (text)
        id = toll_dwarf_text(r, text);
    else
        toll_dwarf_no_memory(r);
    toll_buffer_free(&path);
    return id;
}

static bool name_files(toll_dwarf_reader *r, const toll_dwarf_unit *unit,
                       const toll_dwarf_line_table *table, toll_dwarf_files *files)
{
    files->ids = toll_mem_new(&r->map->mem, table->file_count, sizeof *files->ids);
    if (!files->ids)
        return toll_dwarf_no_memory(r);
    files->count = table->file_count;
    const char *base = toll_dwarf_text_of(&r->info, unit, &unit->root, TOLL_DWARF_COMP_DIR);
    for (size_t i = 0; i < files->count; i++) {
        files->ids[i] = add_path(r, base, table->files[i]);
        if (files->ids[i] == TOLL_MAP_NONE)
            return false;
    }
    return true;
}

/* The files of a unit; NULL after a failure. There are none if the table cannot be read. */
static toll_dwarf_files *files_of(toll_dwarf_reader *r, const toll_dwarf_unit *unit,
                                  const toll_dwarf_line_table *table)
{
    toll_dwarf_files *files = &r->files[unit - r->info.units];
    if (files->is_read)
        return files;
    files->is_read = true;
    return !table->file_count || name_files(r, unit, table, files) ? files : NULL;
}

uint32_t toll_dwarf_file_of(toll_dwarf_reader *r, toll_dwarf_unit *unit, uint64_t number)
{
    toll_dwarf_files *files = &r->files[unit - r->info.units];
    if (!files->is_read) {
        toll_dwarf_line_table table;
        bool found;
        if (toll_dwarf_line_table_read(&r->info, unit, &table, &found))
            files_of(r, unit, &table);
        toll_dwarf_line_table_free(&table, &r->info.mem);
    }
    return number < files->count && toll_dwarf_good(r) ? files->ids[number] : 0;
}

/* --- rows --------------------------------------------------------------------------------------*/

typedef struct row_list {
    toll_dwarf_reader *r;
    const toll_dwarf_files *files;
    toll_map_row *rows;
    size_t count, capacity;
    bool is_sorted;
} row_list;

static uint32_t small(uint64_t number)
{
    return number <= INT32_MAX ? (uint32_t)number : 0;
}

/* Is the row in a live range? Only such rows are kept: the rows of functions that the linker has
 * removed have addresses of no code, or of other functions. A row that ends a sequence is kept also
 * at the range's end. */
static bool is_live(const toll_code_ranges *live, const toll_dwarf_row *row)
{
    return toll_code_ranges_hold(live, row->address) ||
           (row->is_end && row->address && toll_code_ranges_hold(live, row->address - 1));
}

static bool keep_row(void *user, const toll_dwarf_row *row)
{
    row_list *l = user;
    if (!is_live(&l->r->live, row))
        return true;
    if (!toll_array_grow(&l->r->map->mem, &l->rows, &l->capacity, l->count, 1))
        return toll_dwarf_no_memory(l->r);
    toll_map_row kept = { .address = row->address, .is_end = row->is_end };
    if (!row->is_end) {
        kept.line = small(row->line);
        kept.column = small(row->column);
        kept.file = row->file < l->files->count ? l->files->ids[row->file] : 0;
    }
    l->is_sorted &= l->count == 0 || l->rows[l->count - 1].address < kept.address ||
                    (l->rows[l->count - 1].address == kept.address && !kept.is_end);
    l->rows[l->count++] = kept;
    return true;
}

/* Compare rows: by address; at one address, the end of a sequence before the beginning of the next;
 * otherwise the order of the table, which a merge sort keeps. */
static bool is_before(const toll_map_row *a, const toll_map_row *b)
{
    return a->address != b->address ? a->address < b->address : a->is_end && !b->is_end;
}

/* Sort by merging runs of growing length. False: no memory. */
static bool sort_rows(row_list *l)
{
    const toll_mem *mem = &l->r->map->mem;
    toll_map_row *other = toll_mem_new(mem, l->count, sizeof *other);
    if (!other)
        return toll_dwarf_no_memory(l->r);
    toll_map_row *from = l->rows, *to = other;
    for (size_t run = 1; run < l->count; run *= 2) {
        for (size_t begin = 0; begin < l->count; begin += 2 * run) {
            size_t a = begin, middle = begin + run < l->count ? begin + run : l->count;
            size_t b = middle, end = middle + run < l->count ? middle + run : l->count;
            for (size_t i = begin; i < end; i++)
                to[i] = b < end && (a == middle || is_before(&from[b], &from[a])) ? from[b++]
                                                                                  : from[a++];
        }
        toll_map_row *swap = from;
        from = to;
        to = swap;
    }
    if (from != l->rows)
        memcpy(l->rows, from, l->count * sizeof *from);
    toll_mem_free(mem, other, l->count, sizeof *other);
    return true;
}

static bool add_rows(row_list *l)
{
    if (!l->is_sorted && !sort_rows(l))
        return false;
    for (size_t i = 0; i < l->count; i++)
        if (!toll_address_map_add_row(l->r->map, l->rows[i]))
            return toll_dwarf_no_memory(l->r);
    return true;
}

bool toll_dwarf_read_lines(toll_dwarf_reader *r, toll_dwarf_unit *unit)
{
    toll_dwarf_line_table table;
    row_list list = { .r = r, .is_sorted = true };
    bool found, good = toll_dwarf_line_table_read(&r->info, unit, &table, &found);
    toll_code_ranges_join(&r->live);
    if (good && found) {
        list.files = files_of(r, unit, &table);
        good = list.files && toll_dwarf_line_table_run(&r->info, &table, keep_row, &list) &&
               add_rows(&list);
    }
    toll_mem_free(&r->map->mem, list.rows, list.capacity, sizeof *list.rows);
    toll_dwarf_line_table_free(&table, &r->info.mem);
    return good;
}
