/* test_demangle.c - demangle/demangle.h: symbols of Rust and C++ are demangled. */
#include "support.h"

#include "demangle/cplus_symbol.h"
#include "demangle/demangle.h"

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
        "_ZN3foo3bar",
        "__ZN3foo3bar",
        "__Z",
        "_Zebra",
        "_ZN4core3fmt5write17h0123456789abcdeE",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_demangled(names[i], names[i]);
}

static void skip_without_cplus(void)
{
    if (!toll_has_cplus_symbols()) {
        print_message("built without libiberty\n");
        skip();
    }
}

/* As c++filt --no-verbose writes them. */
static void test_demangle_names_of_cplus(void **state)
{
    (void)state;
    skip_without_cplus();
    assert_demangled("_Z1fv", "f()");
    assert_demangled("__Z1fv", "f()");
    assert_demangled("_ZN3foo3barEv", "foo::bar()");
    assert_demangled("_ZNK3foo3barERKSs", "foo::bar(std::string const&) const");
    assert_demangled("_Z3addIiET_S0_S0_", "int add<int>(int, int)");
    assert_demangled("_ZdlPv", "operator delete(void*)");
    assert_demangled("_ZN1AC2Ev", "A::A()");
    assert_demangled("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const");
    assert_demangled("_ZN12_GLOBAL__N_11gEv", "(anonymous namespace)::g()");
    assert_demangled("_Z1fv.cold", "f() [clone .cold]");
    assert_demangled("_ZSt11make_uniqueI3FooJRiEENSt9_MakeUniqIT_E15__single_objectEDpOT0_",
                     "std::_MakeUniq<Foo>::__single_object std::make_unique<Foo, int&>(int&)");
}

/* The reference to a part of a symbol of C++: S_, S0_, ... S9_, SA_, ... */
static size_t put_substitution(char *out, unsigned i)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = 0;
    out[n++] = 'S';
    if (i > 36)
        out[n++] = digits[(i - 1) / 36];
    if (i > 0)
        out[n++] = digits[(i - 1) % 36];
    out[n++] = '_';
    return n;
}

/* f(A<i, i>, A<S, S>, ...): each parameter is twice as long as the one before. At the end is a
 * pack, for which the demangler searches the last parameter in vain. */
static void test_demangle_gives_up_on_cplus_that_explodes(void **state)
{
    enum { LEVELS = 60 };
    static const char *const ends[] = { "", "DpS1O_", "DpDF16_" };
    char symbol[1000] = "_Z1fIiEv1AIiiE"; /* S_: f, S0_: A, S1_: A<i, i> */
    size_t size = strlen(symbol);
    (void)state;
    for (unsigned i = 0; i < LEVELS; i++) {
        size += put_substitution(symbol + size, 1);
        symbol[size++] = 'I';
        size += put_substitution(symbol + size, i + 2);
        size += put_substitution(symbol + size, i + 2);
        symbol[size++] = 'E';
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        memcpy(symbol + size, ends[i], strlen(ends[i]) + 1);
        assert_demangled(symbol, symbol);
    }
}

/* Symbols that would overflow the stack (depth, or scopes times templates), make libiberty read
 * beyond a node (the type _Float16 in a pack), or are longer than real names. */
static void test_demangle_leaves_cplus_that_is_hostile(void **state)
{
    char symbol[8000] = "_Z1f";
    (void)state;
    memset(symbol + 4, 'P', 5000);
    memcpy(symbol + 5004, "i", 2);
    assert_demangled(symbol, symbol);
    strcpy(symbol, "_Z1fIiEv");
    for (int i = 0; i < 200; i++)
        strcat(symbol, "1AIiERT_");
    assert_demangled(symbol, symbol);
    assert_demangled("_Z1fIiEvDpDF16_", "_Z1fIiEvDpDF16_");
    strcpy(symbol, "_Z1fIA");
    memset(symbol + 6, 'L', 3000);
    symbol[3006] = 0;
    assert_demangled(symbol, symbol);
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
        cmocka_unit_test(test_demangle_names_of_cplus),
        cmocka_unit_test(test_demangle_gives_up_on_cplus_that_explodes),
        cmocka_unit_test(test_demangle_leaves_cplus_that_is_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
