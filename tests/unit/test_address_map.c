/* test_address_map.c - the tables that are built from debug information, tested without a file. */
#include "support.h"

#include "base/search.h"
#include "debug/address_map.h"
#include "debug/code_ranges.h"

static void test_search_up_to(void **state)
{
    static const struct item {
        uint64_t number;
        uint32_t rest;
    } items[] = { { 2, 9 }, { 4, 9 }, { 4, 9 }, { UINT64_MAX, 9 } };
    (void)state;
    assert_int_equal(toll_search_up_to(NULL, 0, sizeof *items, 4), 0);
    assert_int_equal(toll_search_up_to(items, 4, sizeof *items, 1), 0);
    assert_int_equal(toll_search_up_to(items, 4, sizeof *items, 2), 1);
    assert_int_equal(toll_search_up_to(items, 4, sizeof *items, 4), 3);
    assert_int_equal(toll_search_up_to(items, 4, sizeof *items, UINT64_MAX - 1), 3);
    assert_int_equal(toll_search_up_to(items, 4, sizeof *items, UINT64_MAX), 4);
}

/* Sections of code in any order, some of which touch, overlap or are empty. */
static void test_code_ranges(void **state)
{
    static const uint64_t ranges[][2] = { { 50, 60 },
                                          { 10, 20 },
                                          { 18, 30 },
                                          { 60, 70 },
                                          { 12, 14 },
                                          { 90, 90 },
                                          { UINT64_MAX - 1, UINT64_MAX } };
    toll_mem mem = toll_mem_from(NULL);
    toll_code_ranges r = { .items = NULL };
    (void)state;
    assert_false(toll_code_ranges_hold(&r, 0));
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_true(toll_code_ranges_add(&r, &mem, ranges[i][0], ranges[i][1]));
    toll_code_ranges_join(&r);
    assert_int_equal(r.count, 4);
    for (uint64_t at = 0; at < 100; at++)
        assert_int_equal(toll_code_ranges_hold(&r, at),
                         (at >= 10 && at < 30) || (at >= 50 && at < 70));
    assert_true(toll_code_ranges_hold(&r, UINT64_MAX - 1));
    assert_false(toll_code_ranges_hold(&r, UINT64_MAX));
    toll_code_ranges_free(&r, &mem);
}

static void add_piece(toll_address_map *m, uint64_t begin, uint64_t end, uint32_t scope)
{
    assert_true(toll_address_map_add_piece(m, (toll_map_piece){ begin, end, scope }));
}

/* A function with code in two places. The first place contains inlined calls, two deep, and is
 * followed directly by another function. After them comes code of the unit that belongs to no
 * function. */
static void test_extents_of_functions(void **state)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_address_map m;
    uint32_t unit, scopes[5];
    (void)state;
    toll_address_map_init(&m, &mem);
    assert_true(toll_address_map_add_unit(&m, &unit));
    const toll_map_scope made[] = {
        { .parent = TOLL_MAP_NONE, .function = 0 },
        { .parent = 0, .function = 0 },
        { .parent = 1, .function = 0 },
        { .parent = TOLL_MAP_NONE, .function = 0 },
        { .parent = TOLL_MAP_NONE, .function = TOLL_MAP_NONE },
    };
    for (size_t i = 0; i < 5; i++)
        assert_true(toll_address_map_add_scope(&m, made[i], &scopes[i]));
    add_piece(&m, 10, 50, scopes[0]);
    add_piece(&m, 20, 40, scopes[1]);
    add_piece(&m, 25, 30, scopes[2]);
    add_piece(&m, 50, 60, scopes[3]);
    add_piece(&m, 60, 70, scopes[4]);
    add_piece(&m, 80, 90, scopes[0]);
    add_piece(&m, 95, 95, scopes[0]); /* no code at all */
    add_piece(&m, 99, 98, scopes[0]);
    assert_int_equal(m.piece_count, 6);
    assert_true(toll_address_map_finish(&m));
    assert_int_equal(m.piece_count, 8);
    const toll_map_piece *extent = toll_address_map_extent(&m, 27);
    assert_true(extent && extent->begin == 10 && extent->end == 50 && extent->scope == scopes[0]);
    assert_true(extent == toll_address_map_extent(&m, 10));
    assert_true(extent == toll_address_map_extent(&m, 49));
    extent = toll_address_map_extent(&m, 50);
    assert_true(extent && extent->begin == 50 && extent->end == 60 && extent->scope == scopes[3]);
    extent = toll_address_map_extent(&m, 89);
    assert_true(extent && extent->begin == 80 && extent->end == 90 && extent->scope == scopes[0]);
    assert_null(toll_address_map_extent(&m, 65));
    assert_null(toll_address_map_extent(&m, 9));
    assert_null(toll_address_map_extent(&m, 90));
    toll_address_map_free(&m);
}

/* Of names of one function that with the most code counts, then the one that was added first; code
 * ends where the next function begins. In any order. */
static void test_bodies_with_several_names(void **state)
{
    (void)state;
    const toll_mem mem = toll_mem_from(NULL);
    const toll_map_body bodies[] = {
        { .begin = 10, .end = 20, .system_name = 5 }, { .begin = 10, .end = 30, .system_name = 7 },
        { .begin = 10, .end = 30, .system_name = 6 }, { .begin = 40, .end = 60, .system_name = 4 },
        { .begin = 50, .end = 70, .system_name = 3 }, { .begin = 50, .end = 70, .system_name = 2 },
    };
    enum { COUNT = sizeof bodies / sizeof *bodies };
    for (size_t first = 0; first < COUNT; first++)
        for (int backwards = 0; backwards < 2; backwards++) {
            toll_address_map m;
            toll_address_map_init(&m, &mem);
            for (size_t i = 0; i < COUNT; i++) {
                size_t at = (first + (backwards ? COUNT - i : i)) % COUNT;
                assert_true(toll_address_map_add_body(&m, bodies[at]));
            }
            toll_address_map_sort_bodies(&m);
            assert_int_equal(m.body_count, 3);
            assert_true(m.bodies[0].system_name == 6 && m.bodies[0].end == 30);
            assert_true(m.bodies[1].system_name == 4 && m.bodies[1].end == 50);
            assert_true(m.bodies[2].system_name == 2 && m.bodies[2].end == 70);
            assert_null(toll_address_map_body(&m, 9));
            assert_true(toll_address_map_body(&m, 10) == &m.bodies[0]);
            assert_true(toll_address_map_body(&m, 29) == &m.bodies[0]);
            assert_null(toll_address_map_body(&m, 30));
            assert_true(toll_address_map_body(&m, 49) == &m.bodies[1]);
            assert_true(toll_address_map_body(&m, 50) == &m.bodies[2]);
            assert_null(toll_address_map_body(&m, 70));
            toll_address_map_free(&m);
        }
}

/* Rows are sorted, wherever the first one is that is out of order. */
static void test_rows_in_any_order(void **state)
{
    static const uint64_t orders[][3] = { { 20, 10, 30 }, { 10, 30, 20 }, { 30, 20, 10 } };
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        toll_mem mem = toll_mem_from(NULL);
        toll_address_map m;
        uint32_t unit;
        toll_address_map_init(&m, &mem);
        assert_true(toll_address_map_add_unit(&m, &unit));
        for (size_t j = 0; j < 3; j++) {
            const uint64_t address = orders[i][j];
            assert_true(toll_address_map_add_row(
                &m, (toll_map_row){ .address = address, .line = (uint32_t)address }));
        }
        assert_true(toll_address_map_finish(&m));
        for (uint64_t at = 10; at < 40; at++) {
            const toll_map_row *row = toll_address_map_row(&m, unit, at);
            assert_true(row && row->line == at / 10 * 10);
        }
        toll_address_map_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_up_to),
        cmocka_unit_test(test_code_ranges),
        cmocka_unit_test(test_extents_of_functions),
        cmocka_unit_test(test_bodies_with_several_names),
        cmocka_unit_test(test_rows_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
