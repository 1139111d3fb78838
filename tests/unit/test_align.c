/* test_align.c - comparisons find functions that have moved to another line or file. See
 * "Comparisons" in docs/semantics.md. */
#include "support.h"

#include <string.h>

static toll_profile *empty(const toll_allocator *a)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(a, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    return p;
}

/* The node of a frame below `parent`, which costs that many ticks. */
static toll_node_id add(toll_profile *p, toll_node_id parent, toll_frame f, int64_t ticks)
{
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, parent, frame, &node, err));
    assert_ok(toll_profile_add_self(p, node, 0, ticks, err));
    return node;
}

/* A profile of functions, each called by the root: its ticks are its number, from 1 on. */
static toll_profile *make(const toll_frame *frames, int count)
{
    toll_profile *p = empty(NULL);
    for (int i = 0; i < count; i++)
        add(p, toll_profile_root(p, 0), frames[i], i + 1);
    return p;
}

static uint64_t moved(const toll_profile *p)
{
    uint64_t count = 0, found = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strcmp(toll_profile_note(p, i, &count),
                   "functions that have moved to another line or file, compared by name") == 0)
            found = count;
    return found;
}

static int64_t ticks_of(const toll_profile *p, toll_frame f)
{
    toll_frame_id frame = toll_profile_find_frame(p, &f);
    int64_t sum = 0;
    for (uint32_t n = 0; frame != TOLL_NONE && n < toll_profile_node_count(p); n++)
        if (toll_profile_node_frame(p, n) == frame)
            sum += toll_profile_self(p, n, 0);
    return sum;
}

#define F(n, f, l) ((toll_frame){ .name = (n), .file = (f), .line = (l) })

/* If both profiles have equally many functions of a name and file, the first is compared with the
 * first, and so on. */
static void a_function_that_has_moved_is_the_same(void **state)
{
    (void)state;
    toll_frame was[] = { F("f", "a.c", 10), F("over", "a.c", 20), F("over", "a.c", 23),
                         F("a.c:30", "a.c", 30), F("a.c:33", "a.c", 33) };
    toll_frame is[] = { F("f", "a.c", 13), F("over", "a.c", 23), F("over", "a.c", 26),
                        F("a.c:33", "a.c", 33), F("a.c:36", "a.c", 36) };
    toll_profile *before = make(was, 5), *after = make(is, 5), *aligned, *difference;
    assert_ok(toll_profile_align(before, after, &aligned, err));
    assert_ok(toll_profile_check(aligned, 0, err));
    assert_int_equal(moved(aligned), 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(ticks_of(aligned, is[i]), i + 1);
    assert_ok(toll_profile_diff(aligned, after, &difference, err));
    for (uint32_t n = 0; n < toll_profile_node_count(difference); n++)
        assert_int_equal(toll_profile_self(difference, n, 0), 0);
    assert_int_equal(moved(difference), 5);
    toll_profile_free(difference);
    toll_profile_free(aligned);
    toll_profile_free(before);
    toll_profile_free(after);
}

/* If each profile has only one function of a name, the two are compared, even if their files
 * differ. */
static void a_function_may_move_to_another_file(void **state)
{
    (void)state;
    toll_frame was[] = { F("f", "a.c", 10), F("main", "a.c", 1), F("tiny", "a.h", 3) };
    toll_frame is[] = { F("f", "lib/b.c", 7), F("main", "a.c", 1), F("tiny", "b.h", 4) };
    was[2].kind = TOLL_KIND_INLINED; /* in one of them its code is in its caller's */
    toll_profile *before = make(was, 3), *after = make(is, 3), *aligned;
    assert_ok(toll_profile_align(before, after, &aligned, err));
    assert_int_equal(moved(aligned), 2);
    assert_int_equal(ticks_of(aligned, is[0]), 1);
    assert_int_equal(ticks_of(aligned, is[1]), 2);
    is[2].kind = TOLL_KIND_INLINED;
    assert_int_equal(ticks_of(aligned, is[2]), 3);
    toll_profile_free(aligned);
    toll_profile_free(before);
    toll_profile_free(after);
}

/* If it is not certain which functions correspond, one is new and the other is gone. */
static void what_could_be_several_functions_is_none(void **state)
{
    (void)state;
    toll_frame was[] = { F("over", "a.c", 20), F("over", "a.c", 30), F("same", "a.c", 1),
                         F("same", "b.c", 1), F("kind", "a.c", 5) };
    toll_frame is[] = { F("over", "a.c", 20), F("same", "c.c", 2), F("kind", "a.c", 6) };
    is[2].kind = TOLL_KIND_SECTION;
    toll_profile *before = make(was, 5), *after = make(is, 3), *aligned;
    assert_ok(toll_profile_align(before, after, &aligned, err));
    assert_null(aligned);
    toll_profile_free(before);
    toll_profile_free(after);
}

static void places_move_along(void **state)
{
    (void)state;
    toll_profile *before = empty(NULL), *after = empty(NULL), *aligned;
    toll_frame at = F("f", "a.c", 10), leaf = F("leaf", "a.c", 1);
    at.at_line = 12;
    toll_node_id caller = add(before, toll_profile_root(before, 0), at, 5);
    add(before, caller, leaf, 7);
    add(after, toll_profile_root(after, 0), F("f", "a.c", 8), 5);
    add(after, toll_profile_root(after, 0), leaf, 5);
    assert_ok(toll_profile_align(before, after, &aligned, err));
    at.line = 8;
    at.at_line = 10;
    assert_int_equal(ticks_of(aligned, at), 5);
    assert_int_equal(ticks_of(aligned, leaf), 7);
    assert_int_equal(toll_profile_node_count(aligned), 3);
    toll_profile_free(aligned);
    toll_profile_free(before);
    toll_profile_free(after);
}

static toll_status align(const toll_allocator *a, void *user)
{
    toll_profile **made = user, *before, *aligned = NULL;
    test_allocator *own = a->user;
    size_t allowed = own->allowed;
    own->allowed = SIZE_MAX; /* only aligning may run out of memory */
    before = empty(a);
    add(before, toll_profile_root(before, 0), F("f", "a.c", 10), 5);
    own->allowed = allowed;
    toll_status status = toll_profile_align(before, made[0], &aligned, NULL);
    assert_true(status ? aligned == NULL : aligned != NULL);
    toll_profile_free(aligned);
    toll_profile_free(before);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    toll_frame is = F("f", "a.c", 13);
    toll_profile *after = make(&is, 1);
    test_every_allocation(align, &after);
    toll_profile_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_has_moved_is_the_same),
        cmocka_unit_test(a_function_may_move_to_another_file),
        cmocka_unit_test(what_could_be_several_functions_is_none),
        cmocka_unit_test(places_move_along),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
