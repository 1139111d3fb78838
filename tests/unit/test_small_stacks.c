/* test_small_stacks.c - small stacks are charged to their callers: those under a share, or as many
 * as necessary for a format that writes each stack in full. Speedscope's events and samples have
 * the same costs. */
#include "support.h"

#include <math.h>

static toll_profile *make(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    return p;
}

/* A stack with calls and ticks. */
static void add(toll_profile *p, const char *stack, int64_t calls, int64_t ticks)
{
    test_add_stack(p, "main", stack, 0, calls);
    test_add_stack(p, "main", stack, 1, ticks);
}

static int64_t sum(const toll_profile *p, uint32_t column)
{
    int64_t all = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        all += toll_profile_self(p, n, column);
    return all;
}

/* Of 1000 ticks: a 900, a;b 60, a;b;c 30, a;b;c;d 9, e 1; calls are as small. */
static toll_profile *example(void)
{
    toll_profile *p = make();
    add(p, "a", 9000, 900);
    add(p, "a;b", 600, 60);
    add(p, "a;b;c", 300, 30);
    add(p, "a;b;c;d", 90, 9);
    add(p, "e", 10, 1);
    return p;
}

static void test_small_stacks_are_their_callers(void **state)
{
    (void)state;
    toll_profile *p = example(), *q;
    assert_ok(toll_profile_prune_share(p, 0.04, &q, err));
    assert_int_equal(test_self(q, "main", "a;b", 1), 60 + 30 + 9);
    assert_int_equal(test_self(q, "main", "a;b", 0), 600); /* c's calls are not b's */
    assert_int_equal(test_self(q, "main", "e", 1), 1);     /* it has no caller */
    assert_int_equal(test_note(q, "small stacks, charged"), 2);
    assert_int_equal(test_note(q, "calls of small stacks, folded"), 390);
    assert_int_equal(sum(q, 1), sum(p, 1));
    assert_int_equal(sum(q, 0) + 390, sum(p, 0));
    toll_profile_free(q);
    /* Exactly at the share is not under it. */
    assert_ok(toll_profile_prune_share(p, 0.039, &q, err));
    assert_int_equal(test_self(q, "main", "a;b;c", 1), 39);
    toll_profile_free(q);
    assert_ok(toll_profile_prune_share(p, 0, &q, err));
    assert_int_equal(toll_profile_node_count(q), toll_profile_node_count(p));
    assert_int_equal(toll_profile_note_count(q), 0);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* What is large in one column stays in all; differences count without their sign. */
static void test_any_column_counts_and_no_sign(void **state)
{
    (void)state;
    toll_profile *p = make(), *q;
    add(p, "a", 0, 1000);
    add(p, "a;often", 70, 1);
    add(p, "a;less", 0, -600);
    add(p, "a;less;more", 0, 600);
    add(p, "a;small", 1, 1);
    assert_ok(toll_profile_prune_share(p, 0.1, &q, err));
    assert_int_equal(test_self(q, "main", "a;often", 0), 70);
    assert_int_equal(test_self(q, "main", "a;less;more", 1), 600);
    assert_int_equal(test_note(q, "small stacks, charged"), 1);
    assert_int_equal(sum(q, 1), sum(p, 1));
    toll_profile_free(q);
    toll_profile_free(p);
}

/* Sums of absolute values that do not fit 64 bits are the largest that do. */
static void test_sums_that_do_not_fit(void **state)
{
    (void)state;
    toll_profile *p = make(), *q;
    add(p, "a", 0, INT64_MAX);
    add(p, "a;b", 0, INT64_MIN + 1);
    add(p, "a;b;c", 0, INT64_MAX);
    add(p, "a;b;c;d", 0, -5);
    assert_ok(toll_profile_prune_share(p, 0.2, &q, err));
    assert_int_equal(test_self(q, "main", "a;b;c", 1), INT64_MAX - 5);
    toll_profile_free(q);
    toll_profile_free(p);
}

static void test_shares_that_are_none(void **state)
{
    (void)state;
    const double shares[] = { -0.1, 1, 2, NAN, INFINITY };
    toll_profile *p = example(), *q;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        toll_error e = { TOLL_OK, "" };
        assert_int_equal(toll_profile_prune_share(p, shares[i], &q, &e), TOLL_E_ARGUMENT);
        assert_null(q);
    }
    toll_profile_free(p);
}

static toll_status prune(const toll_allocator *a, void *user)
{
    toll_profile *p, *q = NULL;
    toll_thread_id thread;
    toll_node_id node;
    (void)user;
    toll_status s = toll_profile_create(a, &p, NULL);
    if (!s)
        s = toll_profile_add_column(p, "ticks", "count", NULL, NULL);
    if (!s)
        s = toll_profile_add_thread(p, "main", &thread, NULL);
    node = s ? 0 : toll_profile_root(p, thread);
    for (int i = 0; !s && i < 3; i++) {
        toll_frame_id frame;
        s = toll_profile_add_frame(p, &(toll_frame){ .name = (const char *[]){ "f", "g", "h" }[i] },
                                   &frame, NULL);
        if (!s)
            s = toll_profile_add_child(p, node, frame, &node, NULL);
        if (!s)
            s = toll_profile_add_self(p, node, 0, i ? 1 : 1000, NULL);
    }
    if (!s)
        s = toll_profile_prune_share(p, 0.1, &q, NULL);
    toll_profile_free(q);
    toll_profile_free(p);
    return s;
}

static void test_prune_without_memory(void **state)
{
    (void)state;
    test_every_allocation(prune, NULL);
}

/* --- written -----------------------------------------------------------------------------------*/

/* A chain of `depth` calls, each with a callee of its own in addition: small to large inwards. */
static toll_profile *make_many(int depth)
{
    toll_profile *p = make();
    toll_thread_id t;
    toll_frame_id deep, side;
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "deep" }, &deep, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "side" }, &side, err));
    toll_node_id node = toll_profile_root(p, t), beside;
    for (int i = 0; i < depth; i++) {
        assert_ok(toll_profile_add_child(p, node, deep, &node, err));
        assert_ok(toll_profile_add_self(p, node, 1, 1, err));
        assert_ok(toll_profile_add_child(p, node, side, &beside, err));
        assert_ok(toll_profile_add_self(p, beside, 1, i + 1, err));
    }
    return p;
}

static void keep_text(void *user, const char *text)
{
    snprintf(user, 200, "%.199s", text);
}

/* Written in `format` with at most `most` stacks, and read again. */
static toll_profile *through(const toll_profile *p, const char *format, size_t most, char *warning)
{
    toll_output *out;
    toll_profile *q;
    size_t size;
    *warning = 0;
    const toll_format_options options = {
        .size = sizeof options, .warn = keep_text, .warn_user = warning, .most_stacks = most
    };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, format, &options, out, err));
    assert_ok(toll_output_commit(out, err));
    const void *data = toll_output_data(out, &size);
    assert_ok(test_read(NULL, data, size, format, &q, err));
    toll_output_free(out);
    return q;
}

static void test_at_most_so_many_are_written(void **state)
{
    (void)state;
    static const char *const formats[] = { "pprof", "folded", "perfview" };
    enum { DEPTH = 500 };
    toll_profile *p = make_many(DEPTH);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char warning[200];
        toll_profile *q = through(p, formats[i], 100, warning);
        uint32_t nodes = toll_profile_node_count(q);
        assert_in_range(nodes, 50, 101);
        assert_int_equal(sum(q, toll_profile_default_column(q)), sum(p, 1));
        toll_profile_free(q);
        q = through(p, formats[i], 2 * DEPTH + 1, warning);
        assert_int_equal(toll_profile_node_count(q), 2 * DEPTH + 1);
        toll_profile_free(q);
    }
    char warning[200];
    toll_profile *q = through(p, "pprof", 100, warning);
    assert_int_equal(test_note(q, "small stacks, charged"),
                     2 * DEPTH + 1 - toll_profile_node_count(q));
    assert_non_null(strstr(warning, "--keep-all"));
    toll_profile_free(q);
    q = through(p, "speedscope", 100, warning); /* it is another matter */
    assert_int_equal(toll_profile_node_count(q), 2 * DEPTH + 1);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* Shares that differ by little: no more than so many are kept, and no fewer. */
static void test_as_many_as_fit_are_written(void **state)
{
    (void)state;
    char warning[200], name[16];
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "main;f%d", i);
        test_add_stack(p, "", name, 0, i + 1);
    }
    for (size_t most = 90; most < 110; most++) {
        toll_profile *q = through(p, "pprof", most, warning);
        assert_int_equal(toll_profile_node_count(q), most);
        toll_profile_free(q);
    }
    toll_profile_free(p);
}

/* The outermost frames stay; where there is nothing else, nothing is said to be left out. */
static void test_outermost_frames_are_not_said_to_be_left_out(void **state)
{
    (void)state;
    enum { DEPTH = 8 };
    toll_profile *p = make_many(DEPTH), *flat;
    assert_ok(toll_profile_fold_depth(p, 1, &flat, err));
    char warning[200];
    uint32_t nodes = toll_profile_node_count(flat);
    assert_true(nodes > 1);
    toll_profile *q = through(flat, "pprof", 1, warning);
    assert_int_equal(toll_profile_node_count(q), nodes);
    assert_string_equal(warning, "");
    toll_profile_free(q);
    toll_profile_free(flat);
    toll_profile_free(p);
}

/* Samples would take 36 million frames for each value. */
static void test_speedscope_has_deep_stacks_as_events(void **state)
{
    (void)state;
    enum { DEPTH = 6000 };
    toll_profile *p = make_many(DEPTH), *q;
    toll_output *out;
    size_t size;
    test_add_stack(p, "main", "", 1, 7); /* outside of any function */
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "speedscope", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *data = toll_output_data(out, &size);
    assert_in_range(size, 1000, 100 * 2 * DEPTH);
    assert_ok(test_read(NULL, data, size, NULL, &q, err));
    assert_int_equal(toll_profile_column_count(q), 2);
    uint32_t ticks = toll_profile_find_column(q, "ticks");
    assert_int_equal(toll_profile_node_count(q), 2 * DEPTH + 1);
    assert_int_equal(sum(q, ticks), sum(p, 1));
    assert_int_equal(toll_profile_self(q, toll_profile_root(q, 0), ticks), 7);
    assert_int_equal(test_self(q, "main", "deep;deep;side", ticks), 2);
    assert_int_equal(sum(q, toll_profile_find_column(q, "calls")), 0);
    toll_profile_free(q);
    /* It is no order in time. */
    toll_timeline *timeline;
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, data, size, "file", &in, err));
    assert_ok(toll_profile_read(in, NULL, NULL, &timeline, &q, err));
    assert_null(timeline);
    toll_input_free(in);
    toll_profile_free(q);
    toll_output_free(out);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_stacks_are_their_callers),
        cmocka_unit_test(test_any_column_counts_and_no_sign),
        cmocka_unit_test(test_sums_that_do_not_fit),
        cmocka_unit_test(test_shares_that_are_none),
        cmocka_unit_test(test_prune_without_memory),
        cmocka_unit_test(test_at_most_so_many_are_written),
        cmocka_unit_test(test_as_many_as_fit_are_written),
        cmocka_unit_test(test_outermost_frames_are_not_said_to_be_left_out),
        cmocka_unit_test(test_speedscope_has_deep_stacks_as_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
