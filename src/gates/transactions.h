/* transactions.h - Solana: what transactions cost, by the instructions that they consist of, and
 * how many compute units to request for each kind. A transaction is the threads of a profile that
 * have its label "transaction". */
#ifndef TOLL_GATES_TRANSACTIONS_H
#define TOLL_GATES_TRANSACTIONS_H

#include "base/strtab.h"
#include "gates/amount.h"
#include "gates/cases.h"

#define TOLL_TRANSACTION_KEY "transaction"
/* In the label of what has no signature: an instruction that runs alone, as under Mollusk. */
#define TOLL_NO_SIGNATURE '/'

/* The most that the runtime grants, and what the instruction that requests it costs
 * (MAX_COMPUTE_UNIT_LIMIT and DEFAULT_COMPUTE_UNITS of agave). */
enum { TOLL_MOST_COMPUTE_UNITS = 1400000, TOLL_REQUEST_COST = 150 };

/* Transactions of the same instructions. */
typedef struct toll_transaction_kind {
    uint32_t name; /* in `names`: "Compute Budget: SetComputeUnitLimit + Token: Transfer" */
    int64_t count, most;
    int64_t limit; /* to request: `most`, the request itself if it is not in it, and the margin; 0:
                    * more than the runtime grants */
    bool has_request;
} toll_transaction_kind;

typedef struct toll_transactions {
    toll_mem mem;
    toll_strtab names;
    toll_transaction_kind *items; /* the costliest first */
    size_t count, capacity;
    int64_t failed; /* transactions with an instruction that failed: they are left out */
} toll_transactions;

/* List the kinds of the transactions in a profile with the value "compute units"; none if it has
 * none, or no such labels. Instructions that ran alone are no transactions. Call
 * toll_transactions_free in any case. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_transactions_create(toll_transactions *transactions, const toll_profile *profile,
                                     const toll_allowance *margin, toll_error *err);
void toll_transactions_free(toll_transactions *transactions);

/* transactions_table.c: print them as a table, nothing if there are none; as a JSON array. */
void toll_transactions_put(const toll_transactions *transactions, toll_output *out);
void toll_transactions_markdown(const toll_transactions *transactions, toll_output *out);
void toll_transactions_json(const toll_transactions *transactions, toll_output *out);

/* A copy in which transactions are added up, the caller's to free. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_transactions_sum(const toll_profile *profile, toll_profile **out, toll_error *err);

/* Set the least and the most that a case cost in one transaction. `profile` has the same cases by
 * transaction. Errors: as above. */
toll_status toll_cases_add_transactions(toll_cases *cases, const toll_profile *profile,
                                        toll_error *err);

#endif
