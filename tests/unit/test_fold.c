/* test_fold.c - operations that choose or join stacks: filter, fold, call-site keys. Each rule of
 * docs/semantics.md has a test of its name. */
#include "support_profile.h"

/* --- filter ------------------------------------------------------------------------------------*/

static void test_filter(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    test_add_stack(p, "main", "a;b;c", 1, 1);
    test_add_stack(p, "main", "a;b", 1, 2);
    test_add_stack(p, "main", "a;x", 1, 4);
    test_add_stack(p, "co", "b", 1, 8);
    assert_ok(toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .focus = "^b$" },
                                  &q, err));
    assert_int_equal(sum(q, 1), 11);
    toll_profile_free(q);
    assert_ok(toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .ignore = "c|x" },
                                  &q, err));
    assert_int_equal(sum(q, 1), 10);
    toll_profile_free(q);
    assert_ok(toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .thread = "^co" },
                                  &q, err));
    assert_int_equal(sum(q, 1), 8);
    assert_int_equal(toll_profile_thread_count(q), 1);
    toll_profile_free(q);
    assert_ok(toll_profile_filter(
        p,
        &(toll_filter){
            .size = sizeof(toll_filter), .focus = "b", .ignore = "c", .thread = "main" },
        &q, err));
    assert_int_equal(sum(q, 1), 2);
    toll_profile_free(q);
    assert_int_equal(toll_profile_filter(
                         p, &(toll_filter){ .size = sizeof(toll_filter), .focus = "(" }, &q, NULL),
                     TOLL_E_ARGUMENT);
    toll_profile_free(p);
}

static void test_filter_matches_where(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    toll_thread_id t;
    toll_frame_id f;
    toll_node_id n;
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    assert_ok(toll_profile_add_frame(
        p, &(toll_frame){ .name = "f", .file = "lib/json.lua", .line = 12 }, &f, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, t), f, &n, err));
    assert_ok(toll_profile_add_self(p, n, 1, 7, err));
    assert_ok(toll_profile_filter(
        p, &(toll_filter){ .size = sizeof(toll_filter), .focus = "json\\.lua:12" }, &q, err));
    assert_int_equal(sum(q, 1), 7);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* --- fold --------------------------------------------------------------------------------------*/

static void assert_folded(const char *stack, const char *expected)
{
    toll_profile *p = empty(), *q;
    test_add_stack(p, "main", stack, 1, 5);
    test_add_stack(p, "main", "", 1, 1);
    assert_ok(toll_profile_fold_recursion(p, &q, err));
    assert_int_equal(test_self(q, "main", expected, 1), 5);
    assert_int_equal(sum(q, 1), 6);
    assert_ok(toll_profile_check(q, 0, err));
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_fold_recursion(void **state)
{
    (void)state;
    assert_folded("f;f;f", "f");
    assert_folded("a;b;a;c", "a;c");
    assert_folded("a;b;a;b", "a;b");
    assert_folded("a;x;b;a;b", "a;b");
    assert_folded("m;a;b;c;b;d;a;e", "m;a;e");
    assert_folded("a;b;c;a;c;b", "a;c;b");
    assert_folded("a;b;c", "a;b;c");
}

/* On random trees: the same as folding each stack by itself. */
static void test_fold_recursion_against_a_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        toll_profile *p = empty(), *model = empty(), *q;
        uint64_t s = seed;
        for (int i = 0; i < 300; i++) {
            char stack[64] = "", folded[64] = "";
            char kept[16];
            size_t depth = 0, size = 0;
            s = s * UINT64_C(6364136223846793005) + 1442695040888963407u;
            int length = 1 + (int)(s >> 60) % 10;
            for (int k = 0; k < length; k++) {
                s = s * UINT64_C(6364136223846793005) + 1442695040888963407u;
                char c = (char)('a' + (s >> 61) % 5);
                stack[size++] = c;
                stack[size++] = ';';
                char *at = depth ? memchr(kept, c, depth) : NULL;
                depth = at ? (size_t)(at - kept) : depth;
                kept[depth++] = c;
                for (size_t d = 0; d < depth; d++) {
                    folded[2 * d] = kept[d];
                    folded[2 * d + 1] = d + 1 < depth ? ';' : 0;
                }
                test_add_stack(model, "main", folded, 1, 0);
            }
            stack[size - 1] = 0;
            test_add_stack(p, "main", stack, 1, i);
            test_add_stack(model, "main", folded, 1, i);
        }
        assert_ok(toll_profile_fold_recursion(p, &q, err));
        assert_same(q, model);
        toll_profile_free(p);
        toll_profile_free(q);
        toll_profile_free(model);
    }
}

static void test_fold_sections(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    toll_node_id node;
    static const toll_frame path[] = { { .name = "f" },
                                       { .name = "swap", .kind = TOLL_KIND_SECTION },
                                       { .name = "g" },
                                       { .name = "fees", .kind = TOLL_KIND_SECTION },
                                       { .name = "f" } };
    toll_frame_id frame;
    toll_thread_id thread;
    assert_ok(toll_profile_add_thread(p, "main", &thread, err));
    node = toll_profile_root(p, thread);
    for (int i = 0; i < 5; i++) {
        assert_ok(toll_profile_add_frame(p, &path[i], &frame, err));
        assert_ok(toll_profile_add_child(p, node, frame, &node, err));
        assert_ok(toll_profile_add_self(p, node, 1, 1 << i, err));
    }
    assert_ok(toll_profile_add_self(p, toll_profile_root(p, thread), 1, 32, err));
    assert_ok(toll_profile_fold_sections(p, &q, err));
    assert_int_equal(test_self(q, "main", "", 1), 32 + 1);
    assert_int_equal(test_self(q, "main", "swap", 1), 2 + 4);
    assert_int_equal(test_self(q, "main", "swap;fees", 1), 8 + 16);
    assert_int_equal(toll_profile_node_count(q), 3);
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_fold_depth(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    uint64_t n;
    test_add_stack(p, "main", "a;b;c;d", 1, 5);
    test_add_stack(p, "main", "a;b;c;d", 0, 3);
    test_add_stack(p, "main", "a;b", 0, 2);
    assert_ok(toll_profile_fold_depth(p, 2, &q, err));
    assert_int_equal(test_self(q, "main", "a;b", 1), 5);
    assert_int_equal(test_self(q, "main", "a;b", 0), 2);
    assert_string_equal(toll_profile_note(q, 0, &n), "calls below the depth limit, folded");
    assert_int_equal(n, 3);
    assert_int_equal(toll_profile_node_count(q), 3);
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_a_million_frames_deep(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    toll_thread_id t;
    toll_frame_id f[2];
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f[0], err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "g" }, &f[1], err));
    toll_node_id node = toll_profile_root(p, t);
    for (int i = 0; i < 1000000; i++) {
        assert_ok(toll_profile_add_child(p, node, f[i & 1], &node, err));
        assert_ok(toll_profile_add_self(p, node, 1, 1, err));
    }
    assert_ok(toll_profile_check(p, 0, err));
    assert_ok(toll_profile_fold_recursion(p, &q, err));
    assert_int_equal(test_self(q, "main", "f;g", 1), 500000);
    toll_profile_free(q);
    assert_ok(toll_profile_filter(p, &(toll_filter){ .size = sizeof(toll_filter), .focus = "g" },
                                  &q, err));
    assert_int_equal(sum(q, 1), 999999);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* --- call-site key -----------------------------------------------------------------------------*/

static void test_call_site_key(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    test_add_stack(p, "main", "main;sgen_init;internal_memalign;dlmalloc", 1, 1);
    test_add_stack(p, "main", "other;sgen_init;malloc", 1, 2);
    test_add_stack(p, "main", "malloc;dlmalloc", 1, 4);       /* all allocators: the innermost */
    test_add_stack(p, "main", "main;my_pool;dlmalloc", 1, 8); /* my_pool: see `more` */
    test_add_stack(p, "main", "", 1, 16);
    assert_ok(toll_profile_by_call_site(p, NULL, &q, err));
    assert_int_equal(test_self(q, "main", "sgen_init", 1), 3);
    assert_int_equal(test_self(q, "main", "dlmalloc", 1), 4);
    assert_int_equal(test_self(q, "main", "my_pool", 1), 8);
    assert_int_equal(test_self(q, "main", "unknown", 1), 16);
    assert_int_equal(sum(q, 1), 31);
    toll_profile_free(q);
    assert_ok(toll_profile_by_call_site(p, (const char *const[]){ "my_pool", NULL }, &q, err));
    assert_int_equal(test_self(q, "main", "main", 1), 8);
    toll_profile_free(q);
    toll_profile_free(p);
}

static void test_call_site_key_without_the_profilers_frames(void **state)
{
    (void)state;
    toll_profile *p = empty(), *q;
    test_add_stack(p, "main", "main;dlmalloc;_emscripten_trace_record_allocation;Object.onMalloc",
                   1, 1);
    test_add_stack(p, "main", "load;_emscripten_trace_record_allocation;Object.onMalloc", 1, 2);
    test_add_stack(p, "main", "malloc;Object.onMalloc", 1, 4);
    test_add_stack(p, "main", "Object.onMalloc", 1, 8);
    assert_ok(toll_profile_by_call_site(p, NULL, &q, err));
    assert_int_equal(test_self(q, "main", "main", 1), 1);
    assert_int_equal(test_self(q, "main", "load", 1), 2);
    assert_int_equal(test_self(q, "main", "malloc", 1), 4);
    assert_int_equal(test_self(q, "main", "unknown", 1), 8);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* Sites are matched by their stack, and shown in sums by key. */
static void test_diff_of_heap_sites(void **state)
{
    (void)state;
    toll_profile *before = empty(), *after = empty(), *d, *sites;
    test_add_stack(before, "main", "main;load;malloc", 1, 10);
    test_add_stack(before, "main", "main;other;load;malloc", 1, 5);
    test_add_stack(after, "main", "main;load;malloc", 1, 30);
    test_add_stack(after, "main", "main;other;load;malloc", 1, 1);
    assert_ok(toll_profile_diff(before, after, &d, err));
    assert_int_equal(test_self(d, "main", "main;load;malloc", 1), 20);
    assert_int_equal(test_self(d, "main", "main;other;load;malloc", 1), -4);
    assert_ok(toll_profile_by_call_site(d, NULL, &sites, err));
    assert_int_equal(test_self(sites, "main", "load", 1), 16);
    toll_profile_free(sites);
    toll_profile_free(d);
    toll_profile_free(after);
    toll_profile_free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_filter_matches_where),
        cmocka_unit_test(test_fold_recursion),
        cmocka_unit_test(test_fold_recursion_against_a_model),
        cmocka_unit_test(test_fold_sections),
        cmocka_unit_test(test_fold_depth),
        cmocka_unit_test(test_a_million_frames_deep),
        cmocka_unit_test(test_call_site_key),
        cmocka_unit_test(test_call_site_key_without_the_profilers_frames),
        cmocka_unit_test(test_diff_of_heap_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
