/* fuzz_cplus_symbol_code.c - fuzzes C++ symbols: text that is not a symbol is not changed, a name
 * is not longer than the limit and the same each time, and nothing leaks. */
#include "demangle/cplus_symbol.h"
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char symbol[TOLL_MOST_CPLUS_SYMBOL + 2];
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_buffer first, second;
    if (size >= sizeof symbol)
        return 0;
    memcpy(symbol, data, size);
    symbol[size] = 0;
    toll_buffer_init(&first, &a);
    toll_buffer_init(&second, &a);
    bool done = toll_append_cplus_symbol(&first, symbol);
    fuzz_require(done ? first.size > 0 : first.size == 0, "something of a symbol that is none");
    fuzz_require(first.size <= TOLL_MOST_CPLUS_NAME, "a name that is too long");
    fuzz_see("names", first.data, first.size);
    fuzz_require(toll_append_cplus_symbol(&second, symbol) == done, "another answer");
    fuzz_require(!done || strcmp(toll_buffer_cstr(&first), toll_buffer_cstr(&second)) == 0,
                 "another name");
    toll_buffer_free(&first);
    toll_buffer_free(&second);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
