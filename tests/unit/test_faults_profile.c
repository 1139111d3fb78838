/* test_faults_profile.c - like test_faults.c, for the code in profile/. */
#include "support.h"

#include "base/text.h"
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

/* labels.c: the last part of a path begins one letter too late. */
static void test_labels_have_the_last_part_of_the_path(void **state)
{
    (void)state;
    toll_profile *p;
    toll_order order;
    toll_labels labels;
    toll_frame a = { .name = "f", .file = "src/one.c", .line = 3 },
               b = { .name = "f", .file = "src/two.c", .line = 3 };
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

/* order.c, labels.c: an array for which there is no memory is used all the same. One allocation
 * fails, and those after it do not. */
typedef struct once {
    size_t made, failing;
} once;

static void *resize_but_once(void *user, void *block, size_t old_size, size_t new_size)
{
    once *o = user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return o->made++ == o->failing ? NULL : realloc(block, new_size);
}

static toll_status order_three_frames(const toll_allocator *allocator)
{
    static const toll_frame frames[] = { { .name = "c" },
                                         { .name = "a" },
                                         { .name = "a", .kind = TOLL_KIND_SECTION } };
    toll_profile *p;
    toll_order order;
    toll_labels labels;
    toll_status status = toll_profile_create(allocator, &p, NULL);
    if (status)
        return status;
    for (size_t i = 0; !status && i < 3; i++)
        status = toll_profile_add_frame(p, &frames[i], NULL, NULL);
    if (!status)
        status = toll_order_create(&order, p, NULL);
    if (!status) {
        assert_int_equal(order.frames[0], 1);
        assert_int_equal(order.frames[1], 2);
        assert_int_equal(order.frames[2], 0);
        status = toll_labels_create(&labels, &order, NULL);
        if (!status) {
            assert_string_equal(toll_label(&labels, 1), "a");
            assert_string_equal(toll_label(&labels, 2), "a #2");
            toll_labels_free(&labels);
        }
        toll_order_free(&order);
    }
    toll_profile_free(p);
    return status;
}

static void test_an_order_without_memory_is_a_failure(void **state)
{
    once o = { 0, 0 };
    toll_allocator allocator = { resize_but_once, &o };
    (void)state;
    do {
        o.made = 0;
        toll_status status = order_three_frames(&allocator);
        assert_int_equal(status, o.made > o.failing ? TOLL_E_NOMEM : TOLL_OK);
    } while (o.made > o.failing++);
}

/* ctx_tree.c: a child with the hash of another one is taken for it, since only its parent, or only
 * its frame, is compared. The numbers have been searched for. */
static uint32_t child_hash(uint32_t parent, uint32_t frame)
{
    return (uint32_t)toll_hash_u64((uint64_t)parent << 32 | frame);
}

static void test_children_with_one_hash_are_two(void **state)
{
    enum { FRAME = 164925, OTHER_FRAME = 179762, FRAME_OF_TWO = 456455972 };
    toll_mem mem = toll_mem_from(NULL);
    toll_tree tree;
    toll_node *roots[3];
    (void)state;
    toll_tree_init(&tree, &mem, 1);
    for (int i = 0; i < 3; i++)
        roots[i] = toll_tree_add_root(&tree);
    assert_int_equal(child_hash(0, FRAME), child_hash(0, OTHER_FRAME));
    assert_int_equal(child_hash(0, FRAME_OF_TWO), child_hash(2, FRAME_OF_TWO));
    toll_node *frame = toll_tree_add_child(&tree, roots[0], FRAME);
    toll_node *other = toll_tree_add_child(&tree, roots[0], OTHER_FRAME);
    assert_int_equal(other->frame, OTHER_FRAME);
    assert_ptr_equal(toll_tree_add_child(&tree, roots[0], FRAME), frame);
    assert_ptr_equal(toll_tree_add_child(&tree, roots[0], OTHER_FRAME), other);
    toll_node *first = toll_tree_add_child(&tree, roots[0], FRAME_OF_TWO);
    toll_node *second = toll_tree_add_child(&tree, roots[2], FRAME_OF_TWO);
    assert_ptr_equal(second->parent, roots[2]);
    assert_ptr_equal(toll_tree_add_child(&tree, roots[0], FRAME_OF_TWO), first);
    assert_ptr_equal(toll_tree_add_child(&tree, roots[2], FRAME_OF_TWO), second);
    toll_tree_free(&tree);
}

/* call_site.c: the loop over names ends too early, or goes on behind their end. */
static void test_every_name_of_an_allocator_counts(void **state)
{
    static const char *const more[] = { "first", "last", NULL };
    (void)state;
    assert_true(toll_is_allocator("dlmalloc", NULL)); /* the first and the last of those known */
    assert_true(toll_is_allocator("~lib/rt/itcms/__new", NULL));
    assert_false(toll_is_allocator("first", NULL));
    assert_true(toll_is_allocator("first", more));
    assert_true(toll_is_allocator("last", more));
    assert_false(toll_is_allocator("neither", more));
    assert_false(toll_is_allocator("", more));
    assert_false(toll_is_allocator("malloc_stats", NULL)); /* only folders are prefixes */
}

/* call_site.c: the last character of a name decides whether it is a folder, or a namespace. A name
 * of no characters has none; it is a block of its own, so that sanitizers see a read before it. */
static void test_folders_and_namespaces_of_allocators(void **state)
{
    char *nothing = calloc(1, 1);
    const char *const more[] = { nothing, "/", "my::", "dir/sub/", "b:c", NULL };
    (void)state;
    assert_non_null(nothing);
    assert_true(toll_is_allocator("", more));
    assert_true(toll_is_allocator("/rooted", more));
    assert_true(toll_is_allocator("my::alloc", more));
    assert_true(toll_is_allocator("dir/sub/alloc", more));
    assert_false(toll_is_allocator("dir/other", more));
    assert_false(toll_is_allocator("my", more));
    assert_false(toll_is_allocator("f", more));
    assert_false(toll_is_allocator("b:cd", more));
    free(nothing);
}

/* call_site.c: a column more than there are is taken for a value of the stack. */
static void test_a_stack_without_values_has_no_site(void **state)
{
    toll_profile *p, *sites;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_by_call_site(p, NULL, &sites, err)); /* not even a thread */
    assert_int_equal(toll_profile_node_count(sites), 0);
    toll_profile_free(sites);
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    test_add_stack(p, "main", "f;g", 0, 1);
    assert_ok(toll_profile_by_call_site(p, NULL, &sites, err));
    assert_int_equal(toll_profile_node_count(sites), 2);
    assert_int_equal(test_self(sites, "main", "g", 0), 1);
    toll_profile_free(sites);
    toll_profile_free(p);
}

/* filter.c and graft.c: a loop over threads takes one more than there are. Memory that was never
 * written is filled with a pattern that is no pointer, so that no sanitizer is needed to notice. */
static void *resize_filled(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    char *moved = realloc(block, new_size);
    if (moved && new_size > old_size)
        memset(moved + old_size, 0xa5, new_size - old_size);
    return moved;
}

static void test_no_thread_behind_the_last_is_looked_at(void **state)
{
    toll_allocator filled = { resize_filled, NULL };
    toll_profile *p, *out;
    toll_filter all = { .size = sizeof all, .focus = "f", .thread = "[a-z]" };
    (void)state;
    assert_ok(toll_profile_create(&filled, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    test_add_stack(p, "one", "f", 0, 1);
    test_add_stack(p, "two", "f;g", 0, 2);
    assert_true(p->thread_count < p->thread_capacity);
    assert_int_equal(toll_profile_root(p, 2), TOLL_NONE);
    assert_string_equal(toll_profile_thread_name(p, 2), "");
    assert_ok(toll_profile_filter(p, &all, &out, err));
    assert_int_equal(toll_profile_thread_count(out), 2);
    assert_int_equal(test_sum(out, 0), 3);
    toll_profile_free(out);
    assert_ok(toll_profile_prune(p, &out, err));
    assert_int_equal(toll_profile_thread_count(out), 2);
    assert_int_equal(test_sum(out, 0), 3);
    toll_profile_free(out);
    assert_ok(toll_profile_fold_threads(p, &out, err));
    assert_int_equal(toll_profile_thread_count(out), 1);
    assert_int_equal(test_sum(out, 0), 3);
    toll_profile_free(out);
    toll_profile_free(p);
}

/* order.c: the frames of the node behind the last are counted. The tree's chunk is full, so that
 * there is no such node. */
static void test_the_frames_of_all_stacks_and_no_more_are_counted(void **state)
{
    toll_allocator filled = { resize_filled, NULL };
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id f;
    (void)state;
    assert_ok(toll_profile_create(&filled, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_profile_add_thread(p, "", &thread, err));
    toll_node_id node = toll_profile_root(p, thread);
    while (toll_profile_node_count(p) < TOLL_TREE_CHUNK)
        assert_ok(toll_profile_add_child(p, node, f, &node, err));
    assert_ok(toll_profile_add_self(p, node, 0, 1, err));
    assert_int_equal(toll_profile_stack_frames(p), TOLL_TREE_CHUNK - 1);
    toll_profile_free(p);
}

/* frames.c: a text of a frame that there is no memory for is not noticed. Each text is longer than
 * all before it, so that each needs memory of its own. */
enum { TEXTS = 6, LONGEST = 64 << TEXTS };

static toll_status add_long_texts(toll_profile *p)
{
    static char room[TEXTS][LONGEST];
    toll_frame_id id;
    toll_thread_id thread;
    toll_node_id node;
    for (int i = 0; i < TEXTS; i++)
        memset(room[i], 'a' + i, (size_t)64 << i);
    toll_frame frame = { .name = room[0],
                         .file = room[1],
                         .line = 7,
                         .at_file = room[2],
                         .at_line = 8,
                         .at_address = 9,
                         .system_name = room[3],
                         .module = room[4],
                         .build_id = room[5] };
    toll_status status = toll_profile_add_thread(p, "", &thread, NULL);
    if (!status)
        status = toll_profile_add_frame(p, &frame, &id, NULL);
    return status ? status
                  : toll_profile_add_child(p, toll_profile_root(p, thread), id, &node, NULL);
}

static toll_status copy_long_texts(const toll_allocator *a, void *user)
{
    (void)user;
    toll_profile *p = NULL, *copy = NULL;
    toll_status status = toll_profile_create(a, &p, NULL);
    if (!status)
        status = add_long_texts(p);
    if (!status)
        status = toll_profile_copy(p, &copy, NULL);
    if (!status) {
        toll_frame frame = toll_profile_frame(p, 0);
        assert_int_equal(toll_profile_frame_count(copy), 1);
        assert_int_equal(toll_profile_find_frame(copy, &frame), 0);
    }
    toll_profile_free(copy);
    toll_profile_free(p);
    return status;
}

static void test_each_text_of_a_frame_needs_memory(void **state)
{
    (void)state;
    test_every_allocation(copy_long_texts, NULL);
}

/* merge.c: what was merged before the durations did not fit is not taken back. */
static void test_notes_of_a_merge_that_fails_are_taken_back(void **state)
{
    toll_profile *p, *more;
    uint64_t count;
    (void)state;
    for (int64_t longer = 0; longer < 2; longer++) {
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_create(NULL, &more, err));
        assert_ok(toll_profile_add_note(p, "a", 1, err));
        assert_ok(toll_profile_add_comment(p, "c", err));
        assert_ok(toll_profile_add_note(more, "a", 2, err));
        assert_ok(toll_profile_add_note(more, "b", 3, err));
        assert_ok(toll_profile_add_comment(more, "d", err));
        toll_profile_set_time(p, 50, INT64_MAX - 5);
        toll_profile_set_time(more, 40, 5 + longer);
        toll_status status = toll_profile_merge(p, more, NULL);
        assert_int_equal(status, longer ? TOLL_E_OVERFLOW : TOLL_OK);
        assert_int_equal(toll_profile_note_count(p), longer ? 1 : 2);
        assert_string_equal(toll_profile_note(p, 0, &count), "a");
        assert_int_equal(count, longer ? 1 : 3);
        assert_int_equal(toll_profile_comment_count(p), longer ? 1 : 2);
        assert_int_equal(toll_profile_start_ns(p), longer ? 50 : 40);
        assert_int_equal(toll_profile_duration_ns(p), longer ? INT64_MAX - 5 : INT64_MAX);
        toll_profile_free(more);
        toll_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_text_of_a_frame_needs_memory),
        cmocka_unit_test(test_notes_of_a_merge_that_fails_are_taken_back),
        cmocka_unit_test(test_a_child_taken_back_is_not_found_again),
        cmocka_unit_test(test_filter_and_prune_look_at_what_there_is),
        cmocka_unit_test(test_labels_have_the_last_part_of_the_path),
        cmocka_unit_test(test_check_looks_at_every_name),
        cmocka_unit_test(test_own_names_stand_outside_of_brackets),
        cmocka_unit_test(test_an_order_without_memory_is_a_failure),
        cmocka_unit_test(test_children_with_one_hash_are_two),
        cmocka_unit_test(test_every_name_of_an_allocator_counts),
        cmocka_unit_test(test_no_thread_behind_the_last_is_looked_at),
        cmocka_unit_test(test_folders_and_namespaces_of_allocators),
        cmocka_unit_test(test_a_stack_without_values_has_no_site),
        cmocka_unit_test(test_the_frames_of_all_stacks_and_no_more_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
