/* test_faults_writers.c - edge cases of writers which were untested (see test_faults_readers.c). */
#include "support.h"

/* callgrind.c: an edge stays open when it is left, so that its second stack adds nothing to what
 * the callee took in all. What a recursive call took is part of what the outer one did. */
static void test_callgrind_sums_an_edge_over_all_stacks(void **state)
{
    toll_profile *p;
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    test_add_stack(p, "", "a;f;g", 0, 5);
    test_add_stack(p, "", "b;f;g", 0, 7);
    test_add_stack(p, "", "b;f;g;f;g", 0, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "callgrind", NULL, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_non_null(strstr(toll_output_data(out, &size), "cfn=(4) g\ncalls=3 0\n0 13\n"));
    toll_output_free(out);
    toll_profile_free(p);
}

/* chrome_write.c: a file's name that ends as a line does gets a line of its own, 0: unknown. */
static void test_chrome_places_without_a_line(void **state)
{
    static const char file[] =
        "{\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"a.c:12\"},"
        "{\"name\":\"g\",\"file\":\"b.c:\"}]},"
        "\"profiles\":[{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"nanoseconds\","
        "\"startValue\":0,\"endValue\":9,\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":0},"
        "{\"type\":\"O\",\"frame\":1,\"at\":2},{\"type\":\"C\",\"frame\":1,\"at\":5},"
        "{\"type\":\"C\",\"frame\":0,\"at\":9}]}]}";
    toll_input *in;
    toll_timeline *timeline;
    toll_profile *p;
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_input_from_memory(NULL, file, sizeof file - 1, "file", &in, err));
    assert_ok(toll_profile_read(in, "speedscope", NULL, &timeline, &p, err));
    toll_input_free(in);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, timeline, "chrome", NULL, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_non_null(strstr(toll_output_data(out, &size), "\"cat\":\"a.c:12:0\""));
    assert_non_null(strstr(toll_output_data(out, &size), "\"cat\":\"b.c:\""));
    toll_output_free(out);
    toll_timeline_free(timeline);
    toll_profile_free(p);
}

/* callgrind.c: the names of two events are compared in their first letter alone, or a letter at the
 * end of the alphabet is none. What viewers rank by comes first: executions are last. */
static void test_callgrind_names_of_events(void **state)
{
    static const char *const types[] = { "executions", "gas used", "gas-used", "gas",
                                         "gas used 2", "azAZ09",   "9" };
    toll_profile *p;
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_ok(toll_profile_add_column(p, types[i], "count", NULL, err));
    test_add_stack(p, "", "f", 0, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "callgrind", NULL, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    if (!strstr(toll_output_data(out, &size),
                "\nevents: gas_used gas_used__2 gas gas_used_2 azAZ09 event_9 executions\n"))
        fail_msg("%s", (const char *)toll_output_data(out, &size));
    toll_output_free(out);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callgrind_sums_an_edge_over_all_stacks),
        cmocka_unit_test(test_chrome_places_without_a_line),
        cmocka_unit_test(test_callgrind_names_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
