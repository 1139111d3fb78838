/* amount.h - parses amounts as people write them in budgets and limits into exact integers: no
 * floating point, no rounding. */
#ifndef TOLL_GATES_AMOUNT_H
#define TOLL_GATES_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an amount counts, by its text. */
typedef enum toll_amount_kind {
    TOLL_AMOUNT_PLAIN = 0, /* a number alone, or with k, M or G: fits any column */
    TOLL_AMOUNT_BYTES = 1, /* B, kB (1,000), KiB (1,024), ... */
    TOLL_AMOUNT_CU = 2     /* compute units */
} toll_amount_kind;

typedef struct toll_amount {
    int64_t value; /* in the unit of the column */
    toll_amount_kind kind;
} toll_amount;

/* Parse all of text[size] as an amount: "45,000", "45_000", "12 kB", "1.5 MiB", "300 CU".
 * Separators must be between groups of three digits. Returns NULL, or what is wrong and what to
 * write. */
const char *toll_amount_parse(const char *text, size_t size, toll_amount *out);

/* Does the amount fit a column in that unit? Bytes and compute units fit only their own columns. */
bool toll_amount_is_of(const toll_amount *amount, const char *unit);

/* How much more than a base is allowed: an amount, or a share of the base. */
typedef struct toll_allowance {
    toll_amount amount;   /* if whole is 0 */
    uint64_t part, whole; /* part / whole of the base: 0.5% is 5 / 1000 */
} toll_allowance;

/* Parse all of text[size] as an allowance: "1%", "0.25%", "500", "4 kB". Returns as above. */
const char *toll_allowance_parse(const char *text, size_t size, toll_allowance *out);

/* The largest integer that is within the allowance over `base`, whose sign is ignored. A share of 0
 * is 0. INT64_MAX if the result does not fit. */
int64_t toll_allowance_of(const toll_allowance *allowance, int64_t base);

#endif
