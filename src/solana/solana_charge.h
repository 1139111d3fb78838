/* solana_charge.h - what a transaction was charged beyond the figures of its log.
 *
 * The log tells what each program consumed. Three things it leaves out: the price of a built-in
 * program's instruction; what was left of the budget when the virtual machine stopped a program,
 * which the runtime takes as a whole; and small sums, such as the price of a larger heap. The sum
 * that the transaction was charged (`computeUnitsConsumed`, `unitsConsumed`) tells them together.
 */
#ifndef TOLL_SOLANA_SOLANA_CHARGE_H
#define TOLL_SOLANA_SOLANA_CHARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOLANA_UNTOLD INT64_C(-1) /* of a number of units */

/* Frames of what was charged and is not in the log. */
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
    SOLANA_END_STOPPED,  /* by the virtual machine: it is charged what was left */
    SOLANA_END_ACCESS,   /* of memory: the same, unless a syscall made the access */
    SOLANA_END_EXHAUSTED /* nothing was left for what it asked: a built-in's price is not known */
} toll_solana_end;
toll_solana_end toll_solana_end_of(const char *text, size_t size);

/* One transaction; every number may be SOLANA_UNTOLD but `known` and `priced`. */
typedef struct toll_solana_bill {
    int64_t charged; /* its sum */
    int64_t known;   /* by lines and prices */
    int64_t priced;  /* of that, by prices */
    int64_t limit; /* what it may spend: what the first told invocation had left, and all before */
    int64_t left;  /* what the last invocation had left by its line, if it failed */
    toll_solana_end end; /* of that */
} toll_solana_bill;

/* What is charged beyond `known`. */
typedef struct toll_solana_settlement {
    int64_t rest;      /* to the last invocation: what was left of its budget */
    int64_t unlogged;  /* to nobody */
    bool is_assumed;   /* `rest` follows from the error alone */
    bool drops_prices; /* this runtime asks nothing for built-in programs */
    bool is_less;      /* `charged` is less than `known`, even without prices */
} toll_solana_settlement;

toll_solana_settlement toll_solana_settle(const toll_solana_bill *bill);

/* A program failed because one that it invoked did: both had nothing left, or the same. So what the
 * callee was charged beyond its line is the difference of what each had left by its own. 0 if the
 * lines contradict each other. */
int64_t toll_solana_rest_of(int64_t callee_left, int64_t caller_left);

#endif
