/* fuzz_rust_symbol_code.c - fuzzes Rust symbols: text that is not a symbol is not changed, a name
 * is not longer than the limit and the same each time, and nothing leaks. */
#include "demangle/demangle.h"
#include "demangle/rust_symbol.h"
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char symbol[4096];
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_buffer first, second;
    if (size >= sizeof symbol)
        return 0;
    memcpy(symbol, data, size);
    symbol[size] = 0;
    toll_buffer_init(&first, &a);
    toll_buffer_init(&second, &a);
    bool is_rust = toll_append_rust_symbol(&first, symbol);
    fuzz_see("names", first.data, first.size);
    fuzz_require(is_rust || first.size == 0, "something of a symbol that is none");
    fuzz_require(first.size <= TOLL_MOST_RUST_NAME, "a name that is too long");
    fuzz_require(toll_append_demangled(&second, symbol), "no memory");
    /* Text that is not a Rust symbol may be a C++ symbol. */
    fuzz_require(!is_rust || strcmp(toll_buffer_cstr(&second), toll_buffer_cstr(&first)) == 0,
                 "another name");
    fuzz_require(is_rust || strncmp(symbol, "_Z", 2) == 0 || strncmp(symbol, "__Z", 3) == 0 ||
                     strcmp(toll_buffer_cstr(&second), symbol) == 0,
                 "a name of what is no symbol");
    toll_buffer_free(&first);
    toll_buffer_free(&second);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
