/* test_solana_label.c - a text that a program logs becomes the name of the stretch that follows it.
 */
#include "support.h"

#include "solana/solana.h"

#define KEY "93NckFnFGA49ugioZv5nGqQGXmvXuZMz6QbLTJoYPqhe"

static void expect(const char *text, const char *label)
{
    char out[SOLANA_LABEL_SIZE];
    size_t size = toll_solana_label_cut(text, strlen(text));
    assert_true(size < sizeof out);
    size = toll_solana_label(out, text, size);
    assert_true(size < sizeof out);
    out[size] = 0;
    assert_string_equal(out, label);
}

static void test_label_numbers_are_folded(void **state)
{
    (void)state;
    expect("step 17 of 20", "step N of N");
    expect("0x1f, v2: 1.5e10\", ", "NxNf, vN: N.NeN");
    expect("first\nsecond 2", "first");
    expect("", "");
    expect("7", "N");
    expect("\n", "");
}

static void test_label_addresses_stay_whole(void **state)
{
    (void)state;
    expect("Checking " KEY, "Checking " KEY);
    expect("key=" KEY ", 12 left", "key=" KEY ", N left");
    expect("Checking 93NckFnFGA49ugio...", "Checking 93NckFnFGA49ugio...");
    expect("Checking 93NckFnFGA49ugio\xe2\x80\xa6", "Checking 93NckFnFGA49ugio\xe2\x80\xa6");
    expect("11111111111111111111111111111111", "11111111111111111111111111111111");
    expect("took 12345678...", "took N...");
    expect("took12ms", "tookNms");
    expect(KEY "1", "NNckFnFGANugioZvNnGqQGXmvXuZMzNQbLTJoYPqheN"); /* longer than any address */
    expect("0x" KEY, "NxNNckFnFGANugioZvNnGqQGXmvXuZMzNQbLTJoYPqhe");
}

#define TEN "aaaaaaaaa "

static void test_label_is_cut_between_addresses_and_characters(void **state)
{
    (void)state;
    expect(TEN TEN TEN TEN TEN TEN "aaaaaaaaa", TEN TEN TEN TEN TEN TEN "aaaa");
    expect(TEN TEN TEN TEN TEN TEN "aaa\xc3\xa9", TEN TEN TEN TEN TEN TEN "aaa");
    expect(TEN TEN TEN TEN TEN TEN "aa " KEY, TEN TEN TEN TEN TEN TEN "aa " KEY);
    expect(TEN TEN TEN TEN TEN TEN "aaa " KEY, TEN TEN TEN TEN TEN TEN "aaa");
    expect(TEN TEN TEN TEN TEN TEN "aa 11111111111111111111111111111111 and more",
           TEN TEN TEN TEN TEN TEN "aa 11111111111111111111111111111111");
    expect(TEN TEN TEN TEN TEN TEN "aa a" KEY, TEN TEN TEN TEN TEN TEN "aa a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label_numbers_are_folded),
        cmocka_unit_test(test_label_addresses_stay_whole),
        cmocka_unit_test(test_label_is_cut_between_addresses_and_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
