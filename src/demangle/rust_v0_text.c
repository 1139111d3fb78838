/* rust_v0_text.c - see rust_v0.h. */
#include "demangle/rust_v0.h"

#include "demangle/punycode.h"
#include "base/text.h"

#include <string.h>

enum { MOST_STEPS = 1 << 16 };

/* --- letters -----------------------------------------------------------------------------------*/

void toll_v0_fail(toll_v0_reader *r)
{
    r->failed = true;
}

/* The next letter, without consuming it; NUL if there is none. */
static char peek(const toll_v0_reader *r)
{
    return !r->failed && r->at < r->end ? r->text[r->at] : '\0';
}

char toll_v0_take(toll_v0_reader *r)
{
    char c = peek(r);
    if (c)
        r->at++;
    else
        toll_v0_fail(r);
    return c;
}

bool toll_v0_take_if(toll_v0_reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

void toll_v0_put_bytes(toll_v0_reader *r, const char *text, size_t size)
{
    if (r->failed || r->silent)
        return;
    r->steps += size;
    if (r->steps > MOST_STEPS)
        toll_v0_fail(r);
    else if (size)
        toll_buffer_append(r->out, text, size);
}

void toll_v0_put(toll_v0_reader *r, const char *text)
{
    toll_v0_put_bytes(r, text, strlen(text));
}

void toll_v0_put_number(toll_v0_reader *r, uint64_t number)
{
    char digits[20];
    toll_v0_put_bytes(r, digits, toll_text_put_u64(digits, number));
}

uint64_t toll_v0_take_base62(toll_v0_reader *r)
{
    uint64_t number = 0;
    if (toll_v0_take_if(r, '_'))
        return 0;
    while (!r->failed && !toll_v0_take_if(r, '_')) {
        char c = toll_v0_take(r);
        uint64_t digit = toll_v0_is_digit(c)    ? (uint64_t)(c - '0')
                         : c >= 'a' && c <= 'z' ? (uint64_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'Z' ? (uint64_t)(c - 'A') + 36
                                                : 62;
        if (digit == 62 || number > (UINT64_MAX - digit - 1) / 62)
            toll_v0_fail(r);
        else
            number = number * 62 + digit;
    }
    return number + 1;
}

uint64_t toll_v0_take_optional(toll_v0_reader *r, char letter)
{
    return toll_v0_take_if(r, letter) ? toll_v0_take_base62(r) + 1 : 0;
}

bool toll_v0_enter(toll_v0_reader *r)
{
    if (r->failed || r->depth >= TOLL_V0_MOST_DEPTH || ++r->steps > MOST_STEPS)
        toll_v0_fail(r);
    else
        r->depth++;
    return !r->failed;
}

void toll_v0_follow(toll_v0_reader *r, size_t begin, toll_v0_work *then)
{
    uint64_t place = toll_v0_take_base62(r);
    size_t back = r->at;
    if (place >= begin)
        toll_v0_fail(r);
    if (r->failed || r->silent)
        return;
    r->at = (size_t)place;
    then(r);
    r->at = back;
}

/* --- identifiers -------------------------------------------------------------------------------*/

toll_v0_identifier toll_v0_take_identifier(toll_v0_reader *r)
{
    toll_v0_identifier id = { .punycode = toll_v0_take_if(r, 'u') };
    char c = toll_v0_take(r);
    size_t size = (size_t)(c - '0');
    if (!toll_v0_is_digit(c))
        toll_v0_fail(r);
    while (c != '0' && toll_v0_is_digit(peek(r)) && size <= r->end)
        size = size * 10 + (size_t)(toll_v0_take(r) - '0');
    toll_v0_take_if(r, '_');
    if (r->failed || size > r->end - r->at) {
        toll_v0_fail(r);
        return (toll_v0_identifier){ .text = "" };
    }
    id.text = r->text + r->at;
    id.size = size;
    r->at += size;
    return id;
}

void toll_v0_put_identifier(toll_v0_reader *r, toll_v0_identifier id)
{
    uint32_t characters[TOLL_PUNYCODE_MOST];
    size_t count;
    if (!id.punycode) {
        toll_v0_put_bytes(r, id.text, id.size);
        return;
    }
    if (!toll_punycode_decode(id.text, id.size, characters, &count)) {
        toll_v0_fail(r);
        return;
    }
    r->steps += count;
    for (size_t i = 0; i < count && !r->silent && !r->failed; i++)
        toll_text_append_char(r->out, characters[i]);
}

/* --- lifetimes ---------------------------------------------------------------------------------*/

void toll_v0_put_lifetime(toll_v0_reader *r, uint64_t index)
{
    char letter[2] = "";
    toll_v0_put(r, "'");
    if (index == 0) {
        toll_v0_put(r, "_");
        return;
    }
    if (index > r->lifetimes) {
        toll_v0_fail(r);
        return;
    }
    uint64_t number = r->lifetimes - index;
    letter[0] = (char)('a' + number % 26);
    toll_v0_put(r, number < 26 ? letter : "_");
    if (number >= 26)
        toll_v0_put_number(r, number);
}

uint64_t toll_v0_put_binder(toll_v0_reader *r)
{
    uint64_t count = toll_v0_take_optional(r, 'G');
    if (count > TOLL_V0_MOST_DEPTH)
        toll_v0_fail(r);
    if (!count || r->failed)
        return 0;
    toll_v0_put(r, "for<");
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            toll_v0_put(r, ", ");
        r->lifetimes++;
        toll_v0_put_lifetime(r, 1);
    }
    toll_v0_put(r, "> ");
    return count;
}
