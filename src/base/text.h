/* text.h - UTF-8, decimal numbers, and 64-bit arithmetic that reports overflow. No locale. */
#ifndef TOLL_BASE_TEXT_H
#define TOLL_BASE_TEXT_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The offset of the first byte that is not valid UTF-8 or is NUL; `size` if all are good.
 * ASCII is checked eight bytes at a time. */
size_t toll_text_check(const char *text, size_t size);

/* Append `text` with what is not valid UTF-8, and NULs, replaced by U+FFFD. */
bool toll_text_append_clean(toll_buffer *buffer, const char *text, size_t size);

/* Append code point `c` as UTF-8 (a surrogate or too large one as U+FFFD). */
bool toll_text_append_char(toll_buffer *buffer, uint32_t c);

/* Decimal digits in all of text[size] as an unsigned number; false if it is something else or does
 * not fit. */
bool toll_text_u64(const char *text, size_t size, uint64_t *out);

/* The same with an optional minus. */
bool toll_text_i64(const char *text, size_t size, int64_t *out);

/* A decimal number with optional fraction and exponent (JSON's form), times 10^scale, rounded to
 * the nearest integer, half away from zero: "1.5" at scale 3 is 1500. *exact (may be NULL) says
 * whether nothing was rounded. False if malformed or it does not fit 64 bits. */
bool toll_text_scaled(const char *text, size_t size, int scale, int64_t *out, bool *exact);

/* Write v in decimal; returns the length, at most 20. */
size_t toll_text_put_u64(char *out, uint64_t v);
size_t toll_text_put_i64(char *out, int64_t v); /* at most 20 */

/* Sums that say whether they fit; *out is unchanged if not. */
bool toll_i64_add(int64_t a, int64_t b, int64_t *out);
bool toll_i64_sub(int64_t a, int64_t b, int64_t *out);

/* Does `text` end in `end`? */
bool toll_text_ends_with(const char *text, const char *end);

/* A 64-bit hash of bytes, for tables in memory only: not stable between versions. */
uint64_t toll_hash_bytes(const void *data, size_t size, uint64_t seed);

static inline uint64_t toll_hash_u64(uint64_t v)
{
    v ^= v >> 32;
    v *= UINT64_C(0xd6e8feb86659fd93);
    v ^= v >> 32;
    v *= UINT64_C(0xd6e8feb86659fd93);
    v ^= v >> 32;
    return v;
}

#endif
