/* sbf_trace_order.h - sorts traces so that those that fit an invocation equally well are
 * neighbours. They are sorted by what must be equal (their kin), by the least that they cost, by
 * their instructions, and last by their index in the job, which follows their names.
 *
 * Owns: its arrays. The traces are the job's, and only `used` changes. Finding neighbours, finding
 * the least used of them, and counting a use are O(log n) each. */
#ifndef TOLL_SBF_SBF_TRACE_ORDER_H
#define TOLL_SBF_SBF_TRACE_ORDER_H

#include "sbf/sbf_job.h"

typedef struct toll_sbf_kin {
    uint32_t program, invokes;
    uint32_t logs;     /* 0 in an order that ignores it */
    bool has_syscalls; /* it has at least one */
    bool has_failed;   /* the trace ends with an error */
} toll_sbf_kin;

typedef struct toll_sbf_trace_key {
    toll_sbf_kin kin;
    uint32_t trace; /* index in the job's traces */
    uint64_t least; /* least cost: instructions, and the least prices of system calls */
    uint64_t instructions;
} toll_sbf_trace_key;

typedef struct toll_sbf_trace_order {
    toll_mem mem;
    const toll_sbf_trace *traces;
    bool by_logs;
    size_t count;
    size_t leaves;            /* of both trees: a power of two, at least `count` */
    toll_sbf_trace_key *keys; /* sorted */
    uint32_t *same;           /* by key: the place after the last of the same shape */
    uint32_t *places;         /* by trace: the place of its key */
    uint64_t *shortest;       /* by subtree: the fewest instructions */
    uint32_t *freshest;       /* by subtree: the least used trace, the first of equal ones */
    uint64_t looks;           /* keys and subtrees examined so far */
} toll_sbf_trace_order;

/* Neighbours: places [from, end) of the order. */
typedef struct toll_sbf_trace_range {
    size_t from, end;
    uint64_t least; /* cost of each of them */
} toll_sbf_trace_range;

/* Sort traces, none of which is used yet. False: no memory. Free it in either case. */
bool toll_sbf_trace_order_make(toll_sbf_trace_order *order, const toll_mem *mem,
                               const toll_sbf_trace *traces, size_t count, bool by_logs);
void toll_sbf_trace_order_free(toll_sbf_trace_order *order);

/* Find the traces of that kin that cost most, but at most `most`. False: there is none. */
bool toll_sbf_trace_order_within(toll_sbf_trace_order *order, toll_sbf_kin kin, uint64_t most,
                                 toll_sbf_trace_range *out);

/* If all traces of that kin cost too much: find those that cost least, with at most so many
 * instructions. False: there is none. */
bool toll_sbf_trace_order_above(toll_sbf_trace_order *order, toll_sbf_kin kin,
                                uint64_t instructions, toll_sbf_trace_range *out);

/* The less used of two traces; the first if both are used equally often. Either may be
 * TOLL_SBF_NONE. */
uint32_t toll_sbf_fresher(const toll_sbf_trace *traces, uint32_t a, uint32_t b);

/* The least used of neighbours. */
uint32_t toll_sbf_trace_order_freshest(toll_sbf_trace_order *order,
                                       const toll_sbf_trace_range *range);

/* Have all neighbours the same shape? */
static inline bool toll_sbf_trace_order_is_same(const toll_sbf_trace_order *order,
                                                const toll_sbf_trace_range *range)
{
    return order->same[range->from] >= range->end;
}

/* Update the order after a trace's `used` has changed. */
void toll_sbf_trace_order_update(toll_sbf_trace_order *order, uint32_t trace);

#endif
