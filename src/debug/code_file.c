/* code_file.c - see code_file.h. */
#include "debug/code_file.h"

#include "base/array.h"

#include <string.h>

void toll_code_file_init(toll_code_file *f, const toll_mem *mem, const char *path)
{
    *f = (toll_code_file){ .mem = *mem, .path = path };
    toll_buffer_init(&f->bytes, mem);
    toll_buffer_init(&f->build_id, mem);
    toll_buffer_init(&f->external, mem);
    toll_buffer_init(&f->source_map, mem);
}

void toll_code_file_free(toll_code_file *f)
{
    toll_buffer_free(&f->bytes);
    toll_buffer_free(&f->build_id);
    toll_buffer_free(&f->external);
    toll_buffer_free(&f->source_map);
    toll_mem_free(&f->mem, f->sections, f->section_capacity, sizeof *f->sections);
    toll_code_ranges_free(&f->code, &f->mem);
    toll_code_file_init(f, &f->mem, f->path);
}

/* The sections of debug information that are needed for functions and lines, and those of files of
 * split DWARF (split_file.h). */
const char *toll_debug_section_name(const char *name, size_t size)
{
    static const char *const names[] = {
        ".debug_info",
        ".debug_abbrev",
        ".debug_line",
        ".debug_str",
        ".debug_line_str",
        ".debug_ranges",
        ".debug_rnglists",
        ".debug_addr",
        ".debug_str_offsets",
        ".debug_info.dwo",
        ".debug_abbrev.dwo",
        ".debug_str.dwo",
        ".debug_str_offsets.dwo",
        ".debug_rnglists.dwo",
        ".debug_cu_index",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0)
            return names[i];
    return NULL;
}

bool toll_code_file_add_section(toll_code_file *f, toll_debug_section section)
{
    if (!toll_array_grow(&f->mem, &f->sections, &f->section_capacity, f->section_count, 1))
        return false;
    f->sections[f->section_count++] = section;
    return true;
}

const toll_debug_section *toll_code_file_section(const toll_code_file *f, const char *name)
{
    for (size_t i = 0; i < f->section_count; i++)
        if (strcmp(f->sections[i].name, name) == 0)
            return &f->sections[i];
    return NULL;
}

bool toll_code_file_is_code(const toll_code_file *f, const toll_address_map *map, uint64_t address)
{
    return f->is_module ? toll_address_map_body(map, address) != NULL
                        : toll_code_ranges_hold(&f->code, address);
}
