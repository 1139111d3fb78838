/* solana_charge.h - what a transaction was charged beyond the figures of its log.
 *
 * The log has what each program consumed. It lacks three things: the price of a built-in program's
 * instruction; what remained of the budget when the virtual machine stopped a program, all of which
 * the runtime charges; and small sums, such as the price of a larger heap. Together they follow
 * from the sum that the transaction was charged (`computeUnitsConsumed`, `unitsConsumed`). */
#ifndef TOLL_SOLANA_SOLANA_CHARGE_H
#define TOLL_SOLANA_SOLANA_CHARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOLANA_UNTOLD INT64_C(-1) /* a number of units that is not in the log */

/* Frames for units that were charged and are not in the log. */
#define SOLANA_FRAME_REST "(rest of the budget)"
#define SOLANA_FRAME_UNLOGGED "(not in the log)"

/* Notes that all readers of logs share. */
#define SOLANA_TEXT_UNSUMMED                                                                       \
    "outermost invocations of transactions without computeUnitsConsumed: counted by their log "    \
    "lines alone"
#define SOLANA_TEXT_PRICED                                                                         \
    "outermost invocations of built-in programs, charged the runtime's price for an instruction"
#define SOLANA_TEXT_UNPRICED                                                                       \
    "outermost invocations without a consumed line and of no known price, charged nothing"
#define SOLANA_TEXT_STOPPED                                                                        \
    "programs that the virtual machine stopped: charged the rest of their budget, as the runtime " \
    "does, though the log does not tell"
#define SOLANA_TEXT_LESS                                                                           \
    "transactions that were charged less than their log adds up to: charged what it adds up to"

/* Why a program failed, by the text of its `failed:` line. */
typedef enum toll_solana_end {
    SOLANA_END_OTHER,    /* an error of its own, of a syscall or of a program that it invoked */
    SOLANA_END_STOPPED,  /* by the virtual machine: it is charged all that remained */
    SOLANA_END_ACCESS,   /* access violation: the same, unless a syscall made the access */
    SOLANA_END_EXHAUSTED /* too few units remained: a built-in's charge is not known */
} toll_solana_end;
toll_solana_end toll_solana_end_of(const char *text, size_t size);

/* One transaction; every number may be SOLANA_UNTOLD but `known` and `priced`. */
typedef struct toll_solana_bill {
    int64_t charged; /* the sum that it was charged */
    int64_t known;   /* by lines and prices */
    int64_t priced;  /* of that, by prices */
    int64_t limit;   /* what it may spend: what remained before the first line, and `known` then */
    int64_t left;    /* what remained after the last invocation by its line, if it failed */
    toll_solana_end end; /* of that invocation */
} toll_solana_bill;

/* What is charged beyond `known`. */
typedef struct toll_solana_settlement {
    int64_t rest;      /* to the last invocation: what remained of its budget */
    int64_t unlogged;  /* to no invocation */
    bool is_assumed;   /* `rest` follows from the error alone */
    bool drops_prices; /* in this runtime built-in programs cost nothing */
    bool is_less;      /* `charged` is less than `known`, even without prices */
} toll_solana_settlement;

toll_solana_settlement toll_solana_settle(const toll_solana_bill *bill);

/* A program failed because its callee did: then the same number of units remained after both. So
 * what the callee was charged beyond its line is the difference between what remained by the line
 * of each. 0 if the lines contradict each other. */
int64_t toll_solana_rest_of(int64_t callee_left, int64_t caller_left);

#endif
