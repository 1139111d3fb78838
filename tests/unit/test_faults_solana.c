/* test_faults_solana.c - edge cases of Solana's logs which were untested (see
 * test_faults_readers.c). */
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
        { "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", 0 },
        { "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", 0 },
        { "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", 0 },
        { "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", 0 },
        { "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", 0 },
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

/* solana_sections.c: a section whose net is more than its total is placed, as if nothing were below
 * it. (A net below 0 is printed as one of 32 bits.) */
static void test_a_section_with_too_large_a_net_has_no_place(void **state)
{
    toll_solana_section sections[] = {
        { .total = 10, .net = 10 },
        { .total = 1, .net = INT64_C(5000000000) },
        { .total = -5, .net = INT64_C(5000000000) },
        { .total = 30, .net = 20 },
    };
    static const bool placed[] = { true, false, false, true };
    uint32_t open[4];
    (void)state;
    toll_solana_place(sections, 4, open);
    for (int i = 0; i < 4; i++)
        assert_int_equal(sections[i].placed, placed[i]);
    assert_int_equal(sections[0].parent, 3);
}

/* solana_sections.c: how many direct children a section may have. Those of more than 4096 are not
 * looked for, so that a long log takes no time that grows with its square. */
static void expect_children(size_t count, bool placed)
{
    toll_solana_section *sections = calloc(count + 1, sizeof *sections);
    uint32_t *open = calloc(count + 1, sizeof *open);
    assert_true(sections && open);
    for (size_t i = 0; i < count; i++)
        sections[i] = (toll_solana_section){ .total = 1, .net = 1 };
    sections[count] = (toll_solana_section){ .total = (int64_t)count + 7, .net = 7 };
    toll_solana_place(sections, count + 1, open);
    assert_int_equal(sections[count].placed, placed);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sections[i].parent, placed ? (uint32_t)count : TOLL_NONE);
    free(sections);
    free(open);
}

static void test_a_section_has_at_most_4096_children(void **state)
{
    (void)state;
    expect_children(1, true);
    expect_children(4096, true);
    expect_children(4097, false);
}

#define ID "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define RUN(depth, lines) "Program " ID " invoke [" depth "]\n" lines "Program " ID " success\n"

static toll_profile *read_log(const char *text)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), "solana", &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

/* solana_run.c: the text of a section's line is searched before its start, where blanks or a quote
 * stand at its start. */
static void test_sections_may_be_indented(void **state)
{
    static const char *const before[] = { "", " ", "\t", "\"", " \t \"" };
    char text[500];
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        snprintf(text, sizeof text,
                 RUN("1", "Program log: %sCU log:  1 x consumed 70 CU (net 70 CU)\n"
                          "Program " ID " consumed 100 of 200 compute units\n"),
                 before[i]);
        toll_profile *p = read_log(text);
        assert_int_equal(test_self(p, "", "program " ID ";x", 1), 70);
        assert_int_equal(test_self(p, "", "program " ID, 1), 30);
        toll_profile_free(p);
    }
}

/* solana_tree.c: calls and units that were there before the first heap line are lost when it gives
 * the profile a third column. */
static void test_a_heap_line_leaves_the_other_columns(void **state)
{
    (void)state;
    toll_profile *p = read_log(RUN("1", "Program " ID " consumed 100 of 200 compute units\n") RUN(
        "1", "Program log: CU log:  1 x consumed 70 CU (net 70 CU)\n"
             "Program log: HEAP :   8 heap (net   8 heap) remaining  5\n"
             "Program " ID " consumed 100 of 200 compute units\n"));
    assert_int_equal(toll_profile_column_count(p), 3);
    assert_int_equal(test_self(p, "", "program " ID, 0), 2);
    assert_int_equal(test_self(p, "", "program " ID, 1), 130);
    assert_int_equal(test_self(p, "", "program " ID ";x", 1), 70);
    assert_int_equal(test_self(p, "", "program " ID ";x", 2), 8);
    toll_profile_free(p);
}

/* solana_run.c: an invocation whose caller alone is missing is not counted. */
static void test_invocations_without_a_caller_are_counted(void **state)
{
    (void)state;
    toll_profile *p = read_log(RUN("2", ""));
    assert_int_equal(test_note(p, "invocations whose caller is not in the log"), 1);
    toll_profile_free(p);
    p = read_log("Program " ID " invoke [1]\n" RUN("3", ""));
    assert_int_equal(test_note(p, "invocations whose caller is not in the log"), 1);
    toll_profile_free(p);
    p = read_log("Program " ID " invoke [1]\n" RUN("2", ""));
    assert_int_equal(test_note(p, "invocations whose caller is not in the log"), 0);
    toll_profile_free(p);
}

/* solana_tree.c: a section beside an invocation that consumed one unit is not said to be. */
static void test_sections_beside_an_invocation_are_counted(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        RUN("1",
            RUN("2", "Program " ID
                     " consumed 1 of 150 compute units\n") "Program log: CU log:  1 x consumed 70 "
                                                           "CU (net 70 CU)\n"
                                                           "Program " ID
                                                           " consumed 100 of 200 compute units\n"));
    assert_int_equal(test_note(p, "sections beside nested invocations or stretches"), 1);
    assert_int_equal(test_sum(p, 1), 100);
    toll_profile_free(p);
}

/* solana_log.c: JSON is not recognised behind some kinds of white space, or lines of text are taken
 * for it behind much. */
static void test_logs_may_begin_with_white_space(void **state)
{
    static const char *const white[] = { "", " ", "\n", "\r", "\t", " \n\r\t" };
    static const char log[] = RUN("1", "Program " ID " consumed 100 of 200 compute units\n");
    static const char json[] = "{\"logs\":[\"Program " ID " invoke [1]\",\"Program " ID
                               " consumed 100 of 200 compute units\",\"Program " ID " success\"]}";
    char text[6000];
    (void)state;
    for (size_t i = 0; i < sizeof white / sizeof *white; i++)
        for (int nested = 0; nested < 2; nested++) {
            snprintf(text, sizeof text, "%s%s%s%s%s", white[i], nested ? "[" : "",
                     nested ? white[i] : "", json, nested ? "]" : "");
            toll_profile *p = read_log(text);
            assert_int_equal(test_sum(p, 1), 100);
            toll_profile_free(p);
        }
    memset(text, '\n', 5000);
    strcpy(text + 5000, log);
    toll_profile *p = read_log(text);
    assert_int_equal(test_sum(p, 1), 100);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in_programs_have_their_prices),
        cmocka_unit_test(test_a_section_number_may_have_one_digit),
        cmocka_unit_test(test_one_dot_cuts_no_address_off),
        cmocka_unit_test(test_a_section_with_too_large_a_net_has_no_place),
        cmocka_unit_test(test_a_section_has_at_most_4096_children),
        cmocka_unit_test(test_sections_may_be_indented),
        cmocka_unit_test(test_a_heap_line_leaves_the_other_columns),
        cmocka_unit_test(test_invocations_without_a_caller_are_counted),
        cmocka_unit_test(test_sections_beside_an_invocation_are_counted),
        cmocka_unit_test(test_logs_may_begin_with_white_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
