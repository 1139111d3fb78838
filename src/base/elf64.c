/* elf64.c - see elf64.h. */
#include "base/elf64.h"

#include "base/fail.h"
#include "base/fingerprint.h"

#include <inttypes.h>
#include <string.h>

enum { NOTE_HEADER = 12, NOTE_BUILD_ID = 3, MOST_ID = 64 };

uint64_t toll_elf_load(const uint8_t *at, int bytes)
{
    uint64_t v = 0;
    while (bytes-- > 0)
        v = v << 8 | at[bytes];
    return v;
}

bool toll_elf_is_elf(const uint8_t *data, size_t size)
{
    static const uint8_t magic[4] = { 0x7f, 'E', 'L', 'F' };
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

bool toll_elf_is_elf64(const uint8_t *data, size_t size)
{
    return toll_elf_is_elf(data, size) && size >= TOLL_ELF_HEADER_SIZE && data[4] == 2 &&
           data[5] == 1;
}

toll_status toll_elf_read_header(toll_elf *e, toll_error *err)
{
    e->sections_at = toll_elf_load(e->data + 40, 8);
    e->section_count = (uint32_t)toll_elf_load(e->data + 60, 2);
    e->names_index = (uint32_t)toll_elf_load(e->data + 62, 2);
    uint64_t entry_size = toll_elf_load(e->data + 58, 2);
    if (e->section_count == 0 || entry_size != TOLL_ELF_SECTION_SIZE)
        return toll_fail_byte(e->in, 58, err, TOLL_E_UNSUPPORTED,
                              "%" PRIu32 " section headers of %" PRIu64
                              " bytes; some of 64 are needed for the names",
                              e->section_count, entry_size);
    if (e->sections_at > e->size ||
        (e->size - e->sections_at) / TOLL_ELF_SECTION_SIZE < e->section_count)
        return toll_fail_byte(e->in, 40, err, TOLL_E_TRUNCATED,
                              "the section headers are beyond the end of the file; it is cut off");
    return TOLL_OK;
}

toll_status toll_elf_read_section(const toll_elf *e, uint32_t i, toll_elf_section *s,
                                  toll_error *err)
{
    if (i >= e->section_count)
        return toll_fail(err, TOLL_E_SYNTAX, "%s: there is no section %" PRIu32 " of %" PRIu32,
                         toll_input_name(e->in), i, e->section_count);
    uint64_t at = e->sections_at + (uint64_t)i * TOLL_ELF_SECTION_SIZE;
    const uint8_t *h = e->data + at;
    *s = (toll_elf_section){ .name = (uint32_t)toll_elf_load(h, 4),
                             .type = (uint32_t)toll_elf_load(h + 4, 4),
                             .link = (uint32_t)toll_elf_load(h + 40, 4),
                             .flags = toll_elf_load(h + 8, 8),
                             .address = toll_elf_load(h + 16, 8),
                             .offset = toll_elf_load(h + 24, 8),
                             .size = toll_elf_load(h + 32, 8) };
    s->memory_size = s->size;
    if (s->type == TOLL_ELF_NOBITS)
        s->offset = s->size = 0;
    if (s->offset > e->size || s->size > e->size - s->offset)
        return toll_fail_byte(e->in, at, err, TOLL_E_TRUNCATED,
                              "section %" PRIu32 " reaches beyond the end of the file", i);
    return TOLL_OK;
}

bool toll_elf_has_string(const toll_elf *e, const toll_elf_section *strings, uint64_t at,
                         const char *text)
{
    size_t size = strlen(text) + 1;
    return at < strings->size && strings->size - at >= size &&
           memcmp(e->data + strings->offset + at, text, size) == 0;
}

toll_elf_symbol toll_elf_read_symbol(const toll_elf *e, const toll_elf_section *table, uint64_t at)
{
    const uint8_t *h = e->data + table->offset + at;
    return (toll_elf_symbol){ .name = (uint32_t)toll_elf_load(h, 4),
                              .type = h[4] & 0xf,
                              .is_defined = toll_elf_load(h + 6, 2) != 0,
                              .address = toll_elf_load(h + 8, 8),
                              .size = toll_elf_load(h + 16, 8) };
}

/* The size of the id, which follows NOTE_HEADER and "GNU"; 0 if the note is of another kind or
 * damaged. The note's header has the sizes of name and id, and the type. */
static size_t note_id_size(const toll_elf *e, const toll_elf_section *s)
{
    const uint8_t *at = e->data + s->offset;
    if (s->size < NOTE_HEADER + 4 || toll_elf_load(at, 4) != 4 ||
        toll_elf_load(at + 8, 4) != NOTE_BUILD_ID || memcmp(at + NOTE_HEADER, "GNU", 4) != 0)
        return 0;
    uint64_t size = toll_elf_load(at + 4, 4);
    return size > MOST_ID || size > s->size - NOTE_HEADER - 4 ? 0 : (size_t)size;
}

toll_status toll_elf_append_build_id(const toll_elf *e, toll_buffer *out, toll_error *err)
{
    char fingerprint[TOLL_FINGERPRINT_SIZE];
    toll_elf_section names, at, text = { 0 };
    toll_status status = toll_elf_read_section(e, e->names_index, &names, err);
    for (uint32_t i = 0; !status && i < e->section_count; i++) {
        status = toll_elf_read_section(e, i, &at, err);
        if (status)
            break;
        if (!text.type && toll_elf_has_string(e, &names, at.name, ".text"))
            text = at;
        size_t size = at.type == TOLL_ELF_NOTE &&
                              toll_elf_has_string(e, &names, at.name, ".note.gnu.build-id")
                          ? note_id_size(e, &at)
                          : 0;
        if (size)
            return toll_buffer_append_hex(out, e->data + at.offset + NOTE_HEADER + 4, size)
                       ? TOLL_OK
                       : toll_fail_nomem(err);
    }
    if (status || text.size == 0)
        return status;
    toll_fingerprint(e->data + text.offset, (size_t)text.size, fingerprint);
    return toll_buffer_append_text(out, fingerprint) ? TOLL_OK : toll_fail_nomem(err);
}
