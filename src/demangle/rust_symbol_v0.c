/* rust_symbol_v0.c - demangles Rust symbols of form v0: paths and types, which contain one another.
 * See rust_symbol.h and rust_v0.h. */
#include "demangle/rust_symbol.h"
#include "demangle/rust_v0.h"

static void put_path(toll_v0_reader *r, bool in_value);
static void put_type(toll_v0_reader *r);

/* --- lists -------------------------------------------------------------------------------------*/

/* Append the elements up to an E, with commas between them. Returns their number. */
static size_t put_list(toll_v0_reader *r, toll_v0_work *each)
{
    size_t count = 0;
    for (; !r->failed && !toll_v0_take_if(r, 'E'); count++) {
        if (count > 0)
            toll_v0_put(r, ", ");
        each(r);
    }
    return count;
}

static void put_argument(toll_v0_reader *r)
{
    if (toll_v0_take_if(r, 'L'))
        toll_v0_put_lifetime(r, toll_v0_take_base62(r));
    else if (toll_v0_take_if(r, 'K'))
        toll_v0_put_constant(r);
    else
        put_type(r);
}

/* --- paths -------------------------------------------------------------------------------------*/

static void put_path_of_type(toll_v0_reader *r)
{
    put_path(r, false);
}

static void put_path_of_value(toll_v0_reader *r)
{
    put_path(r, true);
}

/* path::name, or path::{closure:name#3}. */
static void put_nested(toll_v0_reader *r, bool in_value)
{
    char space = toll_v0_take(r);
    put_path(r, in_value);
    uint64_t number = toll_v0_take_optional(r, 's');
    toll_v0_identifier name = toll_v0_take_identifier(r);
    if (space >= 'A' && space <= 'Z') {
        const char letter[2] = { space, '\0' };
        toll_v0_put(r, "::{");
        toll_v0_put(r, space == 'C' ? "closure" : space == 'S' ? "shim" : letter);
        if (name.size)
            toll_v0_put(r, ":");
        toll_v0_put_identifier(r, name);
        toll_v0_put(r, "#");
        toll_v0_put_number(r, number);
        toll_v0_put(r, "}");
    } else if (space >= 'a' && space <= 'z') {
        if (name.size)
            toll_v0_put(r, "::");
        toll_v0_put_identifier(r, name);
    } else {
        toll_v0_fail(r);
    }
}

/* <type>, or <type as trait>. The path of the impl block itself is read and omitted: people do not
 * write it. */
static void put_impl(toll_v0_reader *r, char kind)
{
    if (kind != 'Y') {
        toll_v0_take_optional(r, 's');
        r->silent++;
        put_path(r, false);
        r->silent--;
    }
    toll_v0_put(r, "<");
    put_type(r);
    if (kind != 'M') {
        toll_v0_put(r, " as ");
        put_path(r, false);
    }
    toll_v0_put(r, ">");
}

static void put_path(toll_v0_reader *r, bool in_value)
{
    size_t begin = r->at;
    if (!toll_v0_enter(r))
        return;
    char kind = toll_v0_take(r);
    switch (kind) {
    case 'C':
        toll_v0_take_optional(r, 's');
        toll_v0_put_identifier(r, toll_v0_take_identifier(r));
        break;
    case 'N': put_nested(r, in_value); break;
    case 'M':
    case 'X':
    case 'Y': put_impl(r, kind); break;
    case 'I':
        put_path(r, in_value);
        toll_v0_put(r, in_value ? "::<" : "<");
        put_list(r, put_argument);
        toll_v0_put(r, ">");
        break;
    case 'B': toll_v0_follow(r, begin, in_value ? put_path_of_value : put_path_of_type); break;
    default: toll_v0_fail(r);
    }
    r->depth--;
}

/* --- types -------------------------------------------------------------------------------------*/

/* The type for each letter from a to z; "" if there is none. */
static const char basic[26][6] = {
    "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
    "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!",
};

static void put_reference(toll_v0_reader *r, char kind)
{
    toll_v0_put(r, "&");
    if (toll_v0_take_if(r, 'L')) {
        uint64_t lifetime = toll_v0_take_base62(r);
        if (lifetime) {
            toll_v0_put_lifetime(r, lifetime);
            toll_v0_put(r, " ");
        }
    }
    toll_v0_put(r, kind == 'Q' ? "mut " : "");
    put_type(r);
}

/* Append extern "C" and the like. The symbol has _ where the name has -. */
static void put_abi(toll_v0_reader *r)
{
    toll_v0_identifier abi = { "C", 1, false };
    if (!toll_v0_take_if(r, 'C'))
        abi = toll_v0_take_identifier(r);
    toll_v0_put(r, "extern \"");
    for (size_t i = 0; i < abi.size; i++)
        toll_v0_put_bytes(r, abi.text[i] == '_' ? "-" : abi.text + i, 1);
    toll_v0_put(r, "\" ");
}

static void put_function(toll_v0_reader *r)
{
    uint64_t bound = toll_v0_put_binder(r);
    if (toll_v0_take_if(r, 'U'))
        toll_v0_put(r, "unsafe ");
    if (toll_v0_take_if(r, 'K'))
        put_abi(r);
    toll_v0_put(r, "fn(");
    put_list(r, put_type);
    toll_v0_put(r, ")");
    if (!toll_v0_take_if(r, 'u')) {
        toll_v0_put(r, " -> ");
        put_type(r);
    }
    r->lifetimes -= bound;
}

/* Append a trait's path. Its list of arguments is not closed, since its associated types belong
 * there, too.
 * */
static void put_open_path(toll_v0_reader *r)
{
    size_t begin = r->at;
    r->open = false;
    if (!toll_v0_enter(r))
        return;
    if (toll_v0_take_if(r, 'B')) {
        toll_v0_follow(r, begin, put_open_path);
    } else if (toll_v0_take_if(r, 'I')) {
        put_path(r, false);
        toll_v0_put(r, "<");
        put_list(r, put_argument);
        r->open = true;
    } else {
        put_path(r, false);
    }
    r->depth--;
}

static void put_trait(toll_v0_reader *r)
{
    put_open_path(r);
    bool open = r->open;
    while (toll_v0_take_if(r, 'p')) {
        toll_v0_put(r, open ? ", " : "<");
        open = true;
        toll_v0_put_identifier(r, toll_v0_take_identifier(r));
        toll_v0_put(r, " = ");
        put_type(r);
    }
    if (open)
        toll_v0_put(r, ">");
}

static void put_object(toll_v0_reader *r)
{
    toll_v0_put(r, "dyn ");
    uint64_t bound = toll_v0_put_binder(r), lifetime;
    for (size_t i = 0; !r->failed && !toll_v0_take_if(r, 'E'); i++) {
        toll_v0_put(r, i > 0 ? " + " : "");
        put_trait(r);
    }
    r->lifetimes -= bound;
    if (!toll_v0_take_if(r, 'L'))
        toll_v0_fail(r);
    lifetime = toll_v0_take_base62(r);
    if (lifetime) {
        toll_v0_put(r, " + ");
        toll_v0_put_lifetime(r, lifetime);
    }
}

static void put_array(toll_v0_reader *r, char kind)
{
    toll_v0_put(r, "[");
    put_type(r);
    if (kind == 'A') {
        toll_v0_put(r, "; ");
        toll_v0_put_constant(r);
    }
    toll_v0_put(r, "]");
}

static void put_pointer(toll_v0_reader *r, const char *how)
{
    toll_v0_put(r, how);
    put_type(r);
}

static void put_tuple(toll_v0_reader *r)
{
    toll_v0_put(r, "(");
    toll_v0_put(r, put_list(r, put_type) == 1 ? ",)" : ")");
}

static void put_type(toll_v0_reader *r)
{
    size_t begin = r->at;
    if (!toll_v0_enter(r))
        return;
    char kind = toll_v0_take(r);
    if (kind >= 'a' && kind <= 'z' && *basic[kind - 'a']) {
        toll_v0_put(r, basic[kind - 'a']);
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
        case 'B': toll_v0_follow(r, begin, put_type); break;
        default: r->at = begin; put_path(r, false);
        }
    }
    r->depth--;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Read a path and append it. After the path of a generic function comes that of the crate that made
 * the instance, which is omitted. */
bool toll_append_rust_v0(toll_buffer *out, const char *text, size_t size)
{
    toll_v0_reader r = { .text = text, .end = size, .out = out };
    if (!size || text[0] < 'A' || text[0] > 'Z')
        return false;
    put_path(&r, true);
    if (!r.failed && r.at < r.end) {
        r.silent++;
        put_path(&r, false);
    }
    return !r.failed && r.at == r.end;
}
