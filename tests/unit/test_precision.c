/* test_precision.c - values that are made of samples are printed as exactly as they are known;
 * notes of what recording took. */
#include "support_profile.h"

#include "profile/sampled.h"
#include "report/precision.h"

#include <toll/report.h>

enum { CALLS, TIME };

/* 1,000 samples of 203 us each, of which 100 were not the program's. */
static toll_profile *sampled(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_BY_ENGINE, 600, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_BY_ENGINE, 400, err)); /* of another run */
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SAMPLED, 203000000, err));
    test_add_stack(p, "", "main", CALLS, 1);
    test_add_stack(p, "", "main;often", TIME, 181685000);
    test_add_stack(p, "", "main;five", TIME, 1015000);
    test_add_stack(p, "", "main;few", TIME, 1014999);
    test_add_stack(p, "", "main;never", CALLS, 3);
    return p;
}

static void expect_text(const toll_precision *precision, int64_t value, const char *text)
{
    char shown[TOLL_PRECISE_TEXT_SIZE];
    assert_string_equal(toll_precise_text(precision, value, shown), text);
}

static void expect_share(const toll_precision *precision, int64_t part, int64_t whole,
                         const char *text)
{
    char shown[TOLL_PRECISE_TEXT_SIZE];
    assert_string_equal(toll_precise_share(precision, part, whole, shown), text);
}

static void test_precision_of_notes(void **state)
{
    (void)state;
    toll_profile *p = sampled();
    toll_precision precision = toll_precision_of(p, TIME, 183714999);
    assert_int_equal(precision.least, 5 * 203000);
    assert_int_equal(precision.bound, 3000000);
    assert_int_equal(precision.size, 203000);
    assert_int_equal(precision.samples, 904);
    /* Times that were read from the clock are in the column, too: they are no samples. */
    assert_int_equal(toll_precision_of(p, TIME, 90000000000).samples, 1000);
    expect_text(&precision, 0, "< 3 ms");
    expect_text(&precision, 1014999, "< 3 ms");
    expect_text(&precision, 1015000, "1.02 ms");
    expect_text(&precision, -5, "-5 ns");
    expect_share(&precision, 0, 183714999, "< 1.7%");
    expect_share(&precision, 1015000, 183714999, "0.6%");
    expect_share(&precision, 0, 3000000, "-"); /* the bound says nothing of it */
    expect_share(&precision, 0, 3003000, "-");
    expect_share(&precision, 0, 3004000, "< 99.9%");
    expect_share(&precision, 0, 1000000000000, "< 0.1%");
    precision = toll_precision_of(p, CALLS, 4);
    assert_int_equal(precision.least, 0);
    expect_text(&precision, 0, "0");
    expect_share(&precision, 0, 10, "0.0%");
    toll_profile_free(p);
}

/* The bound has one digit, and is not below ten samples. */
static void test_precision_bounds(void **state)
{
    static const struct {
        uint64_t samples, ns;
        const char *text;
    } cases[] = {
        { 1, 1, "< 10 ns" },
        { 10, 99, "< 90 ns" },
        { 1, 100, "< 1 \xc2\xb5s" },
        { 1, 101, "< 2 \xc2\xb5s" },
        { 1, 10000000, "< 100 ms" },
        { 1, 90000001, "< 1 s" },
        { 3, 30000, "< 100 \xc2\xb5s" },
        { 1, 2000000000, "< 20 s" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *p;
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
        assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SECOND_RUN, cases[i].samples, err));
        assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SAMPLED, cases[i].ns, err));
        toll_precision precision = toll_precision_of(p, 0, 1);
        expect_text(&precision, 0, cases[i].text);
        toll_profile_free(p);
    }
}

/* Lua's samples have a column of their own; another column is a part of the time. */
static void test_precision_of_columns(void **state)
{
    toll_profile *p;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "sampled_cpu", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_column(p, "samples", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "compiled_cpu", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err)); /* merged: --mixed */
    test_add_stack(p, "", "f", 0, 7000000);
    test_add_stack(p, "", "f", 1, 7);
    test_add_stack(p, "", "f", 2, 2000000);
    test_add_stack(p, "", "f", 3, 1);
    assert_ok(toll_profile_add_comment(p, "sampled: every 10 nanoseconds of cpu", err));
    assert_int_equal(toll_precision_of(p, 0, 7000000).samples, 7);
    assert_int_equal(toll_precision_of(p, 0, 7000000).least, 5000000);
    assert_int_equal(toll_precision_of(p, 1, 7).least, 0); /* counted */
    assert_int_equal(toll_precision_of(p, 2, 2000000).least, 5000000);
    assert_int_equal(toll_precision_of(p, 2, 2000000).samples, 2);
    assert_int_equal(toll_precision_of(p, 3, 1).least, 0); /* exact */
    assert_int_equal(toll_precision_of(p, 0, 0).samples, 0);
    test_add_stack(p, "", "g", 0, -1);
    assert_int_equal(toll_precision_of(p, 0, 6999999).least, 0); /* a difference */
    toll_profile_free(p);
}

/* Other profilers name the period. */
static void test_precision_of_periods(void **state)
{
    static const struct {
        const char *samples, *type, *unit, *how;
        int64_t count, sum;
        uint64_t size; /* wanted */
    } cases[] = {
        { "samples", "cpu", "nanoseconds", "every 10000000 nanoseconds of cpu", 5, 50000000,
          10000000 },
        { "sample", "wall", "microseconds", "every 10000 microseconds of wall", 5, 100000, 20000 },
        /* most of the samples had no time */
        { "samples", "cpu", "nanoseconds", "every 10000000 nanoseconds of cpu", 900, 50000000,
          10000000 },
        { "samples", "age", "nanoseconds", "every 524288 bytes of space", 5, 50, 0 },
        { "samples", "cpu", "lightseconds", "every 10 lightseconds of cpu", 5, 50, 0 },
        { "samples", "cpu", "nanoseconds", "every 18446744073709551615 nanoseconds of cpu", 5, 50,
          0 },
        { "samples", "cpu", "seconds", "every 1000000000000 seconds of cpu", 5, 50, 0 },
        { "samples", "cpu", "nanoseconds", "every 10 nanoseconds of xcpu", 5, 50, 0 },
        { "samples", "cpu", "nanoseconds", "every 10 nanoseconds", 5, 50, 0 },
        { "samples", "cpu", "nanoseconds", "somehow of cpu", 5, 50, 0 },
        { "calls", "cpu", "nanoseconds", "every 10000000 nanoseconds of cpu", 5, 50000000, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char how[100];
        toll_profile *p;
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_add_column(p, cases[i].samples, "count", NULL, err));
        assert_ok(toll_profile_add_column(p, cases[i].type, cases[i].unit, NULL, err));
        snprintf(how, sizeof how, "sampled: %s", cases[i].how);
        assert_ok(toll_profile_add_comment(p, how, err));
        test_add_stack(p, "", "f", 0, cases[i].count);
        test_add_stack(p, "", "f", 1, cases[i].sum);
        toll_precision precision = toll_precision_of(p, 1, cases[i].sum);
        assert_int_equal(precision.size, cases[i].size);
        if (cases[i].size)
            assert_int_equal(precision.samples, 5);
        if (i == 1)
            expect_text(&precision, 0, "< 200 ms");
        toll_profile_free(p);
    }
}

static void expect_report(toll_status (*report)(const toll_profile *, const toll_report_options *,
                                                toll_output *, toll_error *),
                          const toll_profile *p, const char *wanted)
{
    const toll_report_options options = { .size = sizeof options, .value = "time" };
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(report(p, &options, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *text = toll_output_data(out, &size);
    if (!strstr(text, wanted))
        fail_msg("no '%s' in:\n%s", wanted, text);
    toll_output_free(out);
}

/* 98 / sqrt(904) = 3.26 points; of one sample nothing can be said. */
static void test_precision_in_reports(void **state)
{
    toll_profile *p = sampled();
    (void)state;
    expect_report(toll_report_top, p, "4 calls, 904 samples: shares within 3.3 points\n");
    expect_report(toll_report_top, p, "\n   < 3 ms  < 1.7%     < 3 ms  < 1.7%      3  never\n");
    expect_report(toll_report_top, p, "\n  1.02 ms    0.6%    1.02 ms    0.6%      0  five\n");
    expect_report(toll_report_tree, p, "        < 3 ms < 1.7%         < 3 ms      never\n");
    expect_report(toll_report_markdown, p, " 904 samples: shares within 3.3 points\n");
    expect_report(toll_report_markdown, p,
                  "| < 3 ms | < 1.7% | < 3 ms | < 1.7% | 3 | <code>never</code> |");
    expect_report(toll_report_json, p,
                  "{\"type\":\"time\",\"unit\":\"nanoseconds\",\"sample\":203000}]");
    expect_report(toll_report_json, p, "{\"type\":\"calls\",\"unit\":\"count\"},");
    toll_profile_free(p);
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_BY_ENGINE, 1, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SAMPLED, 100, err));
    test_add_stack(p, "", "main", 0, 100);
    expect_report(toll_report_top, p, "1 function, 1 sample, too few for shares\n");
    toll_profile_free(p);
}

/* Chance is not what limits them. */
static void test_precision_of_windows(void **state)
{
    toll_profile *p;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_WINDOWS, 500, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SAMPLED, 1500000, err));
    test_add_stack(p, "", "main", 0, 1500000);
    expect_report(
        toll_report_top, p,
        "1 function, 500 windows of 3.00 \xc2\xb5s: time in one is divided as ticks are\n");
    toll_profile_free(p);
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_WINDOWS, 3, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_TIME_SAMPLED, 30000, err));
    test_add_stack(p, "", "main", 0, 30000);
    expect_report(toll_report_top, p, "1 function, 3 windows, too few for shares\n");
    toll_profile_free(p);
}

/* Notes of what recording took are one line, wherever they are in the list. */
static void test_notes_of_recording(void **state)
{
    toll_profile *p;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED, 3000, err));
    assert_ok(toll_profile_add_note(p, "something", 7, err));
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS, 2000, err));
    test_add_stack(p, "", "main", 0, 10000);
    expect_report(toll_report_top, p,
                  "\nnote: about 5.00 \xc2\xb5s of the time is the profiler's own; toll report "
                  "--no-overhead subtracts it\n");
    expect_report(toll_report_top, p, "\nnote: something: 7\n");
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precision_of_notes),   cmocka_unit_test(test_precision_bounds),
        cmocka_unit_test(test_precision_of_columns), cmocka_unit_test(test_precision_of_periods),
        cmocka_unit_test(test_precision_in_reports), cmocka_unit_test(test_precision_of_windows),
        cmocka_unit_test(test_notes_of_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
