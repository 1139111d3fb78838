/* test_solana_sections.c - sections in logs of Solana programs, in each form and order in which
 * runtimes print them. */
#include "support_solana_log.h"

static void test_sections(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        INVOKE(A, "1") LOG(SECTION("1", "inner", "100", "100"))
            LOG("HEAP :   200 heap (net   200 heap) remaining  1400")
                LOG(SECTION("2", "a mid consumed", "200", "100"))
                    SECTION("3", "outer", "300",
                            "100") "\n"
                                   "HEAP :   600 heap (net   400 heap) remaining  1600\n" LOG(
                                       SECTION("4", "after", "40", "40")) END(A, "1000"),
        1000);
    assert_int_equal(test_self(p, "", FA, 1), 660);
    assert_int_equal(test_self(p, "", FA ";outer", 1), 100);
    assert_int_equal(test_self(p, "", FA ";outer;a mid consumed", 1), 100);
    assert_int_equal(test_self(p, "", FA ";outer;a mid consumed;inner", 1), 100);
    assert_int_equal(test_self(p, "", FA ";outer;a mid consumed;inner", 2), 200);
    assert_int_equal(test_self(p, "", FA ";outer", 2), 400);
    assert_int_equal(test_self(p, "", FA ";after", 1), 40);
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_int_not_equal(
        toll_profile_find_frame(p, &(toll_frame){ .name = "outer", .kind = TOLL_KIND_SECTION }),
        TOLL_NONE);
    toll_profile_free(p);
}

/* Section `in it` within `out`; frees the profile. */
static void expect_in_and_out(toll_profile *p)
{
    assert_int_equal(test_self(p, "", FA, 1), 10);
    assert_int_equal(test_self(p, "", FA ";out", 1), 20);
    assert_int_equal(test_self(p, "", FA ";out;in it", 1), 30);
    assert_int_equal(test_self(p, "", FA ";out;in it", 2), 12);
    toll_profile_free(p);
}

static void test_sections_in_three_lines(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        INVOKE(A,
               "1") LOG("#  1    in it") LOG("CU ........ consumed    30 (net    30) of 200000 CU")
            LOG("HEAP ...... consumed    12 (net    12) of 32768 bytes") "#  2    out\n"
                                                                         "CU consumed    50 (net   "
                                                                         " 20) of 200000 CU\n" END(
                                                                             A, "60"),
        60);
    expect_in_and_out(p);
}

/* RPC nodes give what one call has logged as one string, of several lines. */
static void test_sections_in_one_message(void **state)
{
    (void)state;
    toll_profile *p = read_log("{\"logs\":[\"Program " A " invoke [1]\",\"Program log: "
                               "#  1    in it\\nCU consumed    30 (net    30) of 200000 CU\\n"
                               "HEAP consumed    12 (net    12) of 32768 bytes\\n"
                               "#  2    out\\nCU consumed    50 (net    20) of 200000 CU\","
                               "\"Program " A " consumed 60 of 200000 compute units\","
                               "\"Program " A " success\"]}",
                               60);
    expect_in_and_out(p);
}

/* The older tool subtracts grandchildren twice: 300 - (200 + 100) = 0. */
static void test_section_nets_are_recomputed(void **state)
{
    (void)state;
    toll_profile *p =
        read_log(INVOKE(A, "1") LOG(SECTION("1", "inner", "100", "100"))
                     LOG(SECTION("2", "mid", "200", "100")) LOG(SECTION("3", "outer", "300", "0"))
                         LOG("HEAP :     9 heap (net     9 heap) remaining  1400") END(A, "1000"),
                 1000);
    assert_int_equal(test_self(p, "", FA ";outer", 1), 100);
    assert_int_equal(test_self(p, "", FA ";outer;mid;inner", 1), 100);
    assert_int_equal(test_note(p, "section nets that differ"), 1);
    assert_int_equal(test_note(p, "net of section 'outer' recomputed"), 1);
    toll_profile_free(p);
}

/* semantics.md: two overlapping children; the union fits no sum of totals. */
/* The same with a net below 0, which is printed without its sign: 399 - (200 + 200) = -1. A larger
 * one is no such net, and its section has no place. */
static void test_section_nets_without_sign(void **state)
{
    static const char *const sections[] = { SECTION("3", "outer", "399", "4294967295"),
                                            SECTION("3", "outer", "600", "4294967696") };
    (void)state;
    for (int i = 0; i < 2; i++) {
        char log[1024];
        snprintf(log, sizeof log,
                 INVOKE(A, "1") LOG(SECTION("1", "inner", "200", "200"))
                     LOG(SECTION("2", "mid", "200", "0")) LOG("%s") END(A, "1000"),
                 sections[i]);
        toll_profile *p = read_log(log, 1000);
        assert_int_equal(test_self(p, "", i ? FA ";mid;inner" : FA ";outer;mid;inner", 1), 200);
        if (i == 0) {
            assert_int_equal(test_self(p, "", FA ";outer", 1), 199);
            assert_int_equal(test_note(p, "section nets that differ"), 1);
        }
        toll_profile_free(p);
    }
}

static void test_sections_that_cross(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") LOG(SECTION("1", "x", "400", "400"))
                                   LOG(SECTION("2", "y", "400", "400"))
                                       LOG(SECTION("3", "outer", "1000", "400")) END(A, "1100"),
                               1100);
    assert_int_equal(test_note(p, "sections that cross others"), 1);
    assert_int_equal(test_self(p, "", FA ";x", 1), 400);
    assert_int_equal(test_self(p, "", FA, 1), 300);
    toll_profile_free(p);
}

static void test_sections_around_invocations(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") INVOKE(B, "2") LOG(SECTION("1", "theirs", "5", "5"))
                                   END(B, "50") LOG(SECTION("1", "around", "80", "80"))
                                       END(A, "100") INVOKE(A, "1") INVOKE(B, "2") END(B, "10")
                                           LOG(SECTION("1", "beside", "80", "80")) END(A, "100"),
                               200);
    assert_int_equal(test_note(p, "sections that hold nested invocations"), 1);
    assert_int_equal(test_note(p, "sections beside nested invocations"), 1);
    assert_int_equal(test_self(p, "", FA ";" FB ";theirs", 1), 5);
    assert_int_equal(test_self(p, "", FA ";beside", 1), 80);
    assert_int_equal(test_self(p, "", FA, 1), 50 + 10);
    toll_profile_free(p);
}

static void test_section_lines_of_nobody(void **state)
{
    (void)state;
    toll_profile *p = read_log(SECTION("1", "x", "4", "4") "\n" INVOKE(A, "1")
                                   LOG("CU .. consumed 3 (net 3) of 9 CU")
                                       LOG("CU log: y was not ended, 5 CU so far") END(A, "5"),
                               5);
    assert_int_equal(test_note(p, "section lines without an invocation"), 2);
    assert_int_equal(test_note(p, "sections that were not ended"), 1);
    toll_profile_free(p);
}

/* --- the order of Light Protocol's runtimes
 * -------------------------------------------------------*/

#define LATE(n, name, place, total, net)                                                           \
    LOG("#  " n "    " name "\n        " place "            \nCU           consumed " total        \
        " (net " net ") of 9000 CU")

/* Each invocation's sections follow its success; the older of these runtimes repeat that. */
static void test_sections_after_the_end(void **state)
{
    static const char *const seconds[] = { "", SUCCESS(B) };
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s%s%s",
                 INVOKE(A, "1") INVOKE(B, "2") END(B, "150")
                     LATE("1", "theirs", "src/b.rs:7", "120", "120"),
                 seconds[i],
                 END(A, "500") LATE("1", "in it", "src/lib.rs:12", "30", "30")
                     LATE("2", "out", "src/lib.rs:10", "50", "20"),
                 i ? SUCCESS(A) : "");
        toll_profile *p = read_log(text, 500);
        assert_int_equal(test_self(p, "", FA, 1), 300);
        assert_int_equal(test_self(p, "", FA ";" FB, 1), 30);
        assert_int_equal(test_self(p, "", FA ";" FB ";theirs", 1), 120);
        assert_int_equal(test_self(p, "", FA ";out;in it", 1), 30);
        assert_int_equal(toll_profile_note_count(p), 2); /* no charge; sections beside a callee */
        toll_frame frame = { .name = "in it", .kind = TOLL_KIND_SECTION, .file = "src/lib.rs" };
        frame.line = 12;
        assert_int_not_equal(toll_profile_find_frame(p, &frame), TOLL_NONE);
        toll_profile_free(p);
    }
}

/* A program that invokes itself: the success after the units is the caller's, not repeated. */
static void test_second_success_of_a_program_that_invokes_itself(void **state)
{
    (void)state;
    toll_profile *p = read_log(INVOKE(A, "1") INVOKE(A, "2") END(A, "10") SUCCESS(A) INVOKE(B, "2")
                                   END(B, "5") SUCCESS(B) END(A, "100")
                                       LATE("1", "late", "src/a.rs:1", "60", "60") SUCCESS(A),
                               100);
    assert_int_equal(test_self(p, "", FA ";" FA, 1), 10);
    assert_int_equal(test_self(p, "", FA ";late", 1), 60);
    assert_int_equal(test_note(p, "program lines that fit no open"), 0);
    toll_profile_free(p);
}

/* Only the line directly after a name is its place: a second one, or a later one, is no part of it.
 */
static void test_only_one_place_of_a_section(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        INVOKE(A, "1")
            LOG("#  1    one") "src/a.rs:1\nsrc/b.rs:2\n" LOG("CU consumed 30 (net 30) of 99 CU")
                LOG("#  2    two") "noise\nsrc/c.rs:3\n" LOG("CU consumed 5 (net 5) of 99 CU")
                    END(A, "60"),
        60);
    toll_frame one = { .name = "one", .file = "src/a.rs", .line = 1, .kind = TOLL_KIND_SECTION };
    toll_frame two = { .name = "two", .kind = TOLL_KIND_SECTION };
    assert_int_not_equal(toll_profile_find_frame(p, &one), TOLL_NONE);
    assert_int_not_equal(toll_profile_find_frame(p, &two), TOLL_NONE);
    assert_int_equal(test_note(p, "lines that are no program log"), 3);
    toll_profile_free(p);
}

enum { BEFORE_THE_END, AFTER_THE_END, BETWEEN_TWO, ORDERS };

typedef struct printed {
    char text[1 << 16];
    size_t size;
    uint64_t seed;
    int order;
} printed;

static uint32_t below(printed *p, uint32_t n)
{
    p->seed = p->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(p->seed >> 33) % n;
}

__attribute__((format(printf, 2, 3))) static void print(printed *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = vsnprintf(p->text + p->size, sizeof p->text - p->size, format, list);
    va_end(list);
    p->size += (size_t)size;
    assert_true(p->size < sizeof p->text);
}

static const char *const programs[] = { A, B, C };

/* One section within another, and one beside them. */
static void print_sections(printed *p, uint32_t count, uint32_t program)
{
    if (count == 0)
        return;
    for (uint32_t i = 1; i <= 3; i++)
        print(p,
              "Program log: # %2u    section %u\n        src/%u.rs:%u      \n"
              "CU         consumed %5u (net %5u) of %5u CU\n",
              (unsigned)i, (unsigned)i, (unsigned)program, (unsigned)(10 * i),
              (unsigned)(i * count), (unsigned)(i == 2 ? count : i * count), 100000U);
}

/* Print an invocation; returns its units. */
static uint32_t print_invocation(printed *p, uint32_t depth)
{
    uint32_t program = below(p, 3), sections = below(p, 2) * (1 + below(p, 100));
    uint32_t units = 1000 + below(p, 1000);
    bool fails = depth > 1 && below(p, 8) == 0;
    const char *id = programs[program];
    print(p, "Program %s invoke [%u]\n", id, (unsigned)depth);
    for (uint32_t callees = depth < 4 ? below(p, 3) : 0; callees > 0; callees--)
        units += print_invocation(p, depth + 1);
    print(p, "Program %s consumed %u of 200000 compute units\n", id, (unsigned)units);
    if (fails) {
        print(p, "Program %s failed: custom program error: 0x1\n", id);
        return units;
    }
    if (p->order == BEFORE_THE_END)
        print_sections(p, sections, program);
    print(p, "Program %s success\n", id);
    if (p->order != BEFORE_THE_END)
        print_sections(p, sections, program);
    if (p->order == BETWEEN_TWO)
        print(p, "Program %s success\n", id);
    return units;
}

/* Print a random instruction in one of the orders, read it, and write the profile. */
static toll_output *as_pprof(uint64_t seed, int order)
{
    static printed p;
    toll_output *out;
    p = (printed){ .seed = seed, .order = order };
    int64_t units = print_invocation(&p, 1);
    toll_profile *profile = read_log(p.text, units);
    assert_int_equal(test_note(profile, "section lines without"), 0);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(profile, NULL, "pprof", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    toll_profile_free(profile);
    return out;
}

/* Whatever the order, the profile is the same. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t size, other_size;
        toll_output *out = as_pprof(seed, BEFORE_THE_END);
        const void *data = toll_output_data(out, &size);
        for (int order = AFTER_THE_END; order < ORDERS; order++) {
            toll_output *other = as_pprof(seed, order);
            const void *other_data = toll_output_data(other, &other_size);
            assert_int_equal(size, other_size);
            assert_memory_equal(data, other_data, size);
            toll_output_free(other);
        }
        toll_output_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_sections_in_three_lines),
        cmocka_unit_test(test_sections_in_one_message),
        cmocka_unit_test(test_section_nets_are_recomputed),
        cmocka_unit_test(test_section_nets_without_sign),
        cmocka_unit_test(test_sections_that_cross),
        cmocka_unit_test(test_sections_around_invocations),
        cmocka_unit_test(test_section_lines_of_nobody),
        cmocka_unit_test(test_sections_after_the_end),
        cmocka_unit_test(test_second_success_of_a_program_that_invokes_itself),
        cmocka_unit_test(test_only_one_place_of_a_section),
        cmocka_unit_test(test_order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
