/* text.c - see text.h. */
#include "base/text.h"

#include <string.h>

#define ASCII_MASK UINT64_C(0x8080808080808080)
#define LOW_BITS UINT64_C(0x0101010101010101)

/* Are these eight bytes all ASCII and not NUL? */
static bool is_plain8(const char *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    return ((w | (w - LOW_BITS)) & ASCII_MASK) == 0;
}

/* The length of the valid sequence at p; 0 if there is none. RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF. */
static size_t sequence_length(const uint8_t *p, size_t left)
{
    uint8_t b = p[0], low = 0x80, high = 0xbf;
    size_t n;
    if (b < 0x80)
        return b != 0;
    if (b >= 0xc2 && b <= 0xdf)
        n = 2;
    else if (b >= 0xe0 && b <= 0xef)
        n = 3;
    else if (b >= 0xf0 && b <= 0xf4)
        n = 4;
    else
        return 0;
    if (left < n)
        return 0;
    if (b == 0xe0)
        low = 0xa0;
    else if (b == 0xed)
        high = 0x9f;
    else if (b == 0xf0)
        low = 0x90;
    else if (b == 0xf4)
        high = 0x8f;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

size_t toll_text_check(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size) {
        if (size - i >= 8 && is_plain8(text + i)) {
            i += 8;
            continue;
        }
        size_t n = sequence_length((const uint8_t *)text + i, size - i);
        if (n == 0)
            return i;
        i += n;
    }
    return size;
}

bool toll_text_append_clean(toll_buffer *buffer, const char *text, size_t size)
{
    while (size) {
        size_t good = toll_text_check(text, size);
        if (!toll_buffer_append(buffer, text, good))
            return false;
        if (good == size)
            break;
        if (!toll_buffer_append(buffer, "\xef\xbf\xbd", 3))
            return false;
        text += good + 1;
        size -= good + 1;
    }
    return !buffer->failed;
}

bool toll_text_append_char(toll_buffer *buffer, uint32_t c)
{
    uint8_t b[4];
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        c = 0xfffd;
    if (c < 0x80) {
        b[0] = (uint8_t)c;
        return toll_buffer_append(buffer, b, 1);
    }
    if (c < 0x800) {
        b[0] = (uint8_t)(0xc0 | c >> 6);
        b[1] = (uint8_t)(0x80 | (c & 0x3f));
        return toll_buffer_append(buffer, b, 2);
    }
    if (c < 0x10000) {
        b[0] = (uint8_t)(0xe0 | c >> 12);
        b[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        b[2] = (uint8_t)(0x80 | (c & 0x3f));
        return toll_buffer_append(buffer, b, 3);
    }
    b[0] = (uint8_t)(0xf0 | c >> 18);
    b[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    b[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    b[3] = (uint8_t)(0x80 | (c & 0x3f));
    return toll_buffer_append(buffer, b, 4);
}

bool toll_text_u64(const char *text, size_t size, uint64_t *out)
{
    uint64_t v = 0;
    if (size == 0)
        return false;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)(uint8_t)text[i] - '0';
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = v;
    return true;
}

static bool signed_from(bool negative, uint64_t magnitude, int64_t *out)
{
    uint64_t most = (uint64_t)INT64_MAX + negative;
    if (magnitude > most)
        return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool toll_text_i64(const char *text, size_t size, int64_t *out)
{
    uint64_t magnitude;
    bool negative = size && text[0] == '-';
    return toll_text_u64(text + negative, size - negative, &magnitude) &&
           signed_from(negative, magnitude, out);
}

/* A decimal number: up to 19 significant digits without the point, times a power of ten. */
typedef struct decimal {
    uint64_t digits;
    long exponent;
    bool dropped; /* some dropped digits (beyond 64 bits) were not zero */
} decimal;

static void add_digit(decimal *d, unsigned digit, bool fraction)
{
    if (d->digits <= (UINT64_MAX - 9) / 10) {
        d->digits = d->digits * 10 + digit;
        d->exponent -= fraction;
    } else {
        d->dropped |= digit != 0;
        d->exponent += !fraction;
    }
}

static bool parse_decimal(const char *p, const char *end, decimal *d)
{
    const char *start = p;
    while (p < end && *p >= '0' && *p <= '9')
        add_digit(d, (unsigned)(*p++ - '0'), false);
    if (p == start)
        return false;
    if (p < end && *p == '.') {
        start = ++p;
        while (p < end && *p >= '0' && *p <= '9')
            add_digit(d, (unsigned)(*p++ - '0'), true);
        if (p == start)
            return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool negative = false;
        long e = 0;
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            negative = *p++ == '-';
        start = p;
        while (p < end && *p >= '0' && *p <= '9') {
            if (e < 100000)
                e = e * 10 + (*p - '0');
            p++;
        }
        if (p == start)
            return false;
        d->exponent += negative ? -e : e;
    }
    return p == end;
}

bool toll_text_scaled(const char *text, size_t size, int scale, int64_t *out, bool *exact)
{
    bool negative = size && text[0] == '-';
    decimal d = { 0 };
    if (!parse_decimal(text + negative, text + size, &d))
        return false;
    d.exponent += scale;
    bool rounded = d.dropped;
    while (d.exponent > 0 && d.digits) {
        if (d.digits > UINT64_MAX / 10)
            return false;
        d.digits *= 10;
        d.exponent--;
    }
    unsigned last = 0; /* the digit just cut off */
    while (d.exponent < 0 && (d.digits || last)) {
        rounded |= d.digits % 10 != 0;
        last = (unsigned)(d.digits % 10);
        d.digits /= 10;
        d.exponent++;
    }
    if (d.exponent == 0 && last >= 5)
        d.digits++;
    if (exact)
        *exact = !rounded;
    return signed_from(negative, d.digits, out);
}

/* Writes two digits at a time, from the last one: writers of timelines spend half of their time
 * here. */
size_t toll_text_put_u64(char *out, uint64_t v)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    size_t size = 1;
    for (uint64_t power = 10; size < 20 && v >= power; power *= 10)
        size++;
    size_t at = size;
    for (; v >= 100; v /= 100)
        memcpy(out + (at -= 2), pairs + 2 * (v % 100), 2);
    if (v >= 10)
        memcpy(out, pairs + 2 * v, 2);
    else
        out[0] = (char)('0' + v);
    return size;
}

size_t toll_text_put_i64(char *out, int64_t v)
{
    if (v >= 0)
        return toll_text_put_u64(out, (uint64_t)v);
    out[0] = '-';
    return 1 + toll_text_put_u64(out + 1, 0 - (uint64_t)v);
}

bool toll_i64_add(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return false;
    *out = a + b;
    return true;
}

bool toll_i64_sub(int64_t a, int64_t b, int64_t *out)
{
    if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b)
        return false;
    *out = a - b;
    return true;
}

uint64_t toll_hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const uint8_t *p = data;
    uint64_t h = seed ^ (size * UINT64_C(0x9e3779b97f4a7c15)), w;
    while (size >= 8) {
        memcpy(&w, p, 8);
        h = (h ^ w) * UINT64_C(0x9fb21c651e98df25);
        h ^= h >> 35;
        p += 8;
        size -= 8;
    }
    w = 0;
    if (size)
        memcpy(&w, p, size);
    return toll_hash_u64(h ^ w);
}

bool toll_text_ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}
