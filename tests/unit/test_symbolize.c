/* test_symbolize.c - profiles get names, lines and inlined functions from debug information. */
#include "support_stretch.h"

static const toll_symbolize_options inlines = { .size = sizeof inlines, .inlines = 1 };

/* The sum over nodes whose frame has that name and line of the place. */
static int64_t at_line(const toll_profile *p, const char *name, uint32_t line, uint32_t column)
{
    int64_t sum = 0;
    for (uint32_t node = 0; node < toll_profile_node_count(p); node++) {
        toll_frame frame = toll_profile_frame(p, toll_profile_node_frame(p, node));
        if (strcmp(frame.name, name) == 0 && frame.at_line == line)
            sum += toll_profile_self(p, node, column);
    }
    return sum;
}

static void test_symbolize_divides_a_stretch(void **state)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = recorded(NULL, BUILD_ID, address, 10 * (int64_t)cost), *q;
    const toll_debug *debugs[] = { d };
    assert_ok(toll_profile_symbolize(p, debugs, 1, &inlines, &q, err));
    assert_int_equal(test_sum(q, 0), 10 * (int64_t)cost);
    assert_int_equal(at_line(q, "square", 4, 0), 30); /* two local.get and a multiplication */
    assert_int_equal(at_line(q, "square", 4, 1), 10);
    assert_true(at_line(q, "twice", 7, 0) > 0);
    assert_int_equal(at_line(q, "twice", 7, 1), 10);
    assert_int_equal(test_note(q, "stretches"), 0);
    assert_int_equal(toll_profile_check(q, 0, NULL), TOLL_OK);
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

/* Without inlines what the inlined function costs is the line's that calls it. */
static void test_symbolize_charges_inlined_code_to_its_caller(void **state)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = recorded(NULL, BUILD_ID, address, 10 * (int64_t)cost), *q;
    const toll_debug *debugs[] = { d };
    assert_ok(toll_profile_symbolize(p, debugs, 1, NULL, &q, err));
    assert_int_equal(test_sum(q, 0), 10 * (int64_t)cost);
    assert_int_equal(at_line(q, "square", 4, 0), 0);
    assert_true(at_line(q, "twice", 7, 0) >= 30);
    assert_int_equal(at_line(q, "twice", 7, 1), 10);
    for (toll_frame_id i = 0; i < toll_profile_frame_count(q); i++)
        assert_int_not_equal(toll_profile_frame(q, i).kind, TOLL_KIND_INLINED);
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

static void test_symbolize_keeps_whole_what_does_not_add_up(void **state)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = recorded(NULL, BUILD_ID, address, 10 * (int64_t)cost + 1), *q;
    const toll_debug *debugs[] = { d };
    assert_ok(toll_profile_symbolize(p, debugs, 1, &inlines, &q, err));
    assert_int_equal(test_sum(q, 0), 10 * (int64_t)cost + 1);
    assert_int_equal(test_sum(q, 1), 10);
    assert_int_equal(test_note(q, "stretches that cost something else"), 1);
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

/* Every stretch of the module, its function and what it costs. */
typedef struct counted {
    uint64_t address, cost;
    uint32_t function;
} counted;

static size_t all_stretches(counted *out, size_t room)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_wasm_stretches *s;
    size_t found = 0;
    assert_ok(toll_wasm_module_read(&m, &mem, "app", tiny_dwarf5, sizeof tiny_dwarf5, err));
    assert_ok(toll_wasm_stretches_create(&m, NULL, &s, err));
    for (uint32_t function = 0; function < 2; function++) {
        const toll_wasm_step *steps;
        size_t count;
        assert_ok(toll_wasm_stretches_read(s, function, &steps, &count, err));
        for (size_t i = 0; i < count; i++) {
            if (!steps[i].stretch)
                continue;
            if (!found || out[found - 1].address != steps[i].stretch)
                out[found++] = (counted){ steps[i].stretch, 0, function };
            assert_true(found < room);
            out[found - 1].cost += steps[i].cost;
        }
    }
    toll_wasm_stretches_free(s);
    toll_wasm_module_free(&m);
    return found;
}

/* Add a node for the stretch, which ran so many times. */
static toll_node_id add_stretch_below(toll_profile *p, toll_node_id parent, const counted *c,
                                      int64_t executions)
{
    toll_frame frame = { .name = c->function ? "run#1" : "twice#0",
                         .module = "app.wasm",
                         .build_id = BUILD_ID,
                         .at_address = c->address };
    toll_frame_id id;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &frame, &id, err));
    assert_ok(toll_profile_add_child(p, parent, id, &node, err));
    assert_ok(toll_profile_add_self(p, node, 0, executions * (int64_t)c->cost, err));
    assert_ok(toll_profile_add_self(p, node, 1, executions, err));
    return node;
}

static void add_stretch(toll_profile *p, const counted *c, int64_t executions)
{
    add_stretch_below(p, toll_profile_root(p, 0), c, executions);
}

static toll_profile *empty_profile(void)
{
    toll_profile *p;
    toll_thread_id thread;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "executions", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &thread, err));
    return p;
}

static toll_profile *with_lines(toll_profile *p, const toll_debug *d)
{
    toll_profile *q;
    assert_ok(toll_profile_symbolize(p, &d, 1, NULL, &q, err));
    assert_int_equal(toll_profile_check(q, 1, NULL), TOLL_OK);
    toll_profile_free(p);
    return q;
}

/* The stretches of a function are usually neighbours in a profile, but need not be: here those of
 * two functions alternate, with an address between them that is in no function. */
static void test_symbolize_takes_stretches_in_any_order(void **state)
{
    const counted nowhere = { 1 << 20, 3, 0 };
    counted all[64];
    size_t count = all_stretches(all, 64);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = empty_profile(), *q = empty_profile();
    assert_true(count >= 4 && all[0].function == 0 && all[count - 1].function == 1);
    for (size_t i = 0; i < count; i++)
        add_stretch(p, &all[i], (int64_t)i + 1);
    add_stretch(p, &nowhere, 5);
    for (size_t i = 0; i < count; i++) {
        size_t at = i % 2 ? count - 1 - i / 2 : i / 2;
        add_stretch(q, &all[at], (int64_t)at + 1);
        if (i == 1)
            add_stretch(q, &nowhere, 5);
    }
    p = with_lines(p, d);
    q = with_lines(q, d);
    for (uint32_t line = 0; line < 20; line++)
        for (uint32_t column = 0; column < 2; column++) {
            assert_int_equal(at_line(p, "twice", line, column), at_line(q, "twice", line, column));
            assert_int_equal(at_line(p, "run", line, column), at_line(q, "run", line, column));
        }
    assert_int_equal(at_line(p, "twice", 7, 1), 1);
    assert_true(at_line(p, "run", 11, 0) > 0 && at_line(p, "run", 13, 0) > 0);
    assert_int_equal(test_sum(p, 0), test_sum(q, 0));
    assert_int_equal(test_note(q, "stretches"), 1); /* it is in no function */
    toll_profile_free(p);
    toll_profile_free(q);
    toll_debug_free(d);
}

#ifdef TOLL_TEST_WRAPS
/* The linker gives calls of toll_wasm_stretches_read to the first (see tests/CMakeLists.txt), and
 * the function itself to the second. */
toll_status __wrap_toll_wasm_stretches_read(toll_wasm_stretches *s, uint32_t function,
                                            const toll_wasm_step **steps, size_t *count,
                                            toll_error *e);
toll_status __real_toll_wasm_stretches_read(toll_wasm_stretches *s, uint32_t function,
                                            const toll_wasm_step **steps, size_t *count,
                                            toll_error *e);

static uint32_t functions_decoded;

toll_status __wrap_toll_wasm_stretches_read(toll_wasm_stretches *s, uint32_t function,
                                            const toll_wasm_step **steps, size_t *count,
                                            toll_error *e)
{
    functions_decoded++;
    return __real_toll_wasm_stretches_read(s, function, steps, count, e);
}

/* Else a profile in which two large functions alternate would take hours. */
static void test_symbolize_decodes_a_function_once(void **state)
{
    counted all[64];
    size_t count = all_stretches(all, 64);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = empty_profile();
    toll_node_id node = toll_profile_root(p, 0);
    assert_true(all[0].function != all[count - 1].function);
    for (size_t i = 0; i < 8; i++)
        node = add_stretch_below(p, node, &all[i % 2 ? count - 1 : 0], 1);
    functions_decoded = 0;
    p = with_lines(p, d);
    assert_int_equal(functions_decoded, 2);
    toll_profile_free(p);
    toll_debug_free(d);
}
#endif

/* One profile less another: what ran less often is negative, and is divided in the same way. */
static void test_symbolize_divides_negative_executions(void **state)
{
    counted all[64];
    size_t count = all_stretches(all, 64);
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    int64_t sum = 0;
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *more = empty_profile(), *less = empty_profile();
    for (size_t i = 0; i < count; i++) {
        add_stretch(more, &all[i], (int64_t)i + 1);
        add_stretch(less, &all[i], -(int64_t)i - 1);
        sum -= ((int64_t)i + 1) * (int64_t)all[i].cost;
    }
    more = with_lines(more, d);
    less = with_lines(less, d);
    assert_int_equal(test_sum(less, 0), sum);
    for (uint32_t line = 0; line < 20; line++)
        for (uint32_t column = 0; column < 2; column++)
            assert_int_equal(at_line(less, "run", line, column),
                             -at_line(more, "run", line, column));
    assert_int_equal(test_note(less, "stretches"), 0);
    toll_profile_free(more);
    toll_profile_free(less);
    toll_debug_free(d);
}

/* A stretch that is kept whole keeps negative executions, too; so does the function's own node. */
static void test_symbolize_keeps_negative_executions(void **state)
{
    counted all[64] = { { 0, 0, 0 } };
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    assert_true(all_stretches(all, 64) > 0);
    const counted whole = { all[0].address, all[0].cost + 1, 0 };
    toll_profile *p = empty_profile();
    add_stretch(p, &whole, INT64_MIN / 1024);
    p = with_lines(p, d);
    assert_int_equal(at_line(p, "twice", 7, 1), INT64_MIN / 1024);
    assert_int_equal(test_sum(p, 0), INT64_MIN / 1024 * (int64_t)whole.cost);
    assert_int_equal(test_note(p, "stretches"), 1);
    toll_profile_free(p);
    toll_debug_free(d);
}

/* A profile of every stretch, divided with or without inlined functions; the stretches are kept. */
static toll_profile *divided(const toll_debug *d, bool inlined)
{
    const toll_symbolize_options options = { .size = sizeof options,
                                             .inlines = inlined,
                                             .blocks = 1 };
    counted all[64];
    size_t count = all_stretches(all, 64);
    toll_profile *p = empty_profile(), *q;
    for (size_t i = 0; i < count; i++)
        add_stretch(p, &all[i], (int64_t)i + 1);
    assert_ok(toll_profile_symbolize(p, &d, 1, &options, &q, err));
    toll_profile_free(p);
    return q;
}

static void assert_same(const toll_profile *p, const toll_profile *q)
{
    toll_output *left, *right;
    size_t a_size, b_size;
    assert_ok(toll_output_to_memory(NULL, 0, &left, err));
    assert_ok(toll_output_to_memory(NULL, 0, &right, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, left, err));
    assert_ok(toll_profile_write(q, NULL, "pprof", NULL, right, err));
    const void *a = toll_output_data(left, &a_size), *b = toll_output_data(right, &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    toll_output_free(left);
    toll_output_free(right);
}

/* Lines that were made without inlined functions are divided again from the stretches beside them:
 * what results is what comes of dividing them so at first; notes of it, too. */
static void test_symbolize_divides_lines_again(void **state)
{
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    toll_profile *q;
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    const toll_debug *debugs[] = { d };
    toll_profile *lines = divided(d, false), *wanted = divided(d, true);
    assert_int_equal(at_line(lines, "square", 4, 0), 0);
    assert_true(at_line(wanted, "square", 4, 0) > 0);
    assert_ok(toll_profile_symbolize(lines, debugs, 1, &inlines, &q, err));
    assert_int_equal(toll_profile_check(q, 1, NULL), TOLL_OK);
    assert_same(q, wanted);
    toll_profile_free(q);
    assert_ok(toll_profile_symbolize(wanted, debugs, 1, &inlines, &q, err));
    assert_same(q, wanted);
    toll_profile_free(q);
    toll_profile_free(wanted);
    toll_profile_free(lines);
    toll_debug_free(d);
}

/* What shares a node with lines stays: calls and callees. A stretch that a second profile, merged
 * with the first, has not yet divided is divided along with them. */
static void test_symbolize_keeps_what_is_no_line(void **state)
{
    counted all[64];
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    toll_profile *q;
    toll_frame_id id;
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    const toll_debug *debugs[] = { d };
    assert_true(all_stretches(all, 64) > 0);
    toll_profile *p = divided(d, false), *more = empty_profile(), *wanted = divided(d, true);
    const int64_t sum = test_sum(p, 0);
    toll_node_id line = TOLL_NONE, callee;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (toll_profile_frame(p, toll_profile_node_frame(p, n)).at_line == 7)
            line = n;
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "callee" }, &id, err));
    assert_ok(toll_profile_add_child(p, line, id, &callee, err));
    add_stretch(more, &all[0], 100);
    assert_ok(toll_profile_merge(p, more, err));
    assert_ok(toll_profile_symbolize(p, debugs, 1, &inlines, &q, err));
    assert_int_equal(toll_profile_check(q, 1, NULL), TOLL_OK);
    const uint32_t ticks = toll_profile_find_column(q, "ticks"); /* merging sorts columns */
    assert_int_equal(test_sum(q, ticks), sum + 100 * (int64_t)all[0].cost);
    assert_int_equal(at_line(q, "square", 4, ticks), at_line(wanted, "square", 4, 0) + 300);
    assert_int_equal(test_note(q, "calls of lines without their inlined functions"), 1);
    assert_int_equal(test_note(q, "stretches"), 0);
    toll_profile_free(q);
    toll_profile_free(wanted);
    toll_profile_free(more);
    toll_profile_free(p);
    toll_debug_free(d);
}

/* Lines that cost something else than the stretches beside them cannot be made of these. */
static void test_symbolize_leaves_lines_that_do_not_add_up(void **state)
{
    toll_status status;
    toll_debug *d = tiny(NULL, &status);
    toll_profile *q;
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    const toll_debug *debugs[] = { d };
    toll_profile *p = divided(d, false);
    const int64_t sum = test_sum(p, 0), of_run = at_line(p, "run", 11, 0);
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (toll_profile_frame(p, toll_profile_node_frame(p, n)).at_line == 7)
            assert_ok(toll_profile_add_self(p, n, 0, 1, err));
    const int64_t before = at_line(p, "twice", 7, 0);
    const uint64_t lineless = test_note(p, "instructions without a line");
    assert_ok(toll_profile_add_note(p, "instructions without a line", 5, err));
    assert_ok(toll_profile_symbolize(p, debugs, 1, &inlines, &q, err));
    assert_true(test_sum(q, 0) > sum);
    assert_int_equal(test_sum(q, 0), test_sum(p, 0));
    assert_int_equal(at_line(q, "twice", 7, 0), before);
    assert_int_equal(at_line(q, "run", 11, 0), of_run);
    assert_int_equal(test_note(q, "functions whose lines cost something else"), 1);
    assert_int_equal(test_note(q, "instructions without a line"), lineless + 5); /* once */
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

static void test_symbolize_notices_another_build(void **state)
{
    toll_status status;
    toll_error e = { TOLL_OK, "" };
    toll_debug *d = tiny(NULL, &status);
    (void)state;
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    toll_profile *p = recorded(NULL, "0123456789abcdef", 5, 1), *q;
    const toll_debug *debugs[] = { d };
    assert_int_equal(toll_profile_symbolize(p, debugs, 1, &inlines, &q, &e), TOLL_E_ARGUMENT);
    assert_string_equal(e.text, "app.wasm: is of build " BUILD_ID ", and the profile of build "
                                "0123456789abcdef; name the file that was profiled, or profile "
                                "this one");
    assert_null(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

static toll_status symbolize_again(const toll_allocator *a, void *user)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_status status;
    toll_debug *d = tiny(a, &status);
    (void)user;
    if (status)
        return status;
    toll_profile *p = recorded(a, BUILD_ID, address, 10 * (int64_t)cost), *q = NULL;
    const toll_debug *debugs[] = { d };
    const toll_symbolize_options blocks = { .size = sizeof blocks, .blocks = 1 };
    status = p ? toll_profile_symbolize(p, debugs, 1, &blocks, &q, NULL) : TOLL_E_NOMEM;
    if (!status) { /* and once more, with inlined functions */
        toll_profile_free(p);
        p = q;
        status = toll_profile_symbolize(p, debugs, 1, &inlines, &q, NULL);
    }
    toll_profile_free(status ? NULL : q);
    toll_profile_free(p);
    toll_debug_free(d);
    return status;
}

static void test_symbolize_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(symbolize_again, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbolize_divides_a_stretch),
        cmocka_unit_test(test_symbolize_charges_inlined_code_to_its_caller),
        cmocka_unit_test(test_symbolize_keeps_whole_what_does_not_add_up),
        cmocka_unit_test(test_symbolize_takes_stretches_in_any_order),
#ifdef TOLL_TEST_WRAPS
        cmocka_unit_test(test_symbolize_decodes_a_function_once),
#endif
        cmocka_unit_test(test_symbolize_divides_negative_executions),
        cmocka_unit_test(test_symbolize_keeps_negative_executions),
        cmocka_unit_test(test_symbolize_divides_lines_again),
        cmocka_unit_test(test_symbolize_keeps_what_is_no_line),
        cmocka_unit_test(test_symbolize_leaves_lines_that_do_not_add_up),
        cmocka_unit_test(test_symbolize_notices_another_build),
        cmocka_unit_test(test_symbolize_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
