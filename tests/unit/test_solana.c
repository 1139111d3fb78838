/* test_solana.c - logs of Solana programs: every rule of docs/formats.md on them, but for
 * sections. */
#include "support_folder.h"
#include "support_solana_log.h"

static void test_nested_three_deep(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") INVOKE(B, "2") INVOKE(C, "3") END(C, "50")
                                   END(B, "120") INVOKE(C, "2") END(C, "30") END(A, "1000"),
                               1000);
    assert_int_equal(test_self(p, "", FA, 1), 850);
    assert_int_equal(test_self(p, "", FA ";" FB, 1), 70);
    assert_int_equal(test_self(p, "", FA ";" FB ";" FC, 1), 50);
    assert_int_equal(test_self(p, "", FA ";" FC, 1), 30);
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_int_equal(test_note(p, "outermost invocations of transactions without"), 1);
    assert_string_equal(toll_profile_column(p, toll_profile_default_column(p)).unit, "CU");
    assert_int_equal(toll_profile_column_count(p), 2); /* no heap without heap lines */
    toll_profile_free(p);
}

static void test_transactions_add_up_among_noise(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "noise\n\n[2026-01-01 DEBUG stable_log] " INVOKE(
            A, "1") "more noise\n"
                    "  \"Program " A " consumed 10 of 20 compute units\",\n"
                    "\t'Program " A " success',\r\nProgram is not one\nSubProgram " A
                    " invoke [1]\n" INVOKE(A, "1") CONSUMED(A, "7") "Program " A " success",
        17);
    assert_int_equal(test_self(p, "", FA, 0), 2);
    assert_int_equal(test_note(p, "lines that are no program log"), 4);
    toll_profile_free(p);
}

static void test_native_programs_and_known_names(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") INVOKE("11111111111111111111111111111111", "2")
                                   SUCCESS("11111111111111111111111111111111") END(A, "900")
                                       INVOKE("ComputeBudget111111111111111111111111111111", "1")
                                           SUCCESS("ComputeBudget111111111111111111111111111111"),
                               900 + 150);
    assert_int_equal(test_self(p, "", FA, 1), 900 - 150);
    assert_int_equal(test_self(p, "", FA ";System", 1), 150); /* within the 900 */
    assert_int_equal(test_self(p, "", "Compute Budget", 0), 1);
    assert_int_equal(test_self(p, "", "Compute Budget", 1), 150);
    assert_int_equal(test_note(p, "built-in programs that others invoked, charged"), 1);
    assert_int_equal(test_note(p, "outermost invocations of built-in programs, charged"), 1);
    toll_profile_free(p);
}

#define SYSTEM "11111111111111111111111111111111"
#define LOADER "BPFLoaderUpgradeab1e11111111111111111111111"
#define BUILT_IN INVOKE(SYSTEM, "2") SUCCESS(SYSTEM)

/* The price of a built-in program is part of its caller's line, if there is room for it, and also
 * for all that the caller's other callees and sections say. */
static void test_nested_built_in_programs(void **state)
{
    static const struct {
        const char *log, *stack;
        int64_t own, price, total;
    } cases[] = {
        { INVOKE(A, "1") BUILT_IN END(A, "150"), ";System", 0, 150, 150 },
        { INVOKE(A, "1") BUILT_IN END(A, "149"), ";System", 149, 0, 149 },
        { INVOKE(A, "1") BUILT_IN INVOKE(B, "2") END(B, "50") END(A, "200"), ";System", 0, 150,
          200 },
        { INVOKE(A, "1") BUILT_IN INVOKE(B, "2") END(B, "50") END(A, "199"), ";System", 149, 0,
          199 },
        { INVOKE(A, "1") BUILT_IN LOG("CU log:  1 s consumed 50 CU (net 50 CU)") END(A, "200"),
          ";System", 0, 150, 200 },
        { INVOKE(A, "1") BUILT_IN LOG("CU log:  1 s consumed 50 CU (net 50 CU)") END(A, "199"),
          ";System", 149, 0, 199 },
        /* one that a built-in program has invoked */
        { INVOKE(A, "1") INVOKE(LOADER, "2") INVOKE(SYSTEM, "3") SUCCESS(SYSTEM) SUCCESS(LOADER)
              END(A, "3000"),
          ";BPF Loader (upgradeable);System", 3000 - 2370 - 150, 150, 3000 },
        /* it did not run for lack of units, or did not end */
        { INVOKE(A, "1")
              INVOKE(SYSTEM, "2") "Program " SYSTEM
                                  " failed: Computational budget exceeded\n" END(A, "200"),
          ";System (failed)", 200, 0, 200 },
        { INVOKE(A, "1") INVOKE(SYSTEM, "2") END(A, "200"), ";System", 200, 0, 200 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char stack[120];
        toll_profile *p = read_log(cases[i].log, cases[i].total);
        snprintf(stack, sizeof stack, FA "%s", cases[i].stack);
        assert_int_equal(test_self(p, "", FA, 1), cases[i].own);
        assert_int_equal(test_self(p, "", stack, 1), cases[i].price);
        toll_profile_free(p);
    }
}

/* In runtimes in which built-in programs cost nothing, nested ones do so, too. */
static void test_nested_built_in_programs_without_price(void **state)
{
    (void)state;
    for (int priced = 0; priced < 2; priced++) {
        char text[700];
        snprintf(text, sizeof text,
                 "{\"logs\":[\"Program " SYSTEM " invoke [1]\",\"Program " SYSTEM
                 " success\",\"Program " A " invoke [1]\",\"Program " LOADER
                 " invoke [2]\",\"Program " SYSTEM " invoke [3]\",\"Program " SYSTEM
                 " success\",\"Program " LOADER " success\",\"Program " A
                 " consumed 3000 of 20000 compute units\",\"Program " A
                 " success\"],\"unitsConsumed\":%d}",
                 priced ? 3150 : 3000);
        toll_profile *p = read_log(text, priced ? 3150 : 3000);
        assert_int_equal(test_self(p, "", "System", 1), priced ? 150 : 0);
        assert_int_equal(test_self(p, "", FA, 1), priced ? 3000 - 2520 : 3000);
        assert_int_equal(test_self(p, "", FA ";BPF Loader (upgradeable)", 1), priced ? 2370 : 0);
        assert_int_equal(test_self(p, "", FA ";BPF Loader (upgradeable);System", 1),
                         priced ? 150 : 0);
        assert_int_equal(test_note(p, "built-in programs that others invoked"), priced ? 2 : 0);
        toll_profile_free(p);
    }
}

static void test_failed(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        INVOKE(A, "1")
            INVOKE(B, "2") "Program " B " consumed 30 of 199930 compute units\n"
                           "Program " B " failed: custom program error: 0x1\n" CONSUMED(
                               A, "100") "Program " A
                                         " failed: custom program error: 0x1\n" INVOKE(A, "1")
                                             END(A, "5"),
        105);
    assert_int_equal(test_self(p, "", FA " (failed);" FB " (failed)", 1), 30);
    assert_int_equal(test_self(p, "", FA " (failed)", 1), 70);
    assert_int_equal(test_self(p, "", FA, 1), 5);
    assert_int_equal(test_note(p, "failed invocations"), 2);
    assert_int_equal(test_note(p, "failed transactions (outermost"), 1);
    assert_int_equal(test_note(p, "failed transactions: custom program error: 0x1"), 1);
    toll_profile_free(p);
}

/* The number of distinct reasons is bounded. */
static void test_many_reasons(void **state)
{
    (void)state;
    static char text[40000];
    size_t n = 0;
    for (int i = 0; i < 100; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             INVOKE(A, "1") CONSUMED(A, "1") "Program " A " failed: error %d\n", i);
    toll_profile *p = read_log(text, 100);
    assert_int_equal(test_note(p, "failed transactions (outermost"), 100);
    assert_int_equal(test_note(p, "failed transactions: other reasons"), 69);
    uint64_t all = 0, count; /* each is counted under one reason */
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strncmp(toll_profile_note(p, i, &count), "failed transactions: ", 21) == 0)
            all += count;
    assert_int_equal(all, 100);
    toll_profile_free(p);
}

static void test_truncated_log(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") INVOKE(B, "2") END(B, "40")
                                   INVOKE(C, "2") "Log truncated\n" INVOKE(B, "1") END(B, "3"),
                               43);
    assert_int_equal(test_self(p, "", FA, 1), 0); /* unknown, so not guessed */
    assert_int_equal(test_self(p, "", FA ";" FB, 1), 40);
    assert_int_equal(test_self(p, "", FA ";" FC, 1), 0);
    assert_int_equal(test_note(p, "truncated logs"), 1);
    assert_int_equal(test_note(p, "invocations without an end"), 2);
    toll_profile_free(p);
}

/* The end of a caller closes invocations whose own end is missing; an end that fits no invocation
 * is skipped. */
static void test_lost_lines(void **state)
{
    (void)state;
    toll_profile *p = read_log(SUCCESS(C) REMAINING("5") INVOKE(A, "1") INVOKE(B, "2") END(A, "9")
                                   INVOKE(B, "3") END(B, "4") CONSUMED(C, "1"),
                               13);
    assert_int_equal(test_note(p, "program lines that fit no open invocation"), 3);
    assert_int_equal(test_note(p, "invocations without an end"), 1);
    assert_int_equal(test_note(p, "invocations whose caller is not in the log"), 1);
    toll_profile_free(p);
}

static void test_what_programs_log_forges_nothing(void **state)
{
    (void)state;
    toll_profile *p =
        read_log(INVOKE(A, "1") LOG("Program " B " invoke [1]")
                     LOG("Program " A " consumed 1 of 2 compute "
                         "units") LOG("Program " A " success") LOG("Log truncated")
                         LOG("") "Program log:\n"
                                 "[x] Program log: Program " A " failed: no\n"
                                 "Program data: UHJvZ3JhbSA= Program " B " invoke [1]\n"
                                 "Program " A " failed invoke [2]x\n" INVOKE(B, "1") END(B, "10"),
                 10);
    assert_int_equal(toll_profile_frame_count(p), 2);
    assert_int_equal(test_note(p, "truncated"), 0);
    assert_int_equal(test_self(p, "", FA " (failed)", 0), 1);
    toll_profile_free(p);
}

static void test_ids_and_numbers_are_held_to_their_form(void **state)
{
    (void)state;
    toll_profile *p =
        read_log(INVOKE(A, "1") INVOKE("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "2") INVOKE(C "1", "2")
                     INVOKE("0OIlAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "2") INVOKE(B, "0")
                         INVOKE(B, "99999999999999999999")
                             INVOKE(B, "2x") "Program " B
                                             " invoke [2] x\n" CONSUMED(A, "18446744073709551617")
                                                 END(A, "8"),
                 8);
    assert_int_equal(toll_profile_frame_count(p), 1);
    assert_int_equal(test_note(p, "lines that are no program log"), 8);
    toll_profile_free(p);
}

static void test_stretches(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") REMAINING("1000") LOG("step 17 of 20") INVOKE(B, "2")
                                   LOG("other") END(B, "50") REMAINING("900") REMAINING("700")
                                       INVOKE(C, "2") END(C, "40") END(A, "500"),
                               500);
    assert_int_equal(test_self(p, "", FA ";units 1", 1), 50);
    assert_int_equal(test_self(p, "", FA ";units 1;" FB, 1), 50);
    assert_int_equal(test_self(p, "", FA ";step N of N", 1), 200);
    assert_int_equal(test_self(p, "", FA ";" FC, 1), 40); /* after the last one */
    assert_int_equal(test_self(p, "", FA, 1), 160);
    assert_int_equal(toll_profile_frame_count(p), 5);
    toll_profile_free(p);
}

/* Texts that differ in more than numbers do not make names without end. */
static void test_names_of_stretches_are_bounded(void **state)
{
    (void)state;
    enum { COUNT = 1500 };
    static char text[COUNT * 100];
    size_t n = (size_t)snprintf(text, sizeof text, INVOKE(A, "1"));
    for (int i = 0; i < COUNT; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, LOG("%c%c%c") REMAINING("%d"),
                              'a' + i / 225, 'a' + i / 15 % 15, 'a' + i % 15, 5000 - i);
    snprintf(text + n, sizeof text - n, END(A, "4000"));
    toll_profile *p = read_log(text, 4000);
    assert_int_equal(toll_profile_frame_count(p), 1 + 1024 + 1);
    assert_int_equal(test_self(p, "", FA ";units 100+", 1), COUNT - 1024 - 1);
    toll_profile_free(p);
}

static void test_stretches_that_do_not_add_up(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") REMAINING("1000") REMAINING("1100") INVOKE(B, "2")
                                   END(B, "200") REMAINING("1000") END(A, "500"),
                               500);
    assert_int_equal(test_note(p, "stretches between consumption lines"), 2);
    assert_int_equal(test_self(p, "", FA ";" FB, 1), 200);
    assert_int_equal(test_self(p, "", FA, 1), 300);
    toll_profile_free(p);
}

static void test_callees_that_claim_more(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        INVOKE(A, "1") INVOKE(B, "2") INVOKE(C, "3") END(C, "5") END(B, "200") END(A, "100"), 100);
    assert_int_equal(test_self(p, "", FA, 1), 100);
    assert_int_equal(test_self(p, "", FA ";" FB, 0), 1);
    assert_int_equal(test_note(p, "invocations whose callees claim more"), 1);
    toll_profile_free(p);
}

/* --- JSON --------------------------------------------------------------------------------------*/

static const char everything[] =
    INVOKE(A, "1") LOG("one 1") REMAINING("1000") INVOKE(B, "2") LOG(SECTION("1", "s", "5", "5"))
        LOG("HEAP :   200 heap (net   200 heap) remaining  1400") END(B, "50") REMAINING("900")
            LOG("#  1    in it") LOG("CU ... consumed    30 (net    30) of 200000 CU")
                CONSUMED(A, "500") "Program " A " failed: why\nLog truncated\nnoise\n";

static const char json_log[] =
    "[\"Program " A " invoke [1]\",\"Program log: a\\nProgram " B " invoke [1]\",\"Program " A
    " consumed 30 of 99 compute units\",\"Program " A " success\"]";

static void assert_json(const char *before, const char *after, int64_t units)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s%s", before, json_log, after);
    toll_profile *p = read_log(text, units);
    assert_int_equal(test_self(p, "", FA, 1), units);
    assert_int_equal(toll_profile_frame_count(p), 1);
    toll_profile_free(p);
}

static void test_json(void **state)
{
    (void)state;
    char twice[2000];
    assert_json("{\"result\":{\"meta\":{\"fee\":5,\"logMessages\":", "},\"transaction\":{}}}", 30);
    assert_json("{\"result\":{\"value\":{\"logs\":", "}}}", 30);
    assert_json("", "", 30);
    snprintf(twice, sizeof twice,
             "[{\"logMessages\":null},{\"logMessages\":%s},{\"logs\":", json_log);
    assert_json(twice, "}]", 60);
    snprintf(twice, sizeof twice, "{\"logs\":%s}\n{\"logs\":", json_log);
    assert_json(twice, "}\n\n", 60);
}

static toll_output *as_pprof(const char *text)
{
    toll_profile *p;
    toll_output *out;
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    toll_profile_free(p);
    return out;
}

static void test_json_and_text_give_the_same(void **state)
{
    (void)state;
    char json[2 * sizeof everything + 10] = "{\"logs\":[\"";
    size_t n = strlen(json), size, json_size;
    for (const char *c = everything; c[1]; c++)
        n += (size_t)snprintf(json + n, sizeof json - n, *c == '\n' ? "\",\"" : "%c", *c);
    snprintf(json + n, sizeof json - n, "\"]}");
    toll_output *text_out = as_pprof(everything), *json_out = as_pprof(json);
    const void *data = toll_output_data(text_out, &size);
    const void *json_data = toll_output_data(json_out, &json_size);
    assert_int_equal(size, json_size);
    assert_memory_equal(data, json_data, size);
    toll_output_free(text_out);
    toll_output_free(json_out);
}

/* Neither format accepts the other's files. */
static void test_folded_stays_folded(void **state)
{
    (void)state;
    static const char text[] = "main;Program log: x 5\nProgram " A ";invoke [1] 6\n";
    toll_profile *p;
    assert_ok(test_read(NULL, text, sizeof text - 1, NULL, &p, err));
    assert_string_equal(toll_profile_column(p, 0).type, "samples");
    assert_int_equal(test_sum(p, 0), 11);
    toll_profile_free(p);
}

/* A log that is cut off ends with its array: what comes next is another transaction. */
static void test_json_ends_transactions(void **state)
{
    (void)state;
    toll_profile *p = read_log("[{\"logs\":[\"Program " A " invoke [1]\",\"Log truncated\"]},"
                               "{\"logs\":[\"Program " B " invoke [2]\"]}]",
                               0);
    assert_int_equal(test_self(p, "", FB, 0), 1);
    assert_int_equal(test_note(p, "invocations without an end"), 2);
    toll_profile_free(p);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        { "hello\n", "file: no line is a 'Program ID invoke [1]'; is this a log of Solana "
                     "programs?" },
        { "\n \t\n",
          "file: no line is a 'Program ID invoke [1]'; is this a log of Solana programs?" },
        { "{\"result\":{}}", "file: no array logMessages or logs is in it; is this the answer to "
                             "getTransaction or simulateTransaction?" },
        { "{\"logs\":[\"a\"", "file:1: the JSON text ends too early; fetch the file again" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *p;
        toll_error e;
        assert_int_not_equal(
            test_read(NULL, cases[i].text, strlen(cases[i].text), "solana", &p, &e), TOLL_OK);
        assert_null(p);
        assert_string_equal(e.text, cases[i].error);
    }
}

/* --- damage ------------------------------------------------------------------------------------*/

static void test_truncation_and_bit_flips(void **state)
{
    (void)state;
    test_every_cut(everything, sizeof everything - 1, "solana");
    test_every_flip(everything, sizeof everything - 1, "solana");
}

static toll_status read_text(const toll_allocator *a, void *user)
{
    toll_profile *p;
    const char *text = user;
    toll_status s = test_read(a, text, strlen(text), "solana", &p, NULL);
    toll_profile_free(p);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(read_text, (void *)(uintptr_t)everything);
    test_every_allocation(read_text, (void *)(uintptr_t)json_log);
}

static toll_status read_named(const toll_allocator *a, void *user)
{
    toll_input *in;
    toll_profile *p = NULL;
    const toll_solana_options solana = { .size = sizeof solana, .names = user };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    const char *text = INVOKE(A, "1") END(A, "1") INVOKE(B, "1") END(B, "2");
    toll_status s = toll_input_from_memory(a, text, strlen(text), "file", &in, NULL);
    if (s)
        return s;
    s = toll_profile_read(in, NULL, &options, NULL, &p, NULL);
    if (!s) {
        assert_int_equal(test_self(p, "", "Own Name", 1), 1);
        assert_int_equal(test_self(p, "", FB, 1), 2);
    }
    toll_input_free(in);
    toll_profile_free(p);
    return s;
}

static void test_own_names(void **state)
{
    (void)state;
    const char *path = test_path("names");
    static const char text[] = "# names\n\n" A " Old Name\n  " A "\t Own Name \n";
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, f), sizeof text - 1);
    assert_int_equal(fclose(f), 0);
    assert_ok(read_named(NULL, (void *)(uintptr_t)path));
    test_every_allocation(read_named, (void *)(uintptr_t)path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_three_deep),
        cmocka_unit_test(test_transactions_add_up_among_noise),
        cmocka_unit_test(test_native_programs_and_known_names),
        cmocka_unit_test(test_nested_built_in_programs),
        cmocka_unit_test(test_nested_built_in_programs_without_price),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_many_reasons),
        cmocka_unit_test(test_truncated_log),
        cmocka_unit_test(test_lost_lines),
        cmocka_unit_test(test_what_programs_log_forges_nothing),
        cmocka_unit_test(test_ids_and_numbers_are_held_to_their_form),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_names_of_stretches_are_bounded),
        cmocka_unit_test(test_stretches_that_do_not_add_up),
        cmocka_unit_test(test_callees_that_claim_more),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_and_text_give_the_same),
        cmocka_unit_test(test_folded_stays_folded),
        cmocka_unit_test(test_json_ends_transactions),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_truncation_and_bit_flips),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test_setup_teardown(test_own_names, test_make_folder, test_remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
