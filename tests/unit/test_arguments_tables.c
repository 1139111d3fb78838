/* test_arguments_tables.c - wrong arguments that the functions of toll/tables.h refuse: NULL, texts
 * that are not UTF-8, and numbers without a meaning. */
#include "support_arguments.h"

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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_tables_create),     cmocka_unit_test(test_toll_tables_free),
        cmocka_unit_test(test_toll_tables_schema),     cmocka_unit_test(test_toll_tables_add),
        cmocka_unit_test(test_toll_tables_add_unread), cmocka_unit_test(test_toll_tables_finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
