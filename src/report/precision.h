/* precision.h - prints values that are made of samples only as exactly as they are known. For
 * report/ and page/.
 *
 * Samples of a function are events of chance: of a function with few of them, nothing is known but
 * that it took little. A value of less than 5 samples (in the mean) is printed as "< BOUND", where
 * the bound is 10 samples, rounded up to one digit: the exact (Poisson) 95 % limit for 4 samples is
 * 9.2. And a share of N samples is right within 0.98 / sqrt(N) with 95 %, whatever the share is
 * (the normal limit of a half, the worst one). */
#ifndef TOLL_REPORT_PRECISION_H
#define TOLL_REPORT_PRECISION_H

#include "report/report_text.h"

#include <stdbool.h>

typedef struct toll_precision {
    int64_t least; /* smaller values are printed as a bound; 0: all are exact */
    int64_t bound;
    uint64_t size;    /* what one sample represents */
    uint64_t samples; /* in the whole column */
    bool are_windows; /* see toll_samples */
    const char *unit;
} toll_precision;

enum { TOLL_PRECISE_TEXT_SIZE = TOLL_VALUE_TEXT_SIZE + 2 };

/* Of a column whose values add up to `whole`. */
toll_precision toll_precision_of(const toll_profile *profile, uint32_t column, int64_t whole);

/* toll_value_text and toll_share_text, or "< 2 ms" and "< 0.1%"; "-" for a share that may be
 * anything. */
const char *toll_precise_text(const toll_precision *precision, int64_t value,
                              char text[TOLL_PRECISE_TEXT_SIZE]);
const char *toll_precise_share(const toll_precision *precision, int64_t part, int64_t whole,
                               char text[TOLL_PRECISE_TEXT_SIZE]);

/* Put ", 6,137 samples: shares within 1.3 points", ", 7 samples, too few for shares", or nothing
 * for exact values. Of windows chance is the lesser error. */
void toll_report_put_samples(toll_output *out, const toll_precision *precision);

#endif
