/* amount.h - amounts as people write them in budgets and limits, as exact integers: no floating
 * point, nothing rounded. */
#ifndef TOLL_GATES_AMOUNT_H
#define TOLL_GATES_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the text says that it counts. */
typedef enum toll_amount_kind {
    TOLL_AMOUNT_PLAIN = 0, /* a number alone, or with k, M or G: of any column */
    TOLL_AMOUNT_BYTES = 1, /* B, kB (1,000), KiB (1,024), ... */
    TOLL_AMOUNT_CU = 2     /* compute units */
} toll_amount_kind;

typedef struct toll_amount {
    int64_t value; /* in the unit of the column */
    toll_amount_kind kind;
} toll_amount;

/* All of text[size] as an amount: "45,000", "45_000", "12 kB", "1.5 MiB", "300 CU". Separators
 * be between groups of three digits. Returns NULL, or what is wrong and what to write. */
const char *toll_amount_parse(const char *text, size_t size, toll_amount *out);

/* Can it be an amount of a column in that unit? Bytes and compute units are of their columns alone.
 */
bool toll_amount_is_of(const toll_amount *amount, const char *unit);

/* How much more than a base is allowed: an amount, or a share of the base. */
typedef struct toll_allowance {
    toll_amount amount;   /* if whole is 0 */
    uint64_t part, whole; /* part / whole of the base: 0.5% is 5 / 1000 */
} toll_allowance;

/* All of text[size] as an allowance: "1%", "0.25%", "500", "4 kB". Returns as above. */
const char *toll_allowance_parse(const char *text, size_t size, toll_allowance *out);

/* The largest integer that is not more than the allowance over `base`, of which the sign does not
 * count. A share of 0 is 0. What does not fit is INT64_MAX. */
int64_t toll_allowance_of(const toll_allowance *allowance, int64_t base);

#endif
