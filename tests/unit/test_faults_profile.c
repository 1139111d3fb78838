/* test_faults_profile.c - as test_faults.c, for the code in profile/. */
#include "support.h"

#include "profile/call_site.h"
#include "profile/order.h"
#include "profile/profile_data.h"

/* ctx_tree.c: toll_tree_truncate keeps a last_child that it has removed, or clears one that it has
 * not. */
static void test_a_child_taken_back_is_not_found_again(void **state)
{
    (void)state;
    toll_profile *p, *more;
    toll_node_id node;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_create(NULL, &more, err));
    assert_ok(toll_profile_add_column(more, "calls", "count", NULL, err));
    test_add_stack(p, "main", "f", 0, INT64_MAX);
    test_add_stack(more, "main", "f", 0, 1); /* too much */
    test_add_stack(more, "main", "f;f", 0, 1);
    assert_int_equal(toll_profile_merge(p, more, NULL), TOLL_E_OVERFLOW);
    assert_int_equal(toll_profile_node_count(p), 2);
    assert_ptr_equal(toll_tree_node(&p->tree, 0)->last_child, toll_tree_node(&p->tree, 1));
    assert_ok(toll_profile_add_child(p, 1, 0, &node, err));
    assert_int_equal(node, 2);
    assert_int_equal(toll_profile_parent(p, node), 1);
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
    toll_profile_free(more);
}

/* filter.c: a loop over the roots of threads goes one too far. The array first has room for eight,
 * so that sanitizers see a ninth. (The loops over matching frames and threads may go one too far:
 * that one is "", and the arrays of matches have room for it.) */
enum { EIGHT = 8 };

static void check_eight(toll_profile *p)
{
    assert_int_equal(toll_profile_node_count(p), 2 * EIGHT);
    for (int i = 0; i < EIGHT; i++) {
        char thread[2] = { (char)('a' + i), 0 }, frame[3] = { 'f', thread[0], 0 };
        assert_int_equal(test_self(p, thread, frame, 0), i + 1);
    }
    toll_profile_free(p);
}

static void test_filter_and_prune_look_at_what_there_is(void **state)
{
    (void)state;
    toll_profile *p, *filtered, *pruned;
    toll_filter all = { .size = sizeof all, .focus = "f", .ignore = "x", .thread = "[a-h]" };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    for (int i = 0; i < EIGHT; i++) {
        char thread[2] = { (char)('a' + i), 0 }, frame[3] = { 'f', thread[0], 0 };
        test_add_stack(p, thread, frame, 0, i + 1);
    }
    assert_int_equal(p->frame_count, p->frame_capacity);
    assert_int_equal(p->thread_count, p->thread_capacity);
    assert_ok(toll_profile_filter(p, &all, &filtered, err));
    assert_ok(toll_profile_prune(p, &pruned, err));
    check_eight(filtered);
    check_eight(pruned);
    check_eight(p);
}

/* columns.c: an index one past the last column is accepted as one of the union. */
static void test_merge_has_the_columns_of_both_and_no_more(void **state)
{
    (void)state;
    toll_profile *p, *q;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_create(NULL, &q, err));
    assert_ok(toll_profile_add_column(p, "time", "ns", NULL, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(q, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(q, "ticks", "count", NULL, err));
    assert_ok(toll_profile_merge(p, q, err));
    assert_int_equal(toll_profile_column_count(p), 3);
    assert_string_equal(toll_profile_column(p, 0).type, "calls");
    assert_string_equal(toll_profile_column(p, 1).type, "ticks");
    assert_string_equal(toll_profile_column(p, 2).type, "time");
    toll_profile_free(p);
    toll_profile_free(q);
}

/* labels.c: the last part of a path begins one letter too late. */
static void test_labels_have_the_last_part_of_the_path(void **state)
{
    (void)state;
    toll_profile *p;
    toll_order order;
    toll_labels labels;
    toll_frame a = { "f", "src/one.c", 3, 0 }, b = { "f", "src/two.c", 3, 0 };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_frame(p, &a, NULL, err));
    assert_ok(toll_profile_add_frame(p, &b, NULL, err));
    assert_ok(toll_order_create(&order, p, err));
    assert_ok(toll_labels_create(&labels, &order, err));
    assert_string_equal(toll_label(&labels, 0), "f (one.c:3)");
    assert_string_equal(toll_label(&labels, 1), "f (two.c:3)");
    toll_labels_free(&labels);
    toll_order_free(&order);
    toll_profile_free(p);
}

/* call_site.c: brackets of a name are counted wrongly, so that its own part begins elsewhere. */
static void test_own_names_stand_outside_of_brackets(void **state)
{
    (void)state;
    static const char *const of_library[] = {
        "std::__2::string::append(char const*)",
        "void* std::__2::f<int (*)(int)>(int)",
        "void std::__2::sort<int*, bool (*)(int, int)>(int*, int*)",
        "a<b c, d (e)> std::__2::g(int)",
    };
    static const char *const of_program[] = {
        "int apply<void (*)(std::__2::string)>(int)",
        "my::run(std::__2::string)",
        "std::__2::string my::name()",
        "(anonymous namespace)::f(std::__2::string const&)",
        "a<b std::__2::c> d::g(std::__2::e)",
    };
    for (size_t i = 0; i < sizeof of_library / sizeof *of_library; i++)
        if (!toll_is_allocator(of_library[i], NULL))
            fail_msg("%s is of the library", of_library[i]);
    for (size_t i = 0; i < sizeof of_program / sizeof *of_program; i++)
        if (toll_is_allocator(of_program[i], NULL))
            fail_msg("%s is of the program", of_program[i]);
}

/* check.c: only the first string is looked at. */
static void test_check_looks_at_every_name(void **state)
{
    (void)state;
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "first" }, NULL, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "second" }, NULL, err));
    char *name = (char *)(uintptr_t)toll_profile_frame(p, 1).name;
    assert_ok(toll_profile_check(p, 0, err));
    *name = (char)0xff;
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_child_taken_back_is_not_found_again),
        cmocka_unit_test(test_filter_and_prune_look_at_what_there_is),
        cmocka_unit_test(test_merge_has_the_columns_of_both_and_no_more),
        cmocka_unit_test(test_labels_have_the_last_part_of_the_path),
        cmocka_unit_test(test_check_looks_at_every_name),
        cmocka_unit_test(test_own_names_stand_outside_of_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
