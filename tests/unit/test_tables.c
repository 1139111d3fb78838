/* test_tables.c - toll/tables.h: batches of rows in Arrow's layout, and what ends the tables.
 * tests/python/export.py compares whole tables. */
#include "support.h"

#include "base/blake2b.h"
#include "tables/arrow_column.h"
#include "tables/known_stacks.h"
#include "tables/table_types.h"
#include "tables/table_unit.h"

static void test_blake2b(void **state)
{
    /* Of bytes 0, 7, 14, ... modulo 251, as Python's hashlib has them. */
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {
        { 0, UINT64_C(0xb4b2797457a0a6e4) },    { 1, UINT64_C(0x4882ead1cdd9f694) },
        { 127, UINT64_C(0xcdcca011784045a0) },  { 128, UINT64_C(0xeb736767b68366ab) },
        { 129, UINT64_C(0x73ed1c6eb36d0f44) },  { 255, UINT64_C(0x7eb754eb068e4b74) },
        { 256, UINT64_C(0x448bc93fd5423d8c) },  { 257, UINT64_C(0xde3e60fe59ef97e8) },
        { 1000, UINT64_C(0x0c1560b42fb4191f) },
    };
    uint8_t data[1000];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 % 251);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(toll_blake2b_8(data, known[i].size), known[i].hash);
}

/* --- batches -----------------------------------------------------------------------------------*/

/* What take_rows has seen. */
typedef struct taken {
    int64_t rows[TOLL_TABLE_COUNT], batches[TOLL_TABLE_COUNT], longest[TOLL_TABLE_COUNT];
    int64_t sum;              /* of the samples' values */
    int64_t most_frames;      /* of a batch of stacks */
    int64_t refuse;           /* the batch that is not taken, from 1; 0: none */
    struct ArrowArray column; /* the values of the first batch of samples, which outlive it */
} taken;

static int take(void *user, toll_table table, struct ArrowArray *rows)
{
    taken *t = user;
    t->rows[table] += rows->length;
    t->batches[table]++;
    if (rows->length > t->longest[table])
        t->longest[table] = rows->length;
    assert_true(rows->length > 0);
    assert_int_equal(rows->null_count, 0);
    for (int64_t i = 0; i < rows->n_children; i++)
        assert_int_equal(rows->children[i]->length, rows->length);
    if (table == TOLL_TABLE_SAMPLES) {
        struct ArrowArray *values = rows->children[TOLL_SAMPLES_VALUE];
        for (int64_t i = 0; i < rows->length; i++)
            t->sum += ((const int64_t *)values->buffers[1])[i];
        if (!t->column.release) {
            t->column = *values;
            values->release = NULL; /* moved */
        }
    } else if (table == TOLL_TABLE_STACKS) {
        int64_t frames = rows->children[TOLL_STACKS_FRAMES]->children[0]->length;
        t->most_frames = frames > t->most_frames ? frames : t->most_frames;
    }
    rows->release(rows);
    assert_null(rows->release);
    return t->refuse && t->batches[TOLL_TABLE_SAMPLES] == t->refuse;
}

enum { STACKS = 20, DEEPEST = STACKS, SUM = STACKS * (STACKS + 1) / 2 };

/* Stacks "f0", "f0;f1", ... with the values 1, 2, ... */
static toll_profile *example(void)
{
    toll_profile *p;
    char stack[256] = "";
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    for (unsigned i = 0; i < STACKS; i++) {
        size_t used = strlen(stack);
        snprintf(stack + used, sizeof stack - used, "%sf%u", i ? ";" : "", i);
        test_add_stack(p, "main", stack, 0, i + 1);
    }
    return p;
}

static toll_status add_twice(const toll_allocator *a, taken *t, uint64_t most_rows,
                             uint64_t most_frames)
{
    toll_tables *tables;
    toll_tables_options options = TOLL_TABLES_OPTIONS_INIT;
    static const toll_thread_label labels[] = { { "host", "b" }, { "commit", "a" } };
    toll_profile *p = example();
    options.take_rows = take;
    options.user = t;
    options.most_rows = most_rows;
    options.most_frames = most_frames;
    toll_status status = toll_tables_create(a, &options, &tables, NULL);
    if (!status)
        status = toll_tables_add(tables, "one", labels, 2, p, NULL);
    if (!status)
        status = toll_tables_add_unread(tables, "torn", labels, 2, "torn", NULL);
    if (!status)
        status = toll_tables_add(tables, "two", NULL, 0, p, NULL);
    if (!status)
        status = toll_tables_finish(tables, NULL);
    toll_profile_free(p);
    toll_tables_free(tables);
    if (t->column.release)
        t->column.release(&t->column);
    return status;
}

static void test_batches_have_the_rows_that_were_asked_for(void **state)
{
    (void)state;
    for (uint64_t most = 0; most < 50; most++) {
        taken t = { 0 };
        assert_int_equal(add_twice(NULL, &t, most, 0), TOLL_OK);
        assert_int_equal(t.rows[TOLL_TABLE_PROFILES], 3);
        assert_int_equal(t.rows[TOLL_TABLE_SAMPLES], 2 * STACKS);
        assert_int_equal(t.rows[TOLL_TABLE_STACKS], STACKS);
        assert_int_equal(t.rows[TOLL_TABLE_FUNCTIONS], STACKS);
        assert_int_equal(t.sum, 2 * SUM);
        uint64_t batches = most ? (2 * STACKS + most - 1) / most : 1;
        assert_int_equal(t.batches[TOLL_TABLE_SAMPLES], batches);
        if (most)
            assert_true((uint64_t)t.longest[TOLL_TABLE_SAMPLES] <= most);
    }
}

static void test_batches_of_stacks_are_bounded_by_frames(void **state)
{
    (void)state;
    for (int64_t most = 1; most < 250; most += 7) {
        taken t = { 0 };
        assert_int_equal(add_twice(NULL, &t, 0, (uint64_t)most), TOLL_OK);
        assert_int_equal(t.rows[TOLL_TABLE_STACKS], STACKS);
        assert_true(t.most_frames < most + DEEPEST);
        assert_true(t.batches[TOLL_TABLE_STACKS] >= SUM / (most + DEEPEST));
    }
}

/* The values of a batch can be read after the batch was released: they were moved out of it. */
static void test_a_column_can_be_kept(void **state)
{
    taken t = { 0 };
    toll_tables *tables;
    toll_tables_options options = TOLL_TABLES_OPTIONS_INIT;
    toll_profile *p = example();
    (void)state;
    options.take_rows = take;
    options.user = &t;
    assert_ok(toll_tables_create(NULL, &options, &tables, err));
    assert_ok(toll_tables_add(tables, "one", NULL, 0, p, err));
    assert_ok(toll_tables_finish(tables, err));
    toll_tables_free(tables);
    toll_profile_free(p);
    assert_int_equal(t.column.length, STACKS);
    for (int64_t i = 0; i < STACKS; i++)
        assert_int_equal(((const int64_t *)t.column.buffers[1])[i], i + 1);
    t.column.release(&t.column);
}

/* --- units -------------------------------------------------------------------------------------*/

static void test_units(void **state)
{
    static const struct {
        const char *unit, *base;
        int64_t times;
    } known[] = { { "bytes", "bytes", 1 },
                  { "MB", "bytes", 1000000 },
                  { "MiB", "bytes", 1048576 },
                  { "GB", "bytes", 1000000000 },
                  { "KiB", "bytes", 1024 },
                  { "GiB", "bytes", 1073741824 },
                  { "kB", "bytes", 1000 },
                  { "B", "bytes", 1 },
                  { "ns", "nanoseconds", 1 },
                  { "nanoseconds", "nanoseconds", 1 },
                  { "us", "nanoseconds", 1000 },
                  { "\xc2\xb5s", "nanoseconds", 1000 },
                  { "microseconds", "nanoseconds", 1000 },
                  { "ms", "nanoseconds", 1000000 },
                  { "milliseconds", "nanoseconds", 1000000 },
                  { "s", "nanoseconds", 1000000000 },
                  { "seconds", "nanoseconds", 1000000000 },
                  { "count", "count", 1 },
                  { "", "", 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t times = 0;
        assert_string_equal(toll_table_unit(known[i].unit, &times), known[i].base);
        assert_int_equal(times, known[i].times);
    }
}

/* Add one value in that unit to tables; *sum is the one that they have. */
static toll_status add_value(const char *unit, int64_t value, int64_t *sum)
{
    taken t = { 0 };
    toll_tables *tables;
    toll_tables_options options = TOLL_TABLES_OPTIONS_INIT;
    toll_profile *p;
    options.take_rows = take;
    options.user = &t;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "value", unit, NULL, err));
    test_add_stack(p, "main", "f", 0, value);
    assert_ok(toll_tables_create(NULL, &options, &tables, err));
    toll_status status = toll_tables_add(tables, "one", NULL, 0, p, NULL);
    if (!status)
        status = toll_tables_finish(tables, NULL);
    toll_tables_free(tables);
    toll_profile_free(p);
    if (t.column.release)
        t.column.release(&t.column);
    *sum = t.sum;
    return status;
}

static void test_values_in_other_units(void **state)
{
    static const int64_t limits[] = { INT64_MAX, INT64_MIN };
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int64_t sign = limits[i] < 0 ? -1 : 1, most = limits[i] / 1024, sum;
        assert_ok(add_value("count", limits[i], &sum));
        assert_int_equal(sum, limits[i]);
        assert_ok(add_value("KiB", sign * 3, &sum));
        assert_int_equal(sum, sign * 3072);
        assert_ok(add_value("KiB", most, &sum));
        assert_int_equal(sum, most * 1024);
        assert_int_equal(add_value("KiB", most + sign, &sum), TOLL_E_OVERFLOW);
    }
}

/* --- failures ----------------------------------------------------------------------------------*/

static void test_rows_that_are_not_taken_end_the_tables(void **state)
{
    taken t = { .refuse = 2 };
    (void)state;
    assert_int_equal(add_twice(NULL, &t, 3, 0), TOLL_E_STATE);
    assert_int_equal(t.batches[TOLL_TABLE_SAMPLES], 2);
}

static toll_status add_all(const toll_allocator *a, void *user)
{
    taken t = { 0 };
    (void)user;
    return add_twice(a, &t, 7, 30);
}

static void test_tables_survive_every_failed_allocation(void **state)
{
    (void)state;
    test_every_allocation(add_all, NULL);
}

/* With ids of few bits two functions, or two stacks, soon have the same. */
static void test_ids_that_collide_are_refused(void **state)
{
    toll_mem mem = toll_mem_from(NULL);
    (void)state;
    for (unsigned stacks = 0; stacks < 2; stacks++) {
        toll_known_stacks known;
        toll_error error = { TOLL_OK, "" };
        toll_frame_id function = 0;
        toll_node_id stack = 0;
        toll_frame f = { .name = "f", .file = "" };
        assert_ok(toll_known_init(&known, &mem, err));
        known.mask = 0xf;
        if (stacks)
            assert_ok(toll_known_function(&known, &f, &function, err));
        for (unsigned i = 0; i < 17 && !error.status; i++) {
            f.line = i;
            if (stacks)
                toll_known_stack(&known, stack, function, &stack, &error);
            else
                toll_known_function(&known, &f, &function, &error);
        }
        assert_int_equal(error.status, TOLL_E_LIMIT);
        assert_non_null(
            strstr(error.text, stacks ? "two stacks have the id" : "two functions have the id"));
        toll_known_free(&known);
    }
}

/* Offsets have 32 bits: a column that needs more fails. */
static void test_texts_that_are_too_large(void **state)
{
    toll_mem mem = toll_mem_from(NULL);
    struct ArrowArray array;
    (void)state;
    for (size_t more = 1; more <= 2; more++) {
        toll_arrow_column *c = toll_arrow_new(toll_table_type(TOLL_TABLE_FUNCTIONS), &mem);
        toll_arrow_column *name = c->children[TOLL_FUNCTIONS_NAME];
        toll_arrow_put_text(name, "text", 4);
        name->data.size = INT32_MAX - 1; /* as if it had so much */
        if (more == 1)
            assert_true(toll_buffer_append(&name->offsets, &more, 0));
        else
            toll_arrow_put_text(name, "ab", more);
        assert_int_equal(toll_arrow_give(c, &array, NULL), more == 1 ? TOLL_OK : TOLL_E_LIMIT);
        if (more == 1)
            array.release(&array);
        toll_arrow_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blake2b),
        cmocka_unit_test(test_batches_have_the_rows_that_were_asked_for),
        cmocka_unit_test(test_batches_of_stacks_are_bounded_by_frames),
        cmocka_unit_test(test_a_column_can_be_kept),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_values_in_other_units),
        cmocka_unit_test(test_rows_that_are_not_taken_end_the_tables),
        cmocka_unit_test(test_tables_survive_every_failed_allocation),
        cmocka_unit_test(test_ids_that_collide_are_refused),
        cmocka_unit_test(test_texts_that_are_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
