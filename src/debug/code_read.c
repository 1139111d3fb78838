/* code_read.c - reads a program's file, of whichever kind it is. See code_file.h. */
#include "base/elf64.h"
#include "base/fail.h"
#include "debug/code_file.h"

#include <string.h>

/* Read the whole file. */
static toll_status read_bytes(toll_code_file *f, toll_input *in, toll_error *err)
{
    size_t got;
    const uint8_t *p;
    bool good = true;
    while (good && (p = toll_input_peek(in, 1, &got), got > 0)) {
        good = toll_buffer_append(&f->bytes, p, got);
        toll_input_skip(in, got);
    }
    return good ? toll_input_check(in, err) : toll_fail_nomem(err);
}

static bool is_module(const toll_code_file *f)
{
    return f->bytes.size >= 4 && memcmp(f->bytes.data, "\0asm", 4) == 0;
}

toll_status toll_code_file_read_sections(toll_code_file *f, toll_input *in)
{
    toll_address_map symbols;
    toll_error err;
    toll_status status = read_bytes(f, in, &err);
    if (status)
        return status;
    f->is_module = is_module(f);
    if (f->is_module)
        return toll_code_file_add_custom(f);
    toll_address_map_init(&symbols, &f->mem);
    status = toll_code_file_read_elf(f, in, &symbols, &err);
    toll_address_map_free(&symbols);
    return status;
}

toll_status toll_code_file_read(toll_code_file *f, toll_input *in, toll_address_map *map,
                                toll_error *err)
{
    toll_status status = read_bytes(f, in, err);
    if (status)
        return status;
    const uint8_t *data = f->bytes.data;
    size_t size = f->bytes.size;
    f->is_module = is_module(f);
    if (f->is_module)
        status = toll_code_file_read_module(f, map, err);
    else if (toll_elf_is_elf64(data, size))
        status = toll_code_file_read_elf(f, in, map, err);
    else
        status = toll_fail(err, TOLL_E_UNSUPPORTED,
                           "%s: is neither a WebAssembly module nor a 64-bit little-endian ELF "
                           "file; name the program that was profiled, or its unstripped twin",
                           f->path);
    if (!status)
        toll_address_map_sort_bodies(map);
    return status;
}
