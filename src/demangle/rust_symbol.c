/* rust_symbol.c - see rust_symbol.h. This file demangles the legacy form. */
#include "demangle/rust_symbol.h"

#include "base/text.h"

#include <string.h>

enum { HASH_DIGITS = 16, LEAST_DIFFERENT = 5 };

/* --- one identifier ----------------------------------------------------------------------------*/

/* Characters that a symbol cannot contain are written as $NAME$. */
static const struct {
    const char *name, *text;
} escapes[] = {
    { "SP", "@" }, { "BP", "*" }, { "RF", "&" }, { "LT", "<" },
    { "GT", ">" }, { "LP", "(" }, { "RP", ")" }, { "C", "," },
};

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Append a character given by its number, as in u7e. */
static bool put_code_point(toll_buffer *out, const char *name, size_t size)
{
    uint32_t c = 0;
    if (size < 2 || size > 7 || name[0] != 'u')
        return false;
    for (size_t i = 1; i < size; i++) {
        int digit = hex_digit(name[i]);
        if (digit < 0)
            return false;
        c = c << 4 | (uint32_t)digit;
    }
    if (c < 0x20 || c == 0x7f || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return false;
    toll_text_append_char(out, c);
    return true;
}

static bool put_escape(toll_buffer *out, const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (size == strlen(escapes[i].name) && memcmp(name, escapes[i].name, size) == 0) {
            toll_buffer_append_text(out, escapes[i].text);
            return true;
        }
    return put_code_point(out, name, size);
}

/* Append text[size] with escapes decoded, and ".." as "::". Before an escape at the beginning of an
 * identifier there is an underscore, which is removed. From an unknown escape on, the text is not
 * changed. */
static void put_identifier(toll_buffer *out, const char *text, size_t size)
{
    size_t at = size >= 2 && text[0] == '_' && text[1] == '$' ? 1 : 0;
    while (at < size) {
        const char *rest = text + at, *close;
        if (rest[0] == '.') {
            bool is_path = size - at > 1 && rest[1] == '.';
            toll_buffer_append_text(out, is_path ? "::" : ".");
            at += is_path ? 2 : 1;
        } else if (rest[0] == '$') {
            close = memchr(rest + 1, '$', size - at - 1);
            if (!close || !put_escape(out, rest + 1, (size_t)(close - rest - 1)))
                break;
            at += (size_t)(close - rest) + 1;
        } else {
            toll_buffer_append_byte(out, (uint8_t)rest[0]);
            at++;
        }
    }
    if (at < size)
        toll_buffer_append(out, text + at, size - at);
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Is it h and 16 digits, with as many different digits as in a hash? Hardly any C++ namespace
 * is. */
static bool is_hash(const char *text, size_t size)
{
    unsigned seen = 0, different = 0;
    if (size != 1 + HASH_DIGITS || text[0] != 'h')
        return false;
    for (size_t i = 1; i < size; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return false;
        different += !(seen >> digit & 1);
        seen |= 1u << digit;
    }
    return different >= LEAST_DIFFERENT;
}

/* Read the next identifier, which follows its length. NULL if there is none. */
static const char *read_identifier(const char **at, size_t *size)
{
    const char *text = *at;
    size_t n = 0;
    if (*text < '1' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        n = n * 10 + (size_t)(*text - '0');
        if (n > TOLL_MOST_RUST_NAME)
            return NULL;
    }
    if (strnlen(text, n) < n)
        return NULL;
    *at = text + n;
    *size = n;
    return text;
}

/* Append the demangled text after _ZN: identifiers, the last one a hash, then E. A suffix from the
 * linker (.llvm.123) is omitted. */
static bool put_legacy(toll_buffer *out, const char *at)
{
    const char *text = NULL, *hash = NULL;
    size_t size = 0, hash_size = 0;
    bool first = true;
    while ((text = read_identifier(&at, &size))) {
        if (hash) {
            if (!first)
                toll_buffer_append_text(out, "::");
            put_identifier(out, hash, hash_size);
            first = false;
        }
        hash = text; /* the hash, if nothing follows */
        hash_size = size;
    }
    return at[0] == 'E' && (at[1] == '\0' || at[1] == '.') && !first && hash &&
           is_hash(hash, hash_size);
}

bool toll_append_rust_symbol(toll_buffer *out, const char *symbol)
{
    size_t before = out->size;
    bool done = false;
    if (strncmp(symbol, "_ZN", 3) == 0)
        done = put_legacy(out, symbol + 3);
    else if (strncmp(symbol, "_R", 2) == 0)
        done = toll_append_rust_v0(out, symbol + 2, strcspn(symbol + 2, "."));
    done = done && out->size > before && out->size - before <= TOLL_MOST_RUST_NAME;
    if (!done && !out->failed)
        out->size = before;
    return done;
}
