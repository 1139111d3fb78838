/* cases.h - lists what each case of a suite spent, and what it spent in another profile. A case is
 * a thread of the profiles: after toll_profile_group_by for the key "test" a test, for "test,root"
 * an outermost function in a test. */
#ifndef TOLL_GATES_CASES_H
#define TOLL_GATES_CASES_H

#include "base/strtab.h"
#include "gates/findings.h"
#include "gates/growth.h"
#include "profile/shown.h"

typedef struct toll_case {
    const char **names; /* by key: the label's value, several with commas; NULL: it has none */
    uint32_t name_count;
    toll_thread_id thread;     /* of `names` */
    uint32_t place;            /* in the order of names; breaks ties */
    bool was, is;              /* is it in `before`, in `after`? */
    bool is_new, is_gone;      /* and its test, that is its labels without "root", is only in one */
    int64_t before, after, by; /* of the value */
    int64_t calls;             /* of outermost functions */
    int64_t system_calls;      /* of compute units: calls of native functions; else 0 */
} toll_case;

/* What a case cost in one transaction. */
typedef struct toll_case_runs {
    int64_t count, least, most; /* 0: there are no transactions */
} toll_case_runs;

typedef enum toll_cases_sort {
    TOLL_CASES_BY_NAME,
    TOLL_CASES_BY_VALUE, /* the largest first */
    TOLL_CASES_BY_CHANGE /* what grew before what shrank, the larger change first */
} toll_cases_sort;

enum { TOLL_CASES_KEYS = 16 }; /* of a table, at most */

typedef struct toll_cases_options {
    const char *value; /* type of the column; NULL: the one that toll report or toll diff shows */
    const char *by;    /* keys of the labels in their names: "test,root"; NULL: "thread" */
    toll_cases_sort sort;
    uint32_t rows; /* at most; 0: all. What is cut is counted. */
    bool color;
    bool hides_gone; /* count cases that are gone, and do not show them */
} toll_cases_options;

typedef struct toll_cases {
    toll_mem mem;
    toll_cases_options options;
    toll_strtab texts; /* keys and names */
    const char *keys[TOLL_CASES_KEYS];
    uint32_t key_count;
    const toll_profile *before, *after; /* before may be NULL */
    toll_profile *names;                /* the cases as threads, without stacks */
    toll_shown shown;                   /* columns of `after` */
    toll_value_type value;
    bool has_calls;
    uint32_t *others; /* further columns of `after`, which have exact values other than 0 */
    uint32_t other_count;
    size_t other_room;
    toll_case *items;
    size_t count;
    const char **item_names; /* key_count for each thread of `names` */
    toll_case all;           /* the sum */
    toll_case both;          /* the values of tests that are in both profiles, if others are not */
    bool has_both;
    toll_case_runs *runs;  /* by thread of `names`; NULL: not known. See transactions.h. */
    bool has_runs;         /* a case has more than one */
    int64_t *other_values; /* of thread t of `names` from t * other_count on; then of the sum */
} toll_cases;

/* List the cases of `after`, or of both profiles, which must remain. Call toll_cases_free in any
 * case. Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_ARGUMENT (too many keys), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_cases_create(toll_cases *cases, const toll_profile *before,
                              const toll_profile *after, const toll_cases_options *options,
                              toll_error *err);
void toll_cases_free(toll_cases *cases);

/* The value of a further column of a case. */
static inline int64_t toll_case_other(const toll_cases *cases, const toll_case *item,
                                      uint32_t other)
{
    return cases->other_values[(size_t)item->thread * cases->other_count + other];
}

/* --- cases_table.c -----------------------------------------------------------------------------*/

/* Print them as a table: of two profiles only the cases that changed, unless sorted by name. */
void toll_cases_put(const toll_cases *cases, toll_output *out);
void toll_cases_put_notes(const toll_cases *cases, toll_output *out); /* of `after` */
void toll_cases_markdown(const toll_cases *cases, toll_output *out);

/* Is a case shown? Of two profiles, one that did not change is not, if the order is by change. */
bool toll_cases_is_row(const toll_cases *cases, const toll_case *item);

/* The next case to show, from item *at on; *row is how many were shown already. NULL: no more. */
const toll_case *toll_cases_next_row(const toll_cases *cases, size_t *at, uint32_t *row);

/* --- cases_json.c ------------------------------------------------------------------------------*/

void toll_cases_json(const toll_cases *cases, toll_output *out); /* one object */

/* --- cases_growth.c ----------------------------------------------------------------------------*/

/* Add a finding for each case that grew by more than one of the limits allows, with the stacks that
 * grew most. Tests that are only in one profile are not compared; but if no test is in both, that
 * is a finding: cases without any of the labels in `by` are no tests. Errors: those of
 * toll_growth_check. */
toll_status toll_cases_check(const toll_cases *cases, const toll_profile *difference,
                             const toll_growth_options *options, toll_findings *findings,
                             toll_error *err);

#endif
