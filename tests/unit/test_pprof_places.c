/* test_pprof_places.c - places, inlined functions and the linker's names survive pprof files. A
 * stack of inlined functions is one location, as go tool pprof expects. */
#include "support.h"

#include "base/wire.h"
#include "format/pprof.h"

#include <string.h>

static toll_profile *empty(void)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(NULL, &p, NULL));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    assert_ok(toll_profile_add_thread(p, "main", &t, NULL));
    return p;
}

static toll_node_id child(toll_profile *p, toll_node_id parent, toll_frame f, int64_t ticks)
{
    toll_frame_id frame;
    toll_node_id id;
    assert_ok(toll_profile_add_frame(p, &f, &frame, NULL));
    assert_ok(toll_profile_add_child(p, parent, frame, &id, NULL));
    assert_ok(toll_profile_add_self(p, id, 0, ticks, NULL));
    return id;
}

static toll_output *written(const toll_profile *p)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, NULL));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, out, NULL));
    assert_ok(toll_output_commit(out, NULL));
    return out;
}

static toll_profile *through_pprof(const toll_profile *p)
{
    toll_output *out = written(p);
    toll_input *in;
    toll_profile *q;
    size_t size;
    const void *data = toll_output_data(out, &size);
    assert_ok(toll_input_from_memory(NULL, data, size, "test", &in, NULL));
    assert_ok(toll_profile_read(in, "pprof", NULL, NULL, &q, NULL));
    toll_input_free(in);
    toll_output_free(out);
    return q;
}

static void same_texts(toll_frame a, toll_frame b)
{
    assert_string_equal(a.name, b.name);
    assert_string_equal(a.file, b.file);
    assert_string_equal(a.system_name, b.system_name);
    assert_string_equal(a.module, b.module);
    assert_string_equal(a.build_id, b.build_id);
}

/* Every frame of p is in q, with the same facts. */
static void same_frames(const toll_profile *p, const toll_profile *q)
{
    assert_int_equal(toll_profile_frame_count(p), toll_profile_frame_count(q));
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++) {
        toll_frame a = toll_profile_frame(p, i);
        toll_frame_id id = toll_profile_find_frame(q, &a);
        assert_int_not_equal(id, TOLL_NONE);
        toll_frame b = toll_profile_frame(q, id);
        same_texts(a, b);
        if (!a.at_address)
            assert_int_equal(a.address, b.address);
    }
}

#define F                                                                                          \
    .name = "f", .system_name = "_Z1fv", .file = "src/a.cc", .line = 10, .module = "a.wasm",       \
    .build_id = "00ff", .address = 256

static void test_places_of_all_sorts(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_node_id root = toll_profile_root(p, 0);
    child(p, root, (toll_frame){ F }, 1);
    child(p, root, (toll_frame){ F, .at_line = 10 }, 2); /* in the line where it begins */
    child(p, root, (toll_frame){ F, .at_line = 12 }, 3);
    child(p, root, (toll_frame){ F, .at_address = 256 }, 4); /* where its code begins */
    child(p, root, (toll_frame){ F, .at_address = 300 }, 5);
    child(p, root, (toll_frame){ F, .at_line = 12, .at_address = 300 }, 6);
    child(p, root, (toll_frame){ .name = "g", .at_line = 7 }, 7); /* no module, no file */
    child(p, root, (toll_frame){ .name = "C", .kind = TOLL_KIND_NATIVE, .at_line = 7 }, 8);
    toll_profile *q = through_pprof(p);
    same_frames(p, q);
    assert_int_equal(test_sum(q, 0), 36);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* How many messages of that field are in the file. */
static uint32_t count_of(toll_output *out, uint32_t field)
{
    size_t size;
    const uint8_t *data = toll_output_data(out, &size);
    toll_wire w = { data, data + size };
    toll_wire_field f;
    uint32_t count = 0;
    while (toll_wire_next(&w, &f) == 1)
        count += f.number == field;
    return count;
}

/* main at 12 -> inlined h at 3 -> inlined i at 4 -> called k. */
static void test_inlined_functions_share_a_location(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_node_id node = child(p, toll_profile_root(p, 0), (toll_frame){ F, .at_line = 12 }, 1);
    const toll_frame h = { .name = "h", .file = "h.h", .line = 2, .kind = TOLL_KIND_INLINED };
    toll_frame h3 = h, i4 = h;
    h3.at_line = 3;
    i4.name = "i";
    i4.at_line = 4;
    node = child(p, node, h3, 2);
    node = child(p, node, i4, 4);
    child(p, node, (toll_frame){ .name = "h", .file = "h.h", .line = 2 }, 8); /* called for once */
    toll_output *out = written(p);
    assert_int_equal(count_of(out, PPROF_SAMPLE), 4);
    assert_int_equal(count_of(out, PPROF_LOCATION), 4);
    assert_int_equal(count_of(out, PPROF_FUNCTION), 3); /* h is one function, inlined or not */
    toll_output_free(out);
    toll_profile *q = through_pprof(p);
    same_frames(p, q);
    assert_int_equal(test_sum(q, 0), 15);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* has_inline_frames of the mappings: 0: of none, 1: of all. */
static void expect_inline_frames(const toll_profile *p, uint64_t expected)
{
    toll_output *out = written(p);
    size_t size, mappings = 0;
    const uint8_t *data = toll_output_data(out, &size);
    toll_wire w = { data, data + size };
    toll_wire_field f, g;
    while (toll_wire_next(&w, &f) == 1) {
        if (f.number != PPROF_MAPPING)
            continue;
        uint64_t has = 0;
        toll_wire m = f.bytes;
        while (toll_wire_next(&m, &g) == 1)
            if (g.number == PPROF_MAPPING_HAS_INLINE_FRAMES)
                has = g.value;
        assert_int_equal(has, expected);
        mappings++;
    }
    assert_int_equal(mappings, 1);
    toll_output_free(out);
}

/* Whichever frame of the profile is the inlined one. */
static void test_mappings_say_whether_there_are_inlined_functions(void **state)
{
    static const toll_frame function = { .name = "f", .module = "m", .address = 8 };
    static const toll_frame inlined = {
        .name = "i", .kind = TOLL_KIND_INLINED, .module = "m", .address = 8
    };
    (void)state;
    for (int first = 0; first < 3; first++) { /* 2: there is none */
        toll_profile *p = empty();
        toll_frame_id id;
        assert_ok(toll_profile_add_frame(p, first == 1 ? &inlined : &function, &id, NULL));
        toll_node_id node = child(p, toll_profile_root(p, 0), function, 1);
        if (first < 2)
            child(p, node, inlined, 1);
        expect_inline_frames(p, first < 2);
        toll_profile *q = through_pprof(p);
        assert_true(first == 2 ||
                    toll_profile_find_frame(
                        q, &(toll_frame){ .name = "i", .kind = TOLL_KIND_INLINED }) != TOLL_NONE);
        toll_profile_free(q);
        toll_profile_free(p);
    }
}

/* Many modules, some of the same name or build, each with its own mapping; those of one module
 * share it. */
static void test_each_module_has_a_mapping(void **state)
{
    enum { MODULES = 500 };
    (void)state;
    toll_profile *p = empty();
    toll_node_id root = toll_profile_root(p, 0);
    for (int i = 0; i < MODULES; i++) {
        char name[16], module[16], id[16];
        snprintf(module, sizeof module, "m%d.wasm", i / 2);
        snprintf(id, sizeof id, "%x", i % 2 ? i : 0xabc);
        for (int function = 0; function < 3; function++) {
            snprintf(name, sizeof name, "f%d.%d", i, function);
            child(p, root,
                  (toll_frame){ .name = name, .module = module, .build_id = id, .address = 8 }, 1);
        }
    }
    toll_output *out = written(p);
    assert_int_equal(count_of(out, PPROF_MAPPING), MODULES);
    toll_profile *q = through_pprof(p);
    same_frames(p, q);
    toll_output_free(out);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* A label that is shorter than the place that could be at its end. */
static void test_labels_shorter_than_a_place(void **state)
{
    (void)state;
    const char *file = "a/very/long/path/of/some/file.lua";
    assert_int_equal(toll_pprof_label_name("", file, 7), 0);
    assert_int_equal(toll_pprof_label_name("f", file, 7), 1);
    assert_int_equal(toll_pprof_label_name("(file.lua:7)", file, 7), 12);
    assert_int_equal(toll_pprof_label_name(" (file.lua:7)", file, 7), 13);
    assert_int_equal(toll_pprof_label_name("f (file.lua:7)", file, 7), 1);
    assert_int_equal(toll_pprof_label_name("f (a/very/long/path/of/some/file.lua:7)", file, 7), 1);
}

/* A label is taken off again, although system_name is the linker's and not the plain one. */
static void test_labels_beside_the_linkers_names(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_node_id root = toll_profile_root(p, 0);
    child(p, root, (toll_frame){ F }, 1);
    child(p, root,
          (toll_frame){ .name = "f", .file = "lib/a.cc", .line = 10, .system_name = "_Z1fi" }, 2);
    child(p, root, (toll_frame){ .name = "f", .file = "b.cc", .line = 4, .system_name = "_Z1fc" },
          3);
    child(p, root, (toll_frame){ .name = "f", .file = "b.cc", .system_name = "_Z1fd" }, 4);
    toll_profile *q = through_pprof(p);
    same_frames(p, q);
    toll_profile_free(q);
    toll_profile_free(p);
}

static void test_a_line_that_cannot_be(void **state)
{
    (void)state;
    /* One sample of one location, whose line is 2^40. */
    static const uint8_t file[] = {
        0x0a, 4,    8,    1,    16,   2, /* a sample type */
        0x12, 4,    8,    1,    16,   1, /* a sample */
        0x22, 13,   8,    1,    0x22, 9,    8, 1,   16,   0x80, 0x80,
        0x80, 0x80, 0x80, 0x20,          /* its location */
        0x2a, 4,    8,    1,    16,   3, /* its function */
        0x32, 0,    0x32, 1,    't',  0x32, 1, 'c', 0x32, 1,    'f',
    };
    toll_input *in;
    toll_profile *p;
    toll_error e = { 0 };
    assert_ok(toll_input_from_memory(NULL, file, sizeof file, "test", &in, NULL));
    assert_int_equal(toll_profile_read(in, "pprof", NULL, NULL, &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, "a location is in line 1099511627776"));
    toll_input_free(in);
}

/* Lines of a function in several files: each file is a function of the same name in pprof, and they
 * are one again when it is read. A name that two functions have does not matter. */
static void test_lines_in_other_files(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_node_id root = toll_profile_root(p, 0);
    toll_frame f = { .name = "f", .file = "a.c", .line = 3, .system_name = "_f" };
    child(p, root, f, 1);
    f.at_line = 5;
    child(p, root, f, 2);
    f.at_file = "table.inc";
    toll_node_id node = child(p, root, f, 4);
    child(p, node,
          (toll_frame){ .name = "tiny",
                        .file = "a.h",
                        .kind = TOLL_KIND_INLINED,
                        .at_line = 7,
                        .at_file = "b.h" },
          8);
    f.at_file = "other.inc";
    child(p, root, f, 16);
    child(p, root, (toll_frame){ .name = "f", .file = "b.c", .at_line = 5, .at_file = "table.inc" },
          32);
    child(p, root, (toll_frame){ .name = "g", .at_line = 5, .at_file = "table.inc" }, 64);
    toll_profile *q = through_pprof(p);
    same_frames(p, q);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* What is in another file must be of a function that is there, and not of another such part. */
static void test_parts_of_no_function(void **state)
{
    (void)state;
    static const uint8_t of[] = { 9, 2 };
    for (size_t i = 0; i < sizeof of; i++) {
        uint8_t file[] = {
            0x0a, 4, 8,    1, 16,  2,                      /* a sample type */
            0x12, 6, 0x0a, 1, 1,   0x12, 1,  7,            /* a sample at location 1 */
            0x22, 8, 8,    1, 34,  4,    8,  2,   16,   4, /* location 1: function 2, line 4 */
            0x2a, 4, 8,    1, 16,  3,                      /* function 1 */
            0x2a, 9, 8,    2, 16,  3,    32, 4,   0xf8, 1, of[i], /* part of another */
            0x32, 0, 0x32, 1, 't', 0x32, 1,  'c', 0x32, 1, 'f',   0x32, 1, 'h',
        };
        toll_input *in;
        toll_profile *p;
        toll_error e = { 0 };
        assert_ok(toll_input_from_memory(NULL, file, sizeof file, "test", &in, NULL));
        assert_int_equal(toll_profile_read(in, "pprof", NULL, NULL, &p, &e), TOLL_E_SYNTAX);
        assert_non_null(strstr(e.text, "a function names function"));
        toll_input_free(in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_of_all_sorts),
        cmocka_unit_test(test_inlined_functions_share_a_location),
        cmocka_unit_test(test_mappings_say_whether_there_are_inlined_functions),
        cmocka_unit_test(test_each_module_has_a_mapping),
        cmocka_unit_test(test_labels_shorter_than_a_place),
        cmocka_unit_test(test_labels_beside_the_linkers_names),
        cmocka_unit_test(test_a_line_that_cannot_be),
        cmocka_unit_test(test_lines_in_other_files),
        cmocka_unit_test(test_parts_of_no_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
