/* test_arguments_io.c - wrong arguments that the functions of toll/error.h, memory.h, stream.h
 * and format.h refuse: NULL, and numbers without a meaning. */
#include "support_arguments.h"

/* --- error.h, memory.h -------------------------------------------------------------------------*/

static void test_toll_status_name(void **state)
{
#define NAME(status)                                                                               \
    {                                                                                              \
        status, #status                                                                            \
    }
    static const struct {
        toll_status status;
        const char *name;
    } all[] = {
        NAME(TOLL_OK),          NAME(TOLL_E_NOMEM),     NAME(TOLL_E_LIMIT),
        NAME(TOLL_E_OVERFLOW),  NAME(TOLL_E_ARGUMENT),  NAME(TOLL_E_STATE),
        NAME(TOLL_E_NOT_FOUND), NAME(TOLL_E_IO),        NAME(TOLL_E_UNKNOWN_FORMAT),
        NAME(TOLL_E_SYNTAX),    NAME(TOLL_E_TRUNCATED), NAME(TOLL_E_UNSUPPORTED),
        NAME(TOLL_E_INVARIANT),
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_string_equal(toll_status_name(all[i].status), all[i].name);
    assert_non_null(toll_status_name((toll_status)-1));
    assert_non_null(toll_status_name((toll_status)9999));
}

static void test_toll_budget_allocator(void **state)
{
    (void)state;
    toll_allocator a = toll_budget_allocator(NULL); /* no limit */
    void *block = a.resize(a.user, NULL, 0, 10);
    assert_non_null(block);
    a.resize(a.user, block, 10, 0);
}

/* --- stream.h ----------------------------------------------------------------------------------*/

static void test_toll_clock_create(void **state)
{
    (void)state;
    assert_argument(toll_clock_create(NULL, NULL, err));
}

static void test_toll_clock_create_cpu(void **state)
{
    (void)state;
    assert_argument(toll_clock_create_cpu(NULL, NULL, err));
}

/* A clock of wall time knows of no waiting. */
static void test_toll_clock_waited(void **state)
{
    (void)state;
    toll_clock *clock;
    assert_ok(toll_clock_create(NULL, &clock, err));
    assert_true(toll_clock_now(clock) > 0);
    assert_true(toll_clock_waited(clock) == 0);
    toll_clock_free(clock);
}

static void test_toll_clock_free(void **state)
{
    (void)state;
    toll_clock_free(NULL);
}

static void test_toll_input_open(void **state)
{
    (void)state;
    toll_input *in = test_stale();
    assert_argument(toll_input_open(NULL, NULL, &in, err));
    assert_argument(toll_input_open(NULL, "/dev/null", NULL, err));
    assert_null(in);
}

static void test_toll_input_from_memory(void **state)
{
    (void)state;
    toll_input *in = test_stale();
    assert_argument(toll_input_from_memory(NULL, NULL, 1, "x", &in, err));
    assert_argument(toll_input_from_memory(NULL, "a", 1, NULL, &in, err));
    assert_argument(toll_input_from_memory(NULL, "a", 1, "x", NULL, err));
    assert_null(in);
    assert_ok(toll_input_from_memory(NULL, NULL, 0, "x", &in, err)); /* empty */
    toll_input_on_progress(in, NULL, NULL);                          /* no callback */
    toll_input_free(in);
}

static void test_toll_input_on_progress(void **state)
{
    (void)state; /* in test_toll_input_from_memory */
}

static void test_toll_input_free(void **state)
{
    (void)state;
    toll_input_free(NULL);
}

static void test_toll_output_open(void **state)
{
    (void)state;
    toll_output *out = test_stale();
    assert_argument(toll_output_open(NULL, NULL, 0, &out, err));
    assert_argument(toll_output_open(NULL, "-", 0, NULL, err));
    assert_null(out);
}

static void test_toll_output_set_sync(void **state)
{
    (void)state;
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_output_set_sync(out, 0); /* of no effect */
    toll_output_set_sync(out, 2);
    assert_ok(toll_output_commit(out, err));
    toll_output_free(out);
}

static void test_toll_output_from_fd(void **state)
{
    (void)state;
    toll_output *out = test_stale();
    assert_argument(toll_output_from_fd(NULL, 2, NULL, &out, err));
    assert_argument(toll_output_from_fd(NULL, 2, "x", NULL, err));
    assert_argument(toll_output_from_fd(NULL, -1, "x", &out, err));
    assert_null(out);
}

static void test_toll_output_to_memory(void **state)
{
    (void)state;
    assert_argument(toll_output_to_memory(NULL, 0, NULL, err));
}

static void test_toll_output_write(void **state)
{
    (void)state;
    toll_output *out = to_memory();
    toll_output_write(out, NULL, 0); /* nothing to write */
    assert_ok(toll_output_status(out));
    toll_output_write(out, NULL, 1);
    assert_int_equal(toll_output_status(out), TOLL_E_ARGUMENT);
    assert_argument(toll_output_commit(out, err));
    toll_output_free(out);
}

static void test_toll_output_printf(void **state)
{
    (void)state;
    toll_output *out = to_memory();
    size_t size;
    toll_output_printf(out, "%s", "");
    assert_ok(toll_output_commit(out, NULL));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    toll_output_free(out);
}

static void test_toll_output_put_printable(void **state)
{
    (void)state;
    toll_output *out = to_memory();
    toll_output_put_printable(out, NULL);
    assert_argument(toll_output_commit(out, err));
    toll_output_free(out);
}

static void test_toll_printable(void **state)
{
    (void)state;
    char text[8] = "old", one[1];
    assert_string_equal(toll_printable(NULL, text, sizeof text), "");
    assert_string_equal(toll_printable("abc", one, sizeof one), "");
    assert_ptr_equal(toll_printable("abc", text, 0), text);
    assert_string_equal(text, "");
}

static void test_toll_output_commit(void **state)
{
    (void)state;
    toll_output *out = to_memory();
    toll_output_write(out, NULL, 1);
    assert_argument(toll_output_commit(out, err));
    toll_output_free(out);
}

static void test_toll_output_data(void **state)
{
    (void)state;
    toll_output *out = to_memory();
    toll_output_write(out, "a", 1);
    assert_ok(toll_output_commit(out, err));
    assert_memory_equal(toll_output_data(out, NULL), "a", 1);
    toll_output_free(out);
}

static void test_toll_output_free(void **state)
{
    (void)state;
    toll_output_free(NULL);
}

/* --- format.h ----------------------------------------------------------------------------------*/

static void test_toll_format_at(void **state)
{
    (void)state;
    uint32_t count = 0;
    while (toll_format_at(count))
        count++;
    EACH_ID_PAST(i, count)
    assert_null(toll_format_at(i));
}

static void test_toll_format_named(void **state)
{
    (void)state;
    assert_null(toll_format_named(NULL));
}

static void test_toll_format_for_path(void **state)
{
    (void)state;
    assert_null(toll_format_for_path(NULL));
}

static void test_toll_format_for_folder(void **state)
{
    (void)state;
    assert_null(toll_format_for_folder(NULL, NULL));
    assert_null(toll_format_for_folder(".", NULL)); /* no traces are in it */
    assert_null(toll_format_for_folder(".", "no such format"));
    assert_null(toll_format_for_folder("no/such/folder", "sbf-trace"));
    assert_string_equal(toll_format_for_folder(".", "sbf-trace")->name, "sbf-trace");
    assert_null(toll_format_for_folder(".", "pprof"));
}

static void test_toll_profile_read(void **state)
{
    (void)state;
    toll_input *in;
    toll_profile *p;
    assert_ok(toll_input_from_memory(NULL, "a;b 1\n", 6, "x", &in, err));
    assert_argument(toll_profile_read(in, "folded", NULL, NULL, NULL, err));
    assert_ok(toll_profile_read(in, "folded", NULL, NULL, &p, err)); /* nothing was read of it */
    assert_int_equal(test_sum(p, 0), 1);
    toll_profile_free(p);
    toll_input_free(in);
}

static void test_toll_profile_load(void **state)
{
    (void)state;
    toll_profile *p = test_stale();
    toll_timeline *timeline = test_stale();
    assert_argument(toll_profile_load(NULL, NULL, NULL, NULL, &timeline, &p, err));
    assert_null(p);
    assert_null(timeline);
    assert_argument(toll_profile_load(NULL, "x", NULL, NULL, NULL, NULL, err));
    assert_status(TOLL_E_IO, toll_profile_load(NULL, "/none/x", NULL, NULL, NULL, &p, err));
    assert_status(TOLL_E_UNKNOWN_FORMAT, toll_profile_load(NULL, "/", "nope", NULL, NULL, &p, err));
}

static void test_files_of_programs(void **state)
{
    (void)state;
    toll_profile *p = test_stale();
    const toll_program_file no_path = { "id", NULL }, second[] = { { "id", "/none/x" }, no_path };
    const toll_solana_options no_elfs = { .size = sizeof no_elfs, .elf_count = 1 };
    const toll_solana_options pathless = { .size = sizeof pathless,
                                           .elfs = &no_path,
                                           .elf_count = 1 };
    const toll_solana_options sizeless = { .size = 0 };
    const toll_solana_options elfs = { .size = sizeof elfs, .elfs = second, .elf_count = 2 };
    const toll_solana_options idls = { .size = sizeof idls, .idls = second, .idl_count = 2 };
    const toll_solana_options no_idls = { .size = sizeof no_idls, .idl_count = 1 };
    const toll_solana_options *const wrong[] = { &no_elfs, &pathless, &sizeless,
                                                 &elfs,    &idls,     &no_idls };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const toll_reader_options reader = { "solana", wrong[i], NULL };
        const toll_format_options o = { .size = sizeof o, .readers = &reader, .reader_count = 1 };
        assert_argument(toll_profile_load(NULL, "/", "sbf-trace", &o, NULL, &p, err));
    }
    assert_null(p);
}

static void test_options_of_readers(void **state)
{
    (void)state;
    toll_profile *p = test_stale();
    const toll_reader_options unknown = { "pprof", NULL, NULL }, nameless = { NULL, NULL, NULL };
    const toll_reader_options *const wrong[] = { &unknown, &nameless, NULL };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const toll_format_options o = { .size = sizeof o, .readers = wrong[i], .reader_count = 1 };
        assert_argument(toll_profile_load(NULL, "/", "sbf-trace", &o, NULL, &p, err));
        assert_null(p);
    }
}

static void test_toll_profile_write(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    assert_argument(toll_profile_write(p, NULL, NULL, NULL, out, err));
    assert_argument(toll_profile_write(p, NULL, "folded", NULL, NULL, err));
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_profile_save_as(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    assert_argument(toll_profile_save_as(p, NULL, NULL, "folded", NULL, err));
    assert_argument(toll_profile_save_as(p, NULL, NULL, NULL, NULL, err));
    toll_profile_free(p);
}

static void test_toll_profile_save(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    assert_argument(toll_profile_save(p, NULL, err));
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_status_name),
        cmocka_unit_test(test_toll_budget_allocator),
        cmocka_unit_test(test_toll_clock_create),
        cmocka_unit_test(test_toll_clock_create_cpu),
        cmocka_unit_test(test_toll_clock_waited),
        cmocka_unit_test(test_toll_clock_free),
        cmocka_unit_test(test_toll_input_open),
        cmocka_unit_test(test_toll_input_from_memory),
        cmocka_unit_test(test_toll_input_on_progress),
        cmocka_unit_test(test_toll_input_free),
        cmocka_unit_test(test_toll_output_open),
        cmocka_unit_test(test_toll_output_set_sync),
        cmocka_unit_test(test_toll_output_from_fd),
        cmocka_unit_test(test_toll_output_to_memory),
        cmocka_unit_test(test_toll_output_write),
        cmocka_unit_test(test_toll_output_printf),
        cmocka_unit_test(test_toll_output_commit),
        cmocka_unit_test(test_toll_output_data),
        cmocka_unit_test(test_toll_output_free),
        cmocka_unit_test(test_toll_format_at),
        cmocka_unit_test(test_toll_format_named),
        cmocka_unit_test(test_toll_format_for_path),
        cmocka_unit_test(test_toll_format_for_folder),
        cmocka_unit_test(test_toll_profile_read),
        cmocka_unit_test(test_options_of_readers),
        cmocka_unit_test(test_files_of_programs),
        cmocka_unit_test(test_toll_profile_load),
        cmocka_unit_test(test_toll_profile_write),
        cmocka_unit_test(test_toll_profile_save),
        cmocka_unit_test(test_toll_profile_save_as),
        cmocka_unit_test(test_toll_printable),
        cmocka_unit_test(test_toll_output_put_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
