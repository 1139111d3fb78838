/* test_sort.c - sorting without additional memory, compared with qsort on elements of several
 * sizes. */
#include "support.h"

#include "base/sort.h"

enum { MOST = 300 };

static uint64_t seed = 1;

static uint32_t below(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 33) % limit;
}

static size_t compared;

static int by_bytes(const void *a, const void *b, size_t size)
{
    compared++;
    return memcmp(a, b, size);
}

#define BY_SIZE(size)                                                                              \
    static int by_##size(const void *a, const void *b)                                             \
    {                                                                                              \
        return by_bytes(a, b, size);                                                               \
    }
BY_SIZE(1)
BY_SIZE(4)
BY_SIZE(24)
BY_SIZE(64)
BY_SIZE(150)

/* Of each size, with many equal elements and with few. */
static void test_sort_is_as_qsort(void **state)
{
    static const struct {
        size_t size;
        int (*compare)(const void *a, const void *b);
    } rows[] = { { 1, by_1 }, { 4, by_4 }, { 24, by_24 }, { 64, by_64 }, { 150, by_150 } };
    static uint8_t ours[MOST * 150], theirs[MOST * 150];
    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t count = 0; count < MOST; count += 1 + count / 8) {
            uint32_t values = count % 2 ? 3 : 256;
            size_t bytes = count * rows[row].size;
            for (size_t i = 0; i < bytes; i++)
                ours[i] = theirs[i] = (uint8_t)below(values);
            toll_sort(ours, count, rows[row].size, rows[row].compare);
            if (count)
                qsort(theirs, count, rows[row].size, rows[row].compare);
            assert_memory_equal(ours, theirs, bytes);
        }
    toll_sort(NULL, 0, 4, by_4);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    compared++;
    return (*x > *y) - (*x < *y);
}

/* What is in order, in the opposite order or of two values takes no more than what is random. */
static void test_sort_is_fast_whatever_the_order(void **state)
{
    enum { COUNT = 1 << 14, MOST_COMPARED = COUNT * 2 * 14 };
    static uint32_t numbers[COUNT];
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < COUNT; i++)
            numbers[i] = kind == 0 ? i : kind == 1 ? COUNT - i : kind == 2 ? i % 2 : below(COUNT);
        compared = 0;
        toll_sort(numbers, COUNT, sizeof *numbers, by_number);
        for (uint32_t i = 1; i < COUNT; i++)
            assert_true(numbers[i - 1] <= numbers[i]);
        assert_true(compared < MOST_COMPARED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort_is_as_qsort),
        cmocka_unit_test(test_sort_is_fast_whatever_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
