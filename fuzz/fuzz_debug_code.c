/* fuzz_debug_code.c - fuzzes debug information: any bytes are a program's file, a WebAssembly
 * module or an ELF file, or refused with a message. The answers about an address are consistent,
 * and chains of inlined calls end. */
#include "fuzz_format.h"

#include <toll/debug.h>

enum { MOST_PLACES = 8, MOST_ADDRESSES = 2000 };

static void fuzz_see_place(const toll_debug_place *p)
{
    fuzz_require(p->name && p->system_name && p->file && p->at_file, "a text that is NULL");
    fuzz_see_text("places", p->name);
    fuzz_see_text("places", p->system_name);
    fuzz_see_text("places", p->file);
    fuzz_see_text("places", p->at_file);
}

static void check_address(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    toll_debug_function function;
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    fuzz_require(count == toll_debug_places(debug, address, NULL, 0), "another count of places");
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++)
        fuzz_see_place(&places[i]);
    if (toll_debug_find_function(debug, address, &function))
        fuzz_require(function.begin <= address && address < function.end,
                     "a function that is not at its address");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_input *in;
    toll_debug *debug;
    toll_error err = { TOLL_OK, "" };
    if (toll_input_from_memory(NULL, data, size, "program", &in, NULL))
        return 0;
    toll_status status = toll_debug_read(NULL, in, &debug, &err);
    fuzz_see_failure(status, &err);
    if (status) {
        fuzz_require(err.status && err.text[0], "a failure without a message");
    } else {
        for (uint64_t address = 0; address < MOST_ADDRESSES; address++)
            check_address(debug, address);
        check_address(debug, UINT64_MAX);
    }
    toll_debug_free(debug);
    toll_input_free(in);
    return 0;
}
