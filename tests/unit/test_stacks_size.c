/* test_stacks_size.c - a warning says how large deep stacks become before they are written, for
 * each format that has names in its stacks. */
#include "support.h"

#include <stdlib.h>

enum { DEPTH = 2000, STACK_FRAMES = DEPTH * (DEPTH + 1) / 2, MOST_NAME = 200 };

/* In each thread, DEPTH nested calls of a function whose name has `name_size` bytes; each spent 1.
 */
static toll_profile *make_deep(size_t name_size, int threads)
{
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id frame;
    char name[MOST_NAME + 1] = "";
    memset(name, 'd', name_size);
    const toll_frame f = { .name = name };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "samples", "count", NULL, err));
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    for (int t = 0; t < threads; t++) {
        char thread_name[2] = { (char)('a' + t), 0 };
        assert_ok(toll_profile_add_thread(p, thread_name, &thread, err));
        toll_node_id node = toll_profile_root(p, thread);
        for (int i = 0; i < DEPTH; i++) {
            assert_ok(toll_profile_add_child(p, node, frame, &node, err));
            assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        }
    }
    return p;
}

static void keep_megabytes(void *user, const char *text)
{
    const char *about = strstr(text, "deep: about ");
    if (about)
        *(long *)user = strtol(about + strlen("deep: about "), NULL, 10);
}

/* The size in the warning is that of the frames, `frame_size` bytes each; 0: there is no warning.
 */
static void assert_told_of(int threads, const char *format, size_t name_size, long frame_size)
{
    toll_profile *p = make_deep(name_size, threads);
    toll_output *out;
    long told = 0;
    const toll_format_options options = { .size = sizeof options,
                                          .warn = keep_megabytes,
                                          .warn_user = &told };
    assert_ok(toll_output_open(NULL, "/dev/null", 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, format, &options, out, err));
    toll_output_free(out);
    assert_int_equal(told, frame_size * STACK_FRAMES / 1000000);
    toll_profile_free(p);
}

static void assert_told(const char *format, size_t name_size, long frame_size)
{
    assert_told_of(1, format, name_size, frame_size);
}

/* NAME; */
static void test_stacks_size_folded(void **state)
{
    (void)state;
    assert_told("folded", 150, 151);
}

/* "NAME", twice. */
static void test_stacks_size_perfview(void **state)
{
    (void)state;
    assert_told("perfview", 75, 2 * 78);
}

/* A stack that all threads have is one where a format has no threads. */
static void test_stacks_size_of_threads(void **state)
{
    (void)state;
    assert_told_of(3, "folded", 150, 151);
    assert_told_of(3, "perfview", 75, 2 * 78);
    assert_told_of(3, "folded", 60, 0); /* only three of them would be large */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks_size_folded),
        cmocka_unit_test(test_stacks_size_perfview),
        cmocka_unit_test(test_stacks_size_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
