/* fuzz_debug_code.c - debug information under fuzzing: any bytes are a program's file, a
 * WebAssembly module or an ELF file, or refused with a message.
 * What is said of an address is consistent, and within a chain of inlined calls that ends. */
#include "fuzz_format.h"

#include <toll/debug.h>

enum { MOST_PLACES = 8, MOST_ADDRESSES = 2000 };

static void check_address(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    toll_debug_function function;
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    fuzz_require(count == toll_debug_places(debug, address, NULL, 0), "another count of places");
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++)
        fuzz_require(places[i].name && places[i].system_name && places[i].file && places[i].at_file,
                     "a text that is NULL");
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
    if (toll_debug_read(NULL, in, &debug, &err)) {
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
