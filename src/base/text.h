/* text.h - UTF-8, decimal numbers, and 64-bit arithmetic that reports overflow. No locale. */
#ifndef TOLL_BASE_TEXT_H
#define TOLL_BASE_TEXT_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The offset of the first byte that is NUL or not valid UTF-8; `size` if there is none. ASCII is
 * checked eight bytes at a time. */
size_t toll_text_check(const char *text, size_t size);

/* Append `text`, with NULs and invalid UTF-8 replaced by U+FFFD. */
bool toll_text_append_clean(toll_buffer *buffer, const char *text, size_t size);

/* Append code point `c` as UTF-8 (a surrogate or too large one as U+FFFD). */
bool toll_text_append_char(toll_buffer *buffer, uint32_t c);

/* Parse text[size] as an unsigned decimal number. False if it has other characters or does not
 * fit. */
bool toll_text_u64(const char *text, size_t size, uint64_t *out);

/* The same with an optional minus. */
bool toll_text_i64(const char *text, size_t size, int64_t *out);

/* Parse a decimal number with optional fraction and exponent (as in JSON), multiply it by 10^scale,
 * and round it to the nearest integer, half away from zero: "1.5" at scale 3 is 1500. *exact (may
 * be NULL): nothing was rounded. False if it is malformed or does not fit into 64 bits. */
bool toll_text_scaled(const char *text, size_t size, int scale, int64_t *out, bool *exact);

/* Write v in decimal; returns the length, at most 20. */
size_t toll_text_put_u64(char *out, uint64_t v);
size_t toll_text_put_i64(char *out, int64_t v); /* at most 20 */

/* Add with a check. False if the sum does not fit; *out is then unchanged. */
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
