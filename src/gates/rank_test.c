/* rank_test.c - see rank_test.h.
 *
 * The test: H. B. Mann and D. R. Whitney, On a Test of Whether One of Two Random Variables Is
 * Stochastically Larger than the Other, Annals of Mathematical Statistics 18 (1947). With equal
 * values the distribution is that of all divisions of the ranks that there are, mean ranks for
 * equal ones: E. L. Lehmann, Nonparametrics (1975), chapter 1.4; the normal approximation, its
 * correction for ties and for continuity are there, too. Intervals of a ratio are those that belong
 * to the test: M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods (1999), chapter 4.3.
 * Those of a median are order statistics: the same book, chapter 3.6.
 *
 * The library links no libm: square root and error function are computed here. */
#include "gates/rank_test.h"

#include "base/sort.h"

#include <string.h>

enum { MOST_EXACT = 50 }; /* values of both samples: the number of divisions fits 64 bits */

#define LEVEL 0.05
#define QUANTILE 1.9599639845400545 /* of the normal distribution, at 1 - LEVEL / 2 */

/* --- numbers -----------------------------------------------------------------------------------*/

/* The square root, by Newton's method: from above until it falls no more. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    if (x <= 0)
        return 0;
    for (double next; (next = (r + x / r) / 2) < r;)
        r = next;
    return r;
}

/* The probability that a normal variable is z or more away from its mean, for z >= 0: one minus the
 * error function, by its series. From 6 on that is below 1e-8, and what is returned is 0: there the
 * terms become so large that they lose as much. */
static double normal_tails(double z)
{
    double x = z * root(0.5), term = x, sum = x;
    if (z >= 6)
        return 0;
    for (int k = 1; k < 200; k++) {
        term *= -x * x / k;
        sum += term / (2 * k + 1);
    }
    double p = 1 - sum * 1.1283791670955126; /* 2 / root(pi) */
    return p < 0 ? 0 : p;
}

static int compare_values(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int64_t middle_of(int64_t low, int64_t high)
{
    return low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
}

/* --- a median ----------------------------------------------------------------------------------*/

/* The largest k for which the kth smallest and the kth largest of n values enclose the median with
 * 95%: each value is below it with a probability of a half, so that the number of such has a
 * binomial distribution. 0: there is none. */
static uint32_t enclosing_rank(uint32_t n)
{
    double exactly = 1, fewer = 0; /* probabilities that k values, and fewer, are below it */
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        exactly /= 2; /* 2^-1000 is no denormal */
    while (k < n && 2 * (fewer + exactly) <= LEVEL) {
        fewer += exactly;
        exactly *= (double)(n - k) / (k + 1);
        k++;
    }
    return k;
}

bool toll_median_of(const toll_mem *mem, toll_sample s, toll_median *out)
{
    int64_t *sorted = toll_mem_new(mem, s.count, sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, s.values, s.count * sizeof *sorted);
    toll_sort(sorted, s.count, sizeof *sorted, compare_values);
    uint32_t k = enclosing_rank(s.count);
    *out = (toll_median){ .median = middle_of(sorted[(s.count - 1) / 2], sorted[s.count / 2]),
                          .has_interval = k > 0 };
    if (k) {
        out->low = sorted[k - 1];
        out->high = sorted[s.count - k];
    }
    toll_mem_free(mem, sorted, s.count, sizeof *sorted);
    return true;
}

/* --- ranks -------------------------------------------------------------------------------------*/

/* Ranks are kept twice as large as they are: the mean ranks of equal values are whole numbers then.
 */
typedef struct ranks {
    uint32_t n, of_a; /* values of both samples, and of a */
    uint64_t sum;     /* the ranks of a's values */
    uint64_t ties;    /* the sum of t^3 - t, of each t equal values */
    uint32_t *of;     /* each value's, sorted; room for `n` */
} ranks;

typedef struct value {
    int64_t value;
    bool is_of_a;
} value;

static int compare_items(const void *a, const void *b)
{
    const value *x = a, *y = b;
    int order = compare_values(&x->value, &y->value);
    return order ? order : (int)x->is_of_a - (int)y->is_of_a;
}

static void rank(ranks *r, const value *items)
{
    for (uint32_t i = 0, end; i < r->n; i = end) {
        for (end = i + 1; end < r->n && items[end].value == items[i].value; end++)
            ;
        uint64_t equal = end - i;
        r->ties += equal * equal * equal - equal;
        for (uint32_t k = i; k < end; k++) {
            r->of[k] = i + 1 + end;
            r->sum += items[k].is_of_a ? r->of[k] : 0;
        }
    }
}

static bool make_ranks(const toll_mem *mem, toll_sample a, toll_sample b, ranks *r)
{
    *r = (ranks){ .n = a.count + b.count, .of_a = a.count };
    value *items = toll_mem_new(mem, r->n, sizeof *items);
    r->of = toll_mem_new(mem, r->n, sizeof *r->of);
    if (items && r->of) {
        for (uint32_t i = 0; i < r->n; i++)
            items[i] = i < a.count ? (value){ a.values[i], true }
                                   : (value){ b.values[i - a.count], false };
        toll_sort(items, r->n, sizeof *items, compare_items);
        rank(r, items);
    }
    bool good = items && r->of;
    toll_mem_free(mem, items, r->n, sizeof *items);
    if (!good)
        toll_mem_free(mem, r->of, r->n, sizeof *r->of);
    return good;
}

/* --- the exact distribution --------------------------------------------------------------------*/

/* In how many ways so many of the ranks have each sum. */
typedef struct ways {
    uint64_t *counts; /* row by row: of 0 ranks, of 1, ... */
    size_t width, size;
} ways;

static bool count_ways(const toll_mem *mem, const uint32_t *ranks_of, uint32_t n, uint32_t of_a,
                       ways *w)
{
    *w = (ways){ .width = 1 };
    for (uint32_t i = 0; i < n; i++)
        w->width += ranks_of[i];
    w->size = w->width * (of_a + 1);
    w->counts = toll_mem_new(mem, w->size, sizeof *w->counts);
    if (!w->counts)
        return false;
    w->counts[0] = 1;
    for (uint32_t i = 0; i < n; i++) /* with or without the ith rank */
        for (uint32_t k = i < of_a ? i + 1 : of_a; k > 0; k--) {
            uint64_t *with = w->counts + k * w->width;
            for (size_t sum = ranks_of[i]; sum < w->width; sum++)
                with[sum] += (with - w->width)[sum - ranks_of[i]];
        }
    return true;
}

/* The probability of a sum of a's ranks in [from, to]. */
static double share_of(const ways *w, uint32_t of_a, size_t from, size_t to)
{
    const uint64_t *counts = w->counts + of_a * w->width;
    uint64_t within = 0, all = 0;
    for (size_t sum = 0; sum < w->width; sum++) {
        all += counts[sum];
        within += sum >= from && sum <= to ? counts[sum] : 0;
    }
    return (double)within / (double)all;
}

static bool exact_p(const toll_mem *mem, const ranks *r, double *p)
{
    ways w;
    if (!count_ways(mem, r->of, r->n, r->of_a, &w))
        return false;
    double below = share_of(&w, r->of_a, 0, r->sum), above = share_of(&w, r->of_a, r->sum, w.width);
    *p = 2 * (below < above ? below : above);
    *p = *p > 1 ? 1 : *p;
    toll_mem_free(mem, w.counts, w.size, sizeof *w.counts);
    return true;
}

/* --- the test ----------------------------------------------------------------------------------*/

static double normal_p(const ranks *r)
{
    double n = r->n, a = r->of_a, b = n - a;
    double away = (double)r->sum / 2 - a * (n + 1) / 2;
    double variance = a * b / 12 * (n + 1 - (double)r->ties / (n * (n - 1)));
    away = (away < 0 ? -away : away) - 0.5; /* sums are a half away from those beside them */
    return away <= 0 || variance <= 0 ? 1 : normal_tails(away / root(variance));
}

bool toll_rank_test(const toll_mem *mem, toll_sample a, toll_sample b, double *p)
{
    ranks r;
    if (!make_ranks(mem, a, b, &r))
        return false;
    bool good = true;
    if (r.n <= MOST_EXACT)
        good = exact_p(mem, &r, p);
    else
        *p = normal_p(&r);
    toll_mem_free(mem, r.of, r.n, sizeof *r.of);
    return good;
}

double toll_rank_least_p(uint32_t a, uint32_t b)
{
    double p = 2; /* two of all divisions of the ranks differ most */
    for (uint32_t i = 1; i <= a; i++)
        p *= (double)i / (b + i);
    return p > 1 ? 1 : p;
}

/* --- a ratio -----------------------------------------------------------------------------------*/

/* How many of the a * b ratios, sorted, are left out at each end of the interval: one more than the
 * largest U that the test takes for a difference. 0: none would do. */
static bool left_out(const toll_mem *mem, uint32_t a, uint32_t b, size_t *count)
{
    uint32_t n = a + b, ranks_of[MOST_EXACT];
    double x = a, y = b;
    *count = 0;
    if (n > MOST_EXACT) {
        double most = x * y / 2 - 0.5 - QUANTILE * root(x * y * (x + y + 1) / 12);
        *count = most < 0 ? 0 : (size_t)most + 1;
        return true;
    }
    ways w;
    for (uint32_t i = 0; i < n; i++)
        ranks_of[i] = i + 1;
    if (!count_ways(mem, ranks_of, n, a, &w))
        return false;
    size_t least = (size_t)a * (a + 1) / 2; /* of the sum of a's ranks: U is what is above it */
    while (share_of(&w, a, 0, least + *count) <= LEVEL / 2)
        ++*count;
    toll_mem_free(mem, w.counts, w.size, sizeof *w.counts);
    return true;
}

static bool is_positive(toll_sample s)
{
    for (uint32_t i = 0; i < s.count; i++)
        if (s.values[i] <= 0)
            return false;
    return true;
}

bool toll_ratio_of(const toll_mem *mem, toll_sample a, toll_sample b, toll_ratio *out)
{
    size_t count = (size_t)a.count * b.count, skip;
    *out = (toll_ratio){ .is_known = is_positive(a) && is_positive(b) };
    if (!out->is_known)
        return true;
    double *ratios = toll_mem_new(mem, count, sizeof *ratios);
    if (!ratios || !left_out(mem, a.count, b.count, &skip)) {
        toll_mem_free(mem, ratios, count, sizeof *ratios);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        ratios[i] = (double)a.values[i / b.count] / (double)b.values[i % b.count];
    toll_sort(ratios, count, sizeof *ratios, compare_doubles);
    out->ratio = (ratios[(count - 1) / 2] + ratios[count / 2]) / 2;
    out->has_interval = skip > 0;
    if (skip) {
        out->low = ratios[skip - 1];
        out->high = ratios[count - skip];
    }
    toll_mem_free(mem, ratios, count, sizeof *ratios);
    return true;
}

/* --- several tests -----------------------------------------------------------------------------*/

typedef struct numbered_p {
    double p;
    uint32_t number;
} numbered_p;

static int compare_numbered(const void *a, const void *b)
{
    const numbered_p *x = a, *y = b;
    int order = compare_doubles(&x->p, &y->p);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
 * Statistics 6 (1979): the least of m is multiplied by m, the next by m - 1, and so on; none
 * becomes less than one before it. */
bool toll_adjust_p(const toll_mem *mem, double *p, uint32_t count)
{
    double before = 0;
    numbered_p *sorted = toll_mem_new(mem, count, sizeof *sorted);
    if (count && !sorted)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (numbered_p){ p[i], i };
    toll_sort(sorted, count, sizeof *sorted, compare_numbered);
    for (uint32_t i = 0; i < count; i++) {
        double adjusted = sorted[i].p * (count - i);
        before = adjusted > before ? adjusted : before;
        p[sorted[i].number] = before > 1 ? 1 : before;
    }
    toll_mem_free(mem, sorted, count, sizeof *sorted);
    return true;
}
