/* support_arguments.h - for tests that pass wrong arguments to public functions: NULL, and ids that
 * the object does not have. The rules are at the begin of toll/toll.h. every_function.sh finds
 * public functions without such a test. */
#ifndef TOLL_TESTS_SUPPORT_ARGUMENTS_H
#define TOLL_TESTS_SUPPORT_ARGUMENTS_H

#include "support.h"

/* The ids next to the last one of `count`, and TOLL_NONE. */
static inline uint32_t test_id_past(uint32_t count, int which)
{
    return which == 0 ? count : which == 1 ? count + 1 : TOLL_NONE;
}

#define EACH_ID_PAST(id, count)                                                                    \
    for (uint32_t which_##id = 0, id = test_id_past((count), 0); which_##id < 3;                   \
         id = test_id_past((count), (int)++which_##id))

/* The call returns `expected`, once with `err`, in which it gives a reason, and once with NULL. */
#define assert_status(expected, call)                                                              \
    for (int told = 0; told < 2; told++) {                                                         \
        toll_error assert_err = { TOLL_OK, "" };                                                   \
        toll_error *err = told ? &assert_err : NULL;                                               \
        toll_status assert_result = (call);                                                        \
        if (assert_result != (expected))                                                           \
            fail_msg("%s: %s, not " #expected, #call, toll_status_name(assert_result));            \
        if (told && ((assert_result != TOLL_OK && !*assert_err.text) ||                            \
                     assert_err.status != assert_result))                                          \
            fail_msg("%s: %s without a reason", #call, toll_status_name(assert_result));           \
    }

#define assert_argument(call) assert_status(TOLL_E_ARGUMENT, call)

/* A value that the pointer to an object has before the call: a failure must replace it by NULL. */
static inline void *test_stale(void)
{
    static char stale;
    return &stale;
}

/* The content of a profile, for a comparison. The parts are counted, since files omit frames
 * without a cost. */
typedef struct test_shape {
    uint32_t columns, default_column, frames, threads, nodes, notes, comments;
    toll_output *file;
} test_shape;

static inline test_shape test_shape_of(const toll_profile *p)
{
    test_shape s = { .columns = toll_profile_column_count(p),
                     .default_column = toll_profile_default_column(p),
                     .frames = toll_profile_frame_count(p),
                     .threads = toll_profile_thread_count(p),
                     .nodes = toll_profile_node_count(p),
                     .notes = toll_profile_note_count(p),
                     .comments = toll_profile_comment_count(p) };
    assert_ok(toll_profile_check(p, 1, err));
    assert_ok(toll_output_to_memory(NULL, 0, &s.file, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, s.file, err));
    assert_ok(toll_output_commit(s.file, err));
    return s;
}

static inline void test_shape_free(test_shape *s)
{
    toll_output_free(s->file);
}

/* The contents of the profile are still `before`, which is freed. */
static inline void assert_unchanged(const toll_profile *p, test_shape *before)
{
    test_shape now = test_shape_of(p);
    size_t size, old_size;
    const void *bytes = toll_output_data(now.file, &size);
    const void *old_bytes = toll_output_data(before->file, &old_size);
    assert_int_equal(now.columns, before->columns);
    assert_int_equal(now.default_column, before->default_column);
    assert_int_equal(now.frames, before->frames);
    assert_int_equal(now.threads, before->threads);
    assert_int_equal(now.nodes, before->nodes);
    assert_int_equal(now.notes, before->notes);
    assert_int_equal(now.comments, before->comments);
    assert_int_equal(size, old_size);
    if (size)
        assert_memory_equal(bytes, old_bytes, size);
    test_shape_free(&now);
    test_shape_free(before);
}

/* An output in memory, the caller's to free. */
static inline toll_output *to_memory(void)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    return out;
}

/* A profile of one stack, the caller's to free. */
static inline toll_profile *small_profile(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    test_add_stack(p, "main", "a;b", 0, 1);
    return p;
}

#endif
