/* dwarf_split.c - reads units of split DWARF: finds the separate file of a skeleton, and reads its
 * functions. See dwarf_reader.h.
 *
 * The name of the separate file is not trusted: only its last part is used, to ask the source of
 * files. The file belongs to the skeleton only if both have the same id. */
#include "debug/dwarf_reader.h"
#include "dwarf/dwarf_unit.h"
#include "dwarf/dwarf_value.h"

#include <stdio.h>
#include <string.h>

enum { WORK_A_BYTE = 64 }; /* work for each byte of such a file, as for the program's own file */

/* --- all that is open --------------------------------------------------------------------------*/

void toll_dwarf_split_init(toll_dwarf_reader *r, const toll_split_source *source)
{
    const toll_mem *mem = &r->map->mem;
    r->split = (toll_dwarf_split){ .source = source, .single_name = TOLL_MAP_NONE };
    toll_split_file_init(&r->split.package, mem);
    toll_split_file_init(&r->split.single, mem);
    toll_u64map_init(&r->split.names, mem);
    toll_u64map_init(&r->split.functions, mem);
}

void toll_dwarf_split_free(toll_dwarf_reader *r)
{
    toll_split_file_free(&r->split.package);
    toll_split_file_free(&r->split.single);
    toll_u64map_free(&r->split.names);
    toll_u64map_free(&r->split.functions);
}

/* --- what is lost ------------------------------------------------------------------------------*/

/* Count a unit whose functions are unknown, and name its file once, if there is room. */
static void lose(toll_dwarf_reader *r, toll_split_loss loss, const char *name, const char *why)
{
    toll_split_lost *lost = &r->result->lost[loss];
    char text[sizeof lost->files];
    size_t used = strlen(lost->files);
    lost->count++;
    int size =
        snprintf(text, sizeof text, "%s%s%s%s", name, *why ? " (" : "", why, *why ? ")" : "");
    if (strstr(lost->files, text))
        return;
    if (lost->is_cut || size < 0 || used + (size_t)size + 2 >= sizeof lost->files) {
        lost->is_cut = true;
        return;
    }
    strcpy(lost->files + used, used ? ", " : "");
    strcat(lost->files, text);
}

/* --- files -------------------------------------------------------------------------------------*/

/* Record a failure in a file of split DWARF as damage of that file, so that reading continues.
 * False: no memory.
 * */
static bool note_damage(toll_dwarf_reader *r, const toll_dwarf_info *info, char *damage,
                        size_t size)
{
    if (info->no_memory)
        return toll_dwarf_no_memory(r);
    snprintf(damage, size, "%s", info->damage);
    return true;
}

/* Add the units of a .dwo file to its table. */
static bool add_units(toll_dwarf_reader *r, toll_split_file *file, toll_dwarf_info *info)
{
    bool good = toll_dwarf_find_units(info);
    for (size_t i = 0; good && i < info->unit_count; i++) {
        toll_dwarf_unit *unit = &info->units[i];
        toll_split_unit parts = file->whole;
        parts.info.offset += (size_t)unit->offset;
        parts.info.size = (size_t)(unit->end - unit->offset);
        good = toll_dwarf_spend(info, 1) && toll_dwarf_open_unit(info, unit);
        if (good && unit->has_id && !toll_split_file_add_unit(file, unit->id, parts))
            return toll_dwarf_no_memory(r);
    }
    return good;
}

static bool find_units(toll_dwarf_reader *r, toll_split_file *file)
{
    if (file->damage[0] || file->index.size)
        return true;
    toll_dwarf_info info;
    toll_dwarf_sections sections = toll_split_file_sections(file, &file->whole);
    toll_dwarf_info_init(&info, &r->map->mem, &sections, &r->work_left);
    bool good = add_units(r, file, &info);
    if (!good && toll_dwarf_good(r))
        good = note_damage(r, &info, file->damage, sizeof file->damage);
    toll_dwarf_info_free(&info);
    return good;
}

/* Read a file. *loss is TOLL_SPLIT_LOSSES, or the reason why it cannot be read. */
static bool read_split_file(toll_dwarf_reader *r, const char *name, bool is_new,
                            toll_split_file *file, toll_split_loss *loss)
{
    toll_buffer bytes;
    toll_error err = { TOLL_OK, "" };
    toll_buffer_init(&bytes, &r->map->mem);
    toll_status status = r->split.source->read(r->split.source->user, name, &bytes, &err);
    *loss = status == TOLL_E_LIMIT ? TOLL_SPLIT_DAMAGED
            : status               ? TOLL_SPLIT_MISSING
                                   : TOLL_SPLIT_LOSSES;
    if (status == TOLL_E_LIMIT)
        snprintf(file->damage, sizeof file->damage, "%.150s", err.text);
    if (!status && is_new)
        r->work_left += (uint64_t)bytes.size * WORK_A_BYTE;
    bool good = status ? status != TOLL_E_NOMEM : toll_split_file_read(file, &bytes);
    if (!good)
        toll_dwarf_no_memory(r);
    size_t size = bytes.size;
    toll_buffer_free(&bytes);
    return good && toll_dwarf_spend(r->from, size) && (status || find_units(r, file));
}

/* The last part of a path. */
static const char *last_part(const char *path)
{
    const char *last = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\')
            last = path + 1;
    return last;
}

/* Look for the package of the program's file, whose name is the file's name and .dwp. */
static bool look_for_package(toll_dwarf_reader *r)
{
    toll_dwarf_split *s = &r->split;
    toll_split_loss loss;
    int size =
        snprintf(s->package_name, sizeof s->package_name, "%s.dwp", last_part(r->file->path));
    s->has_looked = true;
    if (size < 0 || (size_t)size >= sizeof s->package_name)
        return true; /* no system has names of this length */
    return read_split_file(r, s->package_name, true, &s->package, &loss);
}

/* The last part of the skeleton's name for its separate file; "" if there is none. */
static const char *name_of(toll_dwarf_reader *r, const toll_dwarf_unit *skeleton)
{
    const char *name = toll_dwarf_text_of(&r->info, skeleton, &skeleton->root, TOLL_DWARF_DWO_NAME);
    name = name ? last_part(name) : "";
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? "" : name;
}

/* Read the .dwo file with that name into split.single, unless it is there already. */
static bool look_for_single(toll_dwarf_reader *r, const char *name)
{
    toll_dwarf_split *s = &r->split;
    uint32_t id = toll_dwarf_text(r, name);
    if (id == TOLL_MAP_NONE)
        return false;
    if (id == s->single_name)
        return true; /* already read: a compiler may put several units in one file */
    toll_mem mem = r->map->mem;
    toll_split_file_free(&s->single);
    toll_split_file_init(&s->single, &mem);
    s->single_name = id;
    s->single_loss = TOLL_SPLIT_MISSING;
    if (!*name)
        return true;
    bool is_new = toll_u64map_find(&s->names, id) == UINT32_MAX;
    if (is_new && !toll_u64map_add(&s->names, id, 0))
        return toll_dwarf_no_memory(r);
    return read_split_file(r, name, is_new, &s->single, &s->single_loss);
}

/* Find the separate file of the unit with that id, and the unit in it. NULL: there is none, which
 * has been counted, or the reader has failed. */
static const toll_split_unit *find_unit(toll_dwarf_reader *r, const char *name, uint64_t id,
                                        toll_split_file **file)
{
    toll_dwarf_split *s = &r->split;
    if (!s->has_looked && !look_for_package(r))
        return NULL;
    *file = &s->package;
    const toll_split_unit *unit = toll_split_file_find(&s->package, id);
    if (unit)
        return unit;
    if (!look_for_single(r, name))
        return NULL;
    *file = &s->single;
    unit = toll_split_file_find(&s->single, id);
    if (unit)
        return unit;
    if (s->single.damage[0])
        lose(r, TOLL_SPLIT_DAMAGED, name, s->single.damage);
    else if (s->single_loss == TOLL_SPLIT_LOSSES)
        lose(r, TOLL_SPLIT_OTHER, name, "");
    else if (s->package.damage[0])
        lose(r, TOLL_SPLIT_DAMAGED, s->package_name, s->package.damage);
    else
        lose(r, TOLL_SPLIT_MISSING, *name ? name : "one without a name", "");
    return NULL;
}

/* --- the unit ----------------------------------------------------------------------------------*/

/* Join the two: set the offsets of the data in the program's own file to which the unit refers. */
static bool join(toll_dwarf_info *info, toll_dwarf_unit *unit, const toll_dwarf_unit *skeleton)
{
    if (!unit->has_id || unit->id != skeleton->id)
        return toll_dwarf_info_fail(info, "its unit is another one than its table says");
    unit->addr_base = skeleton->addr_base;
    unit->ranges_base = skeleton->ranges_base;
    unit->low = skeleton->low;
    return true;
}

static bool read_unit(toll_dwarf_reader *r, const toll_dwarf_unit *skeleton, toll_dwarf_info *info)
{
    if (!toll_dwarf_find_units(info))
        return false;
    if (info->unit_count == 0)
        return toll_dwarf_info_fail(info, "its unit cannot be read");
    toll_dwarf_unit *unit = &info->units[0];
    r->from = info;
    bool good = toll_dwarf_open_unit(info, unit) && join(info, unit, skeleton) &&
                toll_dwarf_read_scopes(r, unit);
    r->from = &r->info;
    return good;
}

/* Read the functions of a unit in a separate file. False: it is damaged, or no memory. */
static bool read_parts(toll_dwarf_reader *r, const toll_dwarf_unit *skeleton,
                       const toll_split_file *file, const toll_split_unit *parts, char *damage,
                       size_t size)
{
    toll_dwarf_info info;
    toll_dwarf_sections sections = toll_split_file_sections(file, parts);
    sections.addr = r->info.sections.addr;
    sections.ranges = r->info.sections.ranges; /* the ranges of DWARF 4 */
    toll_dwarf_info_init(&info, &r->map->mem, &sections, &r->work_left);
    bool good = read_unit(r, skeleton, &info);
    if (!good)
        note_damage(r, &info, damage, size);
    toll_dwarf_info_free(&info);
    toll_u64map_free(&r->split.functions); /* by offsets in that unit */
    return good;
}

bool toll_dwarf_read_split(toll_dwarf_reader *r, toll_dwarf_unit *skeleton, bool *found)
{
    toll_split_file *file;
    char why[sizeof r->result->damage];
    toll_map_mark before = toll_address_map_mark(r->map);
    *found = false;
    r->result->split_units++;
    if (!r->split.source)
        return true;
    const char *name = name_of(r, skeleton);
    const toll_split_unit *parts = find_unit(r, name, skeleton->id, &file);
    if (!parts)
        return toll_dwarf_good(r);
    *found = read_parts(r, skeleton, file, parts, why, sizeof why);
    if (*found || !toll_dwarf_good(r))
        return *found;
    toll_address_map_drop_scopes(r->map, before); /* a partial unit would be wrong */
    r->live.count = 0;
    r->any_file = false;
    lose(r, TOLL_SPLIT_DAMAGED, file == &r->split.package ? r->split.package_name : name, why);
    return true;
}
