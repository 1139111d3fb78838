/* test_page_block.c - numbers in the blocks of a page. */
#include "support.h"

#include "page/page_block.h"

/* Seven bits a byte: up to where one byte is enough, and two, and behind that. */
static void test_numbers_of_a_block(void **state)
{
    static const struct {
        uint64_t number;
        size_t size;
        uint8_t bytes[10];
    } cases[] = {
        { 0, 1, { 0 } },
        { 0x7f, 1, { 0x7f } },
        { 0x80, 2, { 0x80, 0x01 } },
        { 0x81, 2, { 0x81, 0x01 } },
        { 0x3fff, 2, { 0xff, 0x7f } },
        { 0x4000, 3, { 0x80, 0x80, 0x01 } },
        { UINT64_MAX, 10, { 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 } },
    };
    static toll_page_block block;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block.used = 0;
        toll_page_put_number(&block, cases[i].number);
        assert_int_equal(block.used, cases[i].size);
        assert_memory_equal(block.buffer, cases[i].bytes, cases[i].size);
    }
    block.used = 0;
    toll_page_put_signed(&block, -64);
    toll_page_put_signed(&block, 64);
    assert_int_equal(block.used, 3);
    assert_memory_equal(block.buffer, "\x7f\x80\x01", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers_of_a_block) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
