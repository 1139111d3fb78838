/* test_profile.c - the profile and its operations: merge, diff, check; each allocation fails in
 * turn. test_fold.c has those that choose or join stacks. Each rule of docs/semantics.md has a test
 * of its name. */
#include "support_profile.h"

/* --- Invariants --------------------------------------------------------------------------------*/

static void test_total_is_self_plus_childrens_totals(void **state)
{
    (void)state;
    toll_profile *p = empty();
    int64_t *totals;
    test_add_stack(p, "main", "f", 1, 70);
    test_add_stack(p, "main", "f;g", 1, 60);
    test_add_stack(p, "main", "f;g;h", 1, 30);
    assert_ok(toll_profile_totals(p, 1, &totals, err));
    assert_int_equal(totals[0], 160);
    assert_int_equal(totals[1], 160);
    assert_int_equal(totals[2], 90);
    assert_int_equal(totals[3], 30);
    toll_mem_free(toll_profile_mem(p), totals, toll_profile_node_count(p) + 1, sizeof *totals);
    toll_profile_free(p);
}

static void test_determinism(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q = empty();
    test_add_stack(p, "b", "x;y", 1, 1);
    test_add_stack(p, "a", "z", 1, 2);
    test_add_stack(p, "a", "c;d", 1, 3);
    test_add_stack(q, "a", "c;d", 1, 3);
    test_add_stack(q, "a", "z", 1, 2);
    test_add_stack(q, "b", "x;y", 1, 1);
    assert_same(p, q);
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_check_finds_negative_values_and_overflow(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_error e;
    test_add_stack(p, "main", "f", 1, -1);
    assert_int_equal(toll_profile_check(p, 0, &e), TOLL_E_INVARIANT);
    assert_string_equal(e.text, "'ticks' of a stack of f is negative (-1); only a difference may "
                                "hold that");
    assert_ok(toll_profile_check(p, 1, err));
    test_add_stack(p, "main", "f", 1, 1);
    test_add_stack(p, "main", "f", 1, INT64_MAX);
    test_add_stack(p, "main", "f;g", 1, 1);
    assert_int_equal(toll_profile_check(p, 0, &e), TOLL_E_OVERFLOW);
    toll_profile_free(p);
}

static void test_check_finds_a_broken_tree(void **state)
{
    (void)state;
    toll_profile *p = empty();
    test_add_stack(p, "main", "f;g", 1, 1);
    toll_tree_node(&p->tree, 2)->frame = 99;
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    toll_tree_node(&p->tree, 2)->frame = 0;
    toll_tree_node(&p->tree, 2)->id = 1;
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    toll_profile_free(p);
}

static void test_self_values_do_not_overflow(void **state)
{
    (void)state;
    toll_profile *p = empty();
    test_add_stack(p, "main", "f", 1, INT64_MAX);
    assert_int_equal(toll_profile_add_self(p, 1, 1, 1, NULL), TOLL_E_OVERFLOW);
    assert_int_equal(toll_profile_self(p, 1, 1), INT64_MAX);
    toll_profile_free(p);
}

/* --- strings, columns, frames ------------------------------------------------------------------*/

static void test_names_become_valid_utf8(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_frame_id id;
    assert_ok(toll_profile_add_frame(p,
                                     &(toll_frame){ .name = "a\xff"
                                                            "b",
                                                    .file = "\xc3",
                                                    .line = 1 },
                                     &id, err));
    assert_string_equal(toll_profile_frame(p, id).name, "a\xef\xbf\xbd"
                                                        "b");
    assert_string_equal(toll_profile_frame(p, id).file, "\xef\xbf\xbd");
    toll_profile_free(p);
}

static void test_frames_differ_in_any_field(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_frame frames[] = { { .name = "f" },
                            { .name = "g" },
                            { .name = "f", .file = "x" },
                            { .name = "f", .line = 1 },
                            { .name = "f", .kind = TOLL_KIND_NATIVE } };
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5; i++) {
            toll_frame_id id;
            assert_ok(toll_profile_add_frame(p, &frames[i], &id, err));
            assert_int_equal(id, i);
        }
    toll_profile_free(p);
}

static void test_columns(void **state)
{
    (void)state;
    toll_profile *p = empty();
    assert_int_equal(toll_profile_find_column(p, "ticks"), 1);
    assert_int_equal(toll_profile_find_column(p, "time"), TOLL_NONE);
    assert_int_equal(toll_profile_default_column(p), 1);
    assert_int_equal(toll_profile_add_column(p, "ticks", "count", NULL, NULL), TOLL_E_ARGUMENT);
    for (int i = 0; i < TOLL_MAX_COLUMNS - 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        assert_ok(toll_profile_add_column(p, name, "count", NULL, err));
    }
    assert_int_equal(toll_profile_add_column(p, "one more", "count", NULL, NULL), TOLL_E_LIMIT);
    test_add_stack(p, "", "f", 31, 5);
    assert_int_equal(toll_profile_add_column(p, "late", "count", NULL, NULL), TOLL_E_ARGUMENT);
    toll_profile_free(p);
}

static void test_many_children_and_threads(void **state)
{
    (void)state;
    toll_profile *p = empty();
    char name[16];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 20000; i++) {
            snprintf(name, sizeof name, "f%d", i);
            test_add_stack(p, i % 100 ? "main" : name, name, 1, 1);
        }
    assert_int_equal(toll_profile_node_count(p), 20000 + 201);
    assert_int_equal(toll_profile_thread_count(p), 201);
    assert_int_equal(sum(p, 1), 40000);
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
}

static void test_labels_tell_frames_apart(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_frame frames[] = { { .name = "init", .file = "a.lua", .line = 1 },
                            { .name = "init", .file = "b.lua", .line = 7 },
                            { .name = "alone", .file = "b.lua", .line = 9 },
                            { .name = "init (a.lua:1)" },
                            { .name = "twin" },
                            { .name = "twin", .kind = TOLL_KIND_NATIVE } };
    const char *expected[] = { "init (a.lua:1)",    "init (b.lua:7)", "alone",
                               "init (a.lua:1) #2", "twin",           "twin #2" };
    toll_order order;
    toll_labels labels;
    for (uint32_t i = 0; i < 6; i++) {
        toll_frame_id id;
        assert_ok(toll_profile_add_frame(p, &frames[i], &id, err));
    }
    assert_ok(toll_order_create(&order, p, err));
    assert_ok(toll_labels_create(&labels, &order, err));
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(toll_label(&labels, i), expected[i]);
    assert_int_equal(labels.changed, 4);
    toll_labels_free(&labels);
    toll_order_free(&order);
    toll_profile_free(p);
}

/* --- merge -------------------------------------------------------------------------------------*/

static toll_profile *sample(int which)
{
    static const char *const lists[4][2] = {
        { "calls", "ticks" }, { "calls", "ticks" }, { "ticks", "calls" }, { "gas", "bytes" }
    };
    toll_profile *p = empty_with(NULL, lists[which], 2);
    test_add_stack(p, which == 1 ? "co" : "main", "f;g", 0, 1 + which);
    test_add_stack(p, "main", which == 2 ? "f;x" : "f;g", 1, 10 * which);
    test_add_stack(p, "main", "f", 1, 100);
    if (which == 2)
        toll_profile_set_default_column(p, 1);
    assert_ok(toll_profile_add_note(p, "oddities", (uint64_t)which + 1, err));
    assert_ok(toll_profile_add_comment(p, which % 2 ? "odd" : "even", err));
    toll_profile_set_time(p, which ? 1000 - which : 0, 5 + which);
    return p;
}

static toll_profile *merged(const int *order, int count, int grouping)
{
    toll_profile *p = sample(order[0]);
    for (int i = 1; i < count; i++) {
        toll_profile *q = sample(order[i]);
        if (grouping == i && i + 1 < count) { /* (q + next) first */
            toll_profile *next = sample(order[i + 1]);
            assert_ok(toll_profile_merge(q, next, err));
            toll_profile_free(next);
            i++;
        }
        assert_ok(toll_profile_merge(p, q, err));
        toll_profile_free(q);
    }
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void test_merge_is_commutative_and_associative(void **state)
{
    (void)state;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++) {
                toll_profile *p = merged((int[]){ a, b, c }, 3, 0);
                toll_profile *q = merged((int[]){ c, b, a }, 3, 0);
                toll_profile *r = merged((int[]){ a, b, c }, 3, 1);
                assert_same(p, q);
                assert_same(p, r);
                toll_profile_free(p);
                toll_profile_free(q);
                toll_profile_free(r);
            }
}

static void test_merge_adds_up(void **state)
{
    (void)state;
    toll_profile *p = sample(1), *q = sample(1);
    uint64_t n;
    assert_ok(toll_profile_merge(p, q, err));
    assert_int_equal(test_self(p, "co", "f;g", 0), 4);
    assert_int_equal(test_self(p, "main", "f", 1), 200);
    toll_profile_note(p, 0, &n);
    assert_int_equal(n, 4);
    assert_int_equal(toll_profile_start_ns(p), 999);
    assert_int_equal(toll_profile_duration_ns(p), 12);
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_failed_merge_changes_nothing(void **state)
{
    (void)state;
    toll_profile *p = sample(0), *same = sample(0), *q = empty();
    toll_error e;
    test_add_stack(q, "new thread", "new frame", 1, 1);
    test_add_stack(q, "main", "f", 1, INT64_MAX);
    assert_int_equal(toll_profile_merge(p, q, &e), TOLL_E_OVERFLOW);
    assert_same(p, same);
    assert_int_equal(toll_profile_node_count(p), toll_profile_node_count(same));
    assert_int_equal(toll_profile_frame_count(p), toll_profile_frame_count(same));
    test_add_stack(p, "main", "f;g;z", 1, 1); /* still works */
    test_add_stack(same, "main", "f;g;z", 1, 1);
    assert_same(p, same);
    toll_profile_free(p);
    toll_profile_free(same);
    toll_profile_free(q);
}

/* --- diff --------------------------------------------------------------------------------------*/

static void test_diff(void **state)
{
    (void)state;
    toll_profile *before = empty(), *after = empty(), *d;
    test_add_stack(before, "main", "f", 1, 10);
    test_add_stack(before, "main", "gone", 1, 3);
    test_add_stack(after, "main", "f", 1, 25);
    test_add_stack(after, "main", "new", 1, 4);
    assert_ok(toll_profile_diff(before, after, &d, err));
    assert_int_equal(test_self(d, "main", "f", 1), 15);
    assert_int_equal(test_self(d, "main", "gone", 1), -3);
    assert_int_equal(test_self(d, "main", "new", 1), 4);
    assert_int_equal(sum(d, 1), sum(after, 1) - sum(before, 1));
    toll_profile_free(before);
    toll_profile_free(after);
    toll_profile_free(d);
}

/* --- memory ------------------------------------------------------------------------------------*/

typedef toll_status operation(const toll_profile *p, const toll_profile *q, toll_profile **out);

static toll_status do_copy(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    (void)q;
    return toll_profile_copy(p, out, NULL);
}

static toll_status do_diff(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    return toll_profile_diff(p, q, out, NULL);
}

static toll_status do_filter(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    (void)q;
    return toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .focus = "g" }, out,
                               NULL);
}

static toll_status do_recursion(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    (void)q;
    return toll_profile_fold_recursion(p, out, NULL);
}

static toll_status do_depth(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    (void)q;
    return toll_profile_fold_depth(p, 1, out, NULL);
}

static toll_status do_sites(const toll_profile *p, const toll_profile *q, toll_profile **out)
{
    (void)q;
    return toll_profile_by_call_site(p, NULL, out, NULL);
}

/* A profile built step by step with an allocator that may fail. */
static toll_status build(const toll_allocator *a, int which, toll_profile **out)
{
    static const char *const names[] = { "f", "g", "f", "h" };
    toll_thread_id t;
    toll_profile *p;
    toll_status s = toll_profile_create(a, &p, NULL);
    if (s)
        return s;
    s = toll_profile_add_column(p, which ? "gas" : "ticks", "count", NULL, NULL);
    if (!s)
        s = toll_profile_add_thread(p, which ? "a" : "b", &t, NULL);
    toll_node_id node = s ? 0 : toll_profile_root(p, t);
    for (int i = 0; !s && i < 4; i++) {
        toll_frame_id f;
        s = toll_profile_add_frame(p, &(toll_frame){ .name = names[i] }, &f, NULL);
        if (!s)
            s = toll_profile_add_child(p, node, f, &node, NULL);
        if (!s)
            s = toll_profile_add_self(p, node, 0, 1, NULL);
    }
    if (!s)
        s = toll_profile_add_note(p, which ? "x" : "y", 1, NULL);
    if (!s)
        s = toll_profile_add_comment(p, which ? "x" : "y", NULL);
    if (s)
        toll_profile_free(p);
    else
        *out = p;
    return s;
}

typedef struct oom_case {
    operation *run;
    int second;
} oom_case;

static toll_status build_and_run(const toll_allocator *a, void *user)
{
    const oom_case *c = user;
    toll_profile *p = NULL, *q = NULL, *out = NULL;
    toll_status s = build(a, 0, &p);
    if (!s)
        s = build(a, c->second, &q);
    if (!s)
        s = c->run(p, q, &out);
    if (!s)
        toll_profile_free(out);
    toll_profile_free(p);
    toll_profile_free(q);
    return s;
}

static toll_status merge_only(const toll_allocator *a, void *user)
{
    toll_profile *p = NULL, *q = NULL;
    toll_status s = build(a, 0, &p);
    if (!s)
        s = build(a, *(int *)user, &q);
    if (!s)
        s = toll_profile_merge(p, q, NULL);
    toll_profile_free(p);
    toll_profile_free(q);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    operation *all[] = { do_copy, do_diff, do_filter, do_recursion, do_depth, do_sites };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int second = 0; second < 2; second++)
            test_every_allocation(build_and_run, &(oom_case){ all[i], second });
    for (int second = 0; second < 2; second++)
        test_every_allocation(merge_only, &second);
}

/* The target of a merge that runs out of memory at any point is as it was. */
static void test_merge_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (int second = 0; second < 2; second++)
        for (size_t n = 0;; n++) {
            test_allocator a = { .allowed = SIZE_MAX };
            toll_allocator allocator = { test_resize, &a };
            toll_profile *p, *q, *same;
            assert_ok(build(&allocator, 0, &p));
            assert_ok(build(&allocator, second, &q));
            assert_ok(build(NULL, 0, &same));
            test_add_stack(q, "new", "k;l;m", 0, 1);
            a.allowed = a.made + n;
            toll_status s = toll_profile_merge(p, q, NULL);
            a.allowed = SIZE_MAX;
            if (s)
                assert_same(p, same);
            toll_profile_free(p);
            toll_profile_free(q);
            toll_profile_free(same);
            if (!s)
                break;
        }
}

/* Frames of one name: by file, then by line, as numbers. */
static void test_frames_of_one_name_are_in_order(void **state)
{
    static const toll_frame frames[] = { { .name = "f", .file = "b", .line = 1 },
                                         { .name = "f", .file = "a", .line = 10 },
                                         { .name = "f", .file = "a", .line = 9 } };
    toll_profile *p = empty();
    toll_thread_id t;
    toll_frame_id frame;
    toll_node_id node;
    (void)state;
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        assert_ok(toll_profile_add_frame(p, &frames[i], &frame, err));
        assert_ok(toll_profile_add_child(p, toll_profile_root(p, t), frame, &node, err));
        assert_ok(toll_profile_add_self(p, node, 1, 1, err));
    }
    char *text = dump(p);
    const char *first = strstr(text, "(f@a:9/"), *then = strstr(text, "(f@a:10/");
    assert_true(first && then && first < then && then < strstr(text, "(f@b:1/"));
    free(text);
    toll_profile_free(p);
}

/* So many stacks, of which the last one has values of `types`: 1, 2, ... */
static toll_profile *many_stacks(const toll_allocator *allocator, const char *const *types,
                                 uint32_t count, uint32_t stacks)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(allocator, &p, err));
    for (uint32_t i = 0; i < count; i++)
        assert_ok(toll_profile_add_column(p, types[i], "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    toll_node_id node = TOLL_NONE;
    for (uint32_t i = 0; i < stacks; i++) {
        char name[16];
        toll_frame_id frame;
        snprintf(name, sizeof name, "f%u", i);
        assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &frame, err));
        assert_ok(toll_profile_add_child(p, toll_profile_root(p, t), frame, &node, err));
    }
    for (uint32_t i = 0; i < count; i++)
        assert_ok(toll_profile_add_self(p, node, i, 1 + i, err));
    return p;
}

/* A profile that has fewer values is added where the sum is, however large that is: of many files
 * with different values each would cost a copy of the sum. */
static void test_merge_of_fewer_columns_makes_no_copy(void **state)
{
    static const char *const types[] = { "a", "b", "c" };
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    (void)state;
    toll_profile *sum = many_stacks(&allocator, types, 3, 50);
    toll_profile *other = many_stacks(NULL, types + 1, 1, 2);
    budget.limit = budget.used + 4096;
    assert_ok(toll_profile_merge(sum, other, err));
    budget.limit = SIZE_MAX;
    toll_profile *again = many_stacks(NULL, types + 1, 1, 2);
    toll_profile *first = many_stacks(NULL, types, 3, 50);
    assert_ok(toll_profile_merge(again, first, err));
    char *x = dump(sum), *y = dump(again);
    assert_string_equal(x, y);
    assert_int_equal(test_sum(sum, 1), 3); /* 2 and 1 */
    free(x);
    free(y);
    toll_profile_free(sum);
    toll_profile_free(other);
    toll_profile_free(again);
    toll_profile_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_of_fewer_columns_makes_no_copy),
        cmocka_unit_test(test_frames_of_one_name_are_in_order),
        cmocka_unit_test(test_total_is_self_plus_childrens_totals),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_check_finds_negative_values_and_overflow),
        cmocka_unit_test(test_check_finds_a_broken_tree),
        cmocka_unit_test(test_self_values_do_not_overflow),
        cmocka_unit_test(test_names_become_valid_utf8),
        cmocka_unit_test(test_frames_differ_in_any_field),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_many_children_and_threads),
        cmocka_unit_test(test_labels_tell_frames_apart),
        cmocka_unit_test(test_merge_is_commutative_and_associative),
        cmocka_unit_test(test_merge_adds_up),
        cmocka_unit_test(test_failed_merge_changes_nothing),
        cmocka_unit_test(test_diff),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_merge_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
