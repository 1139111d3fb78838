/* test_faults_readers.c - edge cases of readers which were untested: scripts/mutate had put in
 * faults that no test noticed. */
#include "support.h"

static void keep_warning(void *user, const char *text)
{
    snprintf(user, 200, "%s", text);
}

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

/* A caller may spend nothing itself. Then its callee has the same units, which is not a
 * contradiction. */
static void test_solana_callee_may_claim_all_its_caller_has(void **state)
{
    static const char log[] = "Program " A " invoke [1]\n"
                              "Program " B " invoke [2]\n"
                              "Program " B " consumed 100 of 200 compute units\n"
                              "Program " B " success\n"
                              "Program " A " consumed 100 of 200 compute units\n"
                              "Program " A " success\n";
    toll_profile *p;
    (void)state;
    assert_ok(test_read(NULL, log, sizeof log - 1, "solana", &p, err));
    assert_int_equal(test_note(p, "invocations whose callees claim more"), 0);
    assert_int_equal(test_self(p, "", "program " A ";program " B, 1), 100);
    assert_int_equal(test_self(p, "", "program " A, 1), 0);
    toll_profile_free(p);
}

/* Three lines that begin like those of a game are too few to recognise a file as its log. */
static void test_supcom_four_lines_make_a_log(void **state)
{
    static const char log[] = "info: a\ninfo: b\ndebug: c\nwarning: d\n";
    toll_profile *p;
    (void)state;
    assert_int_equal(test_read(NULL, log, sizeof log - 1 - strlen("warning: d\n"), NULL, &p, NULL),
                     TOLL_E_UNKNOWN_FORMAT);
    assert_int_not_equal(test_read(NULL, log, sizeof log - 1, NULL, &p, NULL),
                         TOLL_E_UNKNOWN_FORMAT);
    toll_profile_free(p);
}

/* Frames of a speedscope file are told apart by their index alone, those of a profile are not. */
static void test_speedscope_frames_that_are_alike_are_told(void **state)
{
    static const char file[] =
        "{\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"a.c\",\"line\":1},"
        "{\"name\":\"g\"},{\"name\":\"f\",\"file\":\"a.c\",\"line\":1}]},"
        "\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"none\","
        "\"startValue\":0,\"endValue\":7,\"samples\":[[0],[2],[1]],\"weights\":[1,2,4]}]}";
    char told[200] = "";
    const toll_format_options options = { .size = sizeof options,
                                          .warn = keep_warning,
                                          .warn_user = told };
    toll_input *in;
    toll_profile *p;
    (void)state;
    assert_ok(toll_input_from_memory(NULL, file, sizeof file - 1, "two.json", &in, err));
    assert_ok(toll_profile_read(in, "speedscope", &options, NULL, &p, err));
    toll_input_free(in);
    assert_string_equal(told, "two.json: 1 frames differ from others in their index alone, and are "
                              "counted with them");
    assert_int_equal(toll_profile_frame_count(p), 2);
    assert_int_equal(test_self(p, "t", "f", 0), 3);
    toll_profile_free(p);
}

/* Notes of JSON files are counts that Toll has written. The error for one that does not fit names
 * its position. */
static void test_a_note_of_json_that_does_not_fit(void **state)
{
    static const char file[] = "{\"Samples\":[{\"Stack\":[\"f\"],\"Metric\":1}],\n"
                               "\"Notes\":[\"18446744073709551615 dropped\",\n"
                               "\"1 dropped\"]}\n";
    toll_input *in;
    toll_profile *p = NULL;
    toll_error e;
    (void)state;
    assert_ok(toll_input_from_memory(NULL, file, sizeof file - 1, "n.json", &in, err));
    assert_int_equal(toll_profile_read(in, "perfview", NULL, NULL, &p, &e), TOLL_E_OVERFLOW);
    toll_input_free(in);
    assert_string_equal(e.text, "n.json:3: the counts of 'dropped' do not fit 64 bits");
    assert_null(p);
}

/* speedscope_profile.c: the largest index is one too small if the largest before it was just below.
 */
static void test_speedscope_an_index_just_behind_the_frames(void **state)
{
    static const char file[] =
        "{\"shared\":{\"frames\":[{\"name\":\"f\"},{\"name\":\"g\"}]},"
        "\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"none\","
        "\"startValue\":0,\"endValue\":3,\"samples\":[[0],[1],[2]],\"weights\":[1,1,1]}]}";
    toll_profile *p;
    (void)state;
    assert_int_equal(test_read(NULL, file, sizeof file - 1, "speedscope", &p, NULL), TOLL_E_SYNTAX);
}

/* pprof_read.c: fields of 32 and 64 bits are skipped, although pprof has none of its own. */
static void test_pprof_fields_of_fixed_size_are_skipped(void **state)
{
    static const uint8_t file[] = {
        0x9d, 6, 1,    2, 3,    4,                  /* 99: 32 bits */
        0x99, 6, 1,    2, 3,    4,    5, 6,   7, 8, /* 99: 64 bits */
        0x0a, 4, 8,    1, 0x10, 2,                  /* sample_type: "a", "b" */
        0x32, 0, 0x32, 1, 'a',  0x32, 1, 'b',       /* string_table */
    };
    toll_profile *p;
    (void)state;
    assert_ok(test_read(NULL, file, sizeof file, "pprof", &p, err));
    assert_int_equal(toll_profile_column_count(p), 1);
    assert_string_equal(toll_profile_column(p, 0).type, "a");
    toll_profile_free(p);
}

/* folded.c: blanks at the end of a line are taken for its value. */
static void test_folded_lines_may_end_in_blanks(void **state)
{
    static const char *const ends[] = { "", " ", "\t", "  ", " \t", "\t \r" };
    char text[60];
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        toll_profile *p;
        snprintf(text, sizeof text, "f;g\t5%s\nf g 7%s\n", ends[i], ends[i]);
        assert_ok(test_read(NULL, text, strlen(text), "folded", &p, err));
        assert_int_equal(test_self(p, "", "f;g", 0), 5);
        assert_int_equal(test_self(p, "", "f g", 0), 7);
        toll_profile_free(p);
    }
}

static toll_status read_chrome(const char *text, size_t size, toll_profile **p, toll_error *err)
{
    return test_read(NULL, text, size, "chrome", p, err);
}

/* chrome_play.c: what ends at the last time that there can be stays open. */
static void test_chrome_events_may_last_to_the_end_of_time(void **state)
{
    static const char file[] = "[{\"ph\":\"X\",\"ts\":0,\"dur\":9223372036854775.806,"
                               "\"name\":\"f\",\"pid\":1,\"tid\":1}]";
    toll_profile *p;
    (void)state;
    assert_ok(read_chrome(file, sizeof file - 1, &p, err));
    assert_int_equal(toll_profile_note_count(p), 0);
    assert_int_equal(test_sum(p, 1), INT64_MAX - 1);
    toll_profile_free(p);
    test_every_cut(file, sizeof file - 1, "chrome");
}

/* chrome_play.c: an event that takes no time is around one that begins with it. */
static void test_chrome_the_longer_event_is_outside(void **state)
{
#define AT_ONCE(name, length)                                                                      \
    "{\"ph\":\"X\",\"ts\":1,\"dur\":" length ",\"name\":\"" name "\",\"pid\":1,\"tid\":1}"
    static const char *const files[] = {
        "[" AT_ONCE("a", "0") "," AT_ONCE("b", "5") "]",
        "[" AT_ONCE("b", "5") "," AT_ONCE("a", "0") "]",
    };
    (void)state;
    for (int i = 0; i < 2; i++) {
        toll_profile *p;
        assert_ok(read_chrome(files[i], strlen(files[i]), &p, err));
        assert_int_equal(toll_profile_node_count(p), 3);
        assert_int_equal(test_sum(p, 1), 5000);
        for (uint32_t node = 0; node < 3; node++)
            if (toll_profile_self(p, node, 1))
                assert_string_equal(toll_profile_frame(p, toll_profile_node_frame(p, node)).name,
                                    "b");
            else if (toll_profile_self(p, node, 0))
                assert_string_equal(
                    toll_profile_frame(p, toll_profile_node_frame(p, toll_profile_parent(p, node)))
                        .name,
                    "b");
        toll_profile_free(p);
    }
}

/* chrome_read.c: one thread more or less than the limit. */
static void test_chrome_has_at_most_65536_threads(void **state)
{
    enum { MOST = 65536 };
    size_t size = 0, room = 64 * (MOST + 1);
    char *text = malloc(room);
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    (void)state;
    assert_non_null(text);
    for (int i = 0; i <= MOST; i++) {
        size += (size_t)snprintf(text + size, room - size,
                                 "%c{\"ph\":\"B\",\"ts\":1,\"name\":\"f\",\"pid\":1,\"tid\":%d}",
                                 i ? ',' : '[', i);
        text[size] = ']';
        if (i == MOST - 1) {
            assert_ok(read_chrome(text, size + 1, &p, err));
            toll_profile_free(p);
        }
    }
    assert_int_equal(read_chrome(text, size + 1, &p, &e), TOLL_E_LIMIT);
    assert_non_null(strstr(e.text, "more than 65,536 threads"));
    free(text);
}

/* All readers: memory leaks when the input fails in the middle. */
static void test_a_damaged_archive_leaves_nothing(void **state)
{
    static const struct {
        const char *format, *text;
    } files[] = {
        { "folded", "f;g 5\nf 7\nlast 8" },
        { "perfview", "{\"Samples\":[{\"Stack\":[\"f\"],\"Metric\":1},{\"Stack\":[\"g\"]}]}" },
        { "chrome", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"f\"},{\"ph\":\"E\",\"ts\":2}]" },
        { "solana", "Program " A " invoke [1]\nProgram " A " success\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        toll_output *out;
        size_t size;
        assert_ok(toll_output_to_memory(NULL, 1, &out, err));
        toll_output_write(out, files[i].text, strlen(files[i].text));
        assert_ok(toll_output_commit(out, err));
        const void *data = toll_output_data(out, &size);
        for (size_t cut = 11; cut <= size; cut++) { /* behind the archive's head */
            test_allocator a = { .allowed = SIZE_MAX };
            toll_allocator allocator = { test_resize, &a };
            toll_profile *p;
            toll_status status = test_read(&allocator, data, cut, files[i].format, &p, NULL);
            assert_int_equal(status == TOLL_OK, cut == size);
            toll_profile_free(p);
            assert_int_equal(a.live_bytes, 0);
        }
        toll_output_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solana_callee_may_claim_all_its_caller_has),
        cmocka_unit_test(test_supcom_four_lines_make_a_log),
        cmocka_unit_test(test_speedscope_frames_that_are_alike_are_told),
        cmocka_unit_test(test_a_note_of_json_that_does_not_fit),
        cmocka_unit_test(test_speedscope_an_index_just_behind_the_frames),
        cmocka_unit_test(test_pprof_fields_of_fixed_size_are_skipped),
        cmocka_unit_test(test_folded_lines_may_end_in_blanks),
        cmocka_unit_test(test_chrome_events_may_last_to_the_end_of_time),
        cmocka_unit_test(test_chrome_the_longer_event_is_outside),
        cmocka_unit_test(test_chrome_has_at_most_65536_threads),
        cmocka_unit_test(test_a_damaged_archive_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
