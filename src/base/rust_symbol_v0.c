/* rust_symbol_v0.c - symbols of form v0: a path that contains types and constants. See
 * rust_symbol.h. Letters are those of the grammar:
 * https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
 *
 * Recursion is bounded, and so is the number of steps: a symbol can refer to its own parts, so that
 * a short one may encode a very long name. */
#include "base/punycode.h"
#include "base/rust_symbol.h"
#include "base/text.h"

#include <string.h>

enum { MOST_DEPTH = 250, MOST_STEPS = 1 << 16 };

typedef struct reader {
    const char *text;
    size_t at, end;
    toll_buffer *out;
    size_t steps;       /* paths, types and constants so far, and bytes written */
    unsigned depth;     /* how deep the current one is nested */
    uint64_t lifetimes; /* bound by the enclosing `for`s */
    unsigned silent;    /* above 0: parse without writing */
    bool open;          /* the last trait has arguments, whose > is not written yet */
    bool failed;
} reader;

static void put_path(reader *r, bool in_value);
static void put_type(reader *r);
static void put_constant(reader *r);

/* --- letters -----------------------------------------------------------------------------------*/

static void fail(reader *r)
{
    r->failed = true;
}

static char peek(const reader *r)
{
    return !r->failed && r->at < r->end ? r->text[r->at] : '\0';
}

static char take(reader *r)
{
    char c = peek(r);
    if (c)
        r->at++;
    else
        fail(r);
    return c;
}

static bool take_if(reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void put_bytes(reader *r, const char *text, size_t size)
{
    if (r->failed || r->silent)
        return;
    r->steps += size;
    if (r->steps > MOST_STEPS)
        fail(r);
    else if (size)
        toll_buffer_append(r->out, text, size);
}

static void put(reader *r, const char *text)
{
    put_bytes(r, text, strlen(text));
}

static void put_number(reader *r, uint64_t number)
{
    char digits[20];
    put_bytes(r, digits, toll_text_put_u64(digits, number));
}

/* A number of base 62 that ends at _: "_" is 0, and any digits are their value plus one. */
static uint64_t take_base62(reader *r)
{
    uint64_t number = 0;
    if (take_if(r, '_'))
        return 0;
    while (!r->failed && !take_if(r, '_')) {
        char c = take(r);
        uint64_t digit = is_digit(c)            ? (uint64_t)(c - '0')
                         : c >= 'a' && c <= 'z' ? (uint64_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'Z' ? (uint64_t)(c - 'A') + 36
                                                : 62;
        if (digit == 62 || number > (UINT64_MAX - digit - 1) / 62)
            fail(r);
        else
            number = number * 62 + digit;
    }
    return number + 1;
}

/* An optional letter and a number of base 62: 0 without the letter, else that number plus one. */
static uint64_t take_optional(reader *r, char letter)
{
    return take_if(r, letter) ? take_base62(r) + 1 : 0;
}

/* Go down one level; false: too deep, or too far. */
static bool enter(reader *r)
{
    if (r->failed || r->depth >= MOST_DEPTH || ++r->steps > MOST_STEPS)
        fail(r);
    else
        r->depth++;
    return !r->failed;
}

/* A back reference: `work` reads the part at the earlier place. While nothing is written it need
 * not be followed. */
typedef void work(reader *r);

static void follow(reader *r, size_t begin, work *then)
{
    uint64_t place = take_base62(r);
    size_t back = r->at;
    if (place >= begin)
        fail(r);
    if (r->failed || r->silent)
        return;
    r->at = (size_t)place;
    then(r);
    r->at = back;
}

/* --- identifiers -------------------------------------------------------------------------------*/

typedef struct identifier {
    const char *text;
    size_t size;
    bool punycode;
} identifier;

static identifier take_identifier(reader *r)
{
    identifier id = { .punycode = take_if(r, 'u') };
    char c = take(r);
    size_t size = (size_t)(c - '0');
    if (!is_digit(c))
        fail(r);
    while (c != '0' && is_digit(peek(r)) && size <= r->end)
        size = size * 10 + (size_t)(take(r) - '0');
    take_if(r, '_');
    if (r->failed || size > r->end - r->at) {
        fail(r);
        return (identifier){ .text = "" };
    }
    id.text = r->text + r->at;
    id.size = size;
    r->at += size;
    return id;
}

static void put_identifier(reader *r, identifier id)
{
    uint32_t characters[TOLL_PUNYCODE_MOST];
    size_t count;
    if (!id.punycode) {
        put_bytes(r, id.text, id.size);
        return;
    }
    if (!toll_punycode_decode(id.text, id.size, characters, &count)) {
        fail(r);
        return;
    }
    r->steps += count;
    for (size_t i = 0; i < count && !r->silent && !r->failed; i++)
        toll_text_append_char(r->out, characters[i]);
}

/* --- lifetimes and lists -----------------------------------------------------------------------*/

/* `index` counts the bound lifetimes from the innermost; 0: the lifetime has no name. */
static void put_lifetime(reader *r, uint64_t index)
{
    char letter[2] = "";
    put(r, "'");
    if (index == 0) {
        put(r, "_");
        return;
    }
    if (index > r->lifetimes) {
        fail(r);
        return;
    }
    uint64_t number = r->lifetimes - index;
    letter[0] = (char)('a' + number % 26);
    put(r, number < 26 ? letter : "_");
    if (number >= 26)
        put_number(r, number);
}

/* for<'a, 'b>: returns how many lifetimes it binds, for the caller to unbind at the end. */
static uint64_t put_binder(reader *r)
{
    uint64_t count = take_optional(r, 'G');
    if (count > MOST_DEPTH)
        fail(r);
    if (!count || r->failed)
        return 0;
    put(r, "for<");
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            put(r, ", ");
        r->lifetimes++;
        put_lifetime(r, 1);
    }
    put(r, "> ");
    return count;
}

/* Items up to E, separated by commas. Returns their number. */
static size_t put_list(reader *r, work *each)
{
    size_t count = 0;
    for (; !r->failed && !take_if(r, 'E'); count++) {
        if (count > 0)
            put(r, ", ");
        each(r);
    }
    return count;
}

static void put_argument(reader *r)
{
    if (take_if(r, 'L'))
        put_lifetime(r, take_base62(r));
    else if (take_if(r, 'K'))
        put_constant(r);
    else
        put_type(r);
}

/* --- paths -------------------------------------------------------------------------------------*/

static void put_path_of_type(reader *r)
{
    put_path(r, false);
}

static void put_path_of_value(reader *r)
{
    put_path(r, true);
}

/* path::name, or path::{closure:name#3}. */
static void put_nested(reader *r, bool in_value)
{
    char space = take(r);
    put_path(r, in_value);
    uint64_t number = take_optional(r, 's');
    identifier name = take_identifier(r);
    if (space >= 'A' && space <= 'Z') {
        const char letter[2] = { space, '\0' };
        put(r, "::{");
        put(r, space == 'C' ? "closure" : space == 'S' ? "shim" : letter);
        if (name.size)
            put(r, ":");
        put_identifier(r, name);
        put(r, "#");
        put_number(r, number);
        put(r, "}");
    } else if (space >= 'a' && space <= 'z') {
        if (name.size)
            put(r, "::");
        put_identifier(r, name);
    } else {
        fail(r);
    }
}

/* <type>, <type as trait>; the path of the impl block itself is not part of the name. */
static void put_impl(reader *r, char kind)
{
    if (kind != 'Y') {
        take_optional(r, 's');
        r->silent++;
        put_path(r, false);
        r->silent--;
    }
    put(r, "<");
    put_type(r);
    if (kind != 'M') {
        put(r, " as ");
        put_path(r, false);
    }
    put(r, ">");
}

static void put_path(reader *r, bool in_value)
{
    size_t begin = r->at;
    if (!enter(r))
        return;
    char kind = take(r);
    switch (kind) {
    case 'C':
        take_optional(r, 's');
        put_identifier(r, take_identifier(r));
        break;
    case 'N': put_nested(r, in_value); break;
    case 'M':
    case 'X':
    case 'Y': put_impl(r, kind); break;
    case 'I':
        put_path(r, in_value);
        put(r, in_value ? "::<" : "<");
        put_list(r, put_argument);
        put(r, ">");
        break;
    case 'B': follow(r, begin, in_value ? put_path_of_value : put_path_of_type); break;
    default: fail(r);
    }
    r->depth--;
}

/* --- types -------------------------------------------------------------------------------------*/

/* The basic types of the letters a to z; "": none. */
static const char basic[26][6] = {
    "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
    "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!",
};

static void put_reference(reader *r, char kind)
{
    put(r, "&");
    if (take_if(r, 'L')) {
        uint64_t lifetime = take_base62(r);
        if (lifetime) {
            put_lifetime(r, lifetime);
            put(r, " ");
        }
    }
    put(r, kind == 'Q' ? "mut " : "");
    put_type(r);
}

/* extern "C" and the like; the _ of the identifier stands for a -. */
static void put_abi(reader *r)
{
    identifier abi = { "C", 1, false };
    if (!take_if(r, 'C'))
        abi = take_identifier(r);
    put(r, "extern \"");
    for (size_t i = 0; i < abi.size; i++)
        put_bytes(r, abi.text[i] == '_' ? "-" : abi.text + i, 1);
    put(r, "\" ");
}

static void put_function(reader *r)
{
    uint64_t bound = put_binder(r);
    if (take_if(r, 'U'))
        put(r, "unsafe ");
    if (take_if(r, 'K'))
        put_abi(r);
    put(r, "fn(");
    put_list(r, put_type);
    put(r, ")");
    if (!take_if(r, 'u')) {
        put(r, " -> ");
        put_type(r);
    }
    r->lifetimes -= bound;
}

/* A trait's path; its argument list stays open for the associated types that may follow. */
static void put_open_path(reader *r)
{
    size_t begin = r->at;
    r->open = false;
    if (!enter(r))
        return;
    if (take_if(r, 'B')) {
        follow(r, begin, put_open_path);
    } else if (take_if(r, 'I')) {
        put_path(r, false);
        put(r, "<");
        put_list(r, put_argument);
        r->open = true;
    } else {
        put_path(r, false);
    }
    r->depth--;
}

static void put_trait(reader *r)
{
    put_open_path(r);
    bool open = r->open;
    while (take_if(r, 'p')) {
        put(r, open ? ", " : "<");
        open = true;
        put_identifier(r, take_identifier(r));
        put(r, " = ");
        put_type(r);
    }
    if (open)
        put(r, ">");
}

static void put_object(reader *r)
{
    put(r, "dyn ");
    uint64_t bound = put_binder(r), lifetime;
    for (size_t i = 0; !r->failed && !take_if(r, 'E'); i++) {
        put(r, i > 0 ? " + " : "");
        put_trait(r);
    }
    r->lifetimes -= bound;
    if (!take_if(r, 'L'))
        fail(r);
    lifetime = take_base62(r);
    if (lifetime) {
        put(r, " + ");
        put_lifetime(r, lifetime);
    }
}

static void put_array(reader *r, char kind)
{
    put(r, "[");
    put_type(r);
    if (kind == 'A') {
        put(r, "; ");
        put_constant(r);
    }
    put(r, "]");
}

static void put_pointer(reader *r, const char *how)
{
    put(r, how);
    put_type(r);
}

static void put_tuple(reader *r)
{
    put(r, "(");
    put(r, put_list(r, put_type) == 1 ? ",)" : ")");
}

static void put_type(reader *r)
{
    size_t begin = r->at;
    if (!enter(r))
        return;
    char kind = take(r);
    if (kind >= 'a' && kind <= 'z' && *basic[kind - 'a']) {
        put(r, basic[kind - 'a']);
    } else {
        switch (kind) {
        case 'R':
        case 'Q': put_reference(r, kind); break;
        case 'P': put_pointer(r, "*const "); break;
        case 'O': put_pointer(r, "*mut "); break;
        case 'A':
        case 'S': put_array(r, kind); break;
        case 'T': put_tuple(r); break;
        case 'F': put_function(r); break;
        case 'D': put_object(r); break;
        case 'B': follow(r, begin, put_type); break;
        default: r->at = begin; put_path(r, false);
        }
    }
    r->depth--;
}

/* --- constants ---------------------------------------------------------------------------------*/

/* Hexadecimal digits up to _; returns their number, without leading zeros. */
static size_t take_hex(reader *r, const char **digits, uint64_t *value)
{
    size_t begin = r->at;
    *value = 0;
    while (!r->failed && !take_if(r, '_')) {
        char c = take(r);
        if (!is_digit(c) && (c < 'a' || c > 'f'))
            fail(r);
        *value = *value << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (r->failed)
        return 0;
    size_t size = r->at - 1 - begin;
    *digits = r->text + begin;
    for (; size > 0 && **digits == '0'; size--)
        ++*digits;
    return size;
}

static void put_integer(reader *r)
{
    const char *digits = "";
    uint64_t value;
    size_t size = take_hex(r, &digits, &value);
    if (size <= 16) {
        put_number(r, value);
    } else {
        put(r, "0x");
        put_bytes(r, digits, size);
    }
}

static void put_character(reader *r)
{
    const char *digits = "";
    uint64_t c;
    size_t size = take_hex(r, &digits, &c);
    if (size > 6 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        fail(r);
    put(r, "'");
    if (c == '\'' || c == '\\')
        put(r, "\\");
    if (c == '\n' || c == '\t' || c == '\r') {
        put(r, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
    } else if (c < 0x20 || c >= 0x7f) {
        put(r, "\\u{");
        put_bytes(r, size ? digits : "0", size ? size : 1);
        put(r, "}");
    } else {
        const char letter[2] = { (char)c, '\0' };
        put(r, letter);
    }
    put(r, "'");
}

static void put_bool(reader *r)
{
    const char *digits = "";
    uint64_t value;
    if (take_hex(r, &digits, &value) > 1 || value > 1)
        fail(r);
    put(r, value ? "true" : "false");
}

static void put_constant(reader *r)
{
    size_t begin = r->at;
    if (!enter(r))
        return;
    char kind = take(r);
    if (kind == 'B')
        follow(r, begin, put_constant);
    else if (kind == 'p')
        put(r, "_");
    else if (kind == 'b')
        put_bool(r);
    else if (kind == 'c')
        put_character(r);
    else if (kind && strchr("hjmoty", kind))
        put_integer(r);
    else if (kind && strchr("ailnsx", kind)) {
        put(r, take_if(r, 'n') ? "-" : "");
        put_integer(r);
    } else {
        fail(r);
    }
    r->depth--;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* A path, and the crate that instantiated it, which is not written. */
bool toll_append_rust_v0(toll_buffer *out, const char *text, size_t size)
{
    reader r = { .text = text, .end = size, .out = out };
    if (!size || text[0] < 'A' || text[0] > 'Z')
        return false;
    put_path(&r, true);
    if (!r.failed && r.at < r.end) {
        r.silent++;
        put_path(&r, false);
    }
    return !r.failed && r.at == r.end;
}
