/* punycode.c - see punycode.h. Names of numbers are those of RFC 3492. */
#include "demangle/punycode.h"

#include <string.h>

/* Read a delta: the position of the next character, as a variable-length integer in base 36 (RFC
 * 3492). */
static bool read_delta(const char **at, const char *end, uint32_t bias, uint64_t *delta)
{
    uint64_t weight = 1;
    for (uint32_t k = 36;; k += 36) {
        if (*at == end)
            return false;
        char c = *(*at)++;
        if (!(c >= '0' && c <= '9') && (c < 'a' || c > 'z'))
            return false;
        uint32_t digit = c <= '9' ? (uint32_t)(c - '0') + 26 : (uint32_t)(c - 'a');
        uint32_t limit = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        *delta += digit * weight;
        if (digit < limit)
            return *delta < UINT32_MAX;
        weight *= 36 - limit;
        if (weight > UINT32_MAX)
            return false;
    }
}

static uint32_t adapt(uint64_t delta, size_t count, bool first)
{
    uint32_t k = 0;
    delta /= first ? 700 : 2;
    delta += delta / count;
    for (; delta > 35 * 26 / 2; k += 36)
        delta /= 35;
    return k + (uint32_t)(36 * delta / (delta + 38));
}

bool toll_punycode_decode(const char *text, size_t size, uint32_t *characters, size_t *out_count)
{
    const char *at = text, *end = text + size;
    size_t count = 0;
    uint64_t place = 0, character = 128;
    uint32_t bias = 72;
    bool first = true;
    for (size_t i = size; i > 0; i--)
        if (text[i - 1] == '_') {
            at = text + i;
            break;
        }
    for (; text + count + 1 < at; count++)
        if (count < TOLL_PUNYCODE_MOST)
            characters[count] = (uint8_t)text[count];
    if (count >= TOLL_PUNYCODE_MOST || at == end)
        return false;
    while (at < end) {
        uint64_t delta = 0;
        if (count == TOLL_PUNYCODE_MOST || !read_delta(&at, end, bias, &delta))
            return false;
        count++;
        place += delta;
        character += place / count;
        place %= count;
        if (character > 0x10ffff)
            return false;
        memmove(characters + place + 1, characters + place,
                (count - 1 - (size_t)place) * sizeof *characters);
        characters[place++] = (uint32_t)character;
        bias = adapt(delta, count, first);
        first = false;
    }
    *out_count = count;
    return true;
}
