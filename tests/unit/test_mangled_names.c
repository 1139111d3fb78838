/* test_mangled_names.c - symbols of Rust and C++ are demangled when they are read, in every format,
 * and are kept. */
#include "support.h"

#include "demangle/cplus_symbol.h"

#define WRITE "_ZN4core3fmt5write17h0123456789abcdefE"
#define OTHER "_ZN4core3fmt5write17hfedcba9876543210E"
#define FOO "_RNvCs1234_7mycrate3foo"
#define CPLUS "_ZN3foo3barEv"

typedef struct sample {
    const char *format, *text;
    const char *thread;
} sample;

static const sample samples[] = {
    { "folded", FOO ";" WRITE " 3\n" FOO ";" OTHER " 4\n" CPLUS " 5\n", "" },
    { "perfview",
      "{\"Samples\":[{\"Stack\":[\"" WRITE "\",\"" FOO "\"],\"Metric\":3},"
      "{\"Stack\":[\"" OTHER "\",\"" FOO "\"],\"Metric\":4},"
      "{\"Stack\":[\"" CPLUS "\"],\"Metric\":5}]}",
      "" },
    { "speedscope",
      "{\"shared\":{\"frames\":[{\"name\":\"" FOO "\"},{\"name\":\"" WRITE "\"},"
      "{\"name\":\"" OTHER "\"},{\"name\":\"" CPLUS "\"}]},"
      "\"profiles\":[{\"type\":\"sampled\",\"name\":\"\",\"unit\":\"none\","
      "\"samples\":[[0,1],[0,2],[3]],\"weights\":[3,4,5]}]}",
      "" },
    { "chrome",
      "{\"traceEvents\":["
      "{\"ph\":\"X\",\"ts\":0,\"dur\":0.007,\"pid\":1,\"tid\":1,\"name\":\"" FOO "\"},"
      "{\"ph\":\"X\",\"ts\":0,\"dur\":0.003,\"pid\":1,\"tid\":1,\"name\":\"" WRITE "\"},"
      "{\"ph\":\"X\",\"ts\":0.003,\"dur\":0.004,\"pid\":1,\"tid\":1,\"name\":\"" OTHER "\"},"
      "{\"ph\":\"X\",\"ts\":1,\"dur\":0.005,\"pid\":1,\"tid\":1,\"name\":\"" CPLUS "\"}]}",
      "1/1" },
};

static const char *cplus_name(void)
{
    return toll_has_cplus_symbols() ? "foo::bar()" : CPLUS;
}

static const char *symbol_of(const toll_profile *p, const char *name)
{
    const toll_frame f = { .name = name };
    return toll_profile_frame(p, toll_profile_find_frame(p, &f)).system_name;
}

/* Two instances of a generic function, which differ in their hashes alone, are one function; the
 * lesser symbol is kept. */
static void assert_symbols(const toll_profile *p)
{
    assert_string_equal(symbol_of(p, "core::fmt::write"), WRITE);
    assert_string_equal(symbol_of(p, "mycrate::foo"), FOO);
    assert_string_equal(symbol_of(p, cplus_name()), toll_has_cplus_symbols() ? CPLUS : "");
}

static void test_mangled_names_in_all_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const sample *s = &samples[i];
        toll_profile *p;
        assert_ok(test_read(NULL, s->text, strlen(s->text), s->format, &p, err));
        uint32_t column = toll_profile_default_column(p);
        assert_int_equal(test_self(p, s->thread, "mycrate::foo;core::fmt::write", column), 7);
        assert_int_equal(test_self(p, s->thread, cplus_name(), column), 5);
        assert_symbols(p);
        toll_profile_free(p);
    }
}

/* Emscripten's heap profiler has the engine's stacks. */
static void test_mangled_names_in_heaps(void **state)
{
    static const char text[] = "{\"detailedHeapUsage\":true,\"allocationsAtLoc\":{\"Error\\n"
                               "    at " WRITE " (http://h/a.wasm:wasm-function[9]:0x1)\\n"
                               "    at " FOO " (http://h/a.wasm:wasm-function[5]:0x2)\":"
                               "[2,30,\"\"]},\"sbrkSources\":[]}";
    toll_profile *p;
    (void)state;
    assert_ok(test_read(NULL, text, strlen(text), "emscripten", &p, err));
    uint32_t column = toll_profile_default_column(p);
    assert_int_equal(
        test_self(p, toll_profile_thread_name(p, 0), "mycrate::foo;core::fmt::write", column), 30);
    assert_string_equal(symbol_of(p, "core::fmt::write"), WRITE);
    toll_profile_free(p);
}

static toll_profile *folded(const char *text)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), "folded", &p, err));
    return p;
}

/* One was demangled by the tool that wrote it, the other was not: they add up, and their difference
 * is empty. */
static void test_mangled_names_add_up_whoever_demangled_them(void **state)
{
    (void)state;
    toll_profile *a = folded(FOO ";" WRITE " 3\n"),
                 *b = folded("mycrate::foo;core::fmt::write 4\n");
    assert_ok(toll_profile_merge(a, b, err));
    assert_int_equal(test_self(a, "", "mycrate::foo;core::fmt::write", 0), 7);
    assert_int_equal(toll_profile_node_count(a), 3);
    toll_profile_free(a);
    toll_profile_free(b);
}

/* On request the linker's names are shown; names of which no symbol is known stay. */
static void test_mangled_names_shown(void **state)
{
    toll_profile *p = folded(FOO ";" WRITE " 3\n" FOO ";" OTHER " 4\nmain 5\n"), *q;
    (void)state;
    assert_ok(toll_profile_use_system_names(p, &q, err));
    assert_ok(toll_profile_check(q, 0, err));
    assert_int_equal(test_self(q, "", FOO ";" WRITE, 0), 7);
    assert_int_equal(test_self(q, "", "main", 0), 5);
    assert_int_equal(toll_profile_node_count(q), 4);
    assert_string_equal(symbol_of(q, FOO), "");
    toll_profile_free(q);
    assert_ok(toll_profile_by_call_site(p, NULL, &q, err));
    assert_string_equal(symbol_of(q, "core::fmt::write"), WRITE);
    toll_profile_free(q);
    toll_profile_free(p);
}

static toll_status show_mangled(const toll_allocator *a, void *user)
{
    toll_profile *p = NULL, *q = NULL;
    toll_error e;
    const char *text = user;
    toll_status status = test_read(a, text, strlen(text), "folded", &p, &e);
    if (!status)
        status = toll_profile_use_system_names(p, &q, &e);
    toll_profile_free(q);
    toll_profile_free(p);
    return status;
}

static void test_mangled_names_shown_without_memory(void **state)
{
    char text[] = FOO ";" WRITE " 3\n";
    (void)state;
    test_allocations(show_mangled, text, true);
}

/* Newer compilers mangle the allocator's own functions, too: they are no call sites. */
static void test_mangled_names_of_allocators(void **state)
{
    toll_profile *p = folded(FOO ";_RNvCscSpY9Juk0HT_7___rustc12___rust_alloc 5\n"), *sites;
    (void)state;
    assert_ok(toll_profile_by_call_site(p, NULL, &sites, err));
    assert_int_equal(test_self(sites, "", "mycrate::foo", 0), 5);
    toll_profile_free(sites);
    toll_profile_free(p);
}

static toll_status read_each(const toll_allocator *a, void *user)
{
    const sample *s = user;
    toll_profile *p;
    toll_error e;
    toll_status status = test_read(a, s->text, strlen(s->text), s->format, &p, &e);
    toll_profile_free(p);
    return status;
}

static void test_mangled_names_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        sample s = samples[i];
        test_allocations(read_each, &s, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mangled_names_in_all_formats),
        cmocka_unit_test(test_mangled_names_in_heaps),
        cmocka_unit_test(test_mangled_names_add_up_whoever_demangled_them),
        cmocka_unit_test(test_mangled_names_shown),
        cmocka_unit_test(test_mangled_names_shown_without_memory),
        cmocka_unit_test(test_mangled_names_of_allocators),
        cmocka_unit_test(test_mangled_names_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
