/* rust_v0.h - reads the parts of Rust's v0 symbols: letters, numbers, identifiers, lifetimes and
 * constants. Paths and types, which consist of these, are in rust_symbol_v0.c. The letters are
 * those of the grammar: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
 *
 * Functions with "take" read; functions with "put" read, and append what they read to the name. A
 * failure is kept in the reader; after it, nothing is read or appended. */
#ifndef TOLL_DEMANGLE_RUST_V0_H
#define TOLL_DEMANGLE_RUST_V0_H

#include "base/buffer.h"

/* A symbol can refer to its own parts, so a short one may denote a very long name. So the depth of
 * the reader and the number of its steps are bounded. */
enum { TOLL_V0_MOST_DEPTH = 250 };

typedef struct toll_v0_reader {
    const char *text;
    size_t at, end;
    toll_buffer *out;
    size_t steps;       /* paths, types and constants so far, and bytes appended */
    unsigned depth;     /* of paths, types and constants within one another */
    uint64_t lifetimes; /* number of lifetimes that the enclosing `for`s bind */
    unsigned silent;    /* if not 0, nothing is appended */
    bool open;          /* the last trait has arguments, and its > is not yet appended */
    bool failed;
} toll_v0_reader;

/* --- letters and numbers -----------------------------------------------------------------------*/

void toll_v0_fail(toll_v0_reader *r);

static inline bool toll_v0_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read the next letter. NUL, and a failure, if there is none. */
char toll_v0_take(toll_v0_reader *r);

/* Read the next letter if it is `c`. */
bool toll_v0_take_if(toll_v0_reader *r, char c);

/* Read a number in base 62: "_" is 0, "0_" is 1, "1_" is 2. */
uint64_t toll_v0_take_base62(toll_v0_reader *r);

/* Read `letter` and a number in base 62, if that letter is next. Returns the number plus 1; 0 if
 * another letter is next. */
uint64_t toll_v0_take_optional(toll_v0_reader *r, char letter);

void toll_v0_put_bytes(toll_v0_reader *r, const char *text, size_t size);
void toll_v0_put(toll_v0_reader *r, const char *text);
void toll_v0_put_number(toll_v0_reader *r, uint64_t number);

/* Go one level deeper; the caller must do r->depth-- at the end. False, and a failure: too deep, or
 * too many steps. */
bool toll_v0_enter(toll_v0_reader *r);

/* Follow a reference to an earlier position in the symbol, before `begin`: `work` reads what is
 * there. If the reader is silent, the reference is not followed. */
typedef void toll_v0_work(toll_v0_reader *r);
void toll_v0_follow(toll_v0_reader *r, size_t begin, toll_v0_work *work);

/* --- identifiers and lifetimes -----------------------------------------------------------------*/

typedef struct toll_v0_identifier {
    const char *text;
    size_t size;
    bool punycode;
} toll_v0_identifier;

toll_v0_identifier toll_v0_take_identifier(toll_v0_reader *r);
void toll_v0_put_identifier(toll_v0_reader *r, toll_v0_identifier id);

/* Append 'a, 'b, ... for a lifetime; `index` counts from the innermost one, 1. '_ for 0. */
void toll_v0_put_lifetime(toll_v0_reader *r, uint64_t index);

/* Read and append for<'a, 'b>, if it comes next. Returns the number of lifetimes that it binds. The
 * caller must subtract it from r->lifetimes where their scope ends. */
uint64_t toll_v0_put_binder(toll_v0_reader *r);

/* --- constants ---------------------------------------------------------------------------------*/

/* Read and append a number, character or truth value, or the _ of an unknown one. */
void toll_v0_put_constant(toll_v0_reader *r);

#endif
