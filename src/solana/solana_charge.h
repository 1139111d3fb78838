/* solana_charge.h - computes what a transaction was charged beyond the figures of its log.
 *
 * The log shows what each program consumed. It lacks three things: the price of a built-in
 * program's instruction; the price of a larger heap, which the message requests, before each
 * program; and what remained of the budget when the virtual machine stopped a program, all of which
 * the runtime charges. Together they follow from the transaction's charge (`computeUnitsConsumed`,
 * `unitsConsumed`). */
#ifndef TOLL_SOLANA_SOLANA_CHARGE_H
#define TOLL_SOLANA_SOLANA_CHARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOLANA_HEAP_COST = 8, SOLANA_MAX_HEAP = 256 * 1024 }; /* units for a page; bytes */

#define SOLANA_UNLOGGED INT64_C(-1) /* a number of units that is not in the log */

#define SOLANA_NONE_FAILED INT64_MAX /* no instruction of the transaction failed */

/* a + b, at most 2^62, which is larger than any total. Both are at most 2^62. */
static inline int64_t toll_solana_add(int64_t a, int64_t b)
{
    const int64_t most = INT64_C(1) << 62;
    return a > most - b ? most : a + b;
}

/* Frames for units that were charged and are not in the log. */
#define SOLANA_FRAME_REST "(rest of the budget)"
#define SOLANA_FRAME_HEAP "(heap frame)"
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
    SOLANA_END_OTHER,       /* by an error of its own, of a syscall or of a program that it
                             * invoked */
    SOLANA_END_STOPPED,     /* by the virtual machine: it is charged all that remained */
    SOLANA_END_UNSUPPORTED, /* the same, at an instruction that the machine does not have, such as a
                             * call of a syscall that this runtime lacks; that instruction is not
                             * charged */
    SOLANA_END_ACCESS,      /* access violation: the same, unless a syscall made the access */
    SOLANA_END_EXHAUSTED    /* too few units remained: what a built-in program was charged is not
                             * known */
} toll_solana_end;
toll_solana_end toll_solana_end_of(const char *text, size_t size);

/* What one invocation spent. The readers of logs have one for each. */
typedef struct toll_solana_spent {
    bool is_logged;      /* the log has a line `consumed TOTAL of BUDGET` */
    bool priced;         /* it has no such line; the price of a built-in program is used */
    bool finished;       /* its end is in the log, */
    bool failed;         /* and that line says that it failed */
    toll_solana_end end; /* why, if it failed */
    int64_t total;  /* with everything that it invoked; if the log lacks it, the sum of those */
    int64_t self;   /* without what it invoked */
    int64_t budget; /* units that remained before its heap was charged, if known */
    int64_t nested; /* what its callees were charged */
    int64_t heap;   /* charged in addition to `total`, before its first instruction */
    int64_t rest;   /* charged in addition to `total`: the rest of its budget */
    bool rest_is_assumed; /* the rest is derived from the error alone, which a system call can
                           * cause, too */
} toll_solana_spent;

/* The units that remained for its first instruction, if known. */
static inline int64_t toll_solana_at_start(const toll_solana_spent *spent)
{
    return spent->budget - spent->heap;
}

/* Where the units of an invocation without a line `consumed` are counted. */
typedef enum toll_solana_pricing {
    SOLANA_WITHIN_CALLER, /* in its caller's figures */
    SOLANA_PRICED,        /* in its own: it is charged its price */
    SOLANA_UNPRICED       /* nowhere: it did not end, or its price is not known */
} toll_solana_pricing;

/* Price an invocation without figures in the log, of program id[size]. A built-in program is
 * charged its price unless a caller's line includes it. The caller (NULL for an outermost
 * invocation) must be priced before. */
toll_solana_pricing toll_solana_price(toll_solana_spent *spent, const toll_solana_spent *caller,
                                      const char *id, size_t size);

/* What each program is charged for a heap of so many bytes, at `cost` for each page but the first.
 * 0 for more than a program can have. */
int64_t toll_solana_heap_price(uint64_t bytes, uint64_t cost);

/* Compute the rest of a callee whose failure made `caller` fail. Then the same number of units
 * remained after both. So the callee was charged, beyond its line, the difference between what
 * remained by the two lines; 0 if a line is missing, or they contradict each other. */
void toll_solana_charge_callee(toll_solana_spent *callee, const toll_solana_spent *caller);

/* The charge of one transaction. */
typedef struct toll_solana_bill {
    int64_t charged;         /* what it was charged, or SOLANA_UNLOGGED */
    int64_t known;           /* the part that lines and prices explain */
    int64_t priced;          /* of `known`: prices of built-in programs */
    int64_t heap;            /* of `known`: prices of heaps */
    int64_t limit;           /* the transaction's limit: what remained before the first line, plus
                              * `known` at that point; or SOLANA_UNLOGGED */
    toll_solana_spent *last; /* the last outermost invocation; NULL: no invocation */
    uint64_t outermost;      /* number of outermost invocations */
} toll_solana_bill;

toll_solana_bill toll_solana_bill_of(int64_t charged);

/* Add the invocations in the order of the log, each with its total and price. */
void toll_solana_bill_add(toll_solana_bill *bill, toll_solana_spent *spent, bool is_outermost);

/* How the charge beyond `known` is distributed. */
typedef struct toll_solana_distribution {
    int64_t unlogged;  /* units that belong to no invocation */
    bool drops_prices; /* in this runtime built-in programs are free */
    bool drops_heap;   /* in this runtime larger heaps are free */
    bool is_less;      /* `charged` is less than `known`, even without prices */
} toll_solana_distribution;

/* Call this after all invocations were added. Sets the rest of the last one. */
toll_solana_distribution toll_solana_distribute(const toll_solana_bill *bill);

#endif
