/* fuzz_split_dwarf_code.c - fuzzes split DWARF: a module, and the file that has its functions. The
 * first byte selects the kind of the second file (0: .dwo; else .dwp), the next three are the
 * length of the first. Whatever the second one is, the module is read. */
#include "fuzz_format.h"

#include "debug/debug_data.h"

#include <string.h>

enum { HEADER = 4, MOST_PLACES = 8, MOST_ADDRESSES = 500 };

typedef struct other_file {
    const uint8_t *data;
    size_t size;
    bool is_package;
} other_file;

static toll_status read_other(void *user, const char *name, toll_buffer *bytes, toll_error *err)
{
    const other_file *file = user;
    bool is_package = strcmp(name, "program.dwp") == 0;
    (void)err;
    fuzz_require(!strchr(name, '/') && !strchr(name, '\\') && *name, "a name with a folder");
    if (is_package != file->is_package)
        return TOLL_E_IO;
    return toll_buffer_append(bytes, file->data, file->size) ? TOLL_OK : TOLL_E_NOMEM;
}

static toll_debug *open_module(const uint8_t *data, size_t size, const toll_split_source *source)
{
    toll_input *in;
    toll_debug *debug = NULL;
    toll_error err = { TOLL_OK, "" };
    if (toll_input_from_memory(NULL, data, size, "program", &in, NULL))
        return NULL;
    if (toll_debug_read_split(NULL, in, source, &debug, &err))
        fuzz_require(err.status && err.text[0], "a failure without a message");
    toll_input_free(in);
    return debug;
}

static void check_address(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++) {
        fuzz_require(places[i].name && places[i].system_name && places[i].file && places[i].at_file,
                     "a text that is NULL");
        fuzz_see_text("places", places[i].name);
        fuzz_see_text("places", places[i].at_file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t module =
        size < HEADER ? SIZE_MAX : data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
    if (size < HEADER || module > size - HEADER)
        return 0;
    other_file other = { data + HEADER + module, size - HEADER - module, data[0] != 0 };
    toll_split_source source = { read_other, &other };
    toll_debug *with = open_module(data + HEADER, module, &source);
    toll_debug *without = open_module(data + HEADER, module, NULL);
    fuzz_require(!with == !without, "the other file is why the module is refused");
    for (uint64_t address = 0; with && address < MOST_ADDRESSES; address++)
        check_address(with, address);
    toll_debug_free(with);
    toll_debug_free(without);
    return 0;
}
