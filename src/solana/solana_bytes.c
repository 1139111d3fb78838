/* solana_bytes.c - see solana_bytes.h. */
#include "solana/solana_bytes.h"

#include <string.h>

static const char base58[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/* --- base58: a number in base 58, after a '1' for each byte 0 that the bytes begin with
 * ---------*/

enum { GROUP = 5, LIMB = 4 }; /* 58^5 < 2^32; bytes of a limb, the least significant first */

static int digit_of(char c)
{
    const char *at = c ? strchr(base58, c) : NULL;
    return at ? (int)(at - base58) : -1;
}

/* Multiply the number by `times` and add `digit`; it grows by at most one limb. */
static size_t multiply(uint32_t *limbs, size_t count, uint32_t times, uint32_t digit)
{
    uint64_t carry = digit;
    for (size_t i = 0; i < count; i++) {
        carry += (uint64_t)limbs[i] * times;
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        limbs[count++] = (uint32_t)carry;
    return count;
}

/* Read text[size], which does not begin with '1', into limbs. SIZE_MAX: it has another
 * character. */
static size_t read_number(const char *text, size_t size, uint32_t *limbs)
{
    size_t count = 0;
    for (size_t i = 0; i < size;) {
        uint32_t times = 1, group = 0;
        for (int k = 0; k < GROUP && i < size; k++, i++) {
            int digit = digit_of(text[i]);
            if (digit < 0)
                return SIZE_MAX;
            times *= 58;
            group = group * 58 + (uint32_t)digit;
        }
        count = multiply(limbs, count, times, group);
    }
    return count;
}

/* Append the number, its most significant byte other than 0 first. */
static bool append_number(toll_buffer *out, const uint32_t *limbs, size_t count)
{
    bool begun = false;
    for (size_t i = count * LIMB; i-- > 0;) {
        uint8_t byte = (uint8_t)(limbs[i / LIMB] >> 8 * (i % LIMB));
        begun |= byte != 0;
        if (begun && !toll_buffer_append_byte(out, byte))
            return false;
    }
    return true;
}

bool toll_base58_decode(const char *text, size_t size, toll_buffer *out)
{
    uint32_t limbs[SOLANA_MOST_BASE58 / GROUP + 1];
    if (size > SOLANA_MOST_BASE58)
        return false;
    for (; size && *text == '1'; text++, size--)
        if (!toll_buffer_append_byte(out, 0))
            return false;
    size_t count = read_number(text, size, limbs);
    return count != SIZE_MAX && append_number(out, limbs, count);
}

bool toll_base58_is_id(const char *text, size_t size)
{
    uint32_t limbs[SOLANA_ID_TEXT / GROUP + 1];
    size_t zeros = 0;
    if (size >= SOLANA_ID_TEXT)
        return false;
    while (zeros < size && text[zeros] == '1')
        zeros++;
    size_t count = read_number(text + zeros, size - zeros, limbs);
    if (count == SIZE_MAX)
        return false;
    size_t bytes = count * LIMB;
    for (uint32_t top = count ? limbs[count - 1] : 0; bytes && !(top >> 24); top <<= 8)
        bytes--;
    return zeros + bytes == SOLANA_ID_SIZE;
}

void toll_base58_encode(const uint8_t *data, size_t size, char *out)
{
    uint8_t digits[SOLANA_SIGNATURE_TEXT] = { 0 }; /* least significant first */
    size_t count = 0, zeros = 0;
    while (zeros < size && data[zeros] == 0)
        zeros++;
    for (size_t i = zeros; i < size && i < SOLANA_SIGNATURE_SIZE; i++) {
        uint32_t carry = data[i];
        for (size_t k = 0; k < count || carry; k++) {
            carry += (uint32_t)digits[k] << 8;
            digits[k] = (uint8_t)(carry % 58);
            carry /= 58;
            count += k == count;
        }
    }
    memset(out, '1', zeros);
    for (size_t k = 0; k < count; k++)
        out[zeros + k] = base58[digits[count - 1 - k]];
    out[zeros + count] = 0;
}

/* --- base64 ------------------------------------------------------------------------------------*/

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool toll_base64_decode(const char *text, size_t size, toll_buffer *out)
{
    uint32_t bits = 0;
    unsigned count = 0;
    while (size && text[size - 1] == '=')
        size--;
    for (size_t i = 0; i < size; i++) {
        int value = value_of(text[i]);
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (!toll_buffer_append_byte(out, (uint8_t)(bits >> count)))
            return false;
    }
    return true;
}
