/* test_thread_labels.c - labels of threads: which threads are the same, their order, and merging,
 * filtering and grouping by labels. Each rule of docs/semantics.md, "Labels", has a test of its
 * name. */
#include "support_profile.h"

#define LABELS(...)                                                                                \
    (const toll_thread_label[]){ __VA_ARGS__ },                                                    \
        sizeof((const toll_thread_label[]){ __VA_ARGS__ }) / sizeof(toll_thread_label)

static toll_thread_id add(toll_profile *p, const char *name, const toll_thread_label *labels,
                          size_t count)
{
    toll_thread_id id;
    assert_ok(toll_profile_add_labelled_thread(p, name, labels, (uint32_t)count, &id, err));
    return id;
}

/* Ticks of the stack "f" of such a thread. */
static void add_ticks(toll_profile *p, int64_t ticks, const char *name,
                      const toll_thread_label *labels, size_t count)
{
    toll_node_id root = toll_profile_root(p, add(p, name, labels, count)), node;
    toll_frame_id f;
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_profile_add_child(p, root, f, &node, err));
    assert_ok(toll_profile_add_self(p, node, 1, ticks, err));
}

/* "TITLE TICKS|TITLE TICKS|" in canonical order. */
static const char *titles(const toll_profile *p)
{
    static char text[2000];
    toll_order o;
    size_t used = 0;
    *text = 0;
    assert_ok(toll_profile_check(p, 1, err));
    assert_ok(toll_order_create(&o, p, err));
    for (uint32_t t = 0; t < o.thread_count; t++) {
        toll_node_id child = o.first_child[toll_profile_root(p, o.threads[t])];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %lld|",
                                 toll_profile_thread_title(p, o.threads[t]),
                                 (long long)toll_profile_self(p, child, 1));
    }
    toll_order_free(&o);
    return text;
}

static void test_equal_name_and_labels_are_one_thread(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_thread_id plain = add(p, "main", NULL, 0);
    toll_thread_id a = add(p, "main", LABELS({ "host", "a" }, { "commit", "1" }));
    assert_int_not_equal(a, plain);
    assert_int_equal(add(p, "main", LABELS({ "commit", "1" }, { "host", "a" })), a);
    assert_int_equal(add(p, "main", LABELS({ "host", "a" }, { "commit", "1" }, { "host", "a" })),
                     a);
    assert_int_equal(add(p, "main", LABELS({ "host", "a" }, { "commit", "1" }, { "x", "" })), a);
    assert_int_equal(add(p, "main", LABELS({ "x", "" })), plain);
    assert_int_equal(toll_profile_thread_count(p), 2);
    assert_int_not_equal(add(p, "main", LABELS({ "host", "a" })), a);
    assert_int_not_equal(add(p, "other", LABELS({ "host", "a" }, { "commit", "1" })), a);
    assert_int_not_equal(add(p, "main", LABELS({ "host", "1" }, { "commit", "a" })), a);
    assert_int_equal(toll_profile_thread_count(p), 5);
    assert_int_equal(toll_profile_thread_label_count(p, a), 2);
    assert_string_equal(toll_profile_thread_label(p, a, 0).key, "commit");
    assert_string_equal(toll_profile_thread_label(p, a, 0).value, "1");
    assert_string_equal(toll_profile_thread_label(p, a, 1).key, "host");
    assert_string_equal(toll_profile_thread_label(p, a, 2).key, "");
    toll_profile_free(p);
}

static void test_titles(void **state)
{
    char longest[400], expected[204];
    (void)state;
    toll_profile *p = empty();
    assert_string_equal(toll_profile_thread_title(p, add(p, "main", NULL, 0)), "main");
    assert_string_equal(
        toll_profile_thread_title(p, add(p, "main", LABELS({ "host", "a" }, { "commit", "1" }))),
        "main {commit=1, host=a}");
    assert_string_equal(toll_profile_thread_title(p, add(p, "", LABELS({ "host", "a" }))),
                        "host=a");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    memcpy(longest + 193, "\xf0\x9f\x94\xa5", 4); /* from 195 to 198 of the title */
    memcpy(longest + 197, "\xf0\x9f\x94\xa5", 4); /* from 199 to 202: it does not fit */
    snprintf(expected, sizeof expected, "k=%.197s...", longest);
    assert_string_equal(toll_profile_thread_title(p, add(p, "", LABELS({ "k", longest }))),
                        expected);
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
}

static void test_threads_are_ordered_by_name_then_labels(void **state)
{
    (void)state;
    toll_profile *p = empty();
    add_ticks(p, 1, "main", LABELS({ "host", "b" }));
    add_ticks(p, 2, "main", LABELS({ "host", "a" }, { "zone", "1" }));
    add_ticks(p, 3, "main {", NULL, 0);
    add_ticks(p, 4, "main", NULL, 0);
    add_ticks(p, 5, "main", LABELS({ "host", "a" }));
    assert_string_equal(titles(p), "main 4|main {host=a} 5|main {host=a, zone=1} 2|main {host=b} 1|"
                                   "main { 3|");
    toll_profile_free(p);
}

static void test_grouping_by_root(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q, *again;
    toll_thread_id a = add(p, "main", LABELS({ "test", "a" }));
    test_add_stack(p, "", "f", 1, 16);
    add_ticks(p, 1, "main", LABELS({ "test", "a" }));
    add_ticks(p, 2, "other", LABELS({ "test", "a" }));
    add_ticks(p, 4, "main", LABELS({ "test", "b" }));
    toll_node_id root = toll_profile_root(p, a), g, f;
    toll_frame_id id;
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "g" }, &id, err));
    assert_ok(toll_profile_add_child(p, root, id, &g, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &id, err));
    assert_ok(toll_profile_add_child(p, g, id, &f, err));
    assert_ok(toll_profile_add_self(p, g, 1, 8, err));
    assert_ok(toll_profile_add_self(p, f, 1, 32, err));
    assert_ok(toll_profile_group_by(p, "test,root", &q, err));
    assert_string_equal(titles(q), "root=f 16|root=f, test=a 3|root=f, test=b 4|"
                                   "root=g, test=a 8|");
    assert_ok(toll_profile_group_by(q, "root", &again, err)); /* by the labels */
    assert_string_equal(titles(again), "root=f 23|root=g 8|");
    toll_profile_free(again);
    toll_profile_free(q);
    for (uint32_t column = 0; column < 2; column++) { /* outside of any function */
        assert_ok(toll_profile_add_self(p, root, column, 64, err));
        assert_ok(toll_profile_group_by(p, "root", &q, err));
        assert_int_equal(toll_profile_thread_count(q), 3);
        assert_int_equal(toll_profile_self(q, toll_profile_root(q, 0), column), 64);
        assert_string_equal(toll_profile_thread_title(q, 0), "");
        toll_profile_free(q);
    }
    toll_profile_free(p);
}

static void test_merging_keeps_other_labels_apart(void **state)
{
    (void)state;
    toll_profile *a = empty(), *b = empty(), *x, *y;
    add_ticks(a, 1, "main", LABELS({ "host", "a" }));
    add_ticks(a, 2, "main", LABELS({ "host", "b" }));
    add_ticks(b, 4, "main", LABELS({ "host", "b" }));
    add_ticks(b, 8, "main", NULL, 0);
    assert_ok(toll_profile_copy(a, &x, err));
    assert_ok(toll_profile_copy(b, &y, err));
    assert_ok(toll_profile_merge(x, b, err));
    assert_ok(toll_profile_merge(y, a, err));
    assert_string_equal(titles(x), "main 8|main {host=a} 1|main {host=b} 6|");
    assert_string_equal(titles(y), "main 8|main {host=a} 1|main {host=b} 6|");
    assert_ok(toll_profile_merge(x, x, err));
    assert_string_equal(titles(x), "main 16|main {host=a} 2|main {host=b} 12|");
    toll_profile_free(a);
    toll_profile_free(b);
    toll_profile_free(x);
    toll_profile_free(y);
}

/* The threads that it had added are gone, and can be added again. */
static void test_a_merge_that_fails_takes_back_threads(void **state)
{
    (void)state;
    toll_profile *p = empty(), *more = empty();
    add_ticks(p, INT64_MAX, "main", LABELS({ "host", "a" }));
    add_ticks(more, 1, "main", LABELS({ "host", "b" }, { "k", "v" }));
    add_ticks(more, 1, "main", LABELS({ "host", "a" })); /* too much */
    assert_int_equal(toll_profile_merge(p, more, NULL), TOLL_E_OVERFLOW);
    assert_int_equal(toll_profile_thread_count(p), 1);
    assert_int_equal(p->label_count, 1);
    add_ticks(p, 3, "main", LABELS({ "host", "b" }));
    add_ticks(p, 4, "main", LABELS({ "host", "b" }, { "k", "v" }));
    add_ticks(p, -INT64_MAX + 1, "main", LABELS({ "host", "a" }));
    assert_string_equal(titles(p), "main {host=a} 1|main {host=b} 3|"
                                   "main {host=b, k=v} 4|");
    toll_profile_free(p);
    toll_profile_free(more);
}

static const char *labelled(const toll_profile *p, const char *labels)
{
    toll_profile *q;
    assert_ok(toll_profile_with_labels(p, labels, &q, err));
    const char *text = titles(q);
    toll_profile_free(q);
    return text;
}

static void test_labels_are_set(void **state)
{
    (void)state;
    toll_profile *p = empty();
    add_ticks(p, 1, "main", LABELS({ "host", "a" }, { "commit", "1" }));
    add_ticks(p, 2, "main", LABELS({ "host", "b" }, { "commit", "1" }));
    add_ticks(p, 4, "co", NULL, 0);
    assert_string_equal(labelled(p, ""), titles(p));
    assert_string_equal(labelled(p, "commit=2"), "co {commit=2} 4|main {commit=2, host=a} 1|"
                                                 "main {commit=2, host=b} 2|");
    assert_string_equal(labelled(p, "host=c, commit=2"),
                        "co {commit=2, host=c} 4|main {commit=2, host=c} 3|");
    assert_string_equal(labelled(p, "host=x,y\ncommit=a=b\r\n"),
                        "co {commit=a=b, host=x,y} 4|main {commit=a=b, host=x,y} 3|");
    assert_string_equal(labelled(p, "host=c,commit=2,commit=1"),
                        "co {commit=1, commit=2, host=c} 4|main {commit=1, commit=2, host=c} 3|");
    toll_profile_free(p);
}

static void test_adding_labels_and_merging_change_places(void **state)
{
    (void)state;
    toll_profile *a = empty(), *b = empty(), *x, *y, *z;
    add_ticks(a, 1, "main", LABELS({ "host", "a" }));
    add_ticks(b, 2, "main", LABELS({ "host", "b" }));
    assert_ok(toll_profile_with_labels(a, "host=c", &x, err));
    assert_ok(toll_profile_with_labels(b, "host=c", &y, err));
    assert_ok(toll_profile_merge(x, y, err));
    assert_ok(toll_profile_merge(a, b, err));
    assert_ok(toll_profile_with_labels(a, "host=c", &z, err));
    assert_same(x, z);
    assert_string_equal(titles(z), "main {host=c} 3|");
    toll_profile_free(a);
    toll_profile_free(b);
    toll_profile_free(x);
    toll_profile_free(y);
    toll_profile_free(z);
}

static const char *where(const toll_profile *p, const char *labels)
{
    toll_profile *q;
    assert_ok(toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .where = labels },
                                  &q, err));
    const char *text = titles(q);
    toll_profile_free(q);
    return text;
}

static const char *by(const toll_profile *p, const char *keys)
{
    toll_profile *q;
    assert_ok(toll_profile_group_by(p, keys, &q, err));
    const char *text = titles(q);
    assert_int_equal(sum(q, 1), sum(p, 1));
    toll_profile_free(q);
    return text;
}

static toll_profile *a_fleet(void)
{
    toll_profile *p = empty();
    add_ticks(p, 1, "main", LABELS({ "host", "a" }, { "commit", "1" }));
    add_ticks(p, 2, "main", LABELS({ "host", "b" }, { "commit", "1" }));
    add_ticks(p, 4, "main", LABELS({ "host", "a" }, { "commit", "2" }));
    add_ticks(p, 8, "co", LABELS({ "host", "a" }, { "commit", "2" }));
    add_ticks(p, 16, "co", NULL, 0);
    return p;
}

static void test_where(void **state)
{
    (void)state;
    toll_profile *p = a_fleet();
    assert_string_equal(where(p, "commit=1"), "main {commit=1, host=a} 1|"
                                              "main {commit=1, host=b} 2|");
    assert_string_equal(where(p, "commit=2,host=a,thread=main"), "main {commit=2, host=a} 4|");
    assert_string_equal(where(p, "host=a,host=b,commit=1"), "main {commit=1, host=a} 1|"
                                                            "main {commit=1, host=b} 2|");
    assert_string_equal(where(p, "commit=3"), "");
    assert_string_equal(where(p, "commi=1"), "");
    assert_string_equal(where(p, "thread=co"), "co 16|co {commit=2, host=a} 8|");
    assert_string_equal(where(p, ""), titles(p));
    toll_profile_free(p);
}

static void test_grouping(void **state)
{
    (void)state;
    toll_profile *p = a_fleet();
    assert_string_equal(by(p, "thread"), "co 24|main 7|");
    assert_string_equal(by(p, "host"), " 16|host=a 13|host=b 2|");
    assert_string_equal(by(p, " host,\thost"), " 16|host=a 13|host=b 2|");
    assert_string_equal(by(p, "commit, thread"), "co 16|co {commit=2} 8|main {commit=1} 3|"
                                                 "main {commit=2} 4|");
    assert_string_equal(by(p, ""), " 31|");
    assert_string_equal(by(p, "hos"), " 31|");
    toll_profile_free(p);
}

/* "thread" too is refused at once, and not when there is a thread to set it for. */
static void test_labels_are_checked(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    assert_ok(toll_labels_check("", err));
    assert_ok(toll_labels_check("host=a, commit=1", err));
    assert_int_equal(toll_labels_check("host", NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_labels_check("host=a,thread=b", NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_profile_with_labels(p, "thread=b", &q, NULL), TOLL_E_ARGUMENT);
    toll_profile_free(p);
}

static void test_a_check_sees_labels_out_of_order(void **state)
{
    (void)state;
    toll_profile *p = empty();
    add_ticks(p, 1, "main", LABELS({ "a", "1" }, { "a", "2" }));
    add_ticks(p, 1, "main", LABELS({ "a", "1" }, { "b", "2" }));
    assert_ok(toll_profile_check(p, 0, err));
    toll_label_data first = p->labels[0];
    p->labels[0] = p->labels[1];
    p->labels[1] = first;
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    p->labels[0] = first; /* twice */
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    toll_profile_free(p);
    p = empty();
    add_ticks(p, 1, "main", LABELS({ "a", "1" }));
    add_ticks(p, 1, "main", LABELS({ "a", "2" }));
    p->labels[1] = p->labels[0];
    assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_E_INVARIANT);
    toll_profile_free(p);
}

static void test_other_copies_keep_labels(void **state)
{
    (void)state;
    toll_profile *p = a_fleet(), *q;
    const char *all = strdup(titles(p));
    assert_ok(toll_profile_prune(p, &q, err));
    assert_string_equal(titles(q), all);
    toll_profile_free(q);
    assert_ok(toll_profile_fold_places(p, &q, err));
    assert_string_equal(titles(q), all);
    toll_profile_free(q);
    assert_ok(toll_profile_fold_recursion(p, &q, err));
    assert_string_equal(titles(q), all);
    toll_profile_free(q);
    assert_ok(toll_profile_prune_share(p, 0.9, &q, err));
    assert_string_equal(titles(q), all);
    toll_profile_free(q);
    free((void *)(uintptr_t)all);
    toll_profile_free(p);
}

/* Each allocation fails in turn. */
static toll_status relabel_all(const toll_allocator *mem, void *user)
{
    const toll_profile *p = user;
    toll_profile *copy, *out = NULL;
    toll_status status = toll_profile_create(mem, &copy, NULL);
    if (!status)
        status = toll_profile_merge(copy, p, NULL);
    if (!status)
        status = toll_profile_add_labelled_thread(copy, "new", LABELS({ "a", "b" }), NULL, NULL);
    if (!status)
        status = toll_profile_with_labels(copy, "host=x,test=t", &out, NULL);
    if (!status) {
        toll_profile *grouped = NULL;
        status = toll_profile_group_by(out, "test", &grouped, NULL);
        if (!status)
            assert_int_equal(sum(grouped, 1), 31);
        toll_profile_free(grouped);
    }
    if (!status) {
        const toll_filter filter = { .size = sizeof filter, .where = "host=x,host=a,thread=co" };
        toll_profile *chosen = NULL;
        status = toll_profile_filter(out, &filter, &chosen, NULL);
        if (!status)
            assert_int_equal(sum(chosen, 1), 24);
        toll_profile_free(chosen);
    }
    toll_profile_free(out);
    toll_profile_free(copy);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    toll_profile *p = a_fleet();
    test_every_allocation(relabel_all, p);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_name_and_labels_are_one_thread),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_threads_are_ordered_by_name_then_labels),
        cmocka_unit_test(test_grouping_by_root),
        cmocka_unit_test(test_merging_keeps_other_labels_apart),
        cmocka_unit_test(test_a_merge_that_fails_takes_back_threads),
        cmocka_unit_test(test_labels_are_set),
        cmocka_unit_test(test_adding_labels_and_merging_change_places),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_grouping),
        cmocka_unit_test(test_labels_are_checked),
        cmocka_unit_test(test_a_check_sees_labels_out_of_order),
        cmocka_unit_test(test_other_copies_keep_labels),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
