/* test_arguments_profile.c - wrong arguments that the functions of toll/profile.h refuse: NULL, and
 * ids that the profile does not have. Each test gets an empty profile and another one, and must not
 * change them. */
#include "support_arguments.h"

typedef struct profiles {
    toll_profile *p[2];
    test_shape before[2];
} profiles;

static toll_profile *filled(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    test_add_stack(p, "main", "a;b", 1, 7);
    test_add_stack(p, "worker", "c", 0, 1);
    assert_ok(toll_profile_add_note(p, "guessed", 2, err));
    assert_ok(toll_profile_add_comment(p, "a test", err));
    return p;
}

static int set_up(void **state)
{
    profiles *both = test_malloc(sizeof *both);
    assert_ok(toll_profile_create(NULL, &both->p[0], err));
    both->p[1] = filled();
    for (int i = 0; i < 2; i++)
        both->before[i] = test_shape_of(both->p[i]);
    *state = both;
    return 0;
}

static int tear_down(void **state)
{
    profiles *both = *state;
    for (int i = 0; i < 2; i++) {
        assert_unchanged(both->p[i], &both->before[i]);
        toll_profile_free(both->p[i]);
    }
    test_free(both);
    return 0;
}

/* The profiles one after the other, then NULL. */
static toll_profile *next(void **state, const toll_profile *p)
{
    profiles *both = *state;
    return !p ? both->p[0] : p == both->p[0] ? both->p[1] : NULL;
}

#define EACH_PROFILE(p) for (toll_profile *p = next(state, NULL); p; p = next(state, p))

static toll_profile *not_empty(void **state)
{
    return ((profiles *)*state)->p[1];
}

/* --- a profile, columns ------------------------------------------------------------------------*/

static void test_toll_profile_create(void **state)
{
    (void)state;
    assert_argument(toll_profile_create(NULL, NULL, err));
}

static void test_toll_profile_free(void **state)
{
    (void)state;
    toll_profile_free(NULL);
}

static void test_toll_profile_add_column(void **state)
{
    uint32_t column = 3;
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_add_column(p, NULL, "count", &column, err));
        assert_int_equal(column, TOLL_NONE);
        assert_argument(toll_profile_add_column(p, "calls", NULL, NULL, err));
    }
}

static void test_toll_profile_column(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(column, toll_profile_column_count(p))
    {
        toll_value_type v = toll_profile_column(p, column);
        assert_string_equal(v.type, "");
        assert_string_equal(v.unit, "");
    }
}

static void test_toll_profile_find_column(void **state)
{
    EACH_PROFILE(p)
    assert_int_equal(toll_profile_find_column(p, NULL), TOLL_NONE);
}

static void test_toll_profile_find_value_type(void **state)
{
    EACH_PROFILE(p)
    {
        toll_value_type no_type = { NULL, "count" }, no_unit = { "calls", NULL };
        assert_int_equal(toll_profile_find_value_type(p, no_type), TOLL_NONE);
        assert_int_equal(toll_profile_find_value_type(p, no_unit), TOLL_NONE);
    }
}

static void test_toll_profile_set_default_column(void **state)
{
    EACH_PROFILE(p)
    {
        EACH_ID_PAST(column, toll_profile_column_count(p))
        toll_profile_set_default_column(p, column);
    }
    toll_profile *p = not_empty(state);
    toll_profile_set_default_column(p, 0);
    toll_profile_set_default_column(p, 2);
    assert_int_equal(toll_profile_default_column(p), 0);
    toll_profile_set_default_column(p, TOLL_NONE);
    assert_int_equal(toll_profile_default_column(p), 1);
}

/* --- frames, threads, nodes --------------------------------------------------------------------*/

static void test_toll_profile_add_frame(void **state)
{
    toll_frame nameless = { .name = NULL, .file = "f.c", .line = 1 };
    toll_frame odd = { .name = "f", .file = "f.c", .line = 1, .kind = TOLL_KIND_COUNT },
               good = { .name = "a" };
    toll_frame_id id = 3;
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_add_frame(p, NULL, &id, err));
        assert_int_equal(id, TOLL_NONE);
        assert_argument(toll_profile_add_frame(p, &nameless, &id, err));
        assert_argument(toll_profile_add_frame(p, &odd, &id, err));
    }
    assert_ok(toll_profile_add_frame(not_empty(state), &good, NULL, err));
}

static void test_toll_profile_find_frame(void **state)
{
    toll_frame nameless = { .name = NULL, .file = "f.c", .line = 1 };
    toll_frame odd = { .name = "a", .kind = TOLL_KIND_COUNT };
    EACH_PROFILE(p)
    {
        assert_int_equal(toll_profile_find_frame(p, NULL), TOLL_NONE);
        assert_int_equal(toll_profile_find_frame(p, &nameless), TOLL_NONE);
        assert_int_equal(toll_profile_find_frame(p, &odd), TOLL_NONE);
    }
}

static void test_toll_profile_frame(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_frame_count(p))
    {
        toll_frame f = toll_profile_frame(p, id);
        assert_string_equal(f.name, "");
        assert_string_equal(f.file, "");
    }
}

static void test_toll_profile_add_thread(void **state)
{
    toll_thread_id id = 3;
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_add_thread(p, NULL, &id, err));
        assert_int_equal(id, TOLL_NONE);
    }
    assert_ok(toll_profile_add_thread(not_empty(state), "main", NULL, err));
}

static void test_toll_profile_add_labelled_thread(void **state)
{
    static const toll_thread_label no_key = { NULL, "x" }, no_value = { "k", NULL },
                                   empty_key = { "", "x" }, thread = { "thread", "x" };
    EACH_PROFILE(p)
    {
        toll_thread_id id = 3;
        uint32_t threads = toll_profile_thread_count(p);
        assert_argument(toll_profile_add_labelled_thread(p, NULL, NULL, 0, &id, err));
        assert_int_equal(id, TOLL_NONE);
        assert_argument(toll_profile_add_labelled_thread(p, "new", NULL, 1, &id, err));
        assert_argument(toll_profile_add_labelled_thread(p, "new", &no_key, 1, &id, err));
        assert_argument(toll_profile_add_labelled_thread(p, "new", &no_value, 1, &id, err));
        assert_argument(toll_profile_add_labelled_thread(p, "new", &empty_key, 1, &id, err));
        assert_argument(toll_profile_add_labelled_thread(p, "new", &thread, 1, &id, err));
        assert_int_equal(toll_profile_thread_count(p), threads);
    }
    assert_ok(toll_profile_add_labelled_thread(not_empty(state), "main", NULL, 0, NULL, err));
}

static void test_toll_profile_thread_label_count(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_thread_count(p))
    assert_int_equal(toll_profile_thread_label_count(p, id), 0);
}

static void test_toll_profile_thread_label(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_thread_count(p))
    {
        assert_string_equal(toll_profile_thread_label(p, id, 0).key, "");
        assert_string_equal(toll_profile_thread_label(p, 0, id).value, "");
    }
}

static void test_toll_profile_thread_title(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_thread_count(p))
    assert_string_equal(toll_profile_thread_title(p, id), "");
}

static void test_toll_profile_thread_name(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_thread_count(p))
    assert_string_equal(toll_profile_thread_name(p, id), "");
}

static void test_toll_profile_root(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(id, toll_profile_thread_count(p))
    assert_int_equal(toll_profile_root(p, id), TOLL_NONE);
}

static void test_toll_profile_add_child(void **state)
{
    toll_node_id node = 3;
    EACH_PROFILE(p)
    {
        EACH_ID_PAST(parent, toll_profile_node_count(p))
        {
            assert_argument(toll_profile_add_child(p, parent, 0, &node, err));
            assert_int_equal(node, TOLL_NONE);
        }
        EACH_ID_PAST(frame, toll_profile_frame_count(p))
        assert_argument(toll_profile_add_child(p, 0, frame, &node, err));
    }
    assert_ok(toll_profile_add_child(not_empty(state), 0, 0, NULL, err));
}

static void test_toll_profile_parent(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(node, toll_profile_node_count(p))
    assert_int_equal(toll_profile_parent(p, node), TOLL_NONE);
}

static void test_toll_profile_node_frame(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(node, toll_profile_node_count(p))
    assert_int_equal(toll_profile_node_frame(p, node), TOLL_NONE);
}

static void test_toll_profile_self(void **state)
{
    EACH_PROFILE(p)
    {
        EACH_ID_PAST(node, toll_profile_node_count(p))
        assert_int_equal(toll_profile_self(p, node, 0), 0);
        EACH_ID_PAST(column, toll_profile_column_count(p))
        assert_int_equal(toll_profile_self(p, 0, column), 0);
    }
}

/* Any other count is refused, and nothing is written; all arrays may be NULL. */
static void test_toll_profile_nodes(void **state)
{
    EACH_PROFILE(p)
    {
        uint32_t count = toll_profile_node_count(p), columns = toll_profile_column_count(p);
        toll_node_id parents[8] = { 77 };
        toll_frame_id frames[8] = { 77 };
        int64_t self[16] = { 77 };
        assert_ok(toll_profile_nodes(p, count, NULL, NULL, NULL, err));
        EACH_ID_PAST(wrong, count + 1)
        assert_argument(toll_profile_nodes(p, wrong, parents, frames, self, err));
        assert_argument(toll_profile_nodes(p, count - 1, parents, frames, self, err));
        assert_true(parents[0] == 77 && frames[0] == 77 && self[0] == 77);
        assert_true(count <= 8 && columns <= 2);
        assert_ok(toll_profile_nodes(p, count, parents, frames, self, err));
        for (uint32_t n = 0; n < count; n++) {
            assert_int_equal(parents[n], toll_profile_parent(p, n));
            assert_int_equal(frames[n], toll_profile_node_frame(p, n));
            for (uint32_t c = 0; c < columns; c++)
                assert_int_equal(self[c * count + n], toll_profile_self(p, n, c));
        }
    }
}

static void test_toll_profile_frames(void **state)
{
    EACH_PROFILE(p)
    {
        uint32_t count = toll_profile_frame_count(p);
        toll_frame frames[4] = { { .line = 77 } };
        assert_true(count <= 4);
        assert_ok(toll_profile_frames(p, count, NULL, err));
        EACH_ID_PAST(wrong, count + 1)
        assert_argument(toll_profile_frames(p, wrong, frames, err));
        assert_argument(toll_profile_frames(p, count - 1, frames, err));
        assert_true(frames[0].line == 77);
        assert_ok(toll_profile_frames(p, count, frames, err));
        for (uint32_t i = 0; i < count; i++)
            assert_ptr_equal(frames[i].name, toll_profile_frame(p, i).name);
    }
}

static void test_toll_profile_add_self(void **state)
{
    EACH_PROFILE(p)
    {
        EACH_ID_PAST(node, toll_profile_node_count(p))
        assert_argument(toll_profile_add_self(p, node, 0, 5, err));
        EACH_ID_PAST(column, toll_profile_column_count(p))
        assert_argument(toll_profile_add_self(p, 0, column, 5, err));
    }
}

/* --- what else is known of the run -------------------------------------------------------------*/

static void test_toll_profile_clear_notes(void **state)
{
    toll_profile_clear_notes(NULL);
    EACH_PROFILE(p)
    {
        toll_profile *copy;
        assert_ok(toll_profile_copy(p, &copy, err));
        assert_ok(toll_profile_add_note(copy, "guessed", 2, err));
        assert_ok(toll_profile_add_comment(copy, "a line", err));
        toll_profile_clear_notes(copy);
        assert_int_equal(toll_profile_note_count(copy) + toll_profile_comment_count(copy), 0);
        toll_profile_free(copy);
    }
}

static void test_toll_profile_add_note(void **state)
{
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_add_note(p, NULL, 1, err));
        assert_argument(toll_profile_add_note(p, NULL, 0, err));
    }
}

static void test_toll_profile_note(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(i, toll_profile_note_count(p))
    {
        uint64_t count = 5;
        assert_string_equal(toll_profile_note(p, i, &count), "");
        assert_int_equal(count, 0);
        assert_string_equal(toll_profile_note(p, i, NULL), "");
    }
    assert_string_equal(toll_profile_note(not_empty(state), 0, NULL), "guessed");
}

static void test_toll_profile_add_comment(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_add_comment(p, NULL, err));
}

static void test_toll_profile_comment(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(i, toll_profile_comment_count(p))
    assert_string_equal(toll_profile_comment(p, i), "");
}

static void test_toll_profile_add_run(void **state)
{
    static const toll_thread_label wrong[] = {
        { NULL, "x" }, { "engine", NULL }, { "", "x" }, { "Engine", "x" }, { "a=b", "x" }
    };
    assert_argument(toll_profile_add_run(NULL, NULL, 0, err));
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_add_run(p, NULL, 1, err));
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            assert_argument(toll_profile_add_run(p, &wrong[i], 1, err));
        assert_int_equal(toll_profile_run_kind_count(p), 0);
    }
}

static void test_toll_profile_run_kind_count(void **state)
{
    EACH_PROFILE(p)
    assert_int_equal(toll_profile_run_kind_count(p), 0);
}

static void test_toll_profile_run_kind(void **state)
{
    EACH_PROFILE(p)
    EACH_ID_PAST(i, toll_profile_run_kind_count(p))
    {
        uint64_t count = 7;
        assert_string_equal(toll_profile_run_kind(p, i, &count), "");
        assert_int_equal(count, 0);
        assert_string_equal(toll_profile_run_kind(p, i, NULL), "");
    }
}

static void test_toll_profile_has_unknown_runs(void **state)
{
    EACH_PROFILE(p)
    assert_int_equal(toll_profile_has_unknown_runs(p), 0);
}

static void test_toll_start_time(void **state)
{
    static const char *const wrong[] = { "x", "-1", "+1", " 1", "1.5", "9223372037" };
    int64_t start = 7;
    (void)state;
    assert_argument(toll_start_time(NULL, err));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_set_variable("SOURCE_DATE_EPOCH", wrong[i]);
        assert_argument(toll_start_time(&start, err));
        assert_int_equal(start, 0);
    }
    test_set_variable("SOURCE_DATE_EPOCH", "9223372036");
    assert_ok(toll_start_time(&start, err));
    assert_int_equal(start, INT64_C(9223372036000000000));
    test_set_variable("SOURCE_DATE_EPOCH", "");
    assert_ok(toll_start_time(&start, err));
    assert_true(start > INT64_C(1700000000000000000));
    test_set_variable("SOURCE_DATE_EPOCH", NULL);
}

static void test_toll_profile_set_time(void **state)
{
    EACH_PROFILE(p)
    { /* any numbers will do */
        toll_profile_set_time(p, INT64_MIN, INT64_MAX);
        toll_profile_set_time(p, 0, 0);
    }
}

/* --- profiles out of profiles ------------------------------------------------------------------*/

static void test_toll_profile_merge(void **state)
{
    EACH_PROFILE(p)
    { /* with itself: what it holds, twice */
        toll_profile *twice, *again;
        assert_ok(toll_profile_copy(p, &twice, err));
        assert_ok(toll_profile_copy(p, &again, err));
        assert_ok(toll_profile_merge(twice, twice, err));
        assert_ok(toll_profile_merge(again, p, err));
        test_shape merged = test_shape_of(again);
        assert_unchanged(twice, &merged);
        toll_profile_free(twice);
        toll_profile_free(again);
    }
}

static void test_toll_profile_diff(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_diff(p, p, NULL, err));
}

static void test_toll_profile_filter(void **state)
{
    toll_filter bad = { .size = sizeof bad, .focus = "(" };
    toll_filter bad_ignore = { .size = sizeof bad_ignore, .ignore = "(" },
                bad_thread = { .size = sizeof bad_thread, .thread = "(" },
                bad_where = { .size = sizeof bad_where, .where = "host" };
    EACH_PROFILE(p)
    {
        toll_profile *out = p;
        assert_argument(toll_profile_filter(p, &bad, &out, err));
        assert_null(out);
        assert_argument(toll_profile_filter(p, &bad_ignore, &out, err));
        assert_argument(toll_profile_filter(p, &bad_thread, &out, err));
        assert_argument(toll_profile_filter(p, &bad_where, &out, err));
        assert_argument(toll_profile_filter(p, &bad, NULL, err));
        assert_ok(toll_profile_filter(p, NULL, &out, err)); /* no condition */
        assert_int_equal(toll_profile_node_count(out), toll_profile_node_count(p));
        toll_profile_free(out);
    }
}

static void test_toll_profile_with_labels(void **state)
{
    EACH_PROFILE(p)
    {
        toll_profile *out = test_stale();
        assert_argument(toll_profile_with_labels(p, "a=b", NULL, err));
        assert_argument(toll_profile_with_labels(p, NULL, &out, err));
        assert_null(out);
        const char *const bad[] = { "a", "=b", "a=", "a=b,c" };
        for (int i = 0; i < 4; i++)
            assert_argument(toll_profile_with_labels(p, bad[i], &out, err));
    }
    toll_profile *out;
    assert_argument(toll_profile_with_labels(not_empty(state), "thread=x", &out, err));
    assert_null(out);
}

static void test_toll_labels_check(void **state)
{
    (void)state;
    assert_argument(toll_labels_check(NULL, err));
    const char *const bad[] = { "a", "=b", "a=", "a=b,c", "thread=x", "\n=" };
    for (int i = 0; i < 6; i++)
        assert_argument(toll_labels_check(bad[i], err));
    assert_ok(toll_labels_check("a=b", NULL));
}

static void test_toll_profile_group_by(void **state)
{
    EACH_PROFILE(p)
    {
        toll_profile *out = test_stale();
        assert_argument(toll_profile_group_by(p, "host", NULL, err));
        assert_argument(toll_profile_group_by(p, NULL, &out, err));
        assert_null(out);
    }
}

static void test_toll_profile_fold_recursion(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_fold_recursion(p, NULL, err));
}

static void test_toll_profile_fold_sections(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_fold_sections(p, NULL, err));
}

static void test_toll_profile_fold_places(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_fold_places(p, NULL, err));
}

static void test_toll_profile_use_system_names(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_use_system_names(p, NULL, err));
}

static void test_toll_profile_fold_inlined(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_fold_inlined(p, NULL, err));
}

/* Of a profile and itself nothing has moved. */
static void test_toll_profile_align(void **state)
{
    EACH_PROFILE(p)
    {
        toll_profile *out;
        assert_argument(toll_profile_align(p, p, NULL, err));
        assert_ok(toll_profile_align(p, p, &out, err));
        assert_null(out);
    }
}

static void test_toll_profile_fold_depth(void **state)
{
    const uint32_t depths[] = { 0, 1, TOLL_NONE }; /* any depth will do; 0: only roots */
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_fold_depth(p, 1, NULL, err));
        for (int i = 0; i < 3; i++) {
            toll_profile *out;
            assert_ok(toll_profile_fold_depth(p, depths[i], &out, err));
            assert_ok(toll_profile_check(out, 0, err));
            assert_int_equal(test_sum(out, 1), test_sum(p, 1));
            toll_profile_free(out);
        }
    }
}

static void test_toll_profile_prune(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_prune(p, NULL, err));
}

static void test_toll_profile_prune_share(void **state)
{
    EACH_PROFILE(p)
    {
        toll_profile *out;
        assert_argument(toll_profile_prune_share(p, 0.5, NULL, err));
        assert_argument(toll_profile_prune_share(p, 1, &out, err));
        assert_null(out);
    }
}

static void test_toll_profile_take_call_costs(void **state)
{
    assert_argument(toll_profile_take_call_costs(NULL, 1, 1, NULL, err));
    EACH_PROFILE(p)
    assert_ok(toll_profile_take_call_costs(p, 1, 1, NULL, err));
}

static void test_toll_profile_without_overhead(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_without_overhead(p, NULL, err));
}

static void test_toll_profile_fold_threads(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_fold_threads(p, NULL, err));
}

static void test_toll_profile_by_call_site(void **state)
{
    const char *const more[] = { "b", NULL };
    EACH_PROFILE(p)
    {
        assert_argument(toll_profile_by_call_site(p, NULL, NULL, err));
        assert_argument(toll_profile_by_call_site(p, more, NULL, err));
    }
}

static void test_toll_profile_copy(void **state)
{
    EACH_PROFILE(p)
    assert_argument(toll_profile_copy(p, NULL, err));
}

static void test_toll_profile_check(void **state)
{
    EACH_PROFILE(p)
    {
        assert_ok(toll_profile_check(p, 0, NULL));
        assert_ok(toll_profile_check(p, -1, NULL));
    }
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(toll_profile_create),
        ROW(toll_profile_free),
        ROW(toll_profile_add_column),
        ROW(toll_profile_column),
        ROW(toll_profile_find_column),
        ROW(toll_profile_find_value_type),
        ROW(toll_profile_set_default_column),
        ROW(toll_profile_add_frame),
        ROW(toll_profile_find_frame),
        ROW(toll_profile_frame),
        ROW(toll_profile_add_thread),
        ROW(toll_profile_add_labelled_thread),
        ROW(toll_profile_thread_label_count),
        ROW(toll_profile_thread_label),
        ROW(toll_profile_thread_title),
        ROW(toll_profile_thread_name),
        ROW(toll_profile_root),
        ROW(toll_profile_add_child),
        ROW(toll_profile_parent),
        ROW(toll_profile_node_frame),
        ROW(toll_profile_self),
        ROW(toll_profile_add_self),
        ROW(toll_profile_nodes),
        ROW(toll_profile_frames),
        ROW(toll_profile_clear_notes),
        ROW(toll_profile_add_note),
        ROW(toll_profile_note),
        ROW(toll_profile_add_comment),
        ROW(toll_profile_comment),
        ROW(toll_profile_add_run),
        ROW(toll_profile_run_kind_count),
        ROW(toll_profile_run_kind),
        ROW(toll_profile_has_unknown_runs),
        ROW(toll_start_time),
        ROW(toll_profile_set_time),
        ROW(toll_profile_merge),
        ROW(toll_profile_diff),
        ROW(toll_profile_filter),
        ROW(toll_profile_with_labels),
        ROW(toll_labels_check),
        ROW(toll_profile_group_by),
        ROW(toll_profile_fold_recursion),
        ROW(toll_profile_fold_sections),
        ROW(toll_profile_fold_places),
        ROW(toll_profile_use_system_names),
        ROW(toll_profile_fold_inlined),
        ROW(toll_profile_align),
        ROW(toll_profile_fold_depth),
        ROW(toll_profile_prune),
        ROW(toll_profile_prune_share),
        ROW(toll_profile_take_call_costs),
        ROW(toll_profile_without_overhead),
        ROW(toll_profile_fold_threads),
        ROW(toll_profile_by_call_site),
        ROW(toll_profile_copy),
        ROW(toll_profile_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
