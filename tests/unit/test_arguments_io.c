/* test_arguments_io.c - wrong arguments that the functions of toll/error.h, memory.h, stream.h,
 * format.h, report.h and wasm.h refuse: NULL, and numbers without a meaning. */
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

static toll_output *to_memory(void)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    return out;
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

static toll_profile *small_profile(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    test_add_stack(p, "main", "a;b", 0, 1);
    return p;
}

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

static void test_elfs_of_traces(void **state)
{
    (void)state;
    toll_profile *p = test_stale();
    const toll_program_file no_path = { "id", NULL };
    const toll_solana_options no_elfs = { .size = sizeof no_elfs, .elf_count = 1 };
    const toll_solana_options pathless = { .size = sizeof pathless,
                                           .elfs = &no_path,
                                           .elf_count = 1 };
    const toll_solana_options sizeless = { .size = 0 };
    const toll_solana_options *const wrong[] = { &no_elfs, &pathless, &sizeless };
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

/* --- report.h ----------------------------------------------------------------------------------*/

typedef toll_status report_function(const toll_profile *p, const toll_report_options *options,
                                    toll_output *out, toll_error *err);

static void refuses_order_and_output(report_function *report)
{
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_report_options by = { .size = sizeof by, .sort = TOLL_SORT_NAME };
    for (int i = 0; i < 2; i++) {
        by.sort = (toll_report_sort)(i ? TOLL_SORT_NAME + 1 : -1);
        assert_argument(report(p, &by, out, err));
    }
    assert_argument(report(p, NULL, NULL, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(report(p, NULL, out, err)); /* as with all options 0 */
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_top(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_top);
}

static void test_toll_report_tree(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_tree);
}

static void test_toll_report_json(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_json);
}

static toll_status report_diff(const toll_profile *p, const toll_report_options *options,
                               toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

static toll_status report_diff_json(const toll_profile *p, const toll_report_options *options,
                                    toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff_json(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

static toll_status report_diff_markdown(const toll_profile *p, const toll_report_options *options,
                                        toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff_markdown(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

/* A difference of other profiles, without the frames of these. */
static void refuses_another_difference(void)
{
    toll_profile *p = small_profile(), *other;
    toll_output *out = to_memory();
    assert_ok(toll_profile_create(NULL, &other, err));
    assert_ok(toll_profile_add_column(other, "calls", "count", NULL, err));
    assert_argument(toll_report_diff(p, p, other, NULL, out, err));
    assert_argument(toll_report_diff_json(p, p, other, NULL, out, err));
    assert_argument(toll_report_diff_markdown(p, p, other, NULL, out, err));
    toll_output_free(out);
    toll_profile_free(other);
    toll_profile_free(p);
}

static void test_toll_report_diff(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff);
    refuses_another_difference();
}

static void test_toll_report_diff_json(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff_json);
    refuses_another_difference();
}

static void test_toll_report_markdown(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_markdown);
}

static void test_toll_report_diff_markdown(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff_markdown);
    refuses_another_difference();
}

typedef toll_status annotate_function(const toll_profile *p, const toll_profile *before,
                                      const toll_annotate_options *options, toll_output *out,
                                      toll_error *err);

static void annotates_what_is_there(annotate_function *annotate)
{
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_frame f = { .name = "f", .at_line = 3 };
    toll_annotate_options other = { .size = sizeof other, .what = "no such function" };
    assert_argument(annotate(p, NULL, NULL, NULL, err));
    assert_int_equal(annotate(p, NULL, NULL, out, NULL), TOLL_E_NOT_FOUND); /* no lines */
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, 0), frame, &node, err));
    assert_ok(toll_profile_add_self(p, node, toll_profile_default_column(p), 1, err));
    assert_int_equal(annotate(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_annotate_options){ .size = sizeof other, .value = "no such value" };
    assert_int_equal(annotate(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(annotate(p, NULL, NULL, out, err)); /* as with all options 0 */
    assert_ok(annotate(p, p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_annotate(void **state)
{
    (void)state;
    annotates_what_is_there(toll_report_annotate);
}

static void test_toll_report_annotate_json(void **state)
{
    (void)state;
    annotates_what_is_there(toll_report_annotate_json);
}

static void test_toll_report_flame(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_flame_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(toll_report_flame(p, NULL, NULL, err));
    assert_int_equal(toll_report_flame(p, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_flame_options){ .size = sizeof other, .colors = (toll_colors)3 };
    assert_argument(toll_report_flame(p, &other, out, err));
    other = (toll_flame_options){ .width = 100 };
    assert_argument(toll_report_flame(p, &other, out, err)); /* no size */
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(toll_report_flame(p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_page(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_page_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(toll_report_page(p, NULL, NULL, NULL, err));
    assert_int_equal(toll_report_page(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_page_options){ .title = "no size" };
    assert_argument(toll_report_page(p, NULL, &other, out, err));
    const toll_profile *between[] = { p };
    other = (toll_page_options){ .size = sizeof other, .between = between, .between_count = 1 };
    assert_argument(toll_report_page(p, NULL, &other, out, err));
    other.between = NULL;
    assert_argument(toll_report_page(p, p, &other, out, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(toll_report_page(p, NULL, NULL, out, err));
    assert_ok(toll_report_page(p, p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

typedef toll_status (*series_fn)(const toll_profile *const *, size_t, const toll_series_options *,
                                 toll_output *, toll_error *);

static void hold_series(series_fn series)
{
    toll_profile *p = small_profile();
    const toll_profile *const both[] = { p, p };
    toll_output *out = to_memory();
    size_t size;
    toll_series_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(series(both, 2, NULL, NULL, err));
    assert_argument(series(both, 0, NULL, out, err));
    assert_argument(series(NULL, 2, NULL, out, err));
    assert_argument(series(both, 1001, NULL, out, err));
    assert_int_equal(series(both, 2, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_series_options){ .rows = 1 }; /* without its size */
    assert_argument(series(both, 2, &other, out, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(series(both, 2, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_series(void **state)
{
    (void)state;
    hold_series(toll_report_series);
}

static void test_toll_report_series_json(void **state)
{
    (void)state;
    hold_series(toll_report_series_json);
}

static void test_toll_report_series_markdown(void **state)
{
    (void)state;
    hold_series(toll_report_series_markdown);
}

static void test_toll_value_text(void **state)
{
    (void)state;
    char text[TOLL_VALUE_TEXT_SIZE];
    assert_string_equal(toll_value_text(1234, NULL, text), "1,234");
}

/* --- wasm.h ------------------------------------------------------------------------------------*/

static void test_toll_wasm_costs_named(void **state)
{
    (void)state;
    toll_wasm_costs *costs = test_stale();
    assert_argument(toll_wasm_costs_named(NULL, NULL, &costs, err));
    assert_null(costs);
    assert_argument(toll_wasm_costs_named(NULL, "dollars", &costs, err));
    assert_argument(toll_wasm_costs_named(NULL, "fuel", NULL, err));
}

static void test_toll_wasm_costs_read(void **state)
{
    (void)state;
    toll_wasm_costs *costs = test_stale();
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, "i32.add x\n", 10, "x", &in, err));
    assert_argument(toll_wasm_costs_read(NULL, in, NULL, err));
    assert_int_equal(toll_wasm_costs_read(NULL, in, &costs, NULL), TOLL_E_SYNTAX);
    assert_null(costs);
    toll_input_free(in);
}

static void test_toll_wasm_costs_free(void **state)
{
    (void)state;
    toll_wasm_costs_free(NULL);
}

static void test_toll_wasm_instrument(void **state)
{
    (void)state;
    static const char module[] = "\0asm\1\0\0";
    toll_input *in;
    toll_output *out = to_memory();
    toll_wasm_options bad_only = { .size = sizeof bad_only, .only = "(" },
                      bad_skip = { .size = sizeof bad_skip, .skip = "(" };
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_argument(toll_wasm_instrument(NULL, in, NULL, NULL, err));
    assert_int_equal(toll_wasm_instrument(NULL, in, &bad_only, out, NULL), TOLL_E_ARGUMENT);
    toll_input_free(in);
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_int_equal(toll_wasm_instrument(NULL, in, &bad_skip, out, NULL), TOLL_E_ARGUMENT);
    toll_input_free(in);
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_ok(toll_wasm_instrument(NULL, in, NULL, out, err));
    toll_input_free(in);
    toll_output_free(out);
}

static void test_toll_wasm_is_component(void **state)
{
    (void)state;
    assert_int_equal(toll_wasm_is_component(NULL, 0), 0);
    assert_int_equal(toll_wasm_is_component("\0asm\x0d\0\1", 8), 1);
    assert_int_equal(toll_wasm_is_component("\0asm\x0d\0\1", 7), 0);
    assert_int_equal(toll_wasm_is_component("\0asm\1\0\0", 8), 0);
}

static void test_toll_wasm_instrument_component(void **state)
{
    (void)state;
    static const char component[] = "\0asm\x0d\0\1", module[] = "\0asm\1\0\0";
    toll_input *in, *toll_wasm;
    toll_output *out = to_memory();
    const toll_wasm_options no_size = { .heap = 1 };
    assert_ok(toll_input_from_memory(NULL, component, sizeof component, "x", &in, err));
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "toll.wasm", &toll_wasm, err));
    assert_argument(toll_wasm_instrument_component(NULL, in, toll_wasm, NULL, NULL, err));
    assert_argument(toll_wasm_instrument_component(NULL, in, toll_wasm, &no_size, out, err));
    assert_int_equal(toll_wasm_instrument_component(NULL, in, toll_wasm, NULL, out, NULL),
                     TOLL_E_UNSUPPORTED);
    toll_input_free(toll_wasm);
    toll_input_free(in);
    toll_output_free(out);
}

/* --- tables ------------------------------------------------------------------------------------*/

static int take_nothing(void *user, toll_table table, struct ArrowArray *rows)
{
    (void)user;
    (void)table;
    rows->release(rows);
    return 0;
}

static toll_tables *some_tables(void)
{
    toll_tables *tables;
    toll_tables_options options = TOLL_TABLES_OPTIONS_INIT;
    options.take_rows = take_nothing;
    assert_ok(toll_tables_create(NULL, &options, &tables, err));
    return tables;
}

static void test_toll_tables_create(void **state)
{
    toll_tables_options options = TOLL_TABLES_OPTIONS_INIT;
    toll_tables *tables = test_stale();
    (void)state;
    assert_argument(toll_tables_create(NULL, NULL, &tables, err));
    assert_null(tables);
    assert_argument(toll_tables_create(NULL, &options, &tables, err));
    options.take_rows = take_nothing;
    assert_argument(toll_tables_create(NULL, &options, NULL, err));
    options.size = 0;
    tables = test_stale();
    assert_argument(toll_tables_create(NULL, &options, &tables, err));
    assert_null(tables);
}

static void test_toll_tables_free(void **state)
{
    (void)state;
    toll_tables_free(NULL);
}

static void test_toll_tables_schema(void **state)
{
    struct ArrowSchema schema;
    (void)state;
    assert_argument(toll_tables_schema(TOLL_TABLE_SAMPLES, NULL, err));
    EACH_ID_PAST(table, TOLL_TABLE_COUNT)
    assert_argument(toll_tables_schema((toll_table)table, &schema, err));
}

/* Labels that are refused. */
static const struct {
    toll_thread_label labels[2];
    uint32_t count;
} no_labels[] = {
    { { { "a", NULL } }, 1 },
    { { { NULL, "a" } }, 1 },
    { { { "a", "\xff" } }, 1 },
    { { { "\xff", "a" } }, 1 },
    { { { "a", "1" }, { "a", "2" } }, 2 },
};

static void test_toll_tables_add(void **state)
{
    toll_tables *tables = some_tables();
    toll_profile *p = small_profile();
    (void)state;
    assert_argument(toll_tables_add(tables, NULL, NULL, 0, p, err));
    assert_argument(toll_tables_add(tables, "\xff", NULL, 0, p, err));
    assert_argument(toll_tables_add(tables, "a", NULL, 1, p, err));
    for (size_t i = 0; i < sizeof no_labels / sizeof *no_labels; i++)
        assert_argument(
            toll_tables_add(tables, "a", no_labels[i].labels, no_labels[i].count, p, err));
    assert_ok(toll_tables_add(tables, "a", NULL, 0, p, err));
    toll_profile_free(p);
    toll_tables_free(tables);
}

static void test_toll_tables_add_unread(void **state)
{
    toll_tables *tables = some_tables();
    (void)state;
    assert_argument(toll_tables_add_unread(tables, NULL, NULL, 0, "torn", err));
    assert_argument(toll_tables_add_unread(tables, "\xff", NULL, 0, "torn", err));
    assert_argument(toll_tables_add_unread(tables, "a", NULL, 0, NULL, err));
    assert_argument(toll_tables_add_unread(tables, "a", NULL, 0, "\xff", err));
    assert_argument(toll_tables_add_unread(tables, "a", NULL, 1, "torn", err));
    for (size_t i = 0; i < sizeof no_labels / sizeof *no_labels; i++)
        assert_argument(toll_tables_add_unread(tables, "a", no_labels[i].labels, no_labels[i].count,
                                               "torn", err));
    assert_ok(toll_tables_add_unread(tables, "a", NULL, 0, "torn", err));
    toll_tables_free(tables);
}

static void test_toll_tables_finish(void **state)
{
    toll_tables *tables = some_tables();
    (void)state;
    assert_ok(toll_tables_finish(tables, err));
    assert_status(TOLL_E_STATE, toll_tables_finish(tables, err));
    assert_status(TOLL_E_STATE, toll_tables_add_unread(tables, "a", NULL, 0, "torn", err));
    toll_tables_free(tables);
}

int main(void)
{
#define ROW(name) cmocka_unit_test(test_##name)
    const struct CMUnitTest tests[] = {
        ROW(toll_status_name),
        ROW(toll_budget_allocator),
        ROW(toll_clock_create),
        ROW(toll_clock_create_cpu),
        ROW(toll_clock_waited),
        ROW(toll_clock_free),
        ROW(toll_input_open),
        ROW(toll_input_from_memory),
        ROW(toll_input_on_progress),
        ROW(toll_input_free),
        ROW(toll_output_open),
        ROW(toll_output_set_sync),
        ROW(toll_output_from_fd),
        ROW(toll_output_to_memory),
        ROW(toll_output_write),
        ROW(toll_output_printf),
        ROW(toll_output_commit),
        ROW(toll_output_data),
        ROW(toll_output_free),
        ROW(toll_format_at),
        ROW(toll_format_named),
        ROW(toll_format_for_path),
        ROW(toll_format_for_folder),
        ROW(toll_profile_read),
        cmocka_unit_test(test_options_of_readers),
        cmocka_unit_test(test_elfs_of_traces),
        ROW(toll_profile_load),
        ROW(toll_profile_write),
        ROW(toll_profile_save),
        ROW(toll_profile_save_as),
        ROW(toll_report_top),
        ROW(toll_report_tree),
        ROW(toll_report_json),
        ROW(toll_report_diff),
        ROW(toll_report_diff_json),
        ROW(toll_report_markdown),
        ROW(toll_report_diff_markdown),
        ROW(toll_report_annotate),
        ROW(toll_report_annotate_json),
        ROW(toll_report_flame),
        ROW(toll_report_page),
        ROW(toll_report_series),
        ROW(toll_report_series_json),
        ROW(toll_report_series_markdown),
        ROW(toll_value_text),
        ROW(toll_wasm_costs_named),
        ROW(toll_wasm_costs_read),
        ROW(toll_wasm_costs_free),
        ROW(toll_wasm_instrument),
        ROW(toll_wasm_instrument_component),
        ROW(toll_wasm_is_component),
        ROW(toll_tables_create),
        ROW(toll_tables_free),
        ROW(toll_tables_schema),
        ROW(toll_tables_add),
        ROW(toll_tables_add_unread),
        ROW(toll_tables_finish),
        ROW(toll_printable),
        ROW(toll_output_put_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
