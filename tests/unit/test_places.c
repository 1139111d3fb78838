/* test_places.c - places within functions, inlined functions, and facts about functions, by the
 * rules of docs/semantics.md. */
#include "support.h"

#include <string.h>

static toll_frame_id frame(toll_profile *p, toll_frame f)
{
    toll_frame_id id;
    assert_ok(toll_profile_add_frame(p, &f, &id, NULL));
    return id;
}

static toll_node_id child(toll_profile *p, toll_node_id parent, toll_frame f)
{
    toll_node_id id;
    assert_ok(toll_profile_add_child(p, parent, frame(p, f), &id, NULL));
    return id;
}

static void add(toll_profile *p, toll_node_id node, int64_t calls, int64_t ticks)
{
    assert_ok(toll_profile_add_self(p, node, 0, calls, NULL));
    assert_ok(toll_profile_add_self(p, node, 1, ticks, NULL));
}

static toll_profile *empty(void)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(NULL, &p, NULL));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, NULL));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    assert_ok(toll_profile_add_thread(p, "main", &t, NULL));
    return p;
}

#define MAIN .name = "main", .file = "a.c", .line = 10
#define LEAF .name = "leaf", .file = "b.c", .line = 3

/* main is called once: 5 ticks without a place, 20 in line 12, and 30 in line 13, which calls leaf
 * (7 ticks). Line 12 contains code of an inlined function (40 ticks). */
static toll_profile *make(void)
{
    toll_profile *p = empty();
    toll_node_id root = toll_profile_root(p, 0);
    add(p, child(p, root, (toll_frame){ MAIN }), 1, 5);
    toll_node_id at12 = child(p, root, (toll_frame){ MAIN, .at_line = 12 });
    toll_node_id at13 = child(p, root, (toll_frame){ MAIN, .at_line = 13 });
    add(p, at12, 0, 20);
    add(p, at13, 0, 30);
    add(p, child(p, at13, (toll_frame){ LEAF }), 2, 7);
    add(p,
        child(
            p, at12,
            (toll_frame){ .name = "tiny", .kind = TOLL_KIND_INLINED, .file = "a.h", .at_line = 2 }),
        0, 40);
    return p;
}

static void places_tell_frames_apart(void **state)
{
    (void)state;
    toll_profile *p = make();
    toll_frame line12 = { MAIN, .at_line = 12 }, line14 = { MAIN, .at_line = 14 };
    assert_int_equal(toll_profile_frame_count(p), 5);
    assert_int_equal(frame(p, (toll_frame){ MAIN, .at_line = 12 }),
                     toll_profile_find_frame(p, &line12));
    assert_int_equal(toll_profile_find_frame(p, &line14), TOLL_NONE);
    assert_int_equal(toll_profile_frame(p, toll_profile_find_frame(p, &line12)).at_line, 12);
    assert_true(toll_profile_has_places(p));
    toll_profile_free(p);
}

/* A line may be in another file than its function: with #include within a function, #line, macros.
 */
static void a_line_has_a_file_of_its_own(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q = empty(), *folded;
    toll_frame own = { MAIN, .at_line = 12 }, same = { MAIN, .at_line = 12, .at_file = "a.c" },
               other = { MAIN, .at_line = 12, .at_file = "table.inc" },
               none = { MAIN, .at_file = "table.inc" };
    toll_frame_id id = frame(p, own);
    assert_int_equal(frame(p, same), id); /* its own file is no other one */
    assert_int_not_equal(frame(p, other), id);
    assert_int_equal(toll_profile_find_frame(p, &same), id);
    assert_int_equal(toll_profile_find_frame(p, &other), frame(p, other));
    assert_int_equal(frame(p, none), frame(p, (toll_frame){ MAIN })); /* without a line no file */
    assert_string_equal(toll_profile_frame(p, id).at_file, "");
    assert_string_equal(toll_profile_frame(p, frame(p, other)).at_file, "table.inc");
    toll_node_id root = toll_profile_root(p, 0);
    add(p, child(p, root, own), 0, 20);
    add(p, child(p, root, other), 0, 3);
    assert_ok(toll_profile_merge(q, p, NULL));
    assert_ok(toll_profile_merge(q, p, NULL));
    assert_int_not_equal(toll_profile_find_frame(q, &other), TOLL_NONE);
    assert_ok(toll_profile_fold_places(q, &folded, NULL));
    assert_int_equal(toll_profile_node_count(folded), 2);
    assert_int_equal(toll_profile_self(folded, 1, 1), 46);
    toll_profile_free(folded);
    toll_profile_free(q);
    toll_profile_free(p);
}

static void an_address_goes_by_its_build(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_frame a = { .name = "f", .module = "m.wasm", .build_id = "aa", .at_address = 64 };
    toll_frame b = a, function = { .name = "f", .module = "m.wasm", .build_id = "aa" };
    toll_frame other = function;
    b.build_id = "bb";
    other.build_id = "bb";
    assert_int_not_equal(frame(p, a), frame(p, b));
    assert_int_equal(frame(p, function), frame(p, other)); /* no address: one function */
    assert_int_equal(toll_profile_find_frame(p, &b), frame(p, b));
    b.build_id = "cc";
    assert_int_equal(toll_profile_find_frame(p, &b), TOLL_NONE);
    assert_true(toll_profile_has_places(p));
    toll_profile_free(p);
}

static void folded_places_add_up(void **state)
{
    (void)state;
    toll_profile *p = make(), *folded;
    assert_ok(toll_profile_fold_places(p, &folded, NULL));
    assert_false(toll_profile_has_places(folded));
    assert_int_equal(test_self(folded, "main", "main", 1), 55);
    assert_int_equal(test_self(folded, "main", "main", 0), 1);
    assert_int_equal(test_self(folded, "main", "main;leaf", 1), 7);
    assert_int_equal(test_self(folded, "main", "main;leaf", 0), 2);
    assert_int_equal(test_self(folded, "main", "main;tiny", 1), 40);
    assert_int_equal(test_sum(folded, 1), test_sum(p, 1));
    assert_int_equal(toll_profile_frame_count(folded), 3);
    toll_profile_free(folded);
    toll_profile_free(p);
}

static void folded_inlined_functions_are_their_callers(void **state)
{
    (void)state;
    toll_profile *p = make(), *folded, *both;
    toll_frame line12 = { MAIN, .at_line = 12 };
    assert_ok(toll_profile_fold_inlined(p, &folded, NULL));
    for (toll_node_id n = 1; n < toll_profile_node_count(folded); n++)
        if (toll_profile_node_frame(folded, n) == toll_profile_find_frame(folded, &line12))
            assert_int_equal(toll_profile_self(folded, n, 1), 60);
    assert_ok(toll_profile_fold_places(folded, &both, NULL));
    assert_int_equal(test_self(both, "main", "main", 1), 95);
    assert_int_equal(toll_profile_frame_count(both), 2);
    assert_int_equal(test_sum(both, 1), test_sum(p, 1));
    toll_profile_free(both);
    toll_profile_free(folded);
    toll_profile_free(p);
}

static void an_inlined_function_without_a_caller_stays(void **state)
{
    (void)state;
    toll_profile *p = empty(), *folded;
    add(p,
        child(p, toll_profile_root(p, 0), (toll_frame){ .name = "i", .kind = TOLL_KIND_INLINED }),
        0, 3);
    assert_ok(toll_profile_fold_inlined(p, &folded, NULL));
    assert_int_equal(test_self(folded, "main", "i", 1), 3);
    toll_profile_free(folded);
    toll_profile_free(p);
}

static void check_facts(const toll_profile *p, const char *system_name, const char *module,
                        const char *build_id, uint64_t address)
{
    toll_frame f = { .name = "f" };
    f = toll_profile_frame(p, toll_profile_find_frame(p, &f));
    assert_string_equal(f.system_name, system_name);
    assert_string_equal(f.module, module);
    assert_string_equal(f.build_id, build_id);
    assert_int_equal(f.address, address);
}

/* In any order of merging, a known fact wins against an unknown one, and then the lesser one is
 * kept. */
static void the_least_facts_are_kept(void **state)
{
    (void)state;
    const toll_frame facts[] = {
        { .name = "f" },
        { .name = "f", .system_name = "_Zb", .module = "b.wasm", .build_id = "1", .address = 5 },
        { .name = "f", .system_name = "_Za" },
        { .name = "f", .module = "b.wasm", .build_id = "1", .address = 4 },
        { .name = "f", .module = "b.wasm", .build_id = "1" },
        { .name = "f", .module = "c.wasm", .build_id = "0", .address = 1 },
    };
    const size_t count = sizeof facts / sizeof *facts;
    for (size_t first = 0; first < count; first++)
        for (size_t step = 1; step < count; step += 4) { /* forward and backward */
            toll_profile *p = empty(), *merged = empty();
            for (size_t i = 0; i < count; i++) {
                toll_profile *one = empty();
                const toll_frame *f = &facts[(first + i * step) % count];
                child(p, toll_profile_root(p, 0), *f);
                child(one, toll_profile_root(one, 0), *f);
                assert_ok(toll_profile_merge(merged, one, NULL));
                toll_profile_free(one);
            }
            assert_int_equal(toll_profile_frame_count(p), 1);
            check_facts(p, "_Za", "b.wasm", "1", 4);
            check_facts(merged, "_Za", "b.wasm", "1", 4);
            toll_profile_free(merged);
            toll_profile_free(p);
        }
}

/* The lesser of two addresses is kept. 0 means no address, and is kept only if there is no other.
 */
static void the_least_address_is_kept(void **state)
{
    static const uint64_t pairs[][2] = { { 0, 1 }, { 0, 2 },          { 0, UINT64_MAX },
                                         { 1, 2 }, { 1, UINT64_MAX }, { 2, 2 } };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int turn = 0; turn < 2; turn++) {
            uint64_t a = pairs[i][turn], b = pairs[i][!turn];
            toll_profile *p = empty();
            child(p, toll_profile_root(p, 0),
                  (toll_frame){ .name = "f", .module = "m", .address = a });
            child(p, toll_profile_root(p, 0),
                  (toll_frame){ .name = "f", .module = "m", .address = b });
            check_facts(p, "", "m", "", pairs[i][0] ? pairs[i][0] : pairs[i][1]);
            toll_profile_free(p);
        }
}

/* A merge that fails leaves the target's facts as they were, too. */
static void a_failed_merge_changes_no_facts(void **state)
{
    (void)state;
    toll_profile *target = empty(), *source = empty();
    toll_frame old = { .name = "f", .module = "b.wasm" }, new = { .name = "f", .module = "a.wasm" };
    add(target, child(target, toll_profile_root(target, 0), old), 0, INT64_MAX);
    add(source, child(source, toll_profile_root(source, 0), new), 0, 1);
    assert_int_equal(toll_profile_merge(target, source, NULL), TOLL_E_OVERFLOW);
    check_facts(target, "", "b.wasm", "", 0);
    toll_profile_free(source);
    toll_profile_free(target);
}

static const char *committed(toll_output *out)
{
    size_t size;
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, NULL));
    return (const char *)toll_output_data(out, &size);
}

static void reports_are_about_functions(void **state)
{
    (void)state;
    toll_profile *p = make(), *none = empty(), *difference;
    toll_output *top, *tree, *diff;
    assert_ok(toll_profile_diff(none, p, &difference, NULL));
    assert_ok(toll_output_to_memory(NULL, 0, &top, NULL));
    assert_ok(toll_output_to_memory(NULL, 0, &tree, NULL));
    assert_ok(toll_output_to_memory(NULL, 0, &diff, NULL));
    const toll_report_options ticks = { .size = sizeof ticks, .value = "ticks" };
    assert_ok(toll_report_top(p, &ticks, top, NULL));
    assert_ok(toll_report_tree(p, &ticks, tree, NULL));
    assert_ok(toll_report_diff(none, p, difference, &ticks, diff, NULL));
    const char *text = strstr(committed(top), "a.c:10");
    assert_non_null(text);
    assert_null(strstr(text + 1, "a.c:10"));
    text = strstr(committed(tree), "a.c:10");
    assert_non_null(text);
    assert_null(strstr(text + 1, "a.c:10"));
    assert_non_null(strstr(committed(diff), "+55"));
    toll_output_free(top);
    toll_output_free(tree);
    toll_output_free(diff);
    toll_profile_free(difference);
    toll_profile_free(none);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_tell_frames_apart),
        cmocka_unit_test(a_line_has_a_file_of_its_own),
        cmocka_unit_test(an_address_goes_by_its_build),
        cmocka_unit_test(folded_places_add_up),
        cmocka_unit_test(folded_inlined_functions_are_their_callers),
        cmocka_unit_test(an_inlined_function_without_a_caller_stays),
        cmocka_unit_test(the_least_facts_are_kept),
        cmocka_unit_test(the_least_address_is_kept),
        cmocka_unit_test(a_failed_merge_changes_no_facts),
        cmocka_unit_test(reports_are_about_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
