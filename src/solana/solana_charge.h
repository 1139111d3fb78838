/* solana_charge.h - what a transaction was charged beyond the figures of its log.
 *
 * The log has what each program consumed. It lacks three things: the price of a built-in program's
 * instruction; the price of a larger heap, for which the message asks, before each program; and
 * what remained of the budget when the virtual machine stopped a program, all of which the runtime
 * charges. Together they follow from the sum that the transaction was charged
 * (`computeUnitsConsumed`, `unitsConsumed`). */
#ifndef TOLL_SOLANA_SOLANA_CHARGE_H
#define TOLL_SOLANA_SOLANA_CHARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOLANA_HEAP_COST = 8, SOLANA_MAX_HEAP = 256 * 1024 }; /* of a page; bytes */

#define SOLANA_UNTOLD INT64_C(-1) /* a number of units that is not in the log */

#define SOLANA_NONE_FAILED INT64_MAX /* no instruction of the transaction did */

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
    SOLANA_END_OTHER,       /* an error of its own, of a syscall or of a program that it invoked */
    SOLANA_END_STOPPED,     /* by the virtual machine: it is charged all that remained */
    SOLANA_END_UNSUPPORTED, /* the same, at an instruction that it does not have, such as a call of
                               a syscall that this runtime lacks; that one is not charged */
    SOLANA_END_ACCESS,      /* access violation: the same, unless a syscall made the access */
    SOLANA_END_EXHAUSTED    /* too few units remained: a built-in's charge is not known */
} toll_solana_end;
toll_solana_end toll_solana_end_of(const char *text, size_t size);

/* What one invocation spent, which the readers of logs keep of each. */
typedef struct toll_solana_spent {
    bool told;           /* there is a line `consumed TOTAL of BUDGET` */
    bool priced;         /* there is none, but the price of a built-in program instead */
    bool finished;       /* its end is in the log, */
    bool failed;         /* and says that it failed */
    toll_solana_end end; /* why, if it failed */
    int64_t total;  /* including all that it invoked; if the log does not say, the sum of those */
    int64_t self;   /* without them */
    int64_t budget; /* units that remained before its heap was charged, if known */
    int64_t nested; /* what the invocations in it were charged */
    int64_t heap;   /* charged in addition to `total`, before its first instruction */
    int64_t rest;   /* charged in addition to `total`: what remained of its budget */
    bool rest_is_assumed; /* it follows from the error alone, which may also be a system call's */
} toll_solana_spent;

/* The units that remained for its first instruction, if known. */
static inline int64_t toll_solana_at_start(const toll_solana_spent *spent)
{
    return spent->budget - spent->heap;
}

/* Whose figures an invocation without a line `consumed` is in. */
typedef enum toll_solana_pricing {
    SOLANA_WITHIN_CALLER, /* its caller's */
    SOLANA_PRICED,        /* its own: it is charged its price */
    SOLANA_UNPRICED       /* none: it did not end, or its price is not known */
} toll_solana_pricing;

/* Price an invocation that is not in the log, of the program id[size]: a built-in program is
 * charged its price unless that is included in a caller's line. The caller, NULL for an outermost
 * invocation, has been priced before. */
toll_solana_pricing toll_solana_price(toll_solana_spent *spent, const toll_solana_spent *caller,
                                      const char *id, size_t size);

/* What each program is charged for a heap of so many bytes, at `cost` for each page but the first.
 * 0 where no program has so large a heap. */
int64_t toll_solana_heap_price(uint64_t bytes, uint64_t cost);

/* `caller` failed because `callee` did: then the same number of units remained after both. So what
 * the callee was charged beyond its line is the difference between what remained by the line of
 * each; 0 if a line is missing, or they contradict each other. */
void toll_solana_settle_callee(toll_solana_spent *callee, const toll_solana_spent *caller);

/* One transaction. */
typedef struct toll_solana_bill {
    int64_t charged;         /* the sum that it was charged, or SOLANA_UNTOLD */
    int64_t known;           /* by lines and prices */
    int64_t priced;          /* of that, by prices of built-in programs; */
    int64_t heap;            /* and by that of heaps */
    int64_t limit;           /* what it may spend: what remained before the first line, and `known`
                                then; or SOLANA_UNTOLD */
    toll_solana_spent *last; /* the last outermost invocation; NULL: there is none */
    uint64_t outermost;      /* how many there are */
} toll_solana_bill;

toll_solana_bill toll_solana_bill_of(int64_t charged);

/* Add the invocations in the order of the log, each with its total and price. */
void toll_solana_bill_add(toll_solana_bill *bill, toll_solana_spent *spent, bool is_outermost);

/* What is charged beyond `known`. */
typedef struct toll_solana_settlement {
    int64_t unlogged;  /* to no invocation */
    bool drops_prices; /* in this runtime built-in programs cost nothing */
    bool drops_heap;   /* in this one larger heaps do not */
    bool is_less;      /* `charged` is less than `known`, even without prices */
} toll_solana_settlement;

/* When all have been added: set the rest of the last one. */
toll_solana_settlement toll_solana_settle(const toll_solana_bill *bill);

#endif
