/* test_perfview.c - PerfView's two forms of a file: samples at the top level, and inside
 * StackSource. */
#include "support.h"

#define SAMPLES                                                                                    \
    "\"Samples\":[{\"Stack\":[\"g\",\"f\"],\"Metric\":60},{\"Stack\":[\"f\"],\"Metric\":70}]"
#define FEWER "\"Samples\":[{\"Stack\":[\"g\",\"f\"],\"Metric\":60}]"
#define NONE "\"Samples\":[]"
#define INSIDE(samples) "\"StackSource\":{" samples "}"

#define TWICE "samples of further lists that differ from the first, left out"

static toll_profile *read_text(const char *text)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static uint64_t note_of(const toll_profile *p, const char *text)
{
    uint64_t count;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            return count;
    return 0;
}

static void assert_samples(const char *text, int64_t f, int64_t g, uint64_t twice)
{
    toll_profile *p = read_text(text);
    assert_int_equal(test_self(p, "", "f", 0), f);
    assert_int_equal(test_self(p, "", "f;g", 0), g);
    assert_int_equal(note_of(p, TWICE), twice);
    toll_profile_free(p);
}

static void test_perfview_rounded_metrics_are_counted(void **state)
{
    toll_profile *p = read_text("{\"Samples\":[{\"Stack\":[\"f\"],\"Metric\":1.25},"
                                "{\"Stack\":[\"f\"],\"Metric\":2.25},{\"Stack\":[\"f\"]}]}");
    (void)state;
    assert_int_equal(note_of(p, "fractional values, rounded"), 2);
    assert_int_equal(note_of(p, "samples without a metric, counted as 1"), 1);
    assert_int_equal(test_self(p, "", "f", 0), 4);
    toll_profile_free(p);
}

/* Samples count once, even if a file has them in both lists. */
static void test_perfview_forms(void **state)
{
    (void)state;
    assert_samples("{" SAMPLES "}", 70, 60, 0);
    assert_samples("{" INSIDE(SAMPLES) "}", 70, 60, 0);
    assert_samples("{" SAMPLES "," INSIDE(SAMPLES) "}", 70, 60, 0);
    assert_samples("{" INSIDE(SAMPLES) "," SAMPLES "}", 70, 60, 0);
    assert_samples("{" NONE "," INSIDE(SAMPLES) "}", 70, 60, 0);
    assert_samples("{" SAMPLES "," INSIDE(NONE) "}", 70, 60, 0);
}

/* Lists that differ are not added up, and the file's reader says so. */
static void test_perfview_lists_differ(void **state)
{
    (void)state;
    assert_samples("{" SAMPLES "," INSIDE(FEWER) "}", 70, 60, 1);
    assert_samples("{" INSIDE(SAMPLES) "," FEWER "}", 70, 60, 1);
    assert_samples("{" SAMPLES "," FEWER "," INSIDE(FEWER) "}", 70, 60, 2);
}

/* PerfView's own example has numbers as text, and times. */
static void test_perfview_numbers_as_text(void **state)
{
    (void)state;
    assert_samples("{\"StackSource\" : {\"Samples\" : [\n"
                   "{\"Time\":\"10\",\"Metric\":\"60\",\"Stack\":[\"g\",\"f\"]},\n"
                   "{\"Time\":\"20\",\"Metric\":\"7e1\",\"Stack\":[\"f\"]}]}}",
                   70, 60, 0);
    toll_profile *p;
    toll_error e;
    const char *wrong = "{\"Samples\":[{\"Stack\":[\"f\"],\"Metric\":\"much\"}]}";
    assert_int_equal(test_read(NULL, wrong, strlen(wrong), NULL, &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, "Metric must be a number"));
}

static void test_perfview_notes(void **state)
{
    (void)state;
    toll_profile *p = read_text("{\"Notes\":[\"3 stacks were cut\",\"none\",{},\"4\",\"5 \"],"
                                "\"Other\":[\"6 sheep\"]," SAMPLES "}");
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_int_equal(note_of(p, "stacks were cut"), 3);
    toll_profile_free(p);
    p = read_text("{\"Notes\":\"3 stacks were cut\"," SAMPLES "}");
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

static void test_perfview_without_samples(void **state)
{
    (void)state;
    toll_profile *p;
    toll_error e;
    const char *empty = "{" NONE "," INSIDE(NONE) "}", *none = "{\"StackSource\":{}}";
    p = read_text(empty);
    assert_int_equal(toll_profile_node_count(p), 1); /* the root */
    toll_profile_free(p);
    assert_int_equal(test_read(NULL, none, strlen(none), "perfview", &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, "there are no Samples"));
}

static toll_status read_both(const toll_allocator *a, void *user)
{
    const char *text = user;
    toll_profile *p;
    toll_status s = test_read(a, text, strlen(text), "perfview", &p, NULL);
    toll_profile_free(p);
    return s;
}

static void test_perfview_damage(void **state)
{
    (void)state;
    static char both[] = "{\"Notes\":[\"1 x\"]," SAMPLES "," INSIDE(FEWER) "}";
    test_every_allocation(read_both, both);
    test_every_cut(both, strlen(both), "perfview");
    test_every_flip(both, strlen(both), "perfview");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perfview_rounded_metrics_are_counted),
        cmocka_unit_test(test_perfview_forms),
        cmocka_unit_test(test_perfview_lists_differ),
        cmocka_unit_test(test_perfview_numbers_as_text),
        cmocka_unit_test(test_perfview_notes),
        cmocka_unit_test(test_perfview_without_samples),
        cmocka_unit_test(test_perfview_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
