/* sbf_trace_order.h - traces in an order in which those that fit an invocation equally well are
 * side by side: by what must be equal (their kin), by the least that they cost, by their
 * instructions, and last by their place in the job, which is that of their names.
 *
 * Owns: its arrays. The traces are the job's, and stay as they are but for `used`. Finding the
 * neighbours, the one of them that was used least, and counting a use take O(log n) each. */
#ifndef TOLL_SBF_SBF_TRACE_ORDER_H
#define TOLL_SBF_SBF_TRACE_ORDER_H

#include "sbf/sbf_job.h"

typedef struct toll_sbf_kin {
    uint32_t program, invokes;
    uint32_t logs;     /* 0 in an order that does not go by it */
    bool has_syscalls; /* any */
    bool has_failed;   /* as the trace ends */
} toll_sbf_kin;

typedef struct toll_sbf_trace_key {
    toll_sbf_kin kin;
    uint32_t trace; /* in the job's traces */
    uint64_t least; /* that it costs: instructions, and system calls at the least */
    uint64_t instructions;
} toll_sbf_trace_key;

typedef struct toll_sbf_trace_order {
    toll_mem mem;
    const toll_sbf_trace *traces;
    bool by_logs;
    size_t count;
    size_t leaves;            /* of both trees: a power of two, at least `count` */
    toll_sbf_trace_key *keys; /* in order */
    uint32_t *same;           /* of each key: the place after those of its shape from it on */
    uint32_t *places;         /* of each trace: where its key is */
    uint64_t *shortest;       /* of each subtree: the fewest instructions */
    uint32_t *freshest;       /* of each subtree: the trace used least, of several the first */
    uint64_t looks;           /* at keys and subtrees so far */
} toll_sbf_trace_order;

/* Neighbours: [from, end) of the order. */
typedef struct toll_sbf_trace_range {
    size_t from, end;
    uint64_t least; /* that each of them costs */
} toll_sbf_trace_range;

/* Order traces, of which none is used yet. False: no memory; free it in any case. */
bool toll_sbf_trace_order_make(toll_sbf_trace_order *order, const toll_mem *mem,
                               const toll_sbf_trace *traces, size_t count, bool by_logs);
void toll_sbf_trace_order_free(toll_sbf_trace_order *order);

/* Of that kin those that cost most, but not more than `most`. False: there is none. */
bool toll_sbf_trace_order_within(toll_sbf_trace_order *order, toll_sbf_kin kin, uint64_t most,
                                 toll_sbf_trace_range *out);

/* Of that kin, of which all cost too much, those that cost least, of at most so many instructions.
 * False: there is none. */
bool toll_sbf_trace_order_above(toll_sbf_trace_order *order, toll_sbf_kin kin,
                                uint64_t instructions, toll_sbf_trace_range *out);

/* Of two traces the one used less; of two that are used equally often the first. Either may be
 * TOLL_SBF_NONE. */
uint32_t toll_sbf_fresher(const toll_sbf_trace *traces, uint32_t a, uint32_t b);

/* The freshest one of neighbours. */
uint32_t toll_sbf_trace_order_freshest(toll_sbf_trace_order *order,
                                       const toll_sbf_trace_range *range);

/* Are neighbours all of one shape? */
static inline bool toll_sbf_trace_order_is_same(const toll_sbf_trace_order *order,
                                                const toll_sbf_trace_range *range)
{
    return order->same[range->from] >= range->end;
}

/* The trace's `used` has changed. */
void toll_sbf_trace_order_update(toll_sbf_trace_order *order, uint32_t trace);

#endif
