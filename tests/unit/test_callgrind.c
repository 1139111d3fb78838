/* test_callgrind.c - files for KCachegrind: costs and calls line by line, lines of inlined
 * functions as part of their callers, and unchanged sums. */
#include "support.h"

#define MAIN .name = "main", .file = "/src/a.c", .line = 10
#define LEAF .name = "leaf", .file = "/src/b.c", .line = 3
#define TINY .name = "tiny", .kind = TOLL_KIND_INLINED, .file = "/src/a.h", .line = 1

static toll_node_id child(toll_profile *p, toll_node_id parent, toll_frame f)
{
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, parent, frame, &node, err));
    return node;
}

static void add(toll_profile *p, toll_node_id node, int64_t ticks, int64_t calls)
{
    assert_ok(toll_profile_add_self(p, node, 0, ticks, err));
    if (toll_profile_column_count(p) > 1)
        assert_ok(toll_profile_add_self(p, node, 1, calls, err));
}

static toll_profile *empty(bool with_calls)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    if (with_calls)
        assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    return p;
}

static void collect_warning(void *user, const char *text)
{
    strncat(user, text, 600);
    strncat(user, "\n", 2);
}

/* The file after its head, and what the writer warned about. */
static void expect(toll_profile *p, const char *summary, const char *body, const char *warnings)
{
    char warned[2000] = "";
    toll_format_options o = { .size = sizeof o, .warn = collect_warning, .warn_user = warned };
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "callgrind", &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    const char *found = strstr(toll_output_data(out, &size), "summary:");
    assert_non_null(found);
    assert_memory_equal(found, summary, strlen(summary));
    assert_string_equal(strstr(found, "\n\n") + 2, body);
    assert_string_equal(warned, warnings);
    toll_output_free(out);
    toll_profile_free(p);
}

/* main costs 5 without a line, 20 at line 12, and 30 at line 13, which has called leaf twice: 7 at
 * line 4. */
static void test_costs_and_calls_line_by_line(void **state)
{
    (void)state;
    toll_profile *p = empty(true);
    toll_node_id root = toll_profile_root(p, 0);
    toll_node_id at13 = child(p, root, (toll_frame){ MAIN, .at_line = 13 });
    add(p, child(p, root, (toll_frame){ MAIN }), 5, 1);
    add(p, child(p, root, (toll_frame){ MAIN, .at_line = 12 }), 20, 0);
    add(p, at13, 30, 0);
    add(p, child(p, at13, (toll_frame){ LEAF }), 0, 2);
    add(p, child(p, at13, (toll_frame){ LEAF, .at_line = 4 }), 7, 0);
    expect(p, "summary: 62\n",
           "fl=(1) /src/b.c\nfn=(1) leaf\n0 0\n4 7\n\n"
           "fl=(2) /src/a.c\nfn=(2) main\n0 5\n12 20\n13 30\n"
           "cfi=(1)\ncfn=(1)\ncalls=2 3\n13 7\n\n",
           "");
}

/* Lines come in order, whichever stack had them first. */
static void test_lines_are_in_order(void **state)
{
    (void)state;
    toll_profile *p = empty(true);
    toll_node_id root = toll_profile_root(p, 0);
    toll_node_id leaf = child(p, root, (toll_frame){ LEAF, .at_line = 4 });
    add(p, child(p, leaf, (toll_frame){ MAIN, .at_line = 13 }), 30, 0);
    add(p, child(p, root, (toll_frame){ MAIN, .at_line = 12 }), 20, 0);
    expect(p, "summary: 50\n",
           "fl=(1) /src/b.c\nfn=(1) leaf\n4 0\ncfi=(2) /src/a.c\ncfn=(2) main\ncalls=0 10\n4 30\n\n"
           "fl=(2)\nfn=(2)\n12 20\n13 30\n\n",
           "");
}

/* Without counted calls, there is one call for each stack, not for each line of the callee. */
static void test_calls_that_nobody_counted(void **state)
{
    (void)state;
    toll_profile *p = empty(false);
    toll_node_id top = child(p, toll_profile_root(p, 0), (toll_frame){ MAIN, .at_line = 12 });
    add(p, child(p, top, (toll_frame){ LEAF, .at_line = 4 }), 7, 0);
    add(p, child(p, top, (toll_frame){ LEAF, .at_line = 5 }), 8, 0);
    expect(p, "summary: 15\n",
           "fl=(1) /src/b.c\nfn=(1) leaf\n4 7\n5 8\n\n"
           "fl=(2) /src/a.c\nfn=(2) main\n12 0\ncfi=(1)\ncfn=(1)\ncalls=1 3\n12 15\n\n",
           "how often functions were called is not known: a call is counted for each stack\n");
}

/* The lines of tiny, which is inlined, are lines of main in another file, and so is the call from
 * there. An inlined function without a caller is a function. */
static void test_inlined_functions_are_part_of_their_callers(void **state)
{
    (void)state;
    toll_profile *p = empty(true);
    toll_node_id root = toll_profile_root(p, 0);
    toll_node_id top = child(p, root, (toll_frame){ MAIN, .at_line = 12 });
    toll_node_id tiny = child(p, top, (toll_frame){ TINY, .at_line = 2 });
    add(p, top, 20, 0);
    add(p, tiny, 40, 0);
    add(p, child(p, tiny, (toll_frame){ LEAF }), 7, 3);
    add(p, child(p, root, (toll_frame){ TINY, .at_line = 2 }), 1, 0);
    expect(p, "summary: 68\n",
           "fl=(1) /src/b.c\nfn=(1) leaf\n3 7\n\n"
           "fl=(2) /src/a.c\nfn=(2) main\n12 20\nfi=(3) /src/a.h\n2 40\n"
           "cfi=(1)\ncfn=(1)\ncalls=3 3\n2 7\n\n"
           "fl=(3)\nfn=(3) tiny\n2 1\n\n",
           "format callgrind cannot hold everything; left out: kinds of frames\n"
           "callgrind has no inlined functions: their lines are those of the functions around "
           "them\n");
}

/* leaf calls itself from two lines: the cost of the inner calls is part of the outer one. */
static void test_recursion_through_several_lines(void **state)
{
    (void)state;
    toll_profile *p = empty(true);
    toll_node_id at = child(p, toll_profile_root(p, 0), (toll_frame){ LEAF, .at_line = 4 });
    at = child(p, at, (toll_frame){ LEAF, .at_line = 5 });
    add(p, at, 10, 1);
    add(p, child(p, at, (toll_frame){ LEAF, .at_line = 4 }), 100, 1);
    expect(p, "summary: 110\n",
           "fl=(1) /src/b.c\nfn=(1) leaf\n4 100\ncfi=(1)\ncfn=(1)\ncalls=1 3\n4 110\n"
           "5 10\ncfi=(1)\ncfn=(1)\ncalls=1 3\n5 0\n\n",
           "");
}

/* An address without a line is written as the function's own line. */
static void test_addresses_are_no_lines(void **state)
{
    (void)state;
    toll_profile *p = empty(true);
    toll_node_id root = toll_profile_root(p, 0);
    add(p, child(p, root, (toll_frame){ LEAF, .module = "m", .at_address = 64 }), 3, 0);
    add(p, child(p, root, (toll_frame){ LEAF, .module = "m", .at_address = 72 }), 4, 0);
    expect(p, "summary: 7\n", "fl=(1) /src/b.c\nfn=(1) leaf\n3 7\n\n", "");
}

/* Of two threads, each of which has one. */
static void test_sums_that_do_not_fit(void **state)
{
    (void)state;
    for (uint32_t column = 0; column < 2; column++)
        for (int64_t more = 0; more < 2; more++) {
            toll_profile *p = empty(true);
            toll_output *out;
            toll_error failure;
            test_add_stack(p, "main", "f", column, INT64_MAX - 1);
            test_add_stack(p, "other", "g", column, 1 + more);
            test_add_stack(p, "other", "h", 1 - column, 1);
            assert_ok(toll_output_to_memory(NULL, 0, &out, err));
            toll_status status = toll_profile_write(p, NULL, "callgrind", NULL, out, &failure);
            assert_int_equal(status, more ? TOLL_E_OVERFLOW : TOLL_OK);
            if (more)
                assert_string_equal(failure.text,
                                    column ? "the total of 'calls' does not fit 64 bits"
                                           : "the total of 'ticks' does not fit 64 bits");
            toll_output_free(out);
            toll_profile_free(p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs_and_calls_line_by_line),
        cmocka_unit_test(test_lines_are_in_order),
        cmocka_unit_test(test_calls_that_nobody_counted),
        cmocka_unit_test(test_inlined_functions_are_part_of_their_callers),
        cmocka_unit_test(test_recursion_through_several_lines),
        cmocka_unit_test(test_addresses_are_no_lines),
        cmocka_unit_test(test_sums_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
