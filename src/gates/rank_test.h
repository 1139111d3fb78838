/* rank_test.h - compares two samples by the ranks of their values: the test of Mann and Whitney,
 * intervals of a median and of a ratio. Nothing is assumed about how the values are distributed. */
#ifndef TOLL_GATES_RANK_TEST_H
#define TOLL_GATES_RANK_TEST_H

#include "base/mem.h"

#include <stdint.h>

enum { TOLL_MOST_SAMPLE = 1000 }; /* values of a sample */

/* Values in any order. */
typedef struct toll_sample {
    const int64_t *values;
    uint32_t count; /* from 1 to TOLL_MOST_SAMPLE */
} toll_sample;

/* The middle of a sample, and what encloses the median of all runs that could be made, with a
 * probability of 95% or more: two values of the sample. */
typedef struct toll_median {
    int64_t median;    /* of an even number of values: the mean of the middle two, rounded down */
    int64_t low, high; /* if has_interval */
    bool has_interval; /* there are 6 values or more */
} toll_median;

/* How many times as large the values of one sample are as those of another: the median of all
 * ratios of a value of the first and one of the second. */
typedef struct toll_ratio {
    bool is_known; /* no value is 0 or less */
    double ratio;
    double low, high; /* if has_interval: 95% */
    bool has_interval;
} toll_ratio;

/* False: no memory. */
bool toll_median_of(const toll_mem *mem, toll_sample sample, toll_median *out);

/* How probable it is that two samples of one and the same distribution differ by ranks as much as
 * these, or more (two-sided). Exact for up to 50 values together, with equal values, too; else by
 * the normal approximation. False: no memory. */
bool toll_rank_test(const toll_mem *mem, toll_sample a, toll_sample b, double *p);

/* The least p that toll_rank_test can have for samples of these sizes. */
double toll_rank_least_p(uint32_t a, uint32_t b);

/* False: no memory. */
bool toll_ratio_of(const toll_mem *mem, toll_sample a, toll_sample b, toll_ratio *out);

/* Replace each of the p-values of several tests by one that may be compared with 0.05 although
 * there are many: with a probability of 95% none of those below it is there by chance (Holm).
 * False: no memory. */
bool toll_adjust_p(const toll_mem *mem, double *p, uint32_t count);

#endif
