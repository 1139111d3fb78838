/* test_solana_charge.c - units that a transaction was charged beyond the figures of its log: prices
 * of built-in programs, the remaining units when the virtual machine stops a program, and
 * unexplained ones. The runtime has made the logs and sums (see tests/solana/ends.mjs). */
#include "support.h"

#include "solana/solana_charge.h"

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
#define FA "program " A
#define FB "program " B
#define SYSTEM "11111111111111111111111111111111"
#define BUDGET "ComputeBudget111111111111111111111111111111"
#define ZK "ZkE1Gama1Proof11111111111111111111111111111"
#define INVOKE(id, depth) "Program " id " invoke [" depth "]\n"
#define CONSUMED(id, n, m) "Program " id " consumed " n " of " m " compute units\n"
#define SUCCESS(id) "Program " id " success\n"
#define FAILED(id, why) "Program " id " failed: " why "\n"
#define BUILT_IN(id) INVOKE(id, "1") SUCCESS(id)
#define RUNS(id, n, m) INVOKE(id, "1") CONSUMED(id, n, m) SUCCESS(id)
#define ACCESS "Access violation reading 8 bytes at address 0x0 (in unallocated region)"
#define REST ";(rest of the budget)"

static toll_profile *read_log(const char *text, int64_t units)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), "solana", &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    assert_int_equal(test_sum(p, 1), units);
    return p;
}

/* The lines as an answer to getTransaction, with the sum before them. */
/* With the message's JSON behind its `meta`. */
static toll_profile *read_message(const char *lines, int64_t charged, const char *message)
{
    char json[4096];
    int n =
        snprintf(json, sizeof json,
                 "{\"meta\":{\"computeUnitsConsumed\":%lld,\"innerInstructions\":[{\"index\":1}]"
                 ",\"logMessages\":[\"",
                 (long long)charged);
    for (; lines[1]; lines++)
        n += snprintf(json + n, sizeof json - (size_t)n, *lines == '\n' ? "\",\"" : "%c", *lines);
    snprintf(json + n, sizeof json - (size_t)n, "\"]}%s}", message);
    return read_log(json, charged);
}

static toll_profile *read_transaction(const char *lines, int64_t charged)
{
    return read_message(lines, charged, "");
}

static void test_charge_prices_of_built_in_programs(void **state)
{
    static const char lines[] = BUILT_IN(BUDGET) BUILT_IN(SYSTEM) RUNS(A, "2", "49700");
    (void)state;
    toll_profile *p = read_transaction(lines, 302);
    assert_int_equal(test_self(p, "", "Compute Budget", 1), 150);
    assert_int_equal(test_self(p, "", "System", 1), 150);
    assert_int_equal(test_self(p, "", FA, 1), 2);
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_int_equal(test_note(p, "outermost invocations of built-in programs, charged"), 2);
    toll_profile_free(p);
    p = read_log(lines, 302);
    assert_int_equal(test_note(p, "outermost invocations of transactions without"), 3);
    toll_profile_free(p);
    p = read_transaction(lines, 2); /* a runtime in which they cost nothing */
    assert_int_equal(test_self(p, "", "System", 1), 0);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

/* Of 256 KiB: 56 units for each program, which are in no line, but in those of its callers. */
static void test_charge_price_of_a_heap(void **state)
{
    static const char message[] =
        ",\"transaction\":{\"message\":{\"accountKeys\":[\"" BUDGET "\",\"" A "\"],"
        "\"instructions\":[{\"programIdIndex\":0,\"data\":\"7YXqSw\"},"
        "{\"programIdIndex\":1,\"data\":\"\"},{\"programIdIndex\":1,\"data\":\"\"}]}}";
    static const char lines[] =
        BUILT_IN(BUDGET) RUNS(A, "2", "402850") INVOKE(A, "1") INVOKE(B, "2")
            CONSUMED(B, "5", "402000") SUCCESS(B) CONSUMED(A, "200", "402792") SUCCESS(A);
    (void)state;
    toll_profile *p = read_message(lines, 150 + 56 + 2 + 56 + 200, message);
    assert_int_equal(test_self(p, "", FA, 1), 2 + 200 - 56 - 5);
    assert_int_equal(test_self(p, "", FA ";(heap frame)", 1), 112);
    assert_int_equal(test_self(p, "", FA ";(heap frame)", 0), 0); /* no call */
    assert_int_equal(test_self(p, "", FA ";" FB, 1), 5);
    assert_int_equal(test_self(p, "", FA ";" FB ";(heap frame)", 1), 56);
    toll_profile_free(p);
    p = read_message(lines, 2 + 200, message); /* a runtime in which nothing of this costs */
    assert_int_equal(test_self(p, "", FA, 1), 2 + 200 - 5);
    assert_int_equal(test_self(p, "", FA ";" FB, 1), 5);
    toll_profile_free(p);
}

/* A message of version 1 names the heap in its head: of 256 KiB here. Its one instruction is of P.
 */
static void test_charge_price_of_a_heap_in_version_1(void **state)
{
#define P "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
    static const char message[] =
        ",\"version\":1,\"transaction\":[\""
        "gQEAARAAAAAJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQEBAgICAgICAgICAgICAgIC"
        "AgICAgICAgICAgICAgICAgIAAAQAAAAAAAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
        "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
        "\",\"base64\"]";
    (void)state;
    toll_profile *p = read_message(RUNS(P, "2", "199944"), 56 + 2, message);
    assert_int_equal(test_self(p, "", "program " P, 1), 2);
    assert_int_equal(test_self(p, "", "program " P ";(heap frame)", 1), 56);
    toll_profile_free(p);
    p = read_message(RUNS(P, "2", "199944"), 100000 + 56 + 2, message); /* no more than its price */
    assert_int_equal(test_self(p, "", "program " P ";(heap frame)", 1), 56);
    toll_profile_free(p);
#undef P
}

/* The message is not known, so that the heap of its programs is not either. */
static void test_charge_what_the_log_lacks_has_a_frame(void **state)
{
    (void)state;
    toll_profile *p =
        read_transaction(BUILT_IN(BUDGET) RUNS(A, "2", "402850") RUNS(A, "2", "402792"), 266);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 112);
    assert_int_equal(test_self(p, "", "(not in the log)", 0), 0);
    assert_int_equal(test_self(p, "", FA, 1), 4);
    toll_profile_free(p);
    p = read_transaction(BUILT_IN(ZK), 3300); /* its price depends on the instruction */
    assert_int_equal(test_self(p, "", "ZK ElGamal Proof", 1), 0);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 3300);
    assert_int_equal(test_note(p, "outermost invocations without a consumed line"), 1);
    toll_profile_free(p);
    p = read_transaction(
        BUILT_IN(BUDGET) INVOKE(SYSTEM, "1") FAILED(SYSTEM, "Computational budget exceeded"), 200);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 50);
    toll_profile_free(p);
}

static void test_charge_a_stopped_program_has_the_rest_of_the_budget(void **state)
{
    static const char stopped[] = INVOKE(A, "1") CONSUMED(A, "3658", "200000") FAILED(A, ACCESS);
    (void)state;
    toll_profile *p = read_transaction(stopped, 200000);
    assert_int_equal(test_self(p, "", FA " (failed)", 1), 3658);
    assert_int_equal(test_self(p, "", FA " (failed)" REST, 1), 196342);
    assert_int_equal(test_self(p, "", FA " (failed)" REST, 0), 0);
    assert_int_equal(test_note(p, "programs that the virtual machine stopped"),
                     0); /* it is known */
    toll_profile_free(p);
    p = read_transaction(stopped, 3658); /* a syscall made the access */
    assert_int_equal(test_self(p, "", FA " (failed)", 1), 3658);
    toll_profile_free(p);
    p = read_log(stopped, 200000);
    assert_int_equal(test_note(p, "programs that the virtual machine stopped"), 1);
    toll_profile_free(p);
    p = read_transaction(BUILT_IN(BUDGET) RUNS(A, "2", "402850") INVOKE(B, "1")
                             CONSUMED(B, "2", "402792") FAILED(B, ACCESS),
                         403000);
    assert_int_equal(test_self(p, "", FB " (failed)" REST, 1), 402790);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 56);
    toll_profile_free(p);
}

/* An error by which only a program itself, or a syscall, can fail. */
static void test_charge_other_errors_have_what_they_consumed(void **state)
{
    static const char *const errors[] = { "custom program error: 0x1", "SBF program panicked",
                                          "Program failed to complete",
                                          "Computational budget exceeded" };
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        char text[400];
        snprintf(text, sizeof text, INVOKE(A, "1") CONSUMED(A, "103", "200000") FAILED(A, "%s"),
                 errors[i]);
        toll_profile_free(read_log(text, 103));
        toll_profile_free(read_transaction(text, 103));
    }
}

/* B is charged all that remained, and so A has consumed everything. */
static void test_charge_a_stopped_callee(void **state)
{
    static const char lines[] = INVOKE(A, "1") INVOKE(B, "2") CONSUMED(B, "2", "199040")
        FAILED(B, ACCESS) CONSUMED(A, "200000", "200000") FAILED(A, "Program failed to complete");
    (void)state;
    for (int told = 0; told < 2; told++) {
        toll_profile *p = told ? read_transaction(lines, 200000) : read_log(lines, 200000);
        assert_int_equal(test_self(p, "", FA " (failed)", 1), 960);
        assert_int_equal(test_self(p, "", FA " (failed);" FB " (failed)", 1), 2);
        assert_int_equal(test_self(p, "", FA " (failed);" FB " (failed)" REST, 1), 199038);
        assert_int_equal(test_note(p, "programs that the virtual machine stopped"), 0);
        toll_profile_free(p);
    }
}

static void test_charge_less_than_the_log(void **state)
{
    (void)state;
    /* A runtime in which built-in programs cost nothing. */
    toll_profile *p = read_transaction(BUILT_IN(SYSTEM) RUNS(A, "500", "200000"), 500);
    assert_int_equal(test_self(p, "", "System", 1), 0);
    assert_int_equal(test_note(p, "transactions that were charged less"), 0);
    toll_profile_free(p);
    static const char json[] =
        "{\"logs\":[\"Program " A " invoke [1]\",\"Program " A
        " consumed 500 of 200000 compute units\",\"Program " A " success\"],\"unitsConsumed\":400}";
    p = read_log(json, 500);
    assert_int_equal(test_note(p, "transactions that were charged less"), 1);
    toll_profile_free(p);
}

#define ONE_LOG(n)                                                                                 \
    "\"logs\":[\"Program " A " invoke [1]\",\"Program " A " consumed " n                           \
    " of 9000 compute units\",\"Program " A " success\"]"

/* The sum belongs to the log in the same object, whichever comes first. */
static void test_charge_sums_belong_to_their_object(void **state)
{
    (void)state;
    toll_profile_free(
        read_log("{\"unitsConsumed\":9,\"a\":[{\"unitsConsumed\":70},{" ONE_LOG(
                     "20") "},"
                           "{" ONE_LOG("20") ",\"unitsConsumed\":25},{"
                                             "\"unitsConsumed\":\"30\"," ONE_LOG("20") "}]}",
                 20 + 25 + 30));
    toll_profile_free(read_log("{" ONE_LOG("20") ",\"unitsConsumed\":null}", 20));
    toll_profile_free(read_log("{" ONE_LOG("20") ",\"unitsConsumed\":2e1}", 20));
    toll_profile_free(read_log("{\"unitsConsumed\":5,\"logs\":null}{" ONE_LOG("20") "}", 20));
    toll_profile_free(
        read_log("{" ONE_LOG("20") "," ONE_LOG("20") ",\"unitsConsumed\":31}", 20 + 31));
}

/* As `solana confirm -v` prints transactions. */
static void test_charge_sums_in_text(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "Status: Ok\n  Compute Units Consumed: 460\n  Log Messages:\n    " INVOKE(
            SYSTEM, "1") "    " SUCCESS(SYSTEM) "    " INVOKE(A, "1") "    " CONSUMED(A, "300",
                                                                                      "400000")
            SUCCESS(A) "Compute Units Consumed: 5\nLog Messages:\n" RUNS(A, "5", "200000"),
        465);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 10);
    assert_int_equal(test_note(p, "outermost invocations of transactions without"), 0);
    toll_profile_free(p);
}

/* --- one bill, without a log -------------------------------------------------------------------*/

/* Only what the runtime charges for has a price. */
static void test_charge_prices_of_invocations(void **state)
{
    static const toll_solana_spent told = { .is_logged = true }, priced = { .priced = true };
    (void)state;
    toll_solana_spent s = { .finished = true };
    assert_int_equal(toll_solana_price(&s, NULL, SYSTEM, strlen(SYSTEM)), SOLANA_PRICED);
    assert_true(s.priced && s.self == 150);
    s = (toll_solana_spent){ .finished = true };
    assert_int_equal(toll_solana_price(&s, &priced, SYSTEM, strlen(SYSTEM)), SOLANA_PRICED);
    assert_true(s.priced && s.self == 150);
    s = (toll_solana_spent){ .finished = true };
    assert_int_equal(toll_solana_price(&s, &told, SYSTEM, strlen(SYSTEM)), SOLANA_WITHIN_CALLER);
    assert_false(s.priced || s.self);
    s = (toll_solana_spent){ .finished = false };
    assert_int_equal(toll_solana_price(&s, NULL, SYSTEM, strlen(SYSTEM)), SOLANA_UNPRICED);
    assert_false(s.priced || s.self);
    s = (toll_solana_spent){ .finished = true };
    assert_int_equal(toll_solana_price(&s, NULL, ZK, strlen(ZK)), SOLANA_UNPRICED);
    assert_false(s.priced || s.self);
    s = (toll_solana_spent){ .finished = true, .failed = true, .end = SOLANA_END_EXHAUSTED };
    assert_int_equal(toll_solana_price(&s, NULL, SYSTEM, strlen(SYSTEM)), SOLANA_UNPRICED);
    assert_false(s.priced || s.self);
}

/* A transaction of one invocation that was charged `charged`, of which the log has 100 units. */
static toll_solana_distribution settle(toll_solana_spent s, int64_t charged, int64_t *rest)
{
    toll_solana_bill bill = toll_solana_bill_of(charged);
    toll_solana_bill_add(&bill, &s, true);
    toll_solana_distribution settlement = toll_solana_distribute(&bill);
    *rest = s.rest;
    return settlement;
}

static void test_charge_settlements(void **state)
{
    static const toll_solana_spent told = { .is_logged = true, .total = 100, .budget = 1000 };
    static const toll_solana_spent priced = { .priced = true, .total = 100, .self = 100 };
    toll_solana_spent stopped = told, spent_all = told;
    int64_t rest;
    (void)state;
    stopped.failed = spent_all.failed = true;
    spent_all.budget = 100;
    toll_solana_distribution s = settle(told, 100, &rest);
    assert_true(!s.unlogged && !s.drops_prices && !s.is_less && !rest);
    s = settle(told, 99, &rest); /* nothing had a price */
    assert_true(!s.unlogged && !s.drops_prices && s.is_less && !rest);
    s = settle(priced, 0, &rest);
    assert_true(!s.unlogged && s.drops_prices && !s.is_less && !rest);
    s = settle(told, 130, &rest);
    assert_true(s.unlogged == 30 && !s.drops_prices && !s.is_less && !rest);
    s = settle(stopped, 1000, &rest);
    assert_true(!s.unlogged && rest == 900);
    s = settle(stopped, 999, &rest); /* not all that it might spend */
    assert_true(s.unlogged == 899 && !rest);
    s = settle(spent_all, 100, &rest);
    assert_true(!s.unlogged && !rest);
}

/* --- damage ------------------------------------------------------------------------------------*/

static const char whole[] =
    "{\"meta\":{\"computeUnitsConsumed\":403000,\"logMessages\":[\"Program " BUDGET
    " invoke [1]\",\"Program " BUDGET " success\",\"Program " A " invoke [1]\",\"Program " B
    " invoke [2]\",\"Program " B " consumed 2 of 402792 compute units\",\"Program " B
    " failed: " ACCESS "\",\"Program " A " consumed 402850 of 402850 compute units\",\"Program " A
    " failed: Program failed to complete\"]}}";

static toll_status read_whole(const toll_allocator *a, void *user)
{
    toll_profile *p;
    (void)user;
    toll_status status = test_read(a, whole, sizeof whole - 1, "solana", &p, NULL);
    toll_profile_free(p);
    return status;
}

static void test_charge_damage(void **state)
{
    (void)state;
    toll_profile_free(read_log(whole, 403000));
    test_every_cut(whole, sizeof whole - 1, "solana");
    test_every_flip(whole, sizeof whole - 1, "solana");
    test_every_allocation(read_whole, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_charge_prices_of_built_in_programs),
        cmocka_unit_test(test_charge_price_of_a_heap),
        cmocka_unit_test(test_charge_price_of_a_heap_in_version_1),
        cmocka_unit_test(test_charge_what_the_log_lacks_has_a_frame),
        cmocka_unit_test(test_charge_a_stopped_program_has_the_rest_of_the_budget),
        cmocka_unit_test(test_charge_other_errors_have_what_they_consumed),
        cmocka_unit_test(test_charge_a_stopped_callee),
        cmocka_unit_test(test_charge_less_than_the_log),
        cmocka_unit_test(test_charge_sums_belong_to_their_object),
        cmocka_unit_test(test_charge_sums_in_text),
        cmocka_unit_test(test_charge_prices_of_invocations),
        cmocka_unit_test(test_charge_settlements),
        cmocka_unit_test(test_charge_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
