/* test_demangle.c - base/demangle.h: Rust's symbols are demangled. */
#include "support.h"

#include "base/demangle.h"

#include <stdio.h>
#include <string.h>

static void assert_demangled(const char *symbol, const char *name)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer out;
    toll_buffer_init(&out, &mem);
    assert_true(toll_buffer_append_text(&out, "x "));
    assert_true(toll_append_demangled(&out, symbol));
    assert_int_equal(out.size, strlen(name) + 2);
    assert_memory_equal(out.data + 2, name, strlen(name));
    toll_buffer_free(&out);
}

static void test_demangle_names_of_rust(void **state)
{
    (void)state;
    assert_demangled("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
    assert_demangled("_ZN4core3fmt5write17h0123456789abcdefE.llvm.42", "core::fmt::write");
    assert_demangled("_RNvCs1234_7mycrate3foo", "mycrate::foo");
}

static void test_demangle_leaves_other_names(void **state)
{
    static const char *const names[] = {
        "",
        "_",
        "_R",
        "_Z",
        "_ZN",
        "main",
        "_Read",
        "_RaiseE",
        "_RC0",
        "_ZN3foo3barEv",
        "_ZN4core3fmt5write17h0123456789abcdeE",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_demangled(names[i], names[i]);
}

/* The offset of a type as v0 writes it: base 62, one less, "_" for the first. */
static size_t put_reference(char *out, size_t at)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = 0;
    out[n++] = 'B';
    if (at - 1 >= 62)
        out[n++] = digits[(at - 1) / 62];
    out[n++] = digits[(at - 1) % 62];
    out[n++] = '_';
    return n;
}

/* Pairs of pairs: the name of each level is twice as long as that of the one before. */
static void test_demangle_gives_up_on_what_explodes(void **state)
{
    enum { LEVELS = 60 };
    char symbol[1000] = "_RINvC1a1bTbbE";
    size_t size = strlen(symbol), last = 8;
    (void)state;
    for (int i = 0; i < LEVELS; i++) {
        size_t at = size - 2;
        symbol[size++] = 'T';
        size += put_reference(symbol + size, last);
        size += put_reference(symbol + size, last);
        symbol[size++] = 'E';
        last = at;
    }
    memcpy(symbol + size, "E", 2);
    assert_demangled(symbol, symbol);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_demangle_names_of_rust),
        cmocka_unit_test(test_demangle_leaves_other_names),
        cmocka_unit_test(test_demangle_gives_up_on_what_explodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
