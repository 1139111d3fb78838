/* random_chain.h - random transactions on a model of Solana's runtime: programs that call
 * functions, make system calls, invoke each other and fail; with the logs that the runtime writes,
 * the register traces, and what each transaction was charged. */
#ifndef TOLL_TESTS_RANDOM_CHAIN_H
#define TOLL_TESTS_RANDOM_CHAIN_H

#include "base/buffer.h"

enum { CHAIN_MOST_TRANSACTIONS = 4, CHAIN_NAME_SIZE = 80 };

typedef struct chain_transaction {
    char name[CHAIN_NAME_SIZE]; /* a signature */
    toll_buffer lines;          /* of the log, with line ends */
    int64_t charged;
} chain_transaction;

typedef struct chain {
    uint64_t state; /* of random_below */
    chain_transaction transactions[CHAIN_MOST_TRANSACTIONS];
    unsigned count;
    unsigned traces;    /* files in the folder, so far */
    int64_t remaining;  /* units, of the transaction that runs */
    const char *folder; /* for traces; borrowed */
} chain;

/* Run the transactions of that number. The traces are in the folder, by ever new names. */
void chain_run(chain *chain, unsigned seed, const char *folder);
void chain_free(chain *chain);

/* Append the logs as JSON, a document a line: {"signature":...,"logs":[...],"unitsConsumed":N}; or
 * as `solana confirm -v` prints them. With `damage`, some lines are missing, twice there, or have
 * other digits. */
void chain_append_json(chain *chain, bool damage, toll_buffer *out);
void chain_append_text(chain *chain, toll_buffer *out);

#endif
