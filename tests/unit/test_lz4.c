/* test_lz4.c - blocks of LZ4: what is compressed unpacks to the same bytes, known blocks of the
 * format unpack, and damaged ones are refused. */
#include "support.h"

#include "base/lz4.h"

static toll_buffer packed(const uint8_t *data, size_t size)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer out;
    toll_buffer_init(&out, &mem);
    toll_lz4_append(&out, data, size);
    assert_false(out.failed);
    return out;
}

/* Returns the size of the block. */
static size_t hold_round_trip(const uint8_t *data, size_t size)
{
    toll_buffer block = packed(data, size);
    uint8_t *back = malloc(size + 2);
    assert_non_null(back);
    assert_true(toll_lz4_unpack(block.data, block.size, back, size));
    assert_memory_equal(back, data, size);
    assert_false(toll_lz4_unpack(block.data, block.size, back, size + 1));
    assert_true(size == 0 || !toll_lz4_unpack(block.data, block.size, back, size - 1));
    size_t packed_size = block.size;
    free(back);
    toll_buffer_free(&block);
    return packed_size;
}

/* Of all lengths around those at which a token's halves and their further bytes are full, and of
 * matches from both ends of the window. */
static void test_what_is_packed_unpacks_to_the_same(void **state)
{
    enum { MOST = 200000 };
    uint8_t *data = calloc(MOST, 1);
    uint32_t random = 1;
    (void)state;
    assert_non_null(data);
    for (size_t size = 0; size < 600; size++)
        hold_round_trip(data, size);
    assert_true(hold_round_trip(data, MOST) < MOST / 200);
    for (size_t i = 0; i < MOST; i++)
        data[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
    for (size_t size = 0; size < 600; size++)
        hold_round_trip(data, size);
    for (size_t distance = 65530; distance < 65540; distance++) {
        memcpy(data + distance + 100, data + 100, 1000);
        size_t size = hold_round_trip(data, distance + 1200);
        assert_true(distance < 65536 ? size < distance + 800 : size > distance + 1100);
        for (size_t i = 0; i < 1000; i++)
            data[distance + 100 + i] ^= 0x55;
    }
    free(data);
}

/* As the format's description has them. */
static void test_known_blocks(void **state)
{
    static const char *const blocks[] = { "\x30"
                                          "abc",
                                          "\x31"
                                          "abc\3\0\x50"
                                          "defgh" };
    static const char *const texts[] = { "abc", "abcabcabdefgh" };
    uint8_t out[20];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t size = i == 0 ? 4 : 12;
        assert_true(toll_lz4_unpack((const uint8_t *)blocks[i], size, out, strlen(texts[i])));
        assert_memory_equal(out, texts[i], strlen(texts[i]));
    }
    assert_true(toll_lz4_unpack((const uint8_t *)"", 1, out, 0));
}

/* None reads or writes outside of its bytes: the buffers are exactly as large as they have to be.
 */
static void test_damaged_blocks(void **state)
{
    static const uint8_t text[] = "one two three one two three, one two three four five six seven";
    enum { SIZE = sizeof text };
    toll_buffer block = packed(text, SIZE);
    uint8_t *out = malloc(SIZE);
    (void)state;
    assert_non_null(out);
    assert_true(block.size < SIZE);
    for (size_t cut = 0; cut < block.size; cut++) {
        uint8_t *part = malloc(cut + !cut);
        assert_non_null(part);
        memcpy(part, block.data, cut);
        assert_false(toll_lz4_unpack(part, cut, out, SIZE));
        free(part);
    }
    for (size_t bit = 0; bit < block.size * 8; bit++) {
        block.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        toll_lz4_unpack(block.data, block.size, out, SIZE);
        block.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(out);
    toll_buffer_free(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_packed_unpacks_to_the_same),
        cmocka_unit_test(test_known_blocks),
        cmocka_unit_test(test_damaged_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
