/* test_counts.c - profiles of every number of threads, frames and nodes up to some dozens, and of
 * some more: they come through whole where an array is just full, and where it is not. */
#include "support_profile.h"

enum { MOST = 60 };

/* Frames in stacks of up to ten, each called once or more, in as many threads as there are stacks.
 */
static toll_profile *profile_of(uint32_t frames, uint32_t nodes)
{
    toll_profile *p = empty();
    toll_node_id node = TOLL_NONE;
    toll_thread_id thread;
    for (uint32_t i = 0; toll_profile_node_count(p) < nodes; i++) {
        char name[20], file[20];
        snprintf(name, sizeof name, "f%u", i % frames);
        snprintf(file, sizeof file, "%u.c", i % frames);
        toll_frame_id id;
        if (i % 10 == 0) {
            snprintf(name, sizeof name, "t%u", i);
            assert_ok(toll_profile_add_thread(p, name, &thread, err));
            node = toll_profile_root(p, thread);
            if (toll_profile_node_count(p) == nodes)
                break;
            snprintf(name, sizeof name, "f%u", i % frames);
        }
        assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name, .file = file, .line = 1 },
                                         &id, err));
        assert_ok(toll_profile_add_child(p, node, id, &node, err));
        assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        assert_ok(toll_profile_add_self(p, node, 1, i + 1, err));
    }
    return p;
}

static void assert_sums(const char *call, const toll_profile *p, const toll_profile *of)
{
    assert_ok(toll_profile_check(p, 0, err));
    if (sum(p, 1) != sum(of, 1))
        fail_msg("%s of %u nodes", call, toll_profile_node_count(of));
}

/* The call sets `made`, which has the sums of p. */
#define assert_made(call)                                                                          \
    do {                                                                                           \
        toll_profile *made;                                                                        \
        assert_ok(call);                                                                           \
        assert_sums(#call, made, p);                                                               \
        toll_profile_free(made);                                                                   \
    } while (0)

static void transform(const toll_profile *p)
{
    toll_profile *q;
    const toll_filter all = { .size = sizeof all, .focus = "f", .thread = "t" };
    assert_made(toll_profile_filter(p, &all, &made, err));
    assert_made(toll_profile_fold_recursion(p, &made, err));
    assert_made(toll_profile_fold_sections(p, &made, err));
    assert_made(toll_profile_fold_depth(p, 3, &made, err));
    assert_made(toll_profile_fold_places(p, &made, err));
    assert_made(toll_profile_fold_inlined(p, &made, err));
    assert_made(toll_profile_fold_threads(p, &made, err));
    assert_made(toll_profile_use_system_names(p, &made, err));
    assert_made(toll_profile_prune(p, &made, err));
    assert_made(toll_profile_prune_share(p, 0.01, &made, err));
    assert_made(toll_profile_by_call_site(p, NULL, &made, err));
    assert_made(toll_profile_with_labels(p, "host=a", &made, err));
    assert_made(toll_profile_group_by(p, "host", &made, err));
    assert_ok(toll_profile_copy(p, &q, err));
    assert_same(q, p);
    assert_ok(toll_profile_merge(q, p, err));
    assert_int_equal(sum(q, 1), 2 * sum(p, 1));
    toll_profile *difference;
    assert_ok(toll_profile_diff(p, q, &difference, err));
    assert_sums("toll_profile_diff", difference, p);
    toll_profile_free(difference);
    toll_profile_free(q);
}

static void report(const toll_profile *p)
{
    toll_profile *none = empty(), *difference;
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_top(p, NULL, out, err));
    assert_ok(toll_report_tree(p, NULL, out, err));
    assert_ok(toll_report_json(p, NULL, out, err));
    assert_ok(toll_report_markdown(p, NULL, out, err));
    assert_ok(toll_report_flame(p, NULL, out, err));
    assert_ok(toll_profile_diff(none, p, &difference, err));
    assert_ok(toll_report_diff(none, p, difference, NULL, out, err));
    assert_ok(toll_report_diff_json(none, p, difference, NULL, out, err));
    assert_ok(toll_report_page(p, none, NULL, out, err));
    toll_output_free(out);
    toll_profile_free(difference);
    toll_profile_free(none);
}

/* To each format, and back from those that are read. */
static void convert(const toll_profile *p)
{
    const toll_format *f;
    for (unsigned i = 0; (f = toll_format_at(i)) != NULL; i++) {
        toll_output *out;
        toll_input *in;
        toll_profile *q;
        size_t size;
        if (!f->writes || f->needs_timeline)
            continue;
        assert_ok(toll_output_to_memory(NULL, 0, &out, err));
        assert_ok(toll_profile_write(p, NULL, f->name, NULL, out, err));
        assert_ok(toll_output_commit(out, err));
        const void *data = toll_output_data(out, &size);
        if (f->reads) {
            assert_ok(toll_input_from_memory(NULL, data, size, "x", &in, err));
            assert_ok(toll_profile_read(in, f->name, NULL, NULL, &q, err));
            toll_input_free(in);
            assert_int_equal(sum(q, toll_profile_default_column(q)), sum(p, 1));
            toll_profile_free(q);
        }
        toll_output_free(out);
    }
}

static void try_all(uint32_t frames, uint32_t nodes)
{
    toll_profile *p = profile_of(frames, nodes);
    assert_int_equal(toll_profile_node_count(p), nodes);
    transform(p);
    report(p);
    convert(p);
    toll_profile_free(p);
}

static void test_all_numbers_of_nodes(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= MOST; n++)
        try_all(n, n);
}

static void test_powers_of_two(void **state)
{
    (void)state;
    for (uint32_t n = 128; n <= 1024; n *= 2)
        for (uint32_t i = n - 1; i <= n + 1; i++)
            try_all(n / 8, i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_numbers_of_nodes),
        cmocka_unit_test(test_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
