/* test_solana_bytes.c - the forms of bytes in transactions of Solana, hashes, and the addresses of
 * well-known programs. */
#include "support.h"

#include "base/sha256.h"
#include "solana/known_programs.h"
#include "solana/solana.h"
#include "solana/solana_bytes.h"

/* --- bytes -------------------------------------------------------------------------------------*/

static void expect_base58(const char *text, const uint8_t *bytes, size_t size)
{
    toll_allocator mem = toll_c_allocator();
    toll_buffer out;
    char again[SOLANA_SIGNATURE_TEXT];
    toll_buffer_init(&out, &mem);
    assert_true(toll_base58_decode(text, strlen(text), &out));
    assert_int_equal(out.size, size);
    if (size)
        assert_memory_equal(out.data, bytes, size);
    toll_base58_encode(bytes, size, again);
    assert_string_equal(again, text);
    toll_buffer_free(&out);
}

static void test_base58(void **state)
{
    uint8_t bytes[64] = { 0 };
    (void)state;
    expect_base58("", bytes, 0);
    expect_base58("11111111111111111111111111111111", bytes, 32);
    expect_base58("2", (const uint8_t *)"\x01", 1);
    expect_base58("5Q", (const uint8_t *)"\xff", 1);
    expect_base58("1LUv", (const uint8_t *)"\0\xff\xff", 3);
    expect_base58("3Bxs4h24hBtQy9rw", (const uint8_t *)"\x02\0\0\0\xf0\x1d\x1f\0\0\0\0\0", 12);
    memset(bytes, 255, sizeof bytes);
    expect_base58(
        "67rpwLCuS5DGA8KGZXKsVQ7dnPb9goRLoKfgGbLfQg9WoLUgNY77E2jT11fem3coV9nAkguBACzrU1iyZ"
        "M4B8roQ",
        bytes, 64);
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (uint8_t)(i * 37 + 11);
    char text[SOLANA_SIGNATURE_TEXT];
    for (size_t size = 0; size <= 64; size++) {
        toll_base58_encode(bytes, size, text);
        expect_base58(text, bytes, size);
        assert_int_equal(toll_base58_is_id(text, strlen(text)), size == 32);
    }
    assert_false(toll_base58_is_id("1111111111111111111111111111111", 31));
    assert_false(toll_base58_is_id("0OIl1111111111111111111111111111", 32));
}

static void test_base64(void **state)
{
    static const struct {
        const char *text, *bytes;
    } cases[] = {
        { "", "" },        { "Zg==", "f" },      { "Zm8=", "fo" },
        { "Zm9v", "foo" }, { "Zm9vYg", "foob" }, { "+/+/", "\xfb\xff\xbf" },
    };
    toll_allocator mem = toll_c_allocator();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_buffer out;
        toll_buffer_init(&out, &mem);
        assert_true(toll_base64_decode(cases[i].text, strlen(cases[i].text), &out));
        assert_string_equal(toll_buffer_cstr(&out), cases[i].bytes);
        assert_false(toll_base64_decode("a-b", 3, &out));
        toll_buffer_free(&out);
    }
}

static void test_sha256(void **state)
{
    char text[130] = "";
    uint8_t hash[TOLL_SHA256_SIZE];
    (void)state;
    toll_sha256("abc", 3, hash);
    assert_memory_equal(hash,
                        "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23"
                        "\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad",
                        32);
    memset(text, 'a', 129);
    toll_sha256(text, 56, hash); /* the length does not fit into the block */
    assert_memory_equal(hash, "\xb3\x54\x39\xa4\xac\x6f\x09\x48", 8);
    toll_sha256(text, 64, hash);
    assert_memory_equal(hash, "\xff\xe0\x54\xfe\x7a\xe0\xcb\x6d", 8);
}

/* --- well-known programs -----------------------------------------------------------------------*/

static void test_known_programs_are_addresses_once_each(void **state)
{
    const char *name, *other;
    unsigned count = 0;
    (void)state;
    for (const char *id; (id = toll_known_program_at(count, &name)) != NULL; count++) {
        assert_true(toll_base58_is_id(id, strlen(id)));
        assert_true(*name && !strchr(name, ':') && !strchr(name, ';'));
        assert_string_equal(toll_known_program(id, strlen(id)), name);
        for (unsigned i = 0; i < count; i++) {
            assert_string_not_equal(toll_known_program_at(i, &other), id);
            assert_string_not_equal(other, name);
        }
    }
    assert_true(count >= 150);
    assert_string_equal(toll_known_program("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", 43),
                        "Jupiter");
    assert_null(toll_known_program("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV", 42));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base58),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_known_programs_are_addresses_once_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
