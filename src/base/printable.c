/* printable.c - see printable.h. */
#include "base/printable.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <toll/error.h>

enum { ESCAPE_SIZE = 8 }; /* \u202e and its NUL */

/* The code point of a valid character of 2 to 4 bytes. */
static uint32_t code_of(const uint8_t *p, size_t size)
{
    uint32_t code = p[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (p[i] & 0x3fu);
    return code;
}

/* Ranges in ascending order. hosts/wasm/printable.mjs has the same list. Controls change how the
 * text around them is shown; the others are only invisible. */
static const struct range {
    uint16_t first, last;
    bool is_control;
} unprintable[] = {
    { 0x0000, 0x001f, true },  { 0x007f, 0x009f, true },  { 0x00ad, 0x00ad, false },
    { 0x061c, 0x061c, true },  { 0x115f, 0x1160, false }, { 0x180e, 0x180e, false },
    { 0x200b, 0x200d, false }, { 0x200e, 0x200f, true },  { 0x2028, 0x202e, true },
    { 0x2060, 0x2065, false }, { 0x2066, 0x2069, true },  { 0x206a, 0x206f, false },
    { 0x3164, 0x3164, false }, { 0xfeff, 0xfeff, false }, { 0xffa0, 0xffa0, false },
    { 0xfff9, 0xfffb, false },
};

/* NULL: it is printable. */
static const struct range *range_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++)
        if (code <= unprintable[i].last)
            return code < unprintable[i].first ? NULL : &unprintable[i];
    return NULL;
}

toll_character toll_character_at(const char *text, size_t size)
{
    const uint8_t *p = (const uint8_t *)text;
    size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0x80 ? 2 : 1;
    if (n > 1 && (n > size || toll_text_check(text, n) != n))
        return (toll_character){ TOLL_NOT_UTF8, 1, false, true };
    uint32_t code = n == 1 ? p[0] : code_of(p, n);
    const struct range *r = range_of(code);
    return (toll_character){ code, (uint8_t)n, !r, r && r->is_control };
}

static void put_escape(const char *text, uint32_t code, toll_put_fn put, void *user)
{
    char escape[ESCAPE_SIZE];
    unsigned shown = code == TOLL_NOT_UTF8 ? (uint8_t)*text : code & 0xffff;
    int n = snprintf(escape, sizeof escape, shown > 0xff ? "\\u%04x" : "\\x%02x", shown);
    put(user, escape, (size_t)n);
}

void toll_put_printable(const char *text, size_t size, toll_put_fn put, void *user)
{
    size_t done = 0, at = 0;
    while (at < size) {
        toll_character c = toll_character_at(text + at, size - at);
        at += c.size;
        if (c.is_printable)
            continue;
        if (at - c.size > done)
            put(user, text + done, at - c.size - done);
        put_escape(text + at - c.size, c.code, put, user);
        done = at;
    }
    if (at > done)
        put(user, text + done, at - done);
}

typedef struct copy {
    char *text;
    size_t size, capacity; /* without the NUL */
    bool is_full;
} copy;

static void copy_piece(void *user, const char *text, size_t size)
{
    copy *c = user;
    size_t left = c->capacity - c->size;
    if (c->is_full)
        return;
    if (size > left) {
        bool may_be_escape = *text == '\\' && size < ESCAPE_SIZE;
        c->is_full = true;
        size = may_be_escape ? 0 : left; /* the size of the part without escapes */
        while (size && ((uint8_t)text[size] & 0xc0) == 0x80)
            size--;
    }
    memcpy(c->text + c->size, text, size);
    c->size += size;
}

const char *toll_printable(const char *text, char *buffer, size_t size)
{
    copy c = { .text = buffer, .capacity = size ? size - 1 : 0 };
    if (text && size)
        toll_put_printable(text, strlen(text), copy_piece, &c);
    if (size)
        buffer[c.size] = 0;
    return buffer;
}

static void count_columns(void *user, const char *text, size_t size)
{
    size_t *columns = user;
    for (size_t i = 0; i < size; i++)
        *columns += ((uint8_t)text[i] & 0xc0) != 0x80;
}

size_t toll_printable_width(const char *text)
{
    size_t columns = 0;
    toll_put_printable(text, strlen(text), count_columns, &columns);
    return columns;
}
