/* test_options.c - structs of options and their sizes, as programs pass them that were built with
 * headers of another version. */
#include "support.h"

#include "base/sized_options.h"

/* Nothing is padding between the last field and the end, where a later field might lie. */
#define ENDS_WITH(type, field)                                                                     \
    _Static_assert(offsetof(type, field) + sizeof(((type *)0)->field) == sizeof(type),             \
                   #type " has padding after " #field)
ENDS_WITH(toll_recorder_options, call_lines);
ENDS_WITH(toll_embed_options, recorder);
ENDS_WITH(toll_sections_options, recorder);
ENDS_WITH(toll_svm_options, tracks_heap);
ENDS_WITH(toll_svm_recorder_options, warn_user);
ENDS_WITH(toll_folded_options, unit);
ENDS_WITH(toll_format_options, reader_count);
ENDS_WITH(toll_solana_options, by_transaction);
ENDS_WITH(toll_supcom_options, reserved);
ENDS_WITH(toll_report_options, links);
ENDS_WITH(toll_annotate_options, source_origin);
ENDS_WITH(toll_flame_options, reserved);
ENDS_WITH(toll_page_options, series);
ENDS_WITH(toll_series_options, are_ages);
ENDS_WITH(toll_tables_options, most_frames);
ENDS_WITH(toll_wasm_options, begin_module);
ENDS_WITH(toll_filter, where);
ENDS_WITH(toll_symbolize_options, reserved);
ENDS_WITH(toll_assembly_options, reserved);

/* A struct of today, as an older and as a newer version of the headers have it. */
typedef struct today {
    size_t size;
    const char *name;
    uint64_t number;
} today;

typedef struct older {
    size_t size;
    const char *name;
} older;

typedef struct newer {
    today today;
    uint64_t added;
} newer;

static toll_status copy(today *own, const void *given, toll_error *err)
{
    memset(own, 0xff, sizeof *own);
    return toll_options_copy(own, sizeof *own, given, "toll_today", err);
}

static void test_no_options_are_all_zero(void **state)
{
    (void)state;
    today own;
    assert_ok(copy(&own, NULL, err));
    assert_int_equal(own.size, sizeof own);
    assert_null(own.name);
    assert_int_equal(own.number, 0);
}

static void test_a_smaller_struct_has_defaults_for_the_rest(void **state)
{
    (void)state;
    older given = { .size = sizeof given, .name = "a" };
    today own;
    assert_ok(copy(&own, &given, err));
    assert_int_equal(own.size, sizeof own);
    assert_string_equal(own.name, "a");
    assert_int_equal(own.number, 0);
}

static void test_a_larger_struct_may_set_nothing_that_is_not_known(void **state)
{
    (void)state;
    newer given = { { .size = sizeof given, .name = "a", .number = 7 }, 0 };
    toll_error err;
    today own;
    assert_int_equal(copy(&own, &given, &err), TOLL_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.number, 7);
    given.added = UINT64_C(1) << 63;
    assert_int_equal(copy(&own, &given, &err), TOLL_E_ARGUMENT);
    assert_non_null(strstr(err.text, "toll_today: a field at byte "));
    assert_non_null(strstr(err.text, "libtoll " TOLL_VERSION_STRING));
}

static void test_a_size_that_was_not_set_is_told(void **state)
{
    static const size_t sizes[] = { 0, 1, sizeof(size_t) - 1, 4097, SIZE_MAX };
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[100];
        today given = { .size = sizes[i] }, own;
        toll_error err;
        assert_int_equal(copy(&own, &given, &err), TOLL_E_ARGUMENT);
        snprintf(text, sizeof text, "toll_today.size is %zu; set it to sizeof(toll_today)",
                 sizes[i]);
        assert_memory_equal(err.text, text, strlen(text));
        assert_int_equal(copy(&own, &given, NULL), TOLL_E_ARGUMENT);
    }
}

/* --- each function that has options ------------------------------------------------------------*/

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    (void)address;
    (void)size;
    return memory;
}

static toll_profile *empty_profile(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    return p;
}

static toll_input *input_of(const char *text, size_t size)
{
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, text, size, "x", &in, err));
    return in;
}

static toll_status create_recorder(const void *options, toll_error *err)
{
    toll_recorder *r;
    toll_status status = toll_recorder_create(options, &r, err);
    toll_recorder_free(r);
    return status;
}

static toll_status create_sections(const void *options, toll_error *err)
{
    toll_sections *s;
    toll_status status = toll_sections_create(options, &s, err);
    toll_sections_free(s);
    return status;
}

static toll_status create_svm_recorder(const void *options, toll_error *err)
{
    toll_svm_recorder *r;
    toll_status status = toll_svm_recorder_create(options, &r, err);
    toll_svm_recorder_free(r);
    return status;
}

static toll_status create_svm(const void *options, toll_error *err)
{
    toll_svm *svm;
    toll_status status = toll_svm_create(options, &svm, err);
    toll_svm_free(svm);
    return status;
}

static toll_status read_folded(const void *options, toll_error *err)
{
    toll_profile *p;
    toll_input *in = input_of("a;b 1\n", 6);
    toll_status status = toll_profile_read(in, "folded", options, NULL, &p, err);
    toll_profile_free(p);
    toll_input_free(in);
    return status;
}

static toll_status write_folded(const void *options, toll_error *err)
{
    toll_profile *p = empty_profile();
    toll_output *out;
    assert_int_equal(toll_output_to_memory(NULL, 0, &out, NULL), TOLL_OK);
    toll_status status = toll_profile_write(p, NULL, "folded", options, out, err);
    toll_output_free(out);
    toll_profile_free(p);
    return status;
}

static toll_status report(const void *options, toll_error *err)
{
    toll_profile *p = empty_profile();
    toll_output *out;
    assert_int_equal(toll_output_to_memory(NULL, 0, &out, NULL), TOLL_OK);
    toll_status status = toll_report_top(p, options, out, err);
    toll_output_free(out);
    toll_profile_free(p);
    return status;
}

static toll_status filter(const void *options, toll_error *err)
{
    toll_profile *p = empty_profile(), *kept;
    toll_status status = toll_profile_filter(p, options, &kept, err);
    toll_profile_free(kept);
    toll_profile_free(p);
    return status;
}

static toll_status instrument(const void *options, toll_error *err)
{
    toll_input *in = input_of("\0asm\1\0\0", 8);
    toll_output *out;
    assert_int_equal(toll_output_to_memory(NULL, 0, &out, NULL), TOLL_OK);
    toll_status status = toll_wasm_instrument(NULL, in, options, out, err);
    toll_output_free(out);
    toll_input_free(in);
    return status;
}

static toll_status load_nothing(const void *options, toll_error *err)
{
    toll_profile *p;
    toll_status status = toll_profile_load(NULL, "/none", NULL, options, NULL, &p, err);
    return status == TOLL_E_IO ? TOLL_OK : status;
}

/* One format's own options, as its reader takes them. */
static toll_status read_by(const char *format, const char *text, const void *own, toll_error *err)
{
    toll_profile *p;
    toll_input *in = input_of(text, strlen(text));
    const toll_reader_options reader = { format, own, NULL };
    const toll_format_options o = { .size = sizeof o, .readers = &reader, .reader_count = 1 };
    toll_status status = toll_profile_read(in, format, &o, NULL, &p, err);
    toll_profile_free(p);
    toll_input_free(in);
    return status;
}

static toll_status read_solana(const void *own, toll_error *err)
{
    return read_by("solana",
                   "Program 11111111111111111111111111111111 invoke [1]\n"
                   "Program 11111111111111111111111111111111 success\n",
                   own, err);
}

static toll_status read_supcom(const void *own, toll_error *err)
{
    return read_by("supcom", "info: prof: @a,1,f,5;1,1,t,f\n", own, err);
}

static toll_status read_named_folded(const void *own, toll_error *err)
{
    return read_by("folded", "a;b 1\n", own, err);
}

typedef struct row {
    const char *type;
    toll_status (*call)(const void *options, toll_error *err);
    size_t size;
} row;

static const row rows[] = {
    { "toll_recorder_options", create_recorder, sizeof(toll_recorder_options) },
    { "toll_sections_options", create_sections, sizeof(toll_sections_options) },
    { "toll_svm_options", create_svm, sizeof(toll_svm_options) },
    { "toll_svm_recorder_options", create_svm_recorder, sizeof(toll_svm_recorder_options) },
    { "toll_format_options", read_folded, sizeof(toll_format_options) },
    { "toll_format_options", write_folded, sizeof(toll_format_options) },
    { "toll_report_options", report, sizeof(toll_report_options) },
    { "toll_filter", filter, sizeof(toll_filter) },
    { "toll_wasm_options", instrument, sizeof(toll_wasm_options) },
    { "toll_format_options", load_nothing, sizeof(toll_format_options) },
    { "toll_solana_options", read_solana, sizeof(toll_solana_options) },
    { "toll_folded_options", read_named_folded, sizeof(toll_folded_options) },
    { "toll_supcom_options", read_supcom, sizeof(toll_supcom_options) },
};

static void test_every_struct_is_held_to_its_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        union {
            size_t size;
            toll_svm_options svm;
            toll_svm_recorder_options svm_recorder;
            uint8_t bytes[256];
        } o = { .bytes = { 0 } };
        char text[100];
        toll_error err;
        const toll_svm_options syscalls = { .size = sizeof syscalls, .translate = translate };
        if (r->call == create_svm)
            o.svm.translate = translate;
        if (r->call == create_svm_recorder)
            o.svm_recorder.syscalls = &syscalls;
        snprintf(text, sizeof text, "%s.size is 0; set it to sizeof(%s)", r->type, r->type);
        assert_int_equal(r->call(&o, &err), TOLL_E_ARGUMENT);
        assert_memory_equal(err.text, text, strlen(text));
        o.size = r->size;
        assert_int_equal(r->call(&o, &err), TOLL_OK);
        o.size = r->size - 8; /* without its last field */
        memset(o.bytes + r->size - 8, 0xff, 8);
        assert_int_equal(r->call(&o, &err), TOLL_OK);
        memset(o.bytes + r->size - 8, 0, 8);
        o.size = sizeof o.bytes;
        assert_int_equal(r->call(&o, &err), TOLL_OK);
        o.bytes[r->size] = 1;
        assert_int_equal(r->call(&o, &err), TOLL_E_ARGUMENT);
        assert_memory_equal(err.text, r->type, strlen(r->type));
    }
}

#define ASSERT_INIT(type, init)                                                                    \
    do {                                                                                           \
        type sized = init, zero = { 0 };                                                           \
        assert_int_equal(sized.size, sizeof sized);                                                \
        sized.size = 0;                                                                            \
        assert_memory_equal(&sized, &zero, sizeof zero);                                           \
    } while (0)

static void test_every_init_is_the_size_and_zeros(void **state)
{
    (void)state;
    ASSERT_INIT(toll_annotate_options, TOLL_ANNOTATE_OPTIONS_INIT);
    ASSERT_INIT(toll_assembly_options, TOLL_ASSEMBLY_OPTIONS_INIT);
    ASSERT_INIT(toll_embed_options, TOLL_EMBED_OPTIONS_INIT);
    ASSERT_INIT(toll_filter, TOLL_FILTER_INIT);
    ASSERT_INIT(toll_flame_options, TOLL_FLAME_OPTIONS_INIT);
    ASSERT_INIT(toll_folded_options, TOLL_FOLDED_OPTIONS_INIT);
    ASSERT_INIT(toll_format_options, TOLL_FORMAT_OPTIONS_INIT);
    ASSERT_INIT(toll_page_options, TOLL_PAGE_OPTIONS_INIT);
    ASSERT_INIT(toll_recorder_options, TOLL_RECORDER_OPTIONS_INIT);
    ASSERT_INIT(toll_report_options, TOLL_REPORT_OPTIONS_INIT);
    ASSERT_INIT(toll_sections_options, TOLL_SECTIONS_OPTIONS_INIT);
    ASSERT_INIT(toll_solana_options, TOLL_SOLANA_OPTIONS_INIT);
    ASSERT_INIT(toll_supcom_options, TOLL_SUPCOM_OPTIONS_INIT);
    ASSERT_INIT(toll_svm_options, TOLL_SVM_OPTIONS_INIT);
    ASSERT_INIT(toll_svm_recorder_options, TOLL_SVM_RECORDER_OPTIONS_INIT);
    ASSERT_INIT(toll_symbolize_options, TOLL_SYMBOLIZE_OPTIONS_INIT);
    ASSERT_INIT(toll_wasm_options, TOLL_WASM_OPTIONS_INIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_options_are_all_zero),
        cmocka_unit_test(test_a_smaller_struct_has_defaults_for_the_rest),
        cmocka_unit_test(test_a_larger_struct_may_set_nothing_that_is_not_known),
        cmocka_unit_test(test_a_size_that_was_not_set_is_told),
        cmocka_unit_test(test_every_struct_is_held_to_its_size),
        cmocka_unit_test(test_every_init_is_the_size_and_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
