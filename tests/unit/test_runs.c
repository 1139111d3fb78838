/* test_runs.c - of which runs a profile is the sum (toll_profile_add_run), and what a comparison
 * does with that. Each rule of docs/semantics.md, "Runs", has a test of its name. */
#include "support_profile.h"

#include "gates/origin.h"
#include "gates/per_run.h"

#define FACTS(...)                                                                                 \
    (const toll_thread_label[]){ __VA_ARGS__ },                                                    \
        sizeof((const toll_thread_label[]){ __VA_ARGS__ }) / sizeof(toll_thread_label)

/* A profile of `ticks` ticks in the stack "f", with a label of that value, "": none. */
static toll_profile *unknown(const char *commit, int64_t ticks)
{
    toll_profile *p = empty();
    const toll_thread_label label = { "commit", commit };
    toll_thread_id thread;
    toll_frame_id f;
    toll_node_id node;
    assert_ok(toll_profile_add_labelled_thread(p, "main", &label, 1, &thread, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, thread), f, &node, err));
    assert_ok(toll_profile_add_self(p, node, 1, ticks, err));
    return p;
}

/* The same of one run by that interpreter. */
static toll_profile *run(const char *commit, const char *interpreter, int64_t ticks)
{
    toll_profile *p = unknown(commit, ticks);
    assert_ok(toll_profile_add_run(p, FACTS({ "toll", "1" }, { "interpreter", interpreter }), err));
    return p;
}

static void add(toll_profile *p, toll_profile *more)
{
    assert_ok(toll_profile_merge(p, more, err));
    toll_profile_free(more);
}

/* "COUNT KIND|COUNT KIND|", and "others|". */
static const char *runs(const toll_profile *p)
{
    static char text[2000];
    size_t used = 0;
    *text = 0;
    for (uint32_t i = 0; i < toll_profile_run_kind_count(p); i++) {
        uint64_t count;
        const char *kind = toll_profile_run_kind(p, i, &count);
        used += (size_t)snprintf(text + used, sizeof text - used, "%llu %s|",
                                 (unsigned long long)count, kind);
    }
    snprintf(text + used, sizeof text - used, toll_profile_has_unknown_runs(p) ? "others|" : "");
    return text;
}

static void test_runs_of_equal_labels_and_facts_add_up(void **state)
{
    (void)state;
    toll_profile *p = run("b", "Lua 5.4.6", 1);
    add(p, run("a", "Lua 5.4.6", 2));
    add(p, run("b", "Lua 5.4.6", 3));
    add(p, run("b", "Lua 5.3.6", 4));
    assert_string_equal(runs(p), "1 {commit=a} interpreter=Lua 5.4.6; toll=1|"
                                 "1 {commit=b} interpreter=Lua 5.3.6; toll=1|"
                                 "2 {commit=b} interpreter=Lua 5.4.6; toll=1|");
    toll_profile_free(p);
}

static void test_a_run_counts_once_for_each_list_of_labels(void **state)
{
    (void)state;
    toll_profile *p = unknown("a", 1);
    toll_thread_id id;
    assert_ok(toll_profile_add_labelled_thread(p, "worker", FACTS({ "commit", "b" }), &id, err));
    assert_ok(toll_profile_add_labelled_thread(p, "worker", FACTS({ "commit", "a" }), &id, err));
    assert_ok(toll_profile_add_run(p, FACTS({ "engine", "" }), err));
    assert_string_equal(runs(p), "1 {commit=a}|1 {commit=b}|");
    toll_profile_free(p);
    p = run("", "", 1);
    assert_string_equal(runs(p), "1 toll=1|");
    toll_profile_free(p);
}

static void test_runs_follow_labels(void **state)
{
    (void)state;
    toll_profile *p = run("a", "x", 1), *q;
    toll_filter where = { .size = sizeof where, .where = "commit=b" };
    add(p, run("b", "x", 2));
    assert_ok(toll_profile_filter(p, &where, &q, err));
    assert_string_equal(runs(q), "1 {commit=b} interpreter=x; toll=1|");
    toll_profile_free(q);
    assert_ok(toll_profile_with_labels(p, "commit=c,host=1", &q, err));
    assert_string_equal(runs(q), "2 {commit=c; host=1} interpreter=x; toll=1|");
    toll_profile_free(q);
    assert_ok(toll_profile_group_by(p, "thread", &q, err));
    assert_string_equal(runs(q), "2 interpreter=x; toll=1|");
    toll_profile_free(q);
    assert_ok(toll_profile_group_by(p, "root,commit", &q, err));
    assert_string_equal(runs(q), "1 {commit=a} interpreter=x; toll=1|"
                                 "1 {commit=b} interpreter=x; toll=1|");
    toll_profile_free(q);
    toll_profile_clear_notes(p);
    assert_string_equal(runs(p), "");
    toll_profile_free(p);
}

/* The order of merging does not matter. */
static void test_unknown_runs_stay_known_as_such(void **state)
{
    (void)state;
    for (int order = 0; order < 3; order++) {
        toll_profile *p = empty();
        for (int i = 0; i < 3; i++)
            add(p, i == order ? run("a", "x", 1) : unknown("a", 1));
        assert_string_equal(runs(p), "1 {commit=a} interpreter=x; toll=1|others|");
        toll_profile_free(p);
    }
    toll_profile *p = unknown("a", 1);
    add(p, unknown("a", 1));
    assert_string_equal(runs(p), "");
    toll_profile_free(p);
}

/* Also of labels with the characters that separate them. */
static void test_pprof_files_keep_runs(void **state)
{
    (void)state;
    toll_profile *p = run("a; b=c} \\ d", "Lua; 5}\\", 1), *q;
    toll_output *out;
    toll_input *in;
    const void *data;
    size_t size;
    add(p, unknown("x", 1));
    assert_string_equal(runs(p), "1 {commit=a\\; b=c\\} \\\\ d} "
                                 "interpreter=Lua\\; 5\\}\\\\; toll=1|others|");
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    data = toll_output_data(out, &size);
    assert_ok(toll_input_from_memory(NULL, data, size, "p", &in, err));
    assert_ok(toll_profile_read(in, NULL, NULL, NULL, &q, err));
    assert_same(p, q);
    toll_filter where = { .size = sizeof where, .where = "commit=a; b=c} \\ d" };
    toll_profile *selected;
    assert_ok(toll_profile_filter(q, &where, &selected, err));
    assert_int_equal(toll_profile_run_kind_count(selected), 1);
    toll_profile_free(selected);
    toll_input_free(in);
    toll_output_free(out);
    toll_profile_free(p);
    toll_profile_free(q);
}

/* --- comparisons -------------------------------------------------------------------------------*/

/* What of two profiles differs; frees them. */
static const char *difference(toll_profile *before, toll_profile *after, unsigned checks)
{
    static char text[500];
    toll_origin b = { NULL }, a = { NULL };
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer buffer;
    unsigned differ;
    toll_buffer_init(&buffer, &mem);
    assert_ok(toll_origin_take(&b, NULL, before, err));
    assert_ok(toll_origin_take(&a, NULL, after, err));
    assert_ok(toll_origins_differ(&b, &a, checks, NULL, &differ, &buffer, err));
    snprintf(text, sizeof text, "%u %s", differ, toll_buffer_cstr(&buffer));
    toll_buffer_free(&buffer);
    toll_origin_free(&b);
    toll_origin_free(&a);
    toll_profile_free(before);
    toll_profile_free(after);
    return text;
}

static void test_unlike_runs_are_not_compared(void **state)
{
    enum { BOTH = TOLL_ORIGIN_MAKERS | TOLL_ORIGIN_COUNTS };
    (void)state;
    assert_string_equal(difference(run("a", "x", 1), run("b", "x", 9), BOTH), "0 ");
    assert_string_equal(difference(run("a", "x", 1), run("a", "y", 1), BOTH),
                        "1 interpreter: BEFORE is of x, AFTER of y");
    assert_string_equal(difference(run("a", "x", 1), run("a", "y", 1), TOLL_ORIGIN_COUNTS), "0 ");
    assert_string_equal(difference(run("a", "x", 1), unknown("a", 1), BOTH), "0 ");
    assert_string_equal(difference(run("a", "x", 1), run("a", "", 1), BOTH), "0 ");
    toll_profile *p = run("a", "x", 1), *q = run("a", "x", 1);
    add(p, run("a", "y", 1));
    assert_string_equal(difference(p, run("a", "x", 1), TOLL_ORIGIN_MAKERS),
                        "1 interpreter: BEFORE is of x and y, AFTER of x");
    add(q, run("a", "x", 1));
    add(q, run("b", "x", 1)); /* a new test is no difference */
    assert_string_equal(difference(run("a", "x", 1), q, BOTH),
                        "2 BEFORE is the sum of 1 run {commit=a}, AFTER of 2");
    q = run("b", "x", 1); /* other commits are what is compared */
    add(q, run("c", "x", 1));
    assert_string_equal(difference(run("a", "x", 1), q, BOTH),
                        "2 BEFORE is the sum of 1 run, AFTER of 2");
}

/* Profiles of `count` runs that cost `ticks` each, in the first one `more`. */
static toll_profile *sum_of(int count, int64_t ticks, int64_t more)
{
    toll_profile *p = run("a", "x", ticks + more);
    for (int i = 1; i < count; i++)
        add(p, run("a", "x", ticks));
    return p;
}

static void test_per_run_is_exact(void **state)
{
    (void)state;
    int64_t of;
    toll_profile *b = sum_of(3, 29287, 0), *a = sum_of(4, 29287, 0);
    assert_ok(toll_divide_by_runs(b, a, false, &of, err));
    assert_int_equal(of, 1);
    assert_int_equal(sum(b, 1), 29287);
    assert_int_equal(sum(a, 1), 29287);
    toll_profile_free(b);
    toll_profile_free(a);
    b = sum_of(3, 10, 1); /* 31 / 3 and 40 / 4: of three runs 31 and 30 */
    a = sum_of(4, 10, 0);
    assert_ok(toll_divide_by_runs(b, a, false, &of, err));
    assert_int_equal(of, 3);
    assert_int_equal(sum(b, 1), 31);
    assert_int_equal(sum(a, 1), 30);
    toll_profile_free(b);
    b = unknown("a", 1);
    assert_int_equal(toll_divide_by_runs(b, a, false, &of, NULL), TOLL_E_NOT_FOUND);
    add(b, run("a", "x", 1));
    assert_int_equal(toll_divide_by_runs(b, a, false, &of, NULL), TOLL_E_NOT_FOUND);
    toll_profile_free(b);
    b = sum_of(2, INT64_MAX / 2, 0);
    toll_profile *odd = sum_of(3, 1, 1);
    assert_int_equal(toll_divide_by_runs(odd, b, false, &of, NULL), TOLL_E_OVERFLOW);
    toll_profile_free(odd);
    toll_profile_free(a);
    toll_profile_free(b);
}

/* Each test is divided by its own number of runs. */
static void test_per_run_by_labels(void **state)
{
    (void)state;
    int64_t of;
    toll_profile *b = run("a", "x", 5), *a = run("a", "x", 5);
    add(b, run("b", "x", 7));
    add(a, run("b", "x", 7));
    add(a, run("b", "x", 7));
    assert_ok(toll_divide_by_runs(b, a, true, &of, err));
    assert_int_equal(of, 1);
    assert_int_equal(sum(b, 1), 12);
    assert_int_equal(sum(a, 1), 12);
    toll_profile_free(a);
    toll_profile_free(b);
}

static toll_status merge_all(const toll_allocator *allocator, void *user)
{
    toll_profile *p, *of = user;
    toll_origin origin = { NULL };
    toll_error own;
    toll_status status = toll_profile_create(allocator, &p, &own);
    if (status)
        return status;
    status = toll_profile_merge(p, of, &own);
    if (!status)
        status = toll_profile_merge(p, of, &own);
    if (!status)
        status = toll_profile_add_run(p, FACTS({ "engine", "x" }), &own);
    if (!status)
        status = toll_origin_take(&origin, allocator, p, &own);
    toll_origin_free(&origin);
    toll_profile_free(p);
    return status;
}

static void test_there_may_be_no_memory_for_runs(void **state)
{
    (void)state;
    toll_profile *p = run("a", "x", 1);
    add(p, run("b", "y", 1));
    test_every_allocation(merge_all, p);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_of_equal_labels_and_facts_add_up),
        cmocka_unit_test(test_a_run_counts_once_for_each_list_of_labels),
        cmocka_unit_test(test_runs_follow_labels),
        cmocka_unit_test(test_unknown_runs_stay_known_as_such),
        cmocka_unit_test(test_pprof_files_keep_runs),
        cmocka_unit_test(test_unlike_runs_are_not_compared),
        cmocka_unit_test(test_per_run_is_exact),
        cmocka_unit_test(test_per_run_by_labels),
        cmocka_unit_test(test_there_may_be_no_memory_for_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
