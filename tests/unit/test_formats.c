/* test_formats.c - every format: a written file can be read, and is written again with the same
 * bytes; errors about damaged input say where; nothing leaks when memory runs out. */
#include "support.h"

static const char *const formats[] = { "pprof", "speedscope", "perfview", "folded" };
enum { FORMATS = sizeof formats / sizeof *formats };

static toll_status make(const toll_allocator *a, toll_profile **out)
{
    static const struct {
        const char *thread;
        toll_frame frames[3];
        int64_t calls, time;
    } stacks[] = {
        { "main",
          { { .name = "main chunk", .file = "a.lua", .line = 0, .kind = TOLL_KIND_FUNCTION } },
          1,
          500 },
        { "main",
          { { .name = "main chunk", .file = "a.lua", .line = 0, .kind = TOLL_KIND_FUNCTION },
            { .name = "init", .file = "a.lua", .line = 3, .kind = TOLL_KIND_FUNCTION } },
          7,
          INT64_C(1) << 53 | 1 },
        { "main",
          { { .name = "main chunk", .file = "a.lua", .line = 0, .kind = TOLL_KIND_FUNCTION },
            { .name = "init", .file = "b \"q\"\\.lua", .line = 9, .kind = TOLL_KIND_FUNCTION } },
          2,
          40 },
        { "main",
          { { .name = "main chunk", .file = "a.lua", .line = 0, .kind = TOLL_KIND_FUNCTION },
            { .name = "init", .file = "a.lua", .line = 3, .kind = TOLL_KIND_FUNCTION },
            { .name = "string.rep;x\n", .file = "", .line = 0, .kind = TOLL_KIND_NATIVE } },
          1,
          11 },
        { "coroutine \xc3\xa4",
          { { .name = "worker", .file = "a.lua", .line = 20, .kind = TOLL_KIND_FUNCTION } },
          3,
          900 },
        { "main", { { .name = "", .file = "", .line = 0, .kind = TOLL_KIND_FUNCTION } }, 0, 77 },
    };
    toll_profile *p;
    toll_status s = toll_profile_create(a, &p, NULL);
    if (s)
        return s;
    s = toll_profile_add_column(p, "calls", "count", NULL, NULL);
    if (!s)
        s = toll_profile_add_column(p, "time", "nanoseconds", NULL, NULL);
    for (size_t i = 0; !s && i < sizeof stacks / sizeof *stacks; i++) {
        toll_thread_id t;
        s = toll_profile_add_thread(p, stacks[i].thread, &t, NULL);
        toll_node_id n = s ? 0 : toll_profile_root(p, t);
        for (int d = 0; !s && d < 3 && stacks[i].frames[d].name && *stacks[i].frames[d].name; d++) {
            toll_frame_id f;
            s = toll_profile_add_frame(p, &stacks[i].frames[d], &f, NULL);
            if (!s)
                s = toll_profile_add_child(p, n, f, &n, NULL);
        }
        if (!s)
            s = toll_profile_add_self(p, n, 0, stacks[i].calls, NULL);
        if (!s)
            s = toll_profile_add_self(p, n, 1, stacks[i].time, NULL);
    }
    if (!s)
        s = toll_profile_add_note(p, "returns without a call", 3, NULL);
    if (!s)
        s = toll_profile_add_comment(p, "a comment", NULL);
    toll_profile_set_time(p, 1700000000, 12345);
    if (s)
        toll_profile_free(p);
    else
        *out = p;
    return s;
}

static toll_status write_to(const toll_allocator *a, const toll_profile *p, const char *format,
                            toll_output **out)
{
    toll_status s = toll_output_to_memory(a, 0, out, NULL);
    if (s)
        return s;
    s = toll_profile_write(p, NULL, format, NULL, *out, NULL);
    if (!s)
        s = toll_output_commit(*out, NULL);
    if (s)
        toll_output_free(*out);
    return s;
}

static void test_round_trips(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        toll_profile *p, *q;
        toll_output *first, *second;
        size_t n, m;
        assert_ok(make(NULL, &p));
        assert_ok(write_to(NULL, p, formats[i], &first));
        const void *data = toll_output_data(first, &n);
        assert_ok(test_read(NULL, data, n, NULL, &q, err)); /* by content */
        assert_ok(toll_profile_check(q, 0, err));
        assert_int_equal(test_sum(q, toll_profile_default_column(q)), test_sum(p, 1));
        assert_ok(write_to(NULL, q, formats[i], &second));
        const void *again = toll_output_data(second, &m);
        assert_int_equal(n, m);
        assert_memory_equal(data, again, n);
        toll_output_free(first);
        toll_output_free(second);
        toll_profile_free(p);
        toll_profile_free(q);
    }
}

/* pprof holds everything: the profile read back, written as any other format, gives the same. */
static void test_pprof_is_lossless(void **state)
{
    (void)state;
    toll_profile *p, *q;
    toll_output *native, *x, *y;
    size_t n, m;
    assert_ok(make(NULL, &p));
    assert_ok(write_to(NULL, p, "pprof", &native));
    const void *data = toll_output_data(native, &n);
    assert_ok(test_read(NULL, data, n, "pprof", &q, err));
    uint64_t count;
    assert_string_equal(toll_profile_note(q, 0, &count), "returns without a call");
    assert_int_equal(count, 3);
    assert_string_equal(toll_profile_comment(q, 0), "a comment");
    assert_int_equal(toll_profile_start_ns(q), 1700000000);
    assert_int_equal(toll_profile_duration_ns(q), 12345);
    assert_int_equal(toll_profile_find_frame(
                         q, &(toll_frame){ .name = "string.rep;x\n", .kind = TOLL_KIND_NATIVE }) !=
                         TOLL_NONE,
                     1);
    for (int i = 0; i < FORMATS; i++) {
        assert_ok(write_to(NULL, p, formats[i], &x));
        assert_ok(write_to(NULL, q, formats[i], &y));
        const void *a = toll_output_data(x, &n), *b = toll_output_data(y, &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n);
        toll_output_free(x);
        toll_output_free(y);
    }
    toll_output_free(native);
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_worked_example_folded(void **state)
{
    (void)state;
    toll_profile *p;
    toll_output *out;
    size_t n;
    const char text[] = "f 70\nf;g 60\nf;g;h 30\n";
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_ok(write_to(NULL, p, "folded", &out));
    const char *data = toll_output_data(out, &n);
    assert_int_equal(n, strlen(text));
    assert_memory_equal(data, text, n);
    toll_output_free(out);
    toll_profile_free(p);
}

/* Files cut at any byte: an error, or a valid profile where the cut is between two complete parts.
 */
static void test_truncation(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        toll_profile *p;
        toll_output *out;
        size_t n;
        assert_ok(make(NULL, &p));
        assert_ok(write_to(NULL, p, formats[i], &out));
        const char *data = toll_output_data(out, &n);
        test_every_cut(data, n, formats[i]);
        toll_output_free(out);
        toll_profile_free(p);
    }
}

static void test_bit_flips(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        toll_profile *p;
        toll_output *out;
        size_t n;
        assert_ok(make(NULL, &p));
        assert_ok(write_to(NULL, p, formats[i], &out));
        const char *data = toll_output_data(out, &n);
        test_every_flip(data, n, formats[i]);
        toll_output_free(out);
        toll_profile_free(p);
    }
}

static void test_errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text, *error;
    } cases[] = {
        { "folded", "a;b 1\na;b x\n",
          "file:2: 'x' is not a number that fits 64 bits; a line is STACK VALUE" },
        { "folded", "a 9223372036854775807\na 1\n",
          "file:2: the sum of this stack does not fit 64 bits" },
        { "perfview", "{\n\"Samples\":[{\"Stack\":[1]}]}",
          "file:2: a name in a Stack must be a string" },
        { "perfview", "{\"Samples\":[",
          "file:1: the JSON text ends too early; fetch the file again" },
        { "perfview", "{}", "file:1: there are no Samples; is this a PerfView file?" },
        { "speedscope",
          "{\"shared\":{\"frames\":[{\"name\":\"a\"}]},\n\"profiles\":[{\"type\":\"evented\","
          "\"unit\":\"none\",\"events\":[\n{\"type\":\"O\",\"frame\":0,\"at\":5},\n"
          "{\"type\":\"C\",\"frame\":0,\"at\":4}]}]}",
          "file:4: an event is earlier than the one before; sort the events" },
        { "speedscope",
          "{\"shared\":{\"frames\":[{\"name\":\"a\"}]},\"profiles\":[{\"unit\":\"none\","
          "\"samples\":[[1]],\"weights\":[1]}]}",
          "file:1: a frame index is beyond the list of frames" },
        { "speedscope", "{\"profiles\":[{\"unit\":\"none\",\"samples\":[[0]],\"weights\":[]}]}",
          "file:1: a profile has not as many weights as samples" },
        { "chrome", "[{\"ph\":\"X\",\"dur\":1}]",
          "file:1: an event has no time ts, or one below 0" },
        { "pprof", "\x0a\xff\xff\xff\xff\x01",
          "file: at byte 0: a field claims 536870911 bytes, 0 are left; fetch the file again" },
        { NULL, "hello",
          "file: the content is of no format known here; say which with --from: "
          "pprof, speedscope, perfview, chrome, timeline, solana, supcom, folded, emscripten, "
          "sbf-trace" },
        { NULL, "", "file: is empty; was the run cut short?" },
        { "nonsense", "",
          "no format is called 'nonsense'; there are pprof, speedscope, perfview, "
          "chrome, timeline, solana, supcom, folded, emscripten, sbf-trace" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *p;
        toll_error e = { TOLL_OK, "" };
        assert_int_not_equal(
            test_read(NULL, cases[i].text, strlen(cases[i].text), cases[i].format, &p, &e),
            TOLL_OK);
        assert_string_equal(e.text, cases[i].error);
    }
}

static void test_differential_folded(void **state)
{
    (void)state;
    toll_profile *p;
    const char text[] = "a;b 1 5\na 2 0\n";
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_int_equal(test_self(p, "", "a;b", 0), 1);
    assert_int_equal(test_self(p, "", "a;b", 1), 5);
    assert_int_equal(test_self(p, "", "a", 0), 2);
    toll_profile_free(p);
}

/* Only '#' alone and '# ...' are comments: frames may begin with '#'. A frame without a name is
 * counted. */
/* Bytes that are not UTF-8 cost no line: names show them, stay distinct, and are counted once. */
static void test_folded_bytes_that_are_not_utf8(void **state)
{
    (void)state;
    static const char text[] = "a;caf\xe9 5\na;caf\xe9 6\na;caf\xe8 1\n\xf0\x9f\x92;b\xff 2\n";
    toll_profile *p;
    uint64_t count = 0;
    assert_ok(test_read(NULL, text, sizeof text - 1, "folded", &p, err));
    static const char *const names[] = { "a", "caf\\xe9", "caf\\xe8", "\\xf0\\x9f\\x92", "b\\xff" };
    assert_int_equal(toll_profile_frame_count(p), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_not_equal(toll_profile_find_frame(p, &(toll_frame){ .name = names[i] }),
                             TOLL_NONE);
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_string_equal(toll_profile_note(p, 0, &count),
                        "names with bytes that are not UTF-8, shown as \\xNN");
    assert_int_equal(count, 4);
    int64_t sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, 0);
    assert_int_equal(sum, 14);
    toll_profile_free(p);
}

/* Blank lines and comments before the first stack take no memory, however many they are. */
static void test_folded_begins_with_blank_lines(void **state)
{
    (void)state;
    enum { LINES = 4 << 20 };
    static const char end[] = "# by hand\n\na;b 5 6\n";
    char *text = test_malloc(LINES + sizeof end);
    toll_budget budget = { .limit = 1 << 20 };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p;
    toll_error e;
    memset(text, '\n', LINES);
    memcpy(text + LINES, end, sizeof end);
    assert_ok(test_read(&a, text, LINES + sizeof end - 1, "folded", &p, &e));
    assert_int_equal(toll_profile_column_count(p), 2); /* it is seen behind them */
    toll_profile_free(p);
    memcpy(text + LINES, "a;b x\n", 7);
    assert_int_equal(test_read(&a, text, LINES + 6, "folded", &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, ":4194305: 'x' is not a number"));
    test_free(text);
}

static void test_folded_comments_and_empty_frames(void **state)
{
    (void)state;
    toll_profile *p;
    uint64_t count;
    const char text[] = "# made by hand\n#\n#1;b 3\na;;b 2\na;b 4";
    assert_ok(test_read(NULL, text, strlen(text), "folded", &p, err));
    assert_int_equal(test_self(p, "", "#1;b", 0), 3);
    assert_int_equal(test_self(p, "", "a;(unknown);b", 0), 2);
    assert_int_equal(test_self(p, "", "a;b", 0), 4);
    assert_int_equal(test_sum(p, 0), 9);
    assert_int_equal(toll_profile_note_count(p), 3);
    assert_string_equal(toll_profile_note(p, 0, &count), "comment lines, skipped");
    assert_int_equal(count, 2);
    assert_string_equal(toll_profile_note(p, 1, &count), "frames without a name");
    assert_int_equal(count, 1);
    assert_non_null(strstr(toll_profile_note(p, 2, &count), "cut off?"));
    toll_profile_free(p);
}

/* speedscope knows few units; Toll's own files keep all of them. */
static void test_speedscope_keeps_units(void **state)
{
    (void)state;
    static const char *const units[] = {
        "CU", "count", "bytes", "seconds", "milliseconds", "x [y]"
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        toll_profile *p, *q;
        toll_output *out;
        size_t size;
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_add_column(p, "spent", units[i], NULL, err));
        test_add_stack(p, "main", "f;g", 0, 7);
        assert_ok(write_to(NULL, p, "speedscope", &out));
        const void *bytes = toll_output_data(out, &size);
        assert_ok(test_read(NULL, bytes, size, NULL, &q, err));
        assert_string_equal(toll_profile_column(q, 0).type, "spent");
        assert_string_equal(toll_profile_column(q, 0).unit, units[i]);
        assert_int_equal(test_self(q, "main", "f;g", 0), 7);
        toll_output_free(out);
        toll_profile_free(q);
        toll_profile_free(p);
    }
}

/* The specification puts no order on the fields of a message. */
static void test_pprof_types_behind_samples(void **state)
{
    (void)state;
    static const char text[] = "\x12\x05\x0a\x01\x01\x10\x07"     /* sample: location 1, value 7 */
                               "\x0a\x04\x08\x01\x10\x02"         /* sample type: strings 1, 2 */
                               "\x22\x06\x08\x01\x22\x02\x08\x01" /* location 1: function 1 */
                               "\x2a\x04\x08\x01\x10\x03"         /* function 1: string 3 */
                               "\x32\x00\x32\x05ticks\x32\x05"
                               "count\x32\x01"
                               "f";
    toll_profile *p;
    assert_ok(test_read(NULL, text, sizeof text - 1, "pprof", &p, err));
    assert_int_equal(test_self(p, "", "f", 0), 7);
    toll_profile_free(p);
    toll_error e = { TOLL_OK, "" }; /* without the type */
    char cut[sizeof text];
    memcpy(cut, text, 7);
    memcpy(cut + 7, text + 13, sizeof text - 1 - 13);
    assert_int_equal(test_read(NULL, cut, sizeof text - 1 - 6, "pprof", &p, &e), TOLL_E_SYNTAX);
    assert_string_equal(e.text, "file: samples have 1 values, but there are 0 value types");
}

static void test_a_stack_a_million_deep(void **state)
{
    (void)state;
    enum { DEEP = 1000000 };
    char *text = malloc(2 * DEEP + 16);
    toll_profile *p;
    for (int i = 0; i < DEEP; i++) {
        text[2 * i] = (char)('a' + i % 7);
        text[2 * i + 1] = ';';
    }
    strcpy(text + 2 * DEEP - 1, " 5\n");
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_int_equal(toll_profile_node_count(p), DEEP + 1);
    toll_output *out;
    assert_ok(write_to(NULL, p, "pprof", &out));
    toll_output_free(out);
    toll_profile_free(p);
    free(text);
}

/* What is read without a failure is all that there is, although an allocation has failed. */
static void assert_complete(const toll_profile *p, const void *data, size_t size,
                            const char *format)
{
    toll_profile *all;
    assert_ok(test_read(NULL, data, size, format, &all, err));
    assert_int_equal(toll_profile_node_count(p), toll_profile_node_count(all));
    assert_int_equal(toll_profile_thread_count(p), toll_profile_thread_count(all));
    assert_int_equal(toll_profile_note_count(p), toll_profile_note_count(all));
    for (toll_node_id n = 0; n < toll_profile_node_count(all); n++) {
        assert_string_equal(toll_profile_frame(p, toll_profile_node_frame(p, n)).name,
                            toll_profile_frame(all, toll_profile_node_frame(all, n)).name);
        for (uint32_t c = 0; c < toll_profile_column_count(all); c++)
            assert_int_equal(toll_profile_self(p, n, c), toll_profile_self(all, n, c));
    }
    toll_profile_free(all);
}

static toll_status write_and_read(const toll_allocator *a, void *user)
{
    const char *format = user;
    toll_profile *p = NULL, *q = NULL;
    toll_output *out = NULL;
    size_t n;
    toll_status s = make(a, &p);
    if (s)
        return s;
    s = write_to(a, p, format, &out);
    if (!s) {
        const void *data = toll_output_data(out, &n);
        if (strcmp(format, "callgrind") != 0)
            s = test_read(a, data, n, format, &q, NULL);
        if (!s && q)
            assert_complete(q, data, n, format);
        toll_output_free(out);
    }
    toll_profile_free(q);
    toll_profile_free(p);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++)
        test_allocations(write_and_read, (void *)(uintptr_t)formats[i], true);
    test_allocations(write_and_read, (void *)(uintptr_t) "callgrind", true);
}

static toll_status read_trace(const toll_allocator *a, void *user)
{
    toll_profile *p;
    const char *text = user;
    toll_status s = test_read(a, text, strlen(text), NULL, &p, NULL);
    if (!s)
        assert_complete(p, text, strlen(text), NULL);
    toll_profile_free(p);
    return s;
}

static void test_chrome_events(void **state)
{
    (void)state;
    char text[] =
        "{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":"
        "{\"name\":\"T\"}},{\"ph\":\"X\",\"ts\":2,\"dur\":3.5,\"name\":\"b\",\"pid\":1,\"tid\":1},"
        "{\"ph\":\"X\",\"ts\":0,\"dur\":10,\"name\":\"a\",\"pid\":1,\"tid\":1},"
        "{\"ph\":\"X\",\"ts\":9,\"dur\":5,\"name\":\"c\",\"pid\":1,\"tid\":1},"
        "{\"ph\":\"B\",\"ts\":20,\"name\":\"d\",\"pid\":1,\"tid\":1},"
        "{\"ph\":\"E\",\"ts\":21,\"pid\":1,\"tid\":1},{\"ph\":\"i\",\"ts\":1}]}";
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_int_equal(test_self(p, "T", "a", 1), 5500);
    assert_int_equal(test_self(p, "T", "a;b", 1), 3500);
    assert_int_equal(test_self(p, "T", "a;c", 1), 1000); /* cut where a ends */
    assert_int_equal(test_self(p, "T", "d", 1), 1000);
    assert_int_equal(toll_profile_note_count(p), 2);
    toll_profile_free(p);
    test_allocations(read_trace, text, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_pprof_is_lossless),
        cmocka_unit_test(test_worked_example_folded),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_bit_flips),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_differential_folded),
        cmocka_unit_test(test_folded_bytes_that_are_not_utf8),
        cmocka_unit_test(test_folded_begins_with_blank_lines),
        cmocka_unit_test(test_folded_comments_and_empty_frames),
        cmocka_unit_test(test_pprof_types_behind_samples),
        cmocka_unit_test(test_speedscope_keeps_units),
        cmocka_unit_test(test_a_stack_a_million_deep),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_chrome_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
