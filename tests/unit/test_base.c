/* test_base.c - text, string table, buffers and streams. */
#include "support.h"
#include "support_folder.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/id_index.h"
#include "base/input.h"
#include "base/nearest.h"
#include "base/os.h"
#include "base/strtab.h"
#include "base/text.h"

#include <unistd.h>

/* --- names that are like one
 * ---------------------------------------------------------------------*/

static const char *name_at(const void *names, unsigned i)
{
    return ((const char *const *)names)[i];
}

/* A letter more or less is one difference, as another one is; three are too many. */
static void test_the_nearest_name(void **state)
{
    static const char *const names[] = { "abXY", "abd", "", "qrstu" };
    static const struct {
        const char *word, *nearest;
    } cases[] = { { "abcd", "abd" }, { "ab", "abd" },    { "abXZ", "abXY" }, { "qst", "qrstu" },
                  { "qs", NULL },    { "zzz", NULL },    { "", NULL },       { "aabd", "abd" },
                  { "abx", "abd" },  { "rstu", "qrstu" } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = toll_nearest(cases[i].word, name_at, names, 4);
        if (cases[i].nearest)
            assert_string_equal(found, cases[i].nearest);
        else
            assert_null(found);
    }
}

/* --- failures ----------------------------------------------------------------------------------*/

static void test_the_first_failure_is_kept(void **state)
{
    (void)state;
    toll_error err = { 0 };
    toll_failure f = { .err = &err };
    assert_true(toll_ok(&f, TOLL_OK));
    assert_false(toll_ok(&f, toll_fail(f.err, TOLL_E_SYNTAX, "the first")));
    assert_false(toll_no_memory(&f));
    assert_false(toll_ok(&f, TOLL_OK));
    assert_int_equal(f.status, TOLL_E_SYNTAX);
    assert_int_equal(err.status, TOLL_E_SYNTAX);
    assert_string_equal(err.text, "the first");
}

/* --- arrays ------------------------------------------------------------------------------------*/

static void test_an_array_grows_by_half_and_keeps_its_elements(void **state)
{
    (void)state;
    toll_mem mem = toll_mem_from(NULL);
    uint32_t *items = NULL;
    size_t capacity = 0;
    static const size_t capacities[] = { 8, 12, 18, 27, 40 };
    size_t grown = 0;
    for (uint32_t i = 0; i < 40; i++) {
        size_t before = capacity;
        assert_true(toll_array_grow(&mem, &items, &capacity, i, 1));
        if (capacity != before)
            assert_int_equal(capacity, capacities[grown++]);
        items[i] = i;
    }
    assert_int_equal(grown, 5);
    assert_true(toll_array_grow(&mem, &items, &capacity, 40, 0)); /* it has that many */
    assert_int_equal(capacity, 40);
    assert_true(toll_array_grow(&mem, &items, &capacity, 40, 60)); /* more than a half */
    assert_int_equal(capacity, 100);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(items[i], i);
    toll_mem_free(&mem, items, capacity, sizeof *items);
}

static void test_an_array_that_cannot_grow_stays_as_it_is(void **state)
{
    (void)state;
    toll_budget budget = { .limit = 8 * sizeof(uint64_t) };
    toll_allocator mem = toll_budget_allocator(&budget);
    uint64_t *items = NULL;
    size_t capacity = 0;
    assert_true(toll_array_grow(&mem, &items, &capacity, 0, 8));
    items[7] = 7;
    const uint64_t *was = items;
    assert_false(toll_array_grow(&mem, &items, &capacity, 8, 1)); /* no memory */
    assert_true(budget.refused);
    assert_false(toll_array_grow(&mem, &items, &capacity, 8, SIZE_MAX));     /* no such count */
    assert_false(toll_array_grow(&mem, &items, &capacity, 8, SIZE_MAX / 8)); /* no such size */
    assert_ptr_equal(items, was);
    assert_int_equal(capacity, 8);
    assert_int_equal(items[7], 7);
    toll_mem_free(&mem, items, capacity, sizeof *items);
    assert_int_equal(budget.used, 0);
}

/* --- ids by hash -------------------------------------------------------------------------------*/

/* How many ids with the hash there are; *has: `id` is among them. */
static unsigned ids_with(const toll_id_index *index, uint32_t hash, uint32_t id, bool *has)
{
    size_t place = hash;
    unsigned count = 0;
    uint32_t found;
    *has = false;
    for (; (found = toll_id_index_next(index, hash, &place)) != UINT32_MAX; count++)
        *has |= found == id;
    return count;
}

/* The hashes begin in a few neighbouring slots at the end of the table, so that chains run into
 * each other and wrap around. A removal must leave no gap in any chain. */
static void test_ids_are_found_by_their_hash_until_they_are_removed(void **state)
{
    (void)state;
    enum { COUNT = 90 };
    toll_mem mem = toll_mem_from(NULL);
    toll_id_index index = { 0 };
    bool is_in[COUNT] = { false }, has;
    uint64_t random = 7;
    assert_int_equal(ids_with(&index, 0, 0, &has), 0);
    for (int step = 0; step < 4000; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t id = (uint32_t)(random >> 33) % COUNT, hash = 0u - id % 5u;
        if (!is_in[id])
            assert_true(toll_id_index_reserve(&index, &mem));
        if (is_in[id])
            toll_id_index_remove(&index, hash, id);
        else
            toll_id_index_add(&index, hash, id);
        is_in[id] = !is_in[id];
        unsigned count = 0;
        for (uint32_t other = id % 5; other < COUNT; other += 5)
            count += is_in[other];
        assert_int_equal(ids_with(&index, hash, id, &has), count);
        assert_int_equal(has, is_in[id]);
    }
    toll_id_index_clear(&index);
    for (uint32_t id = 0; id < 5; id++)
        assert_int_equal(ids_with(&index, 0u - id, id, &has), 0);
    toll_id_index_free(&index, &mem);
}

/* --- trimming ----------------------------------------------------------------------------------*/

static void test_an_array_gives_back_its_room(void **state)
{
    (void)state;
    test_allocator a = { .allowed = SIZE_MAX };
    toll_mem mem = { test_resize, &a };
    uint64_t *numbers = NULL;
    size_t capacity = 0;
    assert_true(toll_array_trim(&mem, &numbers, &capacity, 0));
    assert_true(toll_array_grow(&mem, &numbers, &capacity, 0, 100));
    for (size_t i = 0; i < 3; i++)
        numbers[i] = i;
    a.allowed = 0;
    assert_false(toll_array_trim(&mem, &numbers, &capacity, 3));
    assert_int_equal(capacity, 100);
    a.allowed = SIZE_MAX;
    assert_true(toll_array_trim(&mem, &numbers, &capacity, 3));
    assert_int_equal(capacity, 3);
    assert_int_equal(a.live_bytes, 3 * sizeof *numbers);
    assert_int_equal(numbers[2], 2);
    toll_mem_free(&mem, numbers, capacity, sizeof *numbers);
    assert_int_equal(a.live_bytes, 0);
}

/* --- text --------------------------------------------------------------------------------------*/

static void test_utf8_check(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size, good;
    } cases[] = {
        { "", 0, 0 },
        { "plain ascii text, long enough", 29, 29 },
        { "12345678\0abcdefgh", 17, 8 },
        { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, 9 },
        { "abc\xc0\x80", 5, 3 },      /* overlong */
        { "\xe0\x9f\xbf", 3, 0 },     /* overlong */
        { "\xed\xa0\x80", 3, 0 },     /* surrogate */
        { "\xf4\x90\x80\x80", 4, 0 }, /* above U+10FFFF */
        { "\xf0\x8f\xbf\xbf", 4, 0 }, /* overlong */
        { "ok\xe2\x82", 4, 2 },       /* cut */
        { "x\x80", 2, 1 },            /* continuation alone */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(toll_text_check(cases[i].text, cases[i].size), cases[i].good);
}

static void test_clean_replaces_each_bad_byte(void **state)
{
    (void)state;
    toll_buffer b;
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer_init(&b, &mem);
    assert_true(toll_text_append_clean(&b, "a\xff\0z", 4));
    assert_string_equal(toll_buffer_cstr(&b), "a\xef\xbf\xbd\xef\xbf\xbdz");
    toll_buffer_free(&b);
}

static void test_scaled_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int scale;
        int64_t value;
        bool ok, exact;
    } cases[] = {
        { "1.5", 3, 1500, true, true },
        { "-1.5", 0, -2, true, false },
        { "0.4999", 0, 0, true, false },
        { "0.5", 0, 1, true, false },
        { "1e-05", 9, 10000, true, true },
        { "1e5", -5, 1, true, true },
        { "9223372036854775807", 0, INT64_MAX, true, true },
        { "-9223372036854775808", 0, INT64_MIN, true, true },
        { "9223372036854775808", 0, 0, false, false },
        { "1e400", 0, 0, false, false },
        { "1e-400", 0, 0, true, false },
        { "0e400", 0, 0, true, true },
        { "0.000000000000000000000000000001", 30, 1, true, true },
        { "123456789012345678901234567890e-20", 0, 1234567890, true, false },
        { "", 0, 0, false, false },
        { "-", 0, 0, false, false },
        { "1.", 0, 0, false, false },
        { ".5", 0, 0, false, false },
        { "1e", 0, 0, false, false },
        { "1x", 0, 0, false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t v = 0;
        bool exact = false;
        bool ok =
            toll_text_scaled(cases[i].text, strlen(cases[i].text), cases[i].scale, &v, &exact);
        if (ok != cases[i].ok || (ok && (v != cases[i].value || exact != cases[i].exact)))
            fail_msg("%s at %d: ok %d value %lld exact %d", cases[i].text, cases[i].scale, ok,
                     (long long)v, exact);
    }
}

static void test_integers(void **state)
{
    (void)state;
    uint64_t u;
    int64_t i;
    char text[24];
    assert_true(toll_text_u64("18446744073709551615", 20, &u) && u == UINT64_MAX);
    assert_false(toll_text_u64("18446744073709551616", 20, &u));
    assert_false(toll_text_u64("", 0, &u));
    assert_true(toll_text_i64("-9223372036854775808", 20, &i) && i == INT64_MIN);
    assert_false(toll_text_i64("9223372036854775808", 19, &i));
    text[toll_text_put_i64(text, INT64_MIN)] = 0;
    assert_string_equal(text, "-9223372036854775808");
    text[toll_text_put_u64(text, UINT64_MAX)] = 0;
    assert_string_equal(text, "18446744073709551615");
    assert_false(toll_i64_add(INT64_MAX, 1, &i));
    assert_false(toll_i64_add(INT64_MIN, -1, &i));
    assert_false(toll_i64_sub(0, INT64_MIN, &i));
    assert_true(toll_i64_sub(-1, INT64_MIN, &i) && i == INT64_MAX);
}

static void test_numbers_of_any_length_become_text(void **state)
{
    char text[21], expected[24];
    (void)state;
    for (uint64_t power = 1; power; power = power > UINT64_MAX / 10 ? 0 : 10 * power)
        for (uint64_t v = power - 1; v != power + 2; v++) {
            snprintf(expected, sizeof expected, "%llu", (unsigned long long)v);
            text[toll_text_put_u64(text, v)] = 0;
            assert_string_equal(text, expected);
        }
}

static void test_strings_are_kept_once(void **state)
{
    (void)state;
    toll_mem mem = toll_mem_from(NULL);
    toll_strtab t;
    char text[32];
    toll_strtab_init(&t, &mem);
    assert_int_equal(toll_strtab_find(&t, "x", 1), UINT32_MAX);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 50000; i++) {
            int n = snprintf(text, sizeof text, "string %u", i);
            assert_int_equal(toll_strtab_add(&t, text, (size_t)n), i + 1);
        }
    assert_string_equal(toll_strtab_text(&t, 777), "string 776");
    assert_string_equal(toll_strtab_text(&t, 0), "");
    toll_strtab moved = t; /* a table may be moved */
    assert_int_equal(toll_strtab_find(&moved, "string 5", 8), 6);
    toll_strtab_free(&moved);
}

/* --- streams -----------------------------------------------------------------------------------*/

/* 300,000 numbered lines, written and read back line by line. */
static void round_trip(int gzip)
{
    toll_output *out;
    toll_input *in;
    const char *path = test_path("lines"), *text;
    size_t size;
    bool whole;
    assert_ok(toll_output_open(NULL, path, gzip, &out, err));
    for (int i = 0; i < 300000; i++)
        toll_output_printf(out, "line %d\n", i);
    assert_int_equal(access(path, F_OK), -1); /* not before the commit */
    assert_ok(toll_output_commit(out, err));
    toll_output_free(out);
    assert_ok(toll_input_open(NULL, path, &in, err));
    for (int i = 0; i < 300000; i++) {
        char expected[32];
        int n = snprintf(expected, sizeof expected, "line %d", i);
        assert_true(toll_input_line(in, &text, &size, &whole) && whole);
        assert_int_equal(size, n);
        assert_memory_equal(text, expected, (size_t)n);
    }
    assert_false(toll_input_line(in, &text, &size, &whole));
    assert_ok(toll_input_check(in, err));
    toll_input_free(in);
    assert_int_equal(unlink(path), 0);
}

static void test_files_round_trip(void **state)
{
    (void)state;
    round_trip(0);
    round_trip(1);
}

/* Where standard input is closed, a file is descriptor 0, and is closed as others are. */
static void test_a_file_that_is_descriptor_0(void **state)
{
    const char *paths[] = { test_path("zero"), "/dev/null" };
    const int kept = dup(0);
    (void)state;
    for (int i = 0; i < 2; i++) {
        toll_output *out;
        close(0);
        toll_status status = toll_output_open(NULL, paths[i], 0, &out, NULL);
        if (!status) {
            toll_output_printf(out, "text");
            status = toll_output_commit(out, NULL);
            toll_output_free(out);
        }
        int closed = close(0);
        assert_int_equal(dup2(kept, 0), 0);
        assert_int_equal(status, TOLL_OK);
        assert_int_equal(closed, -1); /* it was already */
    }
    close(kept);
    assert_int_equal(unlink(paths[0]), 0);
}

static void test_no_commit_leaves_nothing(void **state)
{
    (void)state;
    toll_output *out;
    const char *path = test_path("gone");
    assert_ok(toll_output_open(NULL, path, 0, &out, err));
    toll_output_printf(out, "half");
    toll_output_free(out);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(rmdir(test_folder), 0); /* and nothing else is there */
    assert_int_equal(test_make_one_folder(test_folder), 0);
}

/* Temporary files that killed processes have left beside a file are no problem, and stay. */
static void test_stale_files_are_not_in_the_way(void **state)
{
    (void)state;
    toll_output *out;
    char path[TOLL_OS_PATH_SIZE], stale[TOLL_OS_PATH_SIZE + 20];
    snprintf(path, sizeof path, "%s", test_path("often killed"));
    for (int i = 0; i < 100; i++) {
        snprintf(stale, sizeof stale, "%s.%d.tmp", path, i);
        FILE *f = fopen(stale, "wx");
        assert_non_null(f);
        fclose(f);
    }
    assert_ok(toll_output_open(NULL, path, 0, &out, err));
    toll_output_printf(out, "whole");
    assert_ok(toll_output_commit(out, err));
    toll_output_free(out);
    assert_int_equal(unlink(path), 0);
    for (int i = 0; i < 100; i++) {
        snprintf(stale, sizeof stale, "%s.%d.tmp", path, i);
        assert_int_equal(unlink(stale), 0);
    }
}

static void test_full_disk_is_an_error(void **state)
{
    (void)state;
    toll_output *out;
    toll_error e;
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: there is no /dev/full\n");
        skip();
    }
    assert_ok(toll_output_open(NULL, "/dev/full", 0, &out, err));
    toll_output_printf(out, "text");
    assert_int_equal(toll_output_commit(out, &e), TOLL_E_IO);
    assert_string_equal(e.text, "/dev/full: cannot write: No space left on device");
    toll_output_free(out);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    toll_input *in;
    toll_output *out;
    toll_error e;
    assert_int_equal(toll_input_open(NULL, "/nowhere/x", &in, &e), TOLL_E_IO);
    assert_string_equal(e.text, "/nowhere/x: cannot open: No such file or directory");
    assert_int_equal(toll_input_open(NULL, test_folder, &in, &e), TOLL_E_IO);
    assert_non_null(strstr(e.text, ": is a folder; name a file in it"));
    assert_int_equal(toll_output_open(NULL, "/nowhere/x", 0, &out, &e), TOLL_E_IO);
    assert_string_equal(e.text, "/nowhere/x: cannot create: No such file or directory");
}

static void test_damaged_gzip(void **state)
{
    (void)state;
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 1, &out, err));
    for (int i = 0; i < 1000; i++)
        toll_output_printf(out, "some text %d\n", i * i);
    assert_ok(toll_output_commit(out, err));
    const uint8_t *data = toll_output_data(out, &size);
    for (size_t cut = 2; cut < size; cut += 7) {
        toll_input *in;
        toll_error e = { TOLL_OK, "" };
        size_t got;
        assert_ok(toll_input_from_memory(NULL, data, cut, "cut.gz", &in, err));
        toll_input_peek(in, 1 << 20, &got);
        assert_int_equal(toll_input_check(in, &e), TOLL_E_TRUNCATED);
        assert_string_equal(e.text, "cut.gz: the gzip data ends too early; fetch the file again");
        toll_input_free(in);
    }
    uint8_t *bad = malloc(size);
    memcpy(bad, data, size);
    bad[size / 2] ^= 0x10;
    toll_input *in;
    size_t got;
    assert_ok(toll_input_from_memory(NULL, bad, size, "bad.gz", &in, err));
    toll_input_peek(in, 1 << 20, &got);
    assert_int_not_equal(toll_input_check(in, NULL), TOLL_OK);
    toll_input_free(in);
    free(bad);
    toll_output_free(out);
}

static void test_gzip_members_in_a_row(void **state)
{
    (void)state;
    toll_output *out;
    size_t size, got;
    toll_input *in;
    assert_ok(toll_output_to_memory(NULL, 1, &out, err));
    toll_output_printf(out, "abc");
    assert_ok(toll_output_commit(out, err));
    const uint8_t *data = toll_output_data(out, &size);
    uint8_t *twice = malloc(2 * size);
    memcpy(twice, data, size);
    memcpy(twice + size, data, size);
    assert_ok(toll_input_from_memory(NULL, twice, 2 * size, "x", &in, err));
    const uint8_t *p = toll_input_peek(in, 100, &got);
    assert_int_equal(got, 6);
    assert_memory_equal(p, "abcabc", 6);
    toll_input_free(in);
    free(twice);
    toll_output_free(out);
}

static void test_budget(void **state)
{
    (void)state;
    toll_budget budget = { .limit = 1000 };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_mem mem = toll_mem_from(&a);
    void *x = toll_mem_new(&mem, 600, 1);
    assert_non_null(x);
    assert_null(toll_mem_new(&mem, 401, 1));
    assert_true(budget.refused);
    assert_null(toll_mem_resize(&mem, x, 600, 1001, 1));
    x = toll_mem_resize(&mem, x, 600, 1000, 1);
    assert_non_null(x);
    toll_mem_free(&mem, x, 1000, 1);
    assert_int_equal(budget.used, 0);
    assert_int_equal(budget.peak, 1000);
    assert_null(toll_mem_new(&mem, SIZE_MAX, 2));
}

static toll_status stream_life(const toll_allocator *a, void *user)
{
    toll_output *out = NULL;
    toll_input *in = NULL;
    size_t size, got = 0;
    toll_status s = toll_output_to_memory(a, *(int *)user, &out, NULL);
    for (int i = 0; !s && i < 40000; i++)
        toll_output_printf(out, "some text %d\n", i);
    if (!s)
        s = toll_output_commit(out, NULL);
    if (!s) {
        const void *data = toll_output_data(out, &size);
        s = toll_input_from_memory(a, data, size, "memory", &in, NULL);
    }
    if (!s) {
        toll_input_peek(in, 1 << 20, &got);
        s = toll_input_check(in, NULL);
    }
    if (!s)
        assert_true(got > 600000);
    toll_input_free(in);
    toll_output_free(out);
    return s;
}

static toll_status file_life(const toll_allocator *a, void *path)
{
    toll_output *out = NULL;
    toll_status s = toll_output_open(a, path, 0, &out, NULL);
    if (!s) {
        toll_output_printf(out, "some text\n");
        s = toll_output_commit(out, NULL);
    }
    toll_output_free(out);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    char path[] = "/tmp/toll-test-file-XXXXXX";
    (void)state;
    for (int gzip = 0; gzip < 2; gzip++)
        test_every_allocation(stream_life, &gzip);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    test_every_allocation(file_life, path);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_any_length_become_text),
        cmocka_unit_test(test_the_nearest_name),
        cmocka_unit_test(test_the_first_failure_is_kept),
        cmocka_unit_test(test_an_array_grows_by_half_and_keeps_its_elements),
        cmocka_unit_test(test_an_array_that_cannot_grow_stays_as_it_is),
        cmocka_unit_test(test_an_array_gives_back_its_room),
        cmocka_unit_test(test_ids_are_found_by_their_hash_until_they_are_removed),
        cmocka_unit_test(test_utf8_check),
        cmocka_unit_test(test_clean_replaces_each_bad_byte),
        cmocka_unit_test(test_scaled_numbers),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_strings_are_kept_once),
        cmocka_unit_test(test_files_round_trip),
        cmocka_unit_test(test_a_file_that_is_descriptor_0),
        cmocka_unit_test(test_no_commit_leaves_nothing),
        cmocka_unit_test(test_stale_files_are_not_in_the_way),
        cmocka_unit_test(test_full_disk_is_an_error),
        cmocka_unit_test(test_what_cannot_be_opened),
        cmocka_unit_test(test_damaged_gzip),
        cmocka_unit_test(test_gzip_members_in_a_row),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
