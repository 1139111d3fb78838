/* test_svm.c - the syscalls of toll/svm.h. */
#include "support_sections.h"

static const char guest[] = "swapmint"; /* at address 100 */

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    assert_ptr_equal(memory, guest);
    return address >= 100 && address - 100 <= 8 && size <= 8 - (address - 100)
               ? guest + (address - 100)
               : NULL;
}

static void log_line(void *user, const char *line, size_t size)
{
    append_line(user, line, size);
}

static toll_svm_call call(uint64_t address, uint64_t size, uint64_t heap, uint64_t tracks)
{
    return (toll_svm_call){ (void *)(uintptr_t)guest, address, size, heap, tracks };
}

static void test_syscalls(void **state)
{
    (void)state;
    char text[4096] = "";
    toll_recorder *r = make_recorder(1, 0);
    toll_svm_options o = { .size = sizeof o,
                           .recorder = r,
                           .translate = translate,
                           .log = log_line,
                           .log_user = text,
                           .tracks_heap = 7 };
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "A", AT(200000), err));
    toll_svm_call c = call(100, 4, 0, 7); /* heap is tracked although it is 0 */
    assert_int_equal(toll_svm_start(svm, &c, AT(199000)), TOLL_SVM_OK);
    assert_ok(toll_svm_push(svm, "B", AT(190000), err));
    c = call(104, 4, 0, 0);
    assert_int_equal(toll_svm_start(svm, &c, AT(189000)), TOLL_SVM_OK);
    c = call(100, 4, 0, 0);
    assert_int_equal(toll_svm_end(svm, &c, AT(188500)), TOLL_SVM_NOT_OPEN);
    assert_ok(toll_svm_pop(svm, 1, AT(188000), NULL, err));
    c = call(100, 4, 64, 0);
    assert_int_equal(toll_svm_end(svm, &c, AT(180000)), TOLL_SVM_OK);
    toll_section_results results;
    assert_ok(toll_svm_pop(svm, 0, AT(179000), &results, err));
    assert_int_equal(results.ended_count, 1);
    assert_int_equal(toll_svm_depth(svm), 0);
    assert_string_equal(text, "CU log: end: no section 'swap' is open\n"
                              "CU log: mint was not ended, 1000 CU so far\n"
                              "CU log:  1 swap consumed  19000 CU (net  19000 CU)\n"
                              "HEAP :    64 heap (net    64 heap) remaining    64\n");
    assert_ok(toll_svm_push(svm, "A", AT(1400000), err)); /* another transaction: another budget */
    assert_ok(toll_svm_pop(svm, 0, AT(1399990), NULL, err));
    assert_ok(toll_svm_pop(svm, 0, AT(1399990), NULL, err)); /* one too many */
    toll_svm_free(svm);
    toll_profile *p = finish(r, 1399990);
    assert_int_equal(test_self(p, "main", "program A", 1), 2000 + 10);
    assert_int_equal(test_self(p, "main", "program A;swap", 1), 17000);
    assert_int_equal(test_self(p, "main", "program A;swap", 2), 64);
    assert_int_equal(test_self(p, "main", "program A;swap;program B", 1), 1000);
    assert_int_equal(test_self(p, "main", "program A;swap;program B;mint", 1), 1000);
    toll_profile_free(p);
}

/* Programs built for three arguments leave any value in the fourth register. */
static void test_a_fourth_argument_counts_where_the_host_says_so(void **state)
{
    static const uint64_t values[] = { 0, 1, 0x200000000, UINT64_MAX, TOLL_SVM_TRACKS_HEAP };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof values / sizeof *values; i++) {
        char text[4096] = "";
        int is_in_use = i % 2;
        int tracks = is_in_use && (values[i / 2] == TOLL_SVM_TRACKS_HEAP || values[i / 2] == 1);
        toll_svm_options o = { .size = sizeof o,
                               .translate = translate,
                               .log = log_line,
                               .log_user = text,
                               .tracks_heap = is_in_use ? TOLL_SVM_TRACKS_HEAP : 0 };
        toll_svm_call c = call(100, 4, 0, values[i / 2]);
        toll_svm *svm;
        assert_ok(toll_svm_create(&o, &svm, err));
        assert_ok(toll_svm_push(svm, "A", AT(100), err));
        assert_int_equal(toll_svm_start(svm, &c, AT(90)), TOLL_SVM_OK);
        assert_int_equal(toll_svm_end(svm, &c, AT(90)), TOLL_SVM_OK);
        assert_ok(toll_svm_pop(svm, 0, AT(80), NULL, err));
        assert_int_equal(strstr(text, "HEAP :") != NULL, tracks);
        toll_svm_free(svm);
    }
}

static void test_heap_values_that_are_too_large(void **state)
{
    (void)state;
    char text[4096] = "";
    toll_svm_options o = {
        .size = sizeof o, .translate = translate, .log = log_line, .log_user = text
    };
    toll_svm_call fits = call(100, 4, UINT64_C(1) << 62, 0), not = fits;
    not .heap_value++;
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "A", AT(100), err));
    assert_int_equal(toll_svm_start(svm, &fits, AT(90)), TOLL_SVM_OK);
    assert_string_equal(text, "");
    assert_int_equal(toll_svm_end(svm, &not, AT(90)), TOLL_SVM_OK);
    assert_ok(toll_svm_pop(svm, 0, AT(80), NULL, err));
    assert_non_null(
        strstr(text, "CU log: end: heap value 4611686018427387905 is above 2^62, not tracked\n"));
    assert_null(strstr(text, "HEAP :"));
    toll_svm_free(svm);
}

static void test_syscalls_that_point_nowhere(void **state)
{
    (void)state;
    char text[4096] = "";
    toll_svm_options o = {
        .size = sizeof o, .translate = translate, .log = log_line, .log_user = text
    };
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "A", AT(100), err));
    static const uint64_t bad[][2] = {
        { 0, 1 }, { 99, 1 }, { 108, 1 }, { 100, 9 }, { UINT64_MAX, 4096 }, { UINT64_MAX - 3, 8 }
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        toll_svm_call c = call(bad[i][0], bad[i][1], 0, 0);
        assert_int_equal(toll_svm_start(svm, &c, AT(10)), TOLL_SVM_ACCESS_VIOLATION);
        assert_int_equal(toll_svm_end(svm, &c, AT(10)), TOLL_SVM_ACCESS_VIOLATION);
    }
    toll_svm_call c = call(100, UINT64_MAX, 0, 0);
    assert_int_equal(toll_svm_start(svm, &c, AT(10)), TOLL_SVM_ID_TOO_LONG);
    c = call(0, 0, 0, 0); /* the empty id is an id */
    assert_int_equal(toll_svm_start(svm, &c, AT(10)), TOLL_SVM_OK);
    assert_int_equal(toll_svm_end(svm, &c, AT(10)), TOLL_SVM_OK);
    assert_string_equal(text, "CU log: start: an id of more than 4096 bytes\n");
    assert_ok(toll_svm_pop(svm, 0, AT(1), NULL, err));
    assert_int_equal(toll_svm_start(svm, &c, AT(10)), TOLL_SVM_NO_INVOCATION);
    assert_int_equal(toll_svm_end(svm, &c, AT(10)), TOLL_SVM_NO_INVOCATION);
    toll_svm_free(svm);
    toll_svm_options none = { .size = sizeof none, .log = log_line };
    assert_int_equal(toll_svm_create(&none, &svm, NULL), TOLL_E_ARGUMENT);
}

/* --- memory ------------------------------------------------------------------------------------*/

static toll_status svm_life(const toll_allocator *allocator, void *user)
{
    static char sink[4096];
    toll_counter units = { "compute units", "CU", 1 };
    toll_recorder_options ro = { .size = sizeof ro,
                                 .allocator = allocator,
                                 .counters = &units,
                                 .counter_count = 1,
                                 .section_heap = 1 };
    toll_recorder *r = NULL;
    toll_svm *svm = NULL;
    (void)user;
    *sink = 0;
    toll_status status = toll_recorder_create(&ro, &r, NULL);
    toll_svm_options o = { sizeof o, allocator, r, translate, log_line, sink, 0 };
    toll_profile *p = NULL;
    if (!status)
        status = toll_svm_create(&o, &svm, NULL);
    for (int i = 0; !status && i < 2; i++)
        status = toll_svm_push(svm, i ? "B" : "A", AT(1000 - (uint64_t)i), NULL);
    for (uint64_t i = 0; !status && i < 20; i++) {
        toll_svm_call c = call(100 + i % 5, 3, 5, 0);
        status =
            (i % 4 == 3 ? toll_svm_end : toll_svm_start)(svm, &c, AT(900 - i)) == TOLL_SVM_NO_MEMORY
                ? TOLL_E_NOMEM
                : TOLL_OK;
    }
    while (svm && toll_svm_depth(svm)) {
        toll_status popped = toll_svm_pop(svm, 0, AT(500), NULL, NULL);
        status = status ? status : popped;
    }
    if (!status)
        status = toll_recorder_snapshot(r, NULL, &p, NULL);
    toll_profile_free(p);
    toll_svm_free(svm);
    toll_recorder_free(r);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(svm_life, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syscalls),
        cmocka_unit_test(test_a_fourth_argument_counts_where_the_host_says_so),
        cmocka_unit_test(test_heap_values_that_are_too_large),
        cmocka_unit_test(test_syscalls_that_point_nowhere),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
