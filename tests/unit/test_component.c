/* test_component.c - what toll_wasm_instrument_component writes around a component's modules, what
 * it refuses, and lack of memory. tests/component and tests/python run such components. */
#include "support.h"
#include "support_toll_wasm.h"

#include <toll/debug.h>
#include <toll/wasm.h>

/* (component (core module (func (export "f"))) (core instance (instantiate 0)) (type (func)) (alias
 * core export 0 "f" (core func)) (canon lift (core func 0) (type 0)) (export "g" (func 0)), and
 * names of its core instance and core module). */
static const uint8_t
    small
        [] = {
            0,   'a', 's', 'm',  0x0d, 0,   1,   0, /* header */
            1,   31,  0,   'a',  's',  'm', 1,   0,   0,   0,   1,   4,    1,   0x60, 0,   0,
            3,   2,   1,   0,    7,    5,   1,   1,   'f', 0,   0,   10,   4,   1,    2,   0,
            11,  2,   4,   1,    0,    0,   0,             /* core instances */
            7,   5,   1,   0x40, 0,    1,   0,             /* types */
            6,   7,   1,   0,    0,    1,   0,   1,   'f', /* aliases */
            8,   6,   1,   0,    0,    0,   0,   0,        /* canonical functions */
            11,  7,   1,   0,    1,    'g', 1,   0,   0,   /* exports */
            0,   31,  14,  'c',  'o',  'm', 'p', 'o', 'n', 'e', 'n', 't',  '-', 'n',  'a', 'm',
            'e', /* names, by sort */
            1,   6,   0,   0x12, 1,    0,   1,   'i', 1,   6,   0,   0x11, 1,   0,    1,   'm',
        };

typedef struct made {
    uint8_t data[8192];
    size_t size;
} made;

static toll_status instrument(const toll_allocator *a, const void *data, size_t size,
                              const toll_wasm_options *options, made *out, toll_error *err)
{
    uint8_t recorder[TEST_TOLL_WASM_SIZE];
    size_t recorder_size = test_make_toll_wasm(recorder), n = 0;
    toll_input *in = NULL, *toll_wasm = NULL;
    toll_output *to = NULL;
    toll_status status = toll_input_from_memory(a, data, size, "c.wasm", &in, err);
    if (!status)
        status = toll_input_from_memory(a, recorder, recorder_size, "toll.wasm", &toll_wasm, err);
    if (!status)
        status = toll_output_to_memory(a, 0, &to, err);
    if (!status)
        status = toll_wasm_instrument_component(a, in, toll_wasm, options, to, err);
    if (!status)
        status = toll_output_commit(to, err);
    const void *bytes = status ? NULL : toll_output_data(to, &n);
    assert_true(n <= sizeof out->data);
    if (bytes)
        memcpy(out->data, bytes, out->size = n);
    toll_output_free(to);
    toll_input_free(in);
    toll_input_free(toll_wasm);
    return status;
}

/* The nth section of that id, without id and size; *size is that of its content. */
static const uint8_t *section(const made *m, uint8_t id, size_t n, size_t *size)
{
    for (size_t at = 8; at < m->size;) {
        const uint8_t found = m->data[at++];
        *size = 0;
        for (unsigned shift = 0;; shift += 7) {
            *size |= (size_t)(m->data[at] & 0x7f) << shift;
            if (!(m->data[at++] & 0x80))
                break;
        }
        if (found == id && n-- == 0)
            return m->data + at;
        at += *size;
    }
    fail_msg("there is no section %u", id);
    return NULL;
}

static void assert_section(const made *m, uint8_t id, size_t n, const void *wanted,
                           size_t wanted_size)
{
    size_t size;
    const uint8_t *found = section(m, id, n, &size);
    assert_int_equal(size, wanted_size);
    assert_memory_equal(found, wanted, size);
}
#define ASSERT_SECTION(m, id, n, ...)                                                              \
    do {                                                                                           \
        static const uint8_t wanted[] = { __VA_ARGS__ };                                           \
        assert_section(m, id, n, wanted, sizeof wanted);                                           \
    } while (0)

/* Three core modules and instances are inserted, so the component's own have numbers from 3 on. */
static void test_numbers(void **state)
{
    (void)state;
    static made m;
    assert_ok(instrument(NULL, small, sizeof small, NULL, &m, err));
    assert_memory_equal(m.data, small, 8);
    size_t size;
    section(&m, 1, 3, &size); /* the component's own module */
    ASSERT_SECTION(&m, 2, 1, 1, 0, 3, 1, 4, 't', 'o', 'l', 'l', 0x12, 2);
    ASSERT_SECTION(&m, 6, 0, 1, 0, 0, 1, 3, 1, 'f');
    ASSERT_SECTION(&m, 8, 0, 1, 0, 0, 0, 0, 0);
    ASSERT_SECTION(&m, 11, 0, 1, 0, 1, 'g', 1, 0, 0);
    ASSERT_SECTION(&m, 0, 0, 14, 'c', 'o', 'm', 'p', 'o', 'n', 'e', 'n', 't', '-', 'n', 'a', 'm',
                   'e', 1, 6, 0, 0x12, 1, 3, 1, 'i', 1, 6, 0, 0x11, 1, 3, 1, 'm');
}

/* The profile's function is core function 1, type 3 and function 2, behind the component's own. */
static void test_profile(void **state)
{
    (void)state;
    static made m;
    assert_ok(instrument(NULL, small, sizeof small, NULL, &m, err));
    ASSERT_SECTION(&m, 6, 1, 2, 0, 0, 1, 2, 7, 'p', 'r', 'o', 'f', 'i', 'l', 'e', 0, 2, 1, 1, 6,
                   'm', 'e', 'm', 'o', 'r', 'y');
    ASSERT_SECTION(&m, 7, 1, 3, 0x70, 0x7d, 0x6a, 1, 1, 1, 0x73, 0x40, 0, 0, 2);
    ASSERT_SECTION(&m, 8, 1, 1, 0, 0, 1, 2, 0, 3, 0, 3);
    ASSERT_SECTION(&m, 11, 1, 1, 0, 12, 't', 'o', 'l', 'l', '-', 'p', 'r', 'o', 'f', 'i', 'l', 'e',
                   1, 2, 0);
}

/* With lines a module more is added: it has the functions of the instance that counts, and that of
 * the profile. */
static void test_lines(void **state)
{
    (void)state;
    static made m;
    size_t size;
    const toll_wasm_options options = { .size = sizeof options, .lines = 1 };
    assert_ok(instrument(NULL, small, sizeof small, &options, &m, err));
    section(&m, 1, 4, &size);
    ASSERT_SECTION(&m, 6, 1, 1, 0, 0, 1, 3, 15, 't', 'o', 'l', 'l', ':', 'e', 'x', 'e', 'c', 'u',
                   't', 'i', 'o', 'n', 's');
    ASSERT_SECTION(&m, 2, 2, 2, 1, 1, 1, '0', 0, 1, 0, 4, 3, 4, 't', 'o', 'l', 'l', 0x12, 1, 10,
                   'e', 'x', 'e', 'c', 'u', 't', 'i', 'o', 'n', 's', 0x12, 4, 7, 's', 't', 'a', 'r',
                   't', 'e', 'r', 0x12, 2);
    ASSERT_SECTION(&m, 6, 2, 2, 0, 0, 1, 5, 7, 'p', 'r', 'o', 'f', 'i', 'l', 'e', 0, 2, 1, 1, 6,
                   'm', 'e', 'm', 'o', 'r', 'y');
    ASSERT_SECTION(&m, 8, 1, 1, 0, 0, 2, 2, 0, 3, 0, 3);
}

/* `small` whose function has itself as post-return: during that no clock may be read. */
enum { TIMED_SIZE = sizeof small + 2 };
static void make_timed(uint8_t to[TIMED_SIZE])
{
    static const uint8_t canon[] = { 8, 8, 1, 0, 0, 0, 1, 5, 0, 0 };
    memcpy(to, small, 63);
    memcpy(to + 63, canon, sizeof canon);
    memcpy(to + 63 + sizeof canon, small + 71, sizeof small - 71);
}

static const toll_wasm_options with_time = { .size = sizeof with_time, .time = 1 };

/* The guard is module 3 and instance 4: behind the component's own instance, from which the
 * function is taken no more. */
static void test_time_is_held(void **state)
{
    (void)state;
    static made m;
    uint8_t timed[TIMED_SIZE];
    make_timed(timed);
    assert_ok(instrument(NULL, timed, sizeof timed, &with_time, &m, err));
    ASSERT_SECTION(&m, 1, 3, 0, 'a', 's', 'm', 1, 0, 0, 0, 1, 8, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 0, 2,
                   35, 2, 7, 'g', 'u', 'a', 'r', 'd', 'e', 'd', 1, 'f', 0, 0, 4, 't', 'o', 'l', 'l',
                   14, 'c', 'o', 'm', 'p', 'o', 'n', 'e', 'n', 't', '_', 'h', 'o', 'l', 'd', 0, 1,
                   3, 2, 1, 0, 7, 5, 1, 1, 'f', 0, 2, 10, 14, 1, 12, 0, 0x41, 1, 0x10, 1, 0x10, 0,
                   0x41, 0x7f, 0x10, 1, 11);
    ASSERT_SECTION(&m, 2, 1, 1, 0, 4, 1, 4, 't', 'o', 'l', 'l', 0x12, 2);
    ASSERT_SECTION(&m, 2, 2, 1, 0, 3, 2, 7, 'g', 'u', 'a', 'r', 'd', 'e', 'd', 0x12, 3, 4, 't', 'o',
                   'l', 'l', 0x12, 1);
    ASSERT_SECTION(&m, 6, 0, 1, 0, 0, 1, 4, 1, 'f');
    ASSERT_SECTION(&m, 8, 0, 1, 0, 0, 0, 1, 5, 0, 0);
}

/* The clock is type 1 and instance 0 of the component, its function 2 (behind the lifted one and
 * its export), and core function 1. */
static void test_clock(void **state)
{
    (void)state;
    static made m;
    assert_ok(instrument(NULL, small, sizeof small, &with_time, &m, err));
    ASSERT_SECTION(&m, 6, 0, 1, 0, 0, 1, 3, 1, 'f'); /* no guard */
    ASSERT_SECTION(&m, 7, 1, 1, 0x42, 2, 1, 0x40, 0, 0, 0x77, 4, 0, 3, 'n', 'o', 'w', 1, 0);
    ASSERT_SECTION(&m, 10, 0, 1, 0, 33, 'w', 'a', 's', 'i', ':', 'c', 'l', 'o', 'c', 'k', 's', '/',
                   'm', 'o', 'n', 'o', 't', 'o', 'n', 'i', 'c', '-', 'c', 'l', 'o', 'c', 'k', '@',
                   '0', '.', '2', '.', '0', 5, 1);
    ASSERT_SECTION(&m, 6, 1, 1, 1, 0, 0, 3, 'n', 'o', 'w');
    ASSERT_SECTION(&m, 8, 1, 1, 1, 0, 2, 0);
    ASSERT_SECTION(&m, 2, 2, 2, 1, 1, 3, 'n', 'o', 'w', 0, 1, 0, 4, 3, 5, 'c', 'l', 'o', 'c', 'k',
                   0x12, 4, 4, 't', 'o', 'l', 'l', 0x12, 1, 5, 's', 't', 'u', 'b', 's', 0x12, 0);
}

/* A component that contains `small`, and has two instances of it. */
static size_t put_around(uint8_t *to)
{
    static const uint8_t instances[] = { 5, 7, 2, 0, 0, 0, 0, 0, 0 };
    size_t at = 8;
    memcpy(to, small, 8);
    to[at++] = 4;
    to[at++] = (uint8_t)(sizeof small | 0x80);
    to[at++] = sizeof small >> 7;
    memcpy(to + at, small, sizeof small);
    at += sizeof small;
    memcpy(to + at, instances, sizeof instances);
    return at + sizeof instances;
}

/* The inner component takes toll.wasm from the outer one, which has no instance of it, and exports
 * the profiles of both instances. */
static void test_components_in_it(void **state)
{
    (void)state;
    static made m, inner;
    uint8_t around[2 * sizeof small];
    size_t size = put_around(around);
    assert_ok(instrument(NULL, around, size, NULL, &m, err));
    const uint8_t *content = section(&m, 4, 0, &inner.size);
    memcpy(inner.data, content, inner.size);
    ASSERT_SECTION(&inner, 6, 0, 2, 0, 0x11, 2, 1, 0, 0, 0x11, 2, 1, 1);
    ASSERT_SECTION(&inner, 2, 1, 1, 0, 3, 1, 4, 't', 'o', 'l', 'l', 0x12, 2);
    ASSERT_SECTION(&m, 5, 0, 2, 0, 0, 0, 0, 0, 0);
    ASSERT_SECTION(&m, 6, 0, 1, 1, 0, 0, 12, 't', 'o', 'l', 'l', '-', 'p', 'r', 'o', 'f', 'i', 'l',
                   'e');
    ASSERT_SECTION(&m, 11, 0, 1, 0, 12, 't', 'o', 'l', 'l', '-', 'p', 'r', 'o', 'f', 'i', 'l', 'e',
                   1, 0, 0);
    ASSERT_SECTION(&m, 6, 1, 1, 1, 0, 1, 12, 't', 'o', 'l', 'l', '-', 'p', 'r', 'o', 'f', 'i', 'l',
                   'e');
    ASSERT_SECTION(&m, 11, 1, 1, 0, 13, 't', 'o', 'l', 'l', '-', 'p', 'r', 'o', 'f', 'i', 'l', 'e',
                   '2', 1, 2, 0);
}

static void test_is_component(void **state)
{
    (void)state;
    assert_true(toll_wasm_is_component(small, sizeof small));
    assert_true(toll_wasm_is_component(small, 8));
    assert_false(toll_wasm_is_component(small, 7));
    assert_false(toll_wasm_is_component(small + 10, 21)); /* a module */
    assert_false(toll_wasm_is_component(NULL, 0));
}

/* The names of core modules, each behind a blank; fails at the third. */
static toll_status take_name(void *user, toll_debug *debug, toll_error *e)
{
    char *names = user;
    (void)e;
    strcat(strcat(names, " "), toll_debug_path(debug));
    toll_debug_free(debug);
    return strstr(names, "core3") ? TOLL_E_LIMIT : TOLL_OK;
}

/* Of this component, of those in it, and of the own ones behind them. */
static void test_debug_information(void **state)
{
    (void)state;
    uint8_t both[4 * sizeof small];
    size_t size = put_around(both);
    const size_t sizes[] = { sizeof small, size, size + 33, size + 66, size - 20 };
    static const char *const wanted[] = { " c.core.wasm", " c.core.wasm",
                                          " c.core.wasm c.core2.wasm",
                                          " c.core.wasm c.core2.wasm c.core3.wasm", "" };
    static const toll_status ends[] = { TOLL_OK, TOLL_OK, TOLL_OK, TOLL_E_LIMIT, TOLL_E_TRUNCATED };
    memcpy(both + size, small + 8, 33);
    memcpy(both + size + 33, small + 8, 33);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        toll_input *in;
        char names[200] = "";
        assert_ok(toll_input_from_memory(NULL, i ? both : small, sizes[i], "c.wasm", &in, err));
        assert_int_equal(toll_debug_read_component(NULL, in, take_name, names, NULL), ends[i]);
        if (*wanted[i])
            assert_string_equal(names, wanted[i]);
        toll_input_free(in);
    }
}

static void assert_refused(const void *data, size_t size, const toll_wasm_options *options,
                           const char *text)
{
    static made m;
    toll_error e = { TOLL_OK, "" };
    assert_true(instrument(NULL, data, size, options, &m, &e) != TOLL_OK);
    if (!strstr(e.text, text))
        fail_msg("'%s' does not contain '%s'", e.text, text);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    uint8_t bad[sizeof small];
    static const struct {
        size_t at;
        uint8_t byte;
        const char *text;
    } cases[] = {
        { 0, 1, "c.wasm: is no component" },
        { 4, 0x0e, "at byte 4: components of version 0x0e are not known" },
        { 8, 12, "a section of kind 12" },
        { 44, 2, "a core instance of form 2" },
        { 59, 3, "an alias of form 3" },
        { 66, 0x43, "a function of the kind 0x43, which is not known" },
        { 74, 3, "a name of form 3" },
        { 9, 30, "c.core.wasm: " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(bad, small, sizeof small);
        bad[cases[i].at] = cases[i].byte;
        assert_refused(bad, sizeof bad, NULL, cases[i].text);
    }
    assert_refused(small, 8, NULL, "c.wasm: has no core module that runs in it");
    assert_refused(small, 40, NULL, "c.wasm: at byte");
    static made m;
    assert_ok(instrument(NULL, small, sizeof small, NULL, &m, err));
    assert_refused(m.data, m.size, NULL, "c.core.wasm: was instrumented before");
    const toll_wasm_options no_ticks = { .size = sizeof no_ticks, .time = 1, .calls_only = 1 },
                            no_calls = { .size = sizeof no_calls, .time = 1, .no_calls = 1 };
    assert_refused(small, sizeof small, &no_ticks, "c.wasm: the time of a component needs its");
    assert_refused(small, sizeof small, &no_calls, "c.wasm: the time of a component needs its");
    uint8_t around[2 * sizeof small];
    assert_refused(around, put_around(around), &with_time,
                   "c.wasm: components in it have core modules, to which no clock can be given");
    assert_int_equal(toll_wasm_instrument_component(NULL, NULL, NULL, NULL, NULL, NULL),
                     TOLL_E_ARGUMENT);
}

/* A toll.wasm without an export. */
static void test_another_toll_wasm(void **state)
{
    (void)state;
    static const uint8_t module[] = { 0, 'a', 's', 'm', 1, 0, 0, 0 };
    toll_input *in, *toll_wasm;
    toll_output *out;
    toll_error e = { TOLL_OK, "" };
    assert_ok(toll_input_from_memory(NULL, small, sizeof small, "c.wasm", &in, err));
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "toll.wasm", &toll_wasm, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_wasm_instrument_component(NULL, in, toll_wasm, NULL, out, &e),
                     TOLL_E_UNSUPPORTED);
    assert_non_null(
        strstr(e.text, "toll.wasm: is no toll.wasm of this version: it does not export 'enter'"));
    toll_output_free(out);
    toll_input_free(toll_wasm);
    toll_input_free(in);
}

static toll_status whole(const toll_allocator *allocator, void *user)
{
    const made *wanted = user;
    static made m;
    const toll_wasm_options options = {
        .size = sizeof options, .heap = 1, .lines = 1, .call_lines = 2
    };
    toll_status status = instrument(allocator, small, sizeof small, &options, &m, NULL);
    if (!status && wanted) {
        assert_int_equal(m.size, wanted->size);
        assert_memory_equal(m.data, wanted->data, m.size);
    }
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static made m;
    const toll_wasm_options options = {
        .size = sizeof options, .heap = 1, .lines = 1, .call_lines = 2
    };
    assert_ok(instrument(NULL, small, sizeof small, &options, &m, err));
    test_every_allocation(whole, &m);
}

static toll_status whole_timed(const toll_allocator *allocator, void *user)
{
    (void)user;
    static made m;
    uint8_t timed[TIMED_SIZE];
    make_timed(timed);
    return instrument(allocator, timed, sizeof timed, &with_time, &m, NULL);
}

static void test_every_allocation_may_fail_with_time(void **state)
{
    (void)state;
    test_every_allocation(whole_timed, NULL);
}

static void count_warning(void *user, const char *text)
{
    assert_non_null(strstr(text, "the heap will be empty"));
    ++*(int *)user;
}

static void test_warnings_come_once(void **state)
{
    (void)state;
    static made m;
    int warnings = 0;
    uint8_t twice[2 * sizeof small];
    size_t size = 8 + 33 + sizeof small - 8;
    memcpy(twice, small, 8);
    memcpy(twice + 8, small + 8, 33); /* one module more */
    memcpy(twice + 8 + 33, small + 8, sizeof small - 8);
    const toll_wasm_options options = {
        .size = sizeof options, .heap = 1, .warn = count_warning, .warn_user = &warnings
    };
    assert_ok(instrument(NULL, twice, size, &options, &m, err));
    assert_int_equal(warnings, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_time_is_held),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_components_in_it),
        cmocka_unit_test(test_is_component),
        cmocka_unit_test(test_debug_information),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_another_toll_wasm),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_every_allocation_may_fail_with_time),
        cmocka_unit_test(test_warnings_come_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
