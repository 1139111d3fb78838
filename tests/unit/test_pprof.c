/* test_pprof.c - reads pprof files as other tools write them, and keeps what Toll adds for those
 * tools out of profiles. */
#include "support.h"

#include "demangle/cplus_symbol.h"
#include "base/wire.h"
#include "format/pprof.h"

enum { MOST_STRINGS = 64 };

typedef struct file {
    toll_mem mem;
    toll_buffer bytes, message, inner;
    const char *strings[MOST_STRINGS];
    uint64_t string_count;
} file;

typedef struct function {
    uint64_t id;
    const char *name, *system_name, *filename;
    uint64_t line;
} function;

static uint64_t string(file *f, const char *text)
{
    f->strings[f->string_count] = text;
    return f->string_count++;
}

static void begin(file *f)
{
    *f = (file){ .mem = toll_mem_from(NULL) };
    toll_buffer_init(&f->bytes, &f->mem);
    toll_buffer_init(&f->message, &f->mem);
    toll_buffer_init(&f->inner, &f->mem);
    string(f, "");
}

static void put(file *f, uint32_t field)
{
    toll_wire_put_bytes(&f->bytes, field, f->message.data, f->message.size);
    toll_buffer_clear(&f->message);
}

static void put_type(file *f, uint32_t field, const char *type, const char *unit)
{
    toll_wire_put_int(&f->message, PPROF_TYPE_TYPE, string(f, type));
    toll_wire_put_int(&f->message, PPROF_TYPE_UNIT, string(f, unit));
    put(f, field);
}

/* A sample of `value` in a stack of this function alone, whose location has the same id. */
static void put_function(file *f, function x, uint64_t value)
{
    toll_wire_put_int(&f->message, PPROF_SAMPLE_LOCATION_ID, x.id);
    toll_wire_put_int(&f->message, PPROF_SAMPLE_VALUE, value);
    put(f, PPROF_SAMPLE);
    toll_wire_put_int(&f->message, PPROF_LOCATION_ID, x.id);
    toll_buffer_clear(&f->inner);
    toll_wire_put_int(&f->inner, PPROF_LINE_FUNCTION_ID, x.id);
    toll_wire_put_int(&f->inner, PPROF_LINE_LINE, x.line);
    toll_wire_put_bytes(&f->message, PPROF_LOCATION_LINE, f->inner.data, f->inner.size);
    put(f, PPROF_LOCATION);
    toll_wire_put_int(&f->message, PPROF_FUNCTION_ID, x.id);
    toll_wire_put_int(&f->message, PPROF_FUNCTION_NAME, string(f, x.name));
    toll_wire_put_int(&f->message, PPROF_FUNCTION_SYSTEM_NAME,
                      string(f, x.system_name ? x.system_name : x.name));
    toll_wire_put_int(&f->message, PPROF_FUNCTION_FILENAME,
                      string(f, x.filename ? x.filename : ""));
    toll_wire_put_int(&f->message, PPROF_FUNCTION_START_LINE, x.line);
    put(f, PPROF_FUNCTION);
}

static toll_profile *end(file *f)
{
    toll_profile *p;
    for (uint64_t i = 0; i < f->string_count; i++)
        toll_wire_put_bytes(&f->bytes, PPROF_STRING_TABLE, f->strings[i], strlen(f->strings[i]));
    assert_ok(test_read(NULL, f->bytes.data, f->bytes.size, "pprof", &p, err));
    toll_buffer_free(&f->bytes);
    toll_buffer_free(&f->message);
    toll_buffer_free(&f->inner);
    return p;
}

/* Functions 1, 10, 100, ... in samples of that value. */
static toll_profile *read_functions(const function *functions, size_t count)
{
    file f;
    uint64_t value = 1;
    begin(&f);
    put_type(&f, PPROF_SAMPLE_TYPE, "ticks", "count");
    for (size_t i = 0; i < count; i++, value *= 10)
        put_function(&f, functions[i], value);
    return end(&f);
}

#define READ(...)                                                                                  \
    read_functions((const function[]){ __VA_ARGS__ },                                              \
                   sizeof((const function[]){ __VA_ARGS__ }) / sizeof(function))

typedef struct written {
    toll_output *out;
    const void *data;
    size_t size;
} written;

static written write_pprof(const toll_profile *p)
{
    written w;
    assert_ok(toll_output_to_memory(NULL, 0, &w.out, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, w.out, err));
    assert_ok(toll_output_commit(w.out, err));
    w.data = toll_output_data(w.out, &w.size);
    return w;
}

static void assert_same_bytes(const toll_profile *a, const toll_profile *b)
{
    written x = write_pprof(a), y = write_pprof(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.data, y.data, x.size);
    toll_output_free(x.out);
    toll_output_free(y.out);
}

/* What is read is written, read again, and is the same to the last byte. */
static void assert_reads_back(const toll_profile *p)
{
    toll_profile *q;
    written w = write_pprof(p);
    assert_ok(test_read(NULL, w.data, w.size, "pprof", &q, err));
    assert_same_bytes(p, q);
    toll_output_free(w.out);
    toll_profile_free(q);
}

static int64_t self(const toll_profile *p, const char *name)
{
    return test_self(p, "", name, 0);
}

/* --- functions ---------------------------------------------------------------------------------*/

static void test_pprof_two_functions_of_one_name_are_two(void **state)
{
    (void)state;
    toll_profile *p = READ({ 5, "cmp", NULL, NULL, 0 }, { 9, "cmp", NULL, NULL, 0 },
                           { 2, "main", NULL, NULL, 0 });
    assert_int_equal(self(p, "cmp#5"), 1);
    assert_int_equal(self(p, "cmp#9"), 10);
    assert_int_equal(self(p, "main"), 100);
    assert_int_equal(toll_profile_frame_count(p), 3);
    assert_reads_back(p);
    toll_profile_free(p);
}

static void test_pprof_places_tell_functions_apart(void **state)
{
    (void)state;
    toll_profile *p = READ({ 5, "cmp", NULL, "a.c", 3 }, { 9, "cmp", NULL, "b.c", 3 },
                           { 2, "cmp", NULL, "b.c", 7 });
    assert_int_equal(toll_profile_frame_count(p), 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(toll_profile_frame(p, i).name, "cmp");
    assert_reads_back(p);
    toll_profile_free(p);
}

static void test_pprof_a_name_by_id_is_no_other_name(void **state)
{
    (void)state;
    toll_profile *p = READ({ 5, "cmp", NULL, NULL, 0 }, { 9, "cmp", NULL, NULL, 0 },
                           { 2, "cmp#5", NULL, NULL, 0 });
    assert_int_equal(self(p, "cmp#5#5"), 1);
    assert_int_equal(self(p, "cmp#9"), 10);
    assert_int_equal(self(p, "cmp#5"), 100);
    assert_reads_back(p);
    toll_profile_free(p);
}

static toll_profile *sum(const toll_profile *a, const toll_profile *b)
{
    toll_profile *s;
    assert_ok(toll_profile_copy(a, &s, err));
    assert_ok(toll_profile_merge(s, b, err));
    return s;
}

static void test_pprof_functions_by_id_merge_in_any_order(void **state)
{
    (void)state;
    toll_profile *a = READ({ 5, "cmp", NULL, NULL, 0 }, { 9, "cmp", NULL, NULL, 0 });
    toll_profile *b = READ({ 1, "cmp", NULL, NULL, 0 });
    toll_profile *c = READ({ 9, "cmp", NULL, NULL, 0 }, { 3, "cmp", NULL, NULL, 0 });
    toll_profile *ab = sum(a, b), *bc = sum(b, c), *ab_c = sum(ab, c), *a_bc = sum(a, bc),
                 *c_ab = sum(c, ab);
    assert_same_bytes(ab_c, a_bc);
    assert_same_bytes(ab_c, c_ab);
    assert_int_equal(self(ab_c, "cmp#9"), 11);
    toll_profile *all[] = { a, b, c, ab, bc, ab_c, a_bc, c_ab };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        toll_profile_free(all[i]);
}

/* Rust's two instances of a generic function have one name, whichever tool demangled it. */
static void test_pprof_names_of_rust(void **state)
{
    (void)state;
    toll_profile *p = READ({ 5, "_ZN4core3fmt5write17h0123456789abcdefE", NULL, NULL, 0 },
                           { 6, "_ZN4core3fmt5write17h0123456789abcdeaE", NULL, NULL, 0 },
                           { 7, "", "_RNvCs1234_7mycrate3foo", NULL, 0 },
                           { 8, "core::fmt::write::h0123456789abcdeb",
                             "_ZN4core3fmt5write17h0123456789abcdebE", NULL, 0 });
    assert_int_equal(self(p, "core::fmt::write"), 1011);
    assert_int_equal(self(p, "mycrate::foo"), 100);
    assert_reads_back(p);
    toll_profile_free(p);
}

static const char *symbol_of(const toll_profile *p, const char *name)
{
    const toll_frame f = { .name = name };
    return toll_profile_frame(p, toll_profile_find_frame(p, &f)).system_name;
}

/* A symbol of C++ is demangled where the file has no other name; that it has stays. */
static void test_pprof_names_of_cplus(void **state)
{
    (void)state;
    if (!toll_has_cplus_symbols())
        skip();
    toll_profile *p = READ({ 5, "_Z1fv", NULL, NULL, 0 }, { 6, "_Z1gv", "_Z1gv", NULL, 0 },
                           { 7, "", "_Z1hv", NULL, 0 }, { 8, "k", "_Z1kv", NULL, 0 });
    assert_int_equal(self(p, "f()"), 1);
    assert_int_equal(self(p, "g()"), 10);
    assert_int_equal(self(p, "h()"), 100);
    assert_int_equal(self(p, "k"), 1000);
    assert_string_equal(symbol_of(p, "f()"), "_Z1fv");
    assert_string_equal(symbol_of(p, "g()"), "_Z1gv");
    assert_string_equal(symbol_of(p, "h()"), "_Z1hv");
    assert_string_equal(symbol_of(p, "k"), "_Z1kv");
    assert_reads_back(p);
    toll_profile_free(p);
}

/* What Toll adds to a name on writing, so that a viewer has no two alike, goes again on reading. */
static void test_pprof_our_own_labels_are_no_names(void **state)
{
    (void)state;
    toll_profile *p = READ({ 1, "f (a.c:3)", "f", "a.c", 3 }, { 2, "g #2", "g", "b.c", 4 },
                           { 3, "h(int)", "h", "c.c", 5 }, { 4, "k#2", "k", "d.c", 6 },
                           { 5, "ff", "f", "e.c", 7 });
    assert_int_equal(self(p, "f"), 1);
    assert_int_equal(self(p, "g"), 10);
    assert_int_equal(self(p, "h(int)"), 100);
    assert_int_equal(self(p, "k#2"), 1000);
    assert_int_equal(self(p, "ff"), 10000);
    toll_profile_free(p);
}

/* A stack without values takes no sample of a file. */
static void test_pprof_has_only_stacks_with_values(void **state)
{
    toll_profile *p, *q;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    test_add_stack(p, "main", "f;g", 0, 5);
    assert_ok(toll_profile_copy(p, &q, err));
    test_add_stack(q, "main", "h", 0, 0);
    test_add_stack(q, "main", "f;g;h", 0, 0);
    assert_same_bytes(p, q);
    toll_profile_free(p);
    toll_profile_free(q);
}

/* --- labels ------------------------------------------------------------------------------------*/

static void keep_warning(void *user, const char *text)
{
    snprintf(user, 1000, "%s", text);
}

typedef struct label {
    const char *key, *text; /* text NULL: it is the number 7 */
} label;

static const char both[] = "a text, and the number 7";

/* A file with a sample that has these labels; *said becomes the last warning. */
static toll_profile *with_labels(const label *labels, size_t count, char *said)
{
    const toll_format_options options = { .size = sizeof options,
                                          .warn = keep_warning,
                                          .warn_user = said };
    file f;
    toll_input *in;
    toll_profile *p;
    begin(&f);
    put_type(&f, PPROF_SAMPLE_TYPE, "ticks", "count");
    toll_wire_put_int(&f.message, PPROF_SAMPLE_VALUE, 1);
    for (size_t i = 0; i < count; i++) {
        toll_buffer_clear(&f.inner);
        toll_wire_put_int(&f.inner, PPROF_LABEL_KEY, string(&f, labels[i].key));
        if (labels[i].text)
            toll_wire_put_int(&f.inner, PPROF_LABEL_STR, string(&f, labels[i].text));
        if (!labels[i].text || labels[i].text == both)
            toll_wire_put_int(&f.inner, PPROF_LABEL_NUM, 7);
        toll_wire_put_bytes(&f.message, PPROF_SAMPLE_LABEL, f.inner.data, f.inner.size);
    }
    put(&f, PPROF_SAMPLE);
    for (uint64_t i = 0; i < f.string_count; i++)
        toll_wire_put_bytes(&f.bytes, PPROF_STRING_TABLE, f.strings[i], strlen(f.strings[i]));
    assert_ok(toll_input_from_memory(NULL, f.bytes.data, f.bytes.size, "file", &in, err));
    *said = 0;
    assert_ok(toll_profile_read(in, "pprof", &options, NULL, &p, err));
    toll_input_free(in);
    toll_buffer_free(&f.bytes);
    toll_buffer_free(&f.message);
    toll_buffer_free(&f.inner);
    return p;
}

/* Labels that are texts are those of the thread, but for its name, and are written again. */
static void test_pprof_labels_are_the_threads(void **state)
{
    char said[1000];
    const label labels[] = {
        { "host", "b" }, { "thread", "main" }, { "commit", "3f2a" }, { "host", "a" }
    };
    (void)state;
    toll_profile *p = with_labels(labels, 4, said);
    assert_string_equal(said, "");
    assert_int_equal(toll_profile_thread_count(p), 1);
    assert_string_equal(toll_profile_thread_name(p, 0), "main");
    assert_string_equal(toll_profile_thread_title(p, 0), "main {commit=3f2a, host=a, host=b}");
    assert_int_equal(toll_profile_note_count(p), 0);
    assert_reads_back(p);
    toll_profile_free(p);
    p = with_labels(&(label){ "", "x" }, 1, said); /* without a key it is none */
    assert_string_equal(said, "file: left out: labels ()");
    assert_string_equal(toll_profile_thread_title(p, 0), "");
    toll_profile_free(p);
}

/* Order means nothing in a file's labels: of two names the first one is kept, and it is said. */
static void test_pprof_two_names_of_a_thread(void **state)
{
    char said[1000];
    const label names[] = { { "thread", "b" }, { "thread", "a" }, { "thread", "b" } };
    (void)state;
    for (int first = 0; first < 2; first++) {
        toll_profile *p = with_labels(names + first, 2, said);
        assert_string_equal(toll_profile_thread_title(p, 0), "a");
        assert_string_equal(said, "file: left out: labels (thread)");
        toll_profile_free(p);
    }
    const label same[] = { { "thread", "b" }, { "thread", "b" } };
    toll_profile_free(with_labels(same, 2, said));
    assert_string_equal(said, "");
}

/* A label that is both keeps its text; the number is counted as left out. */
static void test_pprof_a_label_that_is_text_and_number(void **state)
{
    char said[1000];
    uint64_t count;
    (void)state;
    toll_profile *p = with_labels(&(label){ "k", both }, 1, said);
    assert_string_equal(toll_profile_thread_label(p, 0, 0).value, both);
    assert_string_equal(said, "file: left out: labels (k)");
    assert_string_equal(toll_profile_note(p, 0, &count), PPROF_NOTE_NUMBERS);
    assert_int_equal(count, 1);
    toll_profile_free(p);
}

/* Numbers are not: they are left out, and the samples counted, once each. */
static void test_pprof_labels_that_are_numbers_are_counted(void **state)
{
    char said[1000];
    uint64_t count;
    const label labels[] = { { "bytes", NULL }, { "host", "a" }, { "goroutine", NULL } };
    (void)state;
    toll_profile *p = with_labels(labels, 3, said);
    assert_string_equal(said, "file: left out: labels (bytes, goroutine)");
    assert_string_equal(toll_profile_thread_title(p, 0), "host=a");
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_string_equal(toll_profile_note(p, 0, &count), PPROF_NOTE_NUMBERS);
    assert_int_equal(count, 1);
    assert_reads_back(p);
    toll_profile_free(p);
}

/* What is said of a file with numbers of these keys as labels. */
static const char *warning_of(const char *const *keys, size_t count)
{
    static char said[1000];
    label labels[8];
    for (size_t i = 0; i < count; i++)
        labels[i] = (label){ keys[i], NULL };
    toll_profile_free(with_labels(labels, count, said));
    return said;
}

/* The keys of labels that are left out are listed, as far as 160 bytes reach. */
static void test_pprof_labels_left_out_are_listed(void **state)
{
    static const char *const one[] = { "request" };
    static const char *const long_one[] = { "0123456789012345678901234567890", "a" };
    static const char *const many[] = {
        "k1-3456789012345678901234",
        "k2-3456789012345678901234",
        "k3-3456789012345678901234",
        "k4-3456789012345678901234",
        "k5-3456789012345678901234",
        "k6-3456789012345678901234",
        "not this one",
    };
    (void)state;
    assert_string_equal(warning_of(one, 1), "file: left out: labels (request)");
    assert_string_equal(warning_of(long_one, 2),
                        "file: left out: labels (012345678901234567890123456789, a)");
    const char *said = warning_of(many, sizeof many / sizeof *many);
    assert_non_null(strstr(said, "(k1-3456789012345678901234, k2-"));
    assert_non_null(strstr(said, ", k6-3456789012345678901234)"));
}

/* --- damage ------------------------------------------------------------------------------------*/

static void expect_damage(const void *data, size_t size, toll_status status, const char *text)
{
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    assert_int_equal(test_read(NULL, data, size, "pprof", &p, &e), status);
    if (strncmp(e.text, text, strlen(text)) != 0)
        fail_msg("%s", e.text);
}

static void test_pprof_fields_that_cannot_be(void **state)
{
    static const uint8_t no_number[] = { 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    static const uint8_t cut_number[] = { 0x80 };
    static const uint8_t large_number[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0, 0, 0, 0 };
    static const uint8_t group[] = { 0x0b, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    static const uint8_t a_gigabyte[] = { 0x32, 0x80, 0x80, 0x80, 0x80, 4, 'a' };
    static const uint8_t more[] = { 0x32, 0x81, 0x80, 0x80, 0x80, 4, 'a' };
    (void)state;
    expect_damage(no_number, sizeof no_number, TOLL_E_SYNTAX,
                  "file: at byte 0: a field has no valid number");
    expect_damage(cut_number, sizeof cut_number, TOLL_E_SYNTAX,
                  "file: at byte 0: the file is cut off");
    expect_damage(large_number, sizeof large_number, TOLL_E_SYNTAX,
                  "file: at byte 0: a field has no valid number");
    expect_damage(group, sizeof group, TOLL_E_SYNTAX, "file: at byte 0: a field is malformed");
    expect_damage(a_gigabyte, sizeof a_gigabyte, TOLL_E_TRUNCATED,
                  "file: at byte 0: a field claims 1073741824 bytes, 1 are left; fetch the file "
                  "again");
    expect_damage(more, sizeof more, TOLL_E_SYNTAX,
                  "file: at byte 0: a field claims 1073741825 bytes; the file is damaged");
}

/* --- value types and periods -------------------------------------------------------------------*/

static void test_pprof_the_last_type_is_the_default(void **state)
{
    file f;
    (void)state;
    begin(&f);
    put_type(&f, PPROF_SAMPLE_TYPE, "samples", "count");
    put_type(&f, PPROF_SAMPLE_TYPE, "cpu", "nanoseconds");
    toll_profile *p = end(&f);
    assert_int_equal(toll_profile_default_column(p), 1);
    toll_profile_free(p);
}

static void assert_period(const toll_profile *p, const char *type, const char *unit)
{
    toll_value_type v = toll_pprof_period_type(p);
    written w = write_pprof(p);
    assert_string_equal(v.type, type);
    assert_string_equal(v.unit, unit);
    toll_wire wire = { w.data, (const uint8_t *)w.data + w.size };
    toll_wire_field field;
    uint64_t period = 0, period_types = 0;
    while (toll_wire_next(&wire, &field) == 1) {
        if (field.number == PPROF_PERIOD)
            period = field.value;
        period_types += field.number == PPROF_PERIOD_TYPE;
    }
    assert_int_equal(period, 1);
    assert_int_equal(period_types, 1);
    toll_output_free(w.out);
}

static void test_pprof_says_its_period_type(void **state)
{
    static const toll_value_type columns[][2] = { { { "time", "nanoseconds" }, { NULL, NULL } },
                                                  { { "compute units", "CU" }, { NULL, NULL } },
                                                  { { "time", "nanoseconds" },
                                                    { "inuse_space", "bytes" } } };
    static const toll_value_type periods[] = { { "time", "nanoseconds" },
                                               { "compute units", "CU" },
                                               { "space", "bytes" } };
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        toll_profile *p;
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
        for (size_t c = 0; c < 2 && columns[i][c].type; c++)
            assert_ok(
                toll_profile_add_column(p, columns[i][c].type, columns[i][c].unit, NULL, err));
        test_add_stack(p, "", "f", 1, 3);
        assert_period(p, periods[i].type, periods[i].unit);
        assert_reads_back(p);
        toll_profile_free(p);
    }
}

static void test_pprof_a_sampled_file_says_so(void **state)
{
    (void)state;
    for (int sampled = 0; sampled < 2; sampled++) {
        file f;
        begin(&f);
        put_type(&f, PPROF_SAMPLE_TYPE, "cpu", "nanoseconds");
        put_type(&f, PPROF_PERIOD_TYPE, "cpu", "nanoseconds");
        toll_wire_put_int(&f.bytes, PPROF_PERIOD, sampled ? 10000000 : 1);
        toll_profile *p = end(&f);
        assert_int_equal(toll_profile_comment_count(p), sampled);
        if (sampled)
            assert_string_equal(toll_profile_comment(p, 0),
                                "sampled: every 10000000 nanoseconds of cpu");
        assert_reads_back(p);
        toll_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pprof_two_functions_of_one_name_are_two),
        cmocka_unit_test(test_pprof_a_sampled_file_says_so),
        cmocka_unit_test(test_pprof_places_tell_functions_apart),
        cmocka_unit_test(test_pprof_a_name_by_id_is_no_other_name),
        cmocka_unit_test(test_pprof_functions_by_id_merge_in_any_order),
        cmocka_unit_test(test_pprof_names_of_rust),
        cmocka_unit_test(test_pprof_names_of_cplus),
        cmocka_unit_test(test_pprof_our_own_labels_are_no_names),
        cmocka_unit_test(test_pprof_has_only_stacks_with_values),
        cmocka_unit_test(test_pprof_labels_are_the_threads),
        cmocka_unit_test(test_pprof_two_names_of_a_thread),
        cmocka_unit_test(test_pprof_a_label_that_is_text_and_number),
        cmocka_unit_test(test_pprof_labels_that_are_numbers_are_counted),
        cmocka_unit_test(test_pprof_labels_left_out_are_listed),
        cmocka_unit_test(test_pprof_fields_that_cannot_be),
        cmocka_unit_test(test_pprof_the_last_type_is_the_default),
        cmocka_unit_test(test_pprof_says_its_period_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
