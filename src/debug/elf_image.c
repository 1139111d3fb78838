/* elf_image.c - see elf_image.h. */
#include "debug/elf_image.h"

#include "base/elf64.h"

#include <string.h>

enum { TYPE_PROGBITS = 1, TYPE_STRTAB = 3 };

static void put(uint8_t *to, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void put_section(uint8_t *h, size_t name, unsigned type, uint64_t flags, size_t offset,
                        size_t size)
{
    put(h, name, 4);
    put(h + 4, type, 4);
    put(h + 8, flags, 8);
    put(h + 24, offset, 8);
    put(h + 32, size, 8);
    put(h + 48, 1, 8); /* alignment */
}

/* No machine is named: that would matter for relocations alone, which linked files do not have. */
static void put_header(uint8_t *h, size_t sections_at, size_t count)
{
    static const uint8_t identity[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    memset(h, 0, TOLL_ELF_HEADER_SIZE);
    memcpy(h, identity, sizeof identity);
    put(h + 16, 2, 2); /* a program */
    put(h + 20, 1, 4); /* version */
    put(h + 40, sections_at, 8);
    put(h + 52, TOLL_ELF_HEADER_SIZE, 2);
    put(h + 58, TOLL_ELF_SECTION_SIZE, 2);
    put(h + 60, count, 2);
    put(h + 62, count - 1, 2); /* the last section has the names */
}

bool toll_elf_image_make(toll_code_file *f)
{
    static const char own_name[] = ".shstrtab";
    toll_buffer *image = &f->bytes;
    size_t names_at = image->size, count = f->section_count + 2;
    toll_buffer_append(image, "", 1);
    for (size_t i = 0; i < f->section_count; i++)
        toll_buffer_append(image, f->sections[i].name, strlen(f->sections[i].name) + 1);
    size_t own_at = image->size;
    toll_buffer_append(image, own_name, sizeof own_name);
    size_t names_size = image->size - names_at;
    while (image->size % 8 && toll_buffer_append_byte(image, 0))
        ;
    size_t headers_at = image->size;
    uint8_t *h = toll_buffer_room(image, count * TOLL_ELF_SECTION_SIZE);
    if (!h)
        return false;
    memset(h, 0, count * TOLL_ELF_SECTION_SIZE);
    image->size += count * TOLL_ELF_SECTION_SIZE;
    size_t name = 1;
    for (size_t i = 0; i < f->section_count; i++) {
        const toll_debug_section *s = &f->sections[i];
        put_section(h + (i + 1) * TOLL_ELF_SECTION_SIZE, name, TYPE_PROGBITS, s->flags, s->offset,
                    s->size);
        name += strlen(s->name) + 1;
    }
    put_section(h + (count - 1) * TOLL_ELF_SECTION_SIZE, own_at - names_at, TYPE_STRTAB, 0,
                names_at, names_size);
    put_header(image->data, headers_at, count);
    return true;
}
