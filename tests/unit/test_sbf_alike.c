/* test_sbf_alike.c - register traces that fit several invocations equally well are distinguished by
 * the times of their files if possible; otherwise names show the doubt. */
#include "support_sbf.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Each is three instructions; the function that has two of them differs. */
static const step early[] = { { 10, CALL, 0, 0x1000 },
                              { 20, EXIT, 0, 0x2000 },
                              { 11, EXIT, 0, 0x1000 } };
static const step late[] = { { 10, CALL, 0, 0x1000 },
                             { 30, EXIT, 0, 0x2000 },
                             { 11, EXIT, 0, 0x1000 } };
/* Four instructions: no other invocation has as many. */
static const step certain[] = { { 10, CALL, 0, 0x1000 },
                                { 40, OTHER, 0, 0x2000 },
                                { 41, EXIT, 0, 0x2000 },
                                { 11, EXIT, 0, 0x1000 } };

static const step shortest[] = { { 10, OTHER, 0, 0x1000 }, { 11, EXIT, 0, 0x1000 } };

#define RUN(n)                                                                                     \
    "Program " TOKEN " invoke [1]\nProgram " TOKEN " consumed " n " of 200000 compute units\n"     \
    "Program " TOKEN " success\n"
#define ALIKE "invocations that several traces fit equally well: one of them taken"
#define BY_TIME "invocations that several traces fit equally well: told apart"

/* 0: none is known. */
static void set_time(const char *name, long nanoseconds)
{
    char file[64];
    const struct timespec time = { nanoseconds ? 1000 : 0, nanoseconds }, times[2] = { time, time };
    snprintf(file, sizeof file, "%s.regs", name);
    assert_int_equal(utimensat(AT_FDCWD, test_path(file), times, 0), 0);
}

/* Labels are of transactions: each invocation is a root of its own. */
static toll_profile *read_runs(const char *logs)
{
    char path[256];
    toll_profile *p;
    const toll_solana_options solana = { .size = sizeof solana, .logs = path, .by_transaction = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    save_text("logs", logs);
    snprintf(path, sizeof path, "%s/logs", test_folder);
    assert_ok(toll_profile_load(NULL, test_folder, "sbf-trace", &options, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

/* The names are hashes: their order says nothing. */
static void save_alike(void)
{
    SAVE_TRACE("b", TOKEN, early);
    SAVE_TRACE("a", TOKEN, late);
    set_time("b", 100);
    set_time("a", 200);
}

static void test_sbf_alike_times_decide(void **state)
{
    (void)state;
    save_alike();
    toll_profile *p = read_runs(RUN("3") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token;fn@10;fn@20"), 1);
    assert_int_equal(cost(p, "transaction 2;Token;fn@10;fn@30"), 1);
    assert_int_equal(test_note(p, BY_TIME), 2);
    toll_profile_free(p);
    set_time("b", 300);
    p = read_runs(RUN("3") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token;fn@10;fn@30"), 1);
    assert_int_equal(cost(p, "transaction 2;Token;fn@10;fn@20"), 1);
    toll_profile_free(p);
}

static void test_sbf_alike_without_times_rows_say_so(void **state)
{
    (void)state;
    save_alike();
    set_time("a", 100);
    toll_profile *p = read_runs(RUN("3") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token (one of 2);fn@10"), 2);
    assert_int_equal(cost(p, "transaction 2;Token (one of 2);fn@10"), 2);
    assert_int_equal(test_note(p, ALIKE), 2);
    assert_int_equal(total(p), 6);
    toll_profile_free(p);
    set_time("b", 0);
    p = read_runs(RUN("3") RUN("3"));
    assert_int_equal(test_note(p, ALIKE), 2);
    toll_profile_free(p);
    set_time("b", 100);
    set_time("a", 200);
    p = read_runs(RUN("3") RUN("3") RUN("3")); /* two of them have one trace */
    assert_int_equal(cost(p, "transaction 3;Token (one of 2);fn@10"), 2);
    assert_int_equal(test_note(p, ALIKE), 3);
    toll_profile_free(p);
}

/* The folder was copied, or several threads wrote it. */
static void test_sbf_alike_times_that_contradict_others_do_not_count(void **state)
{
    (void)state;
    save_alike();
    SAVE_TRACE("c", TOKEN, certain);
    SAVE_TRACE("d", TOKEN, shortest);
    set_time("c", 400);
    set_time("d", 300);
    toll_profile *p = read_runs(RUN("3") RUN("4") RUN("2") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token (one of 2);fn@10"), 2);
    assert_int_equal(cost(p, "transaction 4;Token (one of 2);fn@10"), 2);
    toll_profile_free(p);
    set_time("d", 500);
    p = read_runs(RUN("3") RUN("4") RUN("2") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token;fn@10;fn@20"), 1);
    toll_profile_free(p);
}

/* Which is which does not matter: only registers differ. */
static void test_sbf_alike_of_one_shape_are_not_told_apart(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, early);
    SAVE_TRACE("b", TOKEN, early);
    toll_profile *p = read_runs(RUN("3") RUN("3"));
    assert_int_equal(cost(p, "transaction 1;Token;fn@10"), 2);
    assert_int_equal(cost(p, "transaction 2;Token;fn@10;fn@20"), 1);
    assert_int_equal(toll_profile_note_count(p), 1); /* the sum is not known */
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_alike_times_decide),
        IN_FOLDER(test_sbf_alike_without_times_rows_say_so),
        IN_FOLDER(test_sbf_alike_times_that_contradict_others_do_not_count),
        IN_FOLDER(test_sbf_alike_of_one_shape_are_not_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
