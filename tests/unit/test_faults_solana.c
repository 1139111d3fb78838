/* test_faults_solana.c - edges of Solana's logs that faults put in by scripts/mutate showed to be
 * untested. */
#include "support.h"

#include "solana/known_programs.h"
#include "solana/solana.h"

/* known_programs.c: a price is off by one. */
static void test_built_in_programs_have_their_prices(void **state)
{
    static const struct {
        const char *id;
        uint64_t price;
    } programs[] = {
        { "11111111111111111111111111111111", 150 },
        { "ComputeBudget111111111111111111111111111111", 150 },
        { "Stake11111111111111111111111111111111111111", 750 },
        { "Vote111111111111111111111111111111111111111", 2100 },
        { "Config1111111111111111111111111111111111111", 450 },
        { "BPFLoader1111111111111111111111111111111111", 1140 },
        { "BPFLoader2111111111111111111111111111111111", 570 },
        { "BPFLoaderUpgradeab1e11111111111111111111111", 2370 },
        { "LoaderV411111111111111111111111111111111111", 2000 },
        { "AddressLookupTab1e1111111111111111111111111", 750 },
        { "Ed25519SigVerify111111111111111111111111111", 0 },
        { "KeccakSecp256k11111111111111111111111111111", 0 },
        { "Secp256r1SigVerify1111111111111111111111111", 0 },
        { "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", 0 },
        { "ZkE1Gama1Proof11111111111111111111111111111", 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        assert_int_equal(toll_program_price(programs[i].id, strlen(programs[i].id)),
                         programs[i].price);
}

/* solana_sections.c: the number begins a character later, which is a blank in most lines. */
static void test_a_section_number_may_have_one_digit(void **state)
{
    static const char text[] = "CU log: 1 x consumed 70 CU (net 60 CU)";
    toll_solana_section_line line;
    (void)state;
    toll_solana_section_parse(text, sizeof text - 1, &line);
    assert_int_equal(line.kind, SECTION_WHOLE);
    assert_int_equal(line.total, 70);
    assert_int_equal(line.net, 60);
    assert_int_equal(line.name_size, 1);
    assert_memory_equal(line.name, "x", 1);
}

static void expect_label(const char *text, size_t size, const char *label)
{
    char out[SOLANA_LABEL_SIZE];
    size_t n = toll_solana_label(out, text, size);
    assert_int_equal(n, strlen(label));
    assert_memory_equal(out, label, n);
}

/* solana_label.c: one dot, or one of two that the text has, cuts an address off. */
static void test_one_dot_cuts_no_address_off(void **state)
{
    static const char cut[] = "93NckFnFGA49ugio..", ended[] = "93NckFnFGA49ugio. next";
    (void)state;
    expect_label(cut, strlen(cut), cut);
    expect_label(cut, strlen(cut) - 1, "NNckFnFGANugio.");
    expect_label(ended, strlen(ended), "NNckFnFGANugio. next");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in_programs_have_their_prices),
        cmocka_unit_test(test_a_section_number_may_have_one_digit),
        cmocka_unit_test(test_one_dot_cuts_no_address_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
