/* test_pruned.c - executions of basic blocks are written to pprof files only, for toll annotate
 * --asm. */
#include "support.h"

#include <toll/debug.h>

/* A function with a line, and a block that has nothing but its executions. */
static toll_status make(const toll_allocator *a, toll_profile **out)
{
    const char *const types[] = { "calls", TOLL_BLOCK_EXECUTIONS, "ticks" };
    const toll_frame frames[] = { { .name = "f", .file = "a.c" },
                                  { .name = "f", .file = "a.c", .at_line = 3 },
                                  { .name = "f", .file = "a.c", .at_address = 16 } };
    const int64_t values[][3] = { { 5, 0, 1 }, { 0, 0, 7 }, { 0, 9, 0 } };
    toll_profile *p;
    toll_thread_id thread;
    toll_status s = toll_profile_create(a, &p, NULL);
    if (s)
        return s;
    for (uint32_t c = 0; !s && c < 3; c++)
        s = toll_profile_add_column(p, types[c], "count", NULL, NULL);
    if (!s)
        s = toll_profile_add_thread(p, "main", &thread, NULL);
    if (!s)
        toll_profile_set_default_column(p, 2);
    for (uint32_t i = 0; !s && i < 3; i++) {
        toll_frame_id frame;
        toll_node_id node;
        s = toll_profile_add_frame(p, &frames[i], &frame, NULL);
        if (!s)
            s = toll_profile_add_child(p, toll_profile_root(p, thread), frame, &node, NULL);
        for (uint32_t c = 0; !s && c < 3; c++)
            s = toll_profile_add_self(p, node, c, values[i][c], NULL);
    }
    *out = s ? NULL : p;
    if (s)
        toll_profile_free(p);
    return s;
}

static toll_status written_by(const toll_allocator *a, const char *format, toll_output **out)
{
    toll_profile *p;
    *out = NULL;
    toll_status s = make(a, &p);
    if (s)
        return s;
    s = toll_output_to_memory(a, 0, out, NULL);
    if (!s)
        s = toll_profile_write(p, NULL, format, NULL, *out, NULL);
    if (!s)
        s = toll_output_commit(*out, NULL);
    toll_profile_free(p);
    return s;
}

static char *written(const char *format)
{
    toll_output *out;
    size_t size;
    assert_int_equal(written_by(NULL, format, &out), TOLL_OK);
    const char *data = toll_output_data(out, &size);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, data, size);
    toll_output_free(out);
    return text;
}

static void test_pprof_keeps_blocks(void **state)
{
    (void)state;
    toll_output *out;
    toll_input *in;
    toll_profile *p;
    size_t size;
    assert_int_equal(written_by(NULL, "pprof", &out), TOLL_OK);
    const void *data = toll_output_data(out, &size);
    assert_ok(toll_input_from_memory(NULL, data, size, "it", &in, err));
    assert_ok(toll_profile_read(in, NULL, NULL, NULL, &p, err));
    uint32_t column = toll_profile_find_column(p, TOLL_BLOCK_EXECUTIONS);
    int64_t sum = 0;
    assert_int_not_equal(column, TOLL_NONE);
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, column);
    assert_int_equal(sum, 9);
    toll_profile_free(p);
    toll_input_free(in);
    toll_output_free(out);
}

static void test_blocks_are_no_value_elsewhere(void **state)
{
    (void)state;
    char *page = written("html"), *speedscope = written("speedscope");
    char *callgrind = written("callgrind"), *folded = written("folded");
    assert_null(strstr(page, TOLL_BLOCK_EXECUTIONS));
    assert_non_null(strstr(page, "\"name\":\"calls\",\"sum\":\"5\",\"lines\":false"));
    assert_non_null(strstr(page, "\"name\":\"ticks\",\"sum\":\"8\",\"lines\":true"));
    assert_non_null(strstr(page, "\"default\":1,"));
    assert_non_null(strstr(page, "\"nodes\":3,\"frames\":2,"));
    assert_null(strstr(speedscope, TOLL_BLOCK_EXECUTIONS));
    assert_non_null(strstr(callgrind, "events: ticks\n"));
    assert_string_equal(folded, "f 8\n");
    free(page);
    free(speedscope);
    free(callgrind);
    free(folded);
}

static void test_blocks_alone_leave_nothing(void **state)
{
    (void)state;
    toll_profile *p;
    toll_output *out;
    size_t size;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, TOLL_BLOCK_EXECUTIONS, "count", NULL, err));
    toll_profile_set_default_column(p, 1);
    test_add_stack(p, "main", "a", 1, 4);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "folded", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *data = toll_output_data(out, &size);
    assert_int_equal(size, strlen("# no stacks\n"));
    assert_memory_equal(data, "# no stacks\n", size);
    assert_int_equal(toll_profile_column_count(p), 2);
    assert_int_equal(test_self(p, "main", "a", 1), 4);
    toll_output_free(out);
    toll_profile_free(p);
}

static toll_status write_page(const toll_allocator *a, void *user)
{
    toll_output *out;
    (void)user;
    toll_status s = written_by(a, "html", &out);
    toll_output_free(out);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(write_page, NULL, true); /* a profile is copied, if it cannot be looked at */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pprof_keeps_blocks),
        cmocka_unit_test(test_blocks_are_no_value_elsewhere),
        cmocka_unit_test(test_blocks_alone_leave_nothing),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
