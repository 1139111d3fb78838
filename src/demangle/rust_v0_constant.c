/* rust_v0_constant.c - demangles constants among the arguments of a Rust symbol. See rust_v0.h. */
#include "demangle/rust_v0.h"

#include <string.h>

/* Read hexadecimal digits up to a _. Returns their number without leading zeros. The value is valid
 * if there are at most 16. */
static size_t read_hex(toll_v0_reader *r, const char **digits, uint64_t *value)
{
    size_t begin = r->at;
    *value = 0;
    while (!r->failed && !toll_v0_take_if(r, '_')) {
        char c = toll_v0_take(r);
        if (!toll_v0_is_digit(c) && (c < 'a' || c > 'f'))
            toll_v0_fail(r);
        *value = *value << 4 | (uint64_t)(toll_v0_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (r->failed)
        return 0;
    size_t size = r->at - 1 - begin;
    *digits = r->text + begin;
    for (; size > 0 && **digits == '0'; size--)
        ++*digits;
    return size;
}

static void put_integer(toll_v0_reader *r)
{
    const char *digits = "";
    uint64_t value;
    size_t size = read_hex(r, &digits, &value);
    if (size <= 16) {
        toll_v0_put_number(r, value);
    } else {
        toll_v0_put(r, "0x");
        toll_v0_put_bytes(r, digits, size);
    }
}

static void put_character(toll_v0_reader *r)
{
    const char *digits = "";
    uint64_t c;
    size_t size = read_hex(r, &digits, &c);
    if (size > 6 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        toll_v0_fail(r);
    toll_v0_put(r, "'");
    if (c == '\'' || c == '\\')
        toll_v0_put(r, "\\");
    if (c == '\n' || c == '\t' || c == '\r') {
        toll_v0_put(r, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
    } else if (c < 0x20 || c >= 0x7f) {
        toll_v0_put(r, "\\u{");
        toll_v0_put_bytes(r, size ? digits : "0", size ? size : 1);
        toll_v0_put(r, "}");
    } else {
        const char letter[2] = { (char)c, '\0' };
        toll_v0_put(r, letter);
    }
    toll_v0_put(r, "'");
}

static void put_bool(toll_v0_reader *r)
{
    const char *digits = "";
    uint64_t value;
    if (read_hex(r, &digits, &value) > 1 || value > 1)
        toll_v0_fail(r);
    toll_v0_put(r, value ? "true" : "false");
}

void toll_v0_put_constant(toll_v0_reader *r)
{
    size_t begin = r->at;
    if (!toll_v0_enter(r))
        return;
    char kind = toll_v0_take(r);
    if (kind == 'B')
        toll_v0_follow(r, begin, toll_v0_put_constant);
    else if (kind == 'p')
        toll_v0_put(r, "_");
    else if (kind == 'b')
        put_bool(r);
    else if (kind == 'c')
        put_character(r);
    else if (kind && strchr("hjmoty", kind))
        put_integer(r);
    else if (kind && strchr("ailnsx", kind)) {
        toll_v0_put(r, toll_v0_take_if(r, 'n') ? "-" : "");
        put_integer(r);
    } else {
        toll_v0_fail(r);
    }
    r->depth--;
}
