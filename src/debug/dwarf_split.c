/* dwarf_split.c - units of split DWARF: finds the other file of a skeleton, and reads the functions
 * that it has. See dwarf_reader.h.
 *
 * What names the other file is not trusted: it is looked for by the last part of its name alone,
 * where the source of files says, and belongs to the skeleton only if both have the same id. */
#if TOLL_HAVE_LIBDW

#include "base/elf64.h"
#include "debug/dwarf_reader.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WORK_A_BYTE = 64 }; /* for each byte of such a file, as for those of the program's own */

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

static void close_image(toll_dwarf_split *s)
{
    dwarf_end(s->dwarf);
    elf_end(s->elf);
    s->dwarf = NULL;
    s->elf = NULL;
    s->is_open = false;
    toll_u64map_free(&s->functions); /* by addresses in the image */
}

void toll_dwarf_split_free(toll_dwarf_reader *r)
{
    close_image(&r->split);
    toll_split_file_free(&r->split.package);
    toll_split_file_free(&r->split.single);
    toll_u64map_free(&r->split.names);
}

/* Open libdw on what toll_split_file_image makes of the unit. */
static bool open_image(toll_dwarf_reader *r, toll_split_file *file, const toll_split_unit *unit)
{
    toll_dwarf_split *s = &r->split;
    if (!toll_split_file_image(file, unit))
        return toll_dwarf_no_memory(r);
    s->elf = elf_memory((char *)file->file.bytes.data, file->file.bytes.size);
    if (!s->elf)
        return toll_dwarf_damaged(r, elf_errmsg(-1));
    s->dwarf = toll_dwarf_begin(r, s->elf);
    return s->dwarf != NULL;
}

/* --- what is lost ------------------------------------------------------------------------------*/

/* Count a unit whose functions are not known, and name its file once, if there is room. */
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

/* Add the units of a .dwo file to its table. Each ends where the next one begins. */
static bool scan_units(toll_dwarf_reader *r, toll_split_file *file)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    toll_split_unit unit = file->whole;
    uint64_t id = 0, next_id;
    int found = 0;
    bool has_one = false;
    while (toll_dwarf_work(r, 1) && toll_dwarf_reserve(r)) {
        found = dwarf_get_units(r->split.dwarf, cu, &cu, NULL, NULL, &die, NULL);
        size_t begin =
            found ? file->whole.info.size : (size_t)(dwarf_dieoffset(&die) - dwarf_cuoffset(&die));
        unit.info.size = file->whole.info.offset + begin - unit.info.offset;
        if (has_one && !toll_split_file_add_unit(file, id, unit))
            return toll_dwarf_no_memory(r);
        if (found)
            break;
        has_one = dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &next_id, NULL, NULL) == 0;
        id = has_one ? next_id : 0;
        unit.info.offset = file->whole.info.offset + begin;
    }
    return found > 0 || toll_dwarf_damaged(r, dwarf_errmsg(-1));
}

/* What is wrong with a file of split DWARF is that file's damage, and no failure. False: no memory.
 */
static bool move_damage(toll_dwarf_reader *r, char *damage, size_t size)
{
    if (r->no_memory || errno == ENOMEM)
        return toll_dwarf_no_memory(r);
    snprintf(damage, size, "%s", r->result->damage);
    r->result->damage[0] = 0;
    return true;
}

static bool find_units(toll_dwarf_reader *r, toll_split_file *file)
{
    if (file->damage[0] || file->index.size)
        return true;
    bool good = open_image(r, file, &file->whole) && scan_units(r, file);
    close_image(&r->split);
    return (good && errno != ENOMEM) || move_damage(r, file->damage, sizeof file->damage);
}

/* Read a file. *loss is TOLL_SPLIT_LOSSES, or why it cannot be. */
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
    return good && toll_dwarf_work(r, size) && (status || find_units(r, file));
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

/* The package of the program's file has the file's name and .dwp. */
static bool look_for_package(toll_dwarf_reader *r)
{
    toll_dwarf_split *s = &r->split;
    toll_split_loss loss;
    int size =
        snprintf(s->package_name, sizeof s->package_name, "%s.dwp", last_part(r->file->path));
    s->has_looked = true;
    if (size < 0 || (size_t)size >= sizeof s->package_name)
        return true; /* no system has such long names */
    return read_split_file(r, s->package_name, true, &s->package, &loss);
}

/* The last part of the skeleton's name of its file; "": there is none. */
static const char *name_of(Dwarf_Die *skeleton)
{
    Dwarf_Attribute value;
    const char *name = dwarf_attr(skeleton, DW_AT_dwo_name, &value) ||
                               dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &value)
                           ? dwarf_formstring(&value)
                           : NULL;
    name = name ? last_part(name) : "";
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? "" : name;
}

/* Have the .dwo file of that name in split.single. */
static bool look_for_single(toll_dwarf_reader *r, const char *name)
{
    toll_dwarf_split *s = &r->split;
    uint32_t id = toll_dwarf_text(r, name);
    if (id == TOLL_MAP_NONE)
        return false;
    if (id == s->single_name)
        return true; /* a compiler that joins units puts several in one file */
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

/* Find the other file of the unit of that id, and the unit in it. NULL: it has been counted why
 * there is none, or the reader has failed. */
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

/* From `offset` on, the bytes of a section of the program's file, of a part of another one. */
static toll_dwarf_bytes bytes_from(const toll_code_file *f, toll_split_part part, uint64_t offset)
{
    if (offset > part.size)
        return (toll_dwarf_bytes){ NULL, 0 };
    return (toll_dwarf_bytes){ f->bytes.data + part.offset + offset, part.size - (size_t)offset };
}

static toll_dwarf_bytes section_from(const toll_dwarf_reader *r, const char *name, uint64_t offset)
{
    const toll_debug_section *s = toll_code_file_section(r->file, name);
    if (!s || s->flags & TOLL_ELF_COMPRESSED)
        return (toll_dwarf_bytes){ NULL, 0 };
    return bytes_from(r->file, (toll_split_part){ s->offset, s->size }, offset);
}

/* An attribute of the skeleton that is an offset; 0: it has none. */
static uint64_t offset_of(Dwarf_Die *skeleton, unsigned attribute, unsigned gnu_attribute)
{
    Dwarf_Attribute value;
    Dwarf_Word offset;
    if (!dwarf_attr(skeleton, attribute, &value) && !dwarf_attr(skeleton, gnu_attribute, &value))
        return 0;
    return dwarf_formudata(&value, &offset) == 0 ? offset : 0;
}

/* Join the two: where is what each of them refers to? */
static bool join(toll_dwarf_reader *r, Dwarf_Die *skeleton, const toll_split_file *file,
                 const toll_split_unit *unit, Dwarf_CU *cu)
{
    toll_dwarf_split *s = &r->split;
    Dwarf_Half version;
    Dwarf_Addr low;
    if (dwarf_cu_info(cu, &version, NULL, NULL, NULL, NULL, &s->address_size, &s->offset_size) != 0)
        return toll_dwarf_damaged(r, dwarf_errmsg(-1));
    if (s->address_size != 4 && s->address_size != 8)
        return toll_dwarf_damaged(r, "its addresses are neither of 4 nor of 8 bytes");
    s->version = version;
    s->skeleton = *skeleton;
    s->base = dwarf_lowpc(skeleton, &low) == 0 ? low : 0;
    s->entries = bytes_from(&file->file, unit->info, 0);
    s->addresses =
        section_from(r, ".debug_addr", offset_of(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
    if (version < 5) /* a skeleton of DWARF 4 has the lists, too */
        s->ranges = section_from(r, ".debug_ranges",
                                 offset_of(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base));
    else
        s->ranges = bytes_from(&file->file, unit->rnglists, 0);
    s->is_open = true;
    return true;
}

static bool read_unit(toll_dwarf_reader *r, Dwarf_Die *skeleton, toll_split_file *file,
                      const toll_split_unit *unit, uint64_t id)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    uint64_t its_id;
    if (!open_image(r, file, unit) || !toll_dwarf_reserve(r))
        return false;
    if (dwarf_get_units(r->split.dwarf, NULL, &cu, NULL, NULL, &die, NULL) != 0 ||
        dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &its_id, NULL, NULL) != 0)
        return toll_dwarf_damaged(r, "its unit cannot be read");
    if (its_id != id)
        return toll_dwarf_damaged(r, "its unit is another one than its table says");
    return join(r, skeleton, file, unit, cu) && toll_dwarf_read_scopes(r, &die);
}

bool toll_dwarf_read_split(toll_dwarf_reader *r, Dwarf_Die *skeleton, bool *found)
{
    uint64_t id;
    toll_split_file *file;
    char why[sizeof r->result->damage];
    toll_map_mark before = toll_address_map_mark(r->map);
    *found = false;
    r->result->split_units++;
    if (!r->split.source)
        return true;
    if (dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0)
        return toll_dwarf_damaged(r, dwarf_errmsg(-1));
    const char *name = name_of(skeleton);
    const toll_split_unit *unit = find_unit(r, name, id, &file);
    if (!unit)
        return toll_dwarf_good(r);
    *found = read_unit(r, skeleton, file, unit, id);
    close_image(&r->split);
    if (*found)
        return true;
    toll_address_map_drop_scopes(r->map, before); /* half a unit would be wrong */
    r->live.count = 0;
    r->any_file = false;
    if (!move_damage(r, why, sizeof why))
        return false;
    lose(r, TOLL_SPLIT_DAMAGED, file == &r->split.package ? r->split.package_name : name, why);
    return true;
}

#else
typedef int toll_no_dwarf_split; /* ISO C wants something in each file */
#endif
