/* debug_sections.c - see debug_sections.h. */
#include "debug/debug_sections.h"

#include "base/elf64.h"
#include "base/gzip.h"

/* The header of a compressed section (ELF-64, Elf64_Chdr): the algorithm, 4 bytes of padding, the
 * decompressed size, the alignment. */
enum { COMPRESSED_HEADER = 24, BY_ZLIB = 1, MOST_BY_ZLIB = 1032 };

static toll_status inflate_section(const uint8_t *at, size_t size, toll_buffer *out)
{
    if (size < COMPRESSED_HEADER || toll_elf_load(at, 4) != BY_ZLIB)
        return TOLL_E_SYNTAX;
    uint64_t whole = toll_elf_load(at + 8, 8);
    /* zlib's output has at most MOST_BY_ZLIB bytes for each input byte. */
    if (whole / MOST_BY_ZLIB > size || whole > SIZE_MAX / 2)
        return TOLL_E_SYNTAX;
    uint8_t *room = toll_buffer_room(out, (size_t)whole + 1);
    if (!room)
        return TOLL_E_NOMEM;
    out->size = (size_t)whole;
    return toll_inflate_whole(&out->mem, at + COMPRESSED_HEADER, size - COMPRESSED_HEADER, room,
                              (size_t)whole);
}

toll_status toll_debug_sections_find(toll_debug_sections *s, const toll_code_file *f)
{
    *s = (toll_debug_sections){ .dwarf = { .info = { NULL, 0 } } };
    const struct {
        const char *name;
        toll_dwarf_bytes *to;
    } wanted[TOLL_DEBUG_SECTIONS] = {
        { ".debug_info", &s->dwarf.info },
        { ".debug_abbrev", &s->dwarf.abbrev },
        { ".debug_str", &s->dwarf.str },
        { ".debug_line_str", &s->dwarf.line_str },
        { ".debug_line", &s->dwarf.line },
        { ".debug_ranges", &s->dwarf.ranges },
        { ".debug_rnglists", &s->dwarf.rnglists },
        { ".debug_addr", &s->dwarf.addr },
        { ".debug_str_offsets", &s->dwarf.str_offsets },
    };
    for (size_t i = 0; i < TOLL_DEBUG_SECTIONS; i++)
        toll_buffer_init(&s->inflated[i], &f->mem);
    for (size_t i = 0; i < TOLL_DEBUG_SECTIONS; i++) {
        const toll_debug_section *found = toll_code_file_section(f, wanted[i].name);
        if (!found)
            continue;
        *wanted[i].to = (toll_dwarf_bytes){ f->bytes.data + found->offset, found->size };
        if (!(found->flags & TOLL_ELF_COMPRESSED))
            continue;
        toll_buffer *out = &s->inflated[i];
        toll_status status = inflate_section(wanted[i].to->data, wanted[i].to->size, out);
        *wanted[i].to = (toll_dwarf_bytes){ out->data, out->size };
        if (status)
            return status;
    }
    return TOLL_OK;
}

void toll_debug_sections_free(toll_debug_sections *s)
{
    for (size_t i = 0; i < TOLL_DEBUG_SECTIONS; i++)
        toll_buffer_free(&s->inflated[i]);
}
