/* support_solana_log.h - lines of Solana's program log, and a reader of logs. Values are column 1
 * (compute units); calls are column 0, heap is column 2. */
#ifndef TOLL_TESTS_SUPPORT_SOLANA_LOG_H
#define TOLL_TESTS_SUPPORT_SOLANA_LOG_H

#include "support.h"

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
#define C "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"
#define FA "program " A
#define FB "program " B
#define FC "program " C
#define INVOKE(id, depth) "Program " id " invoke [" depth "]\n"
#define CONSUMED(id, n) "Program " id " consumed " n " of 200000 compute units\n"
#define SUCCESS(id) "Program " id " success\n"
#define END(id, n) CONSUMED(id, n) SUCCESS(id)
#define REMAINING(n) "Program consumption: " n " units remaining\n"
#define LOG(text) "Program log: " text "\n"

#define SECTION(n, name, total, net)                                                               \
    "CU log:  " n " " name " consumed    " total " CU (net    " net " CU)"

/* Read by content, and check what holds for all logs: the profile is valid, and its sum is `units`.
 */
static inline toll_profile *read_log(const char *text, int64_t units)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    assert_int_equal(test_sum(p, 1), units);
    return p;
}

#endif
