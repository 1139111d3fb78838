/* rust_v0.h - the parts of Rust's v0 symbols: a reader of letters, numbers, identifiers and
 * lifetimes, and the constants. Paths and types, which are built of them, are in rust_symbol_v0.c.
 * The letters are those of the grammar:
 * https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
 *
 * "take" reads; "put" reads and appends what it read to the name. A failure is kept in the reader,
 * and from then on nothing is read or appended. */
#ifndef TOLL_DEMANGLE_RUST_V0_H
#define TOLL_DEMANGLE_RUST_V0_H

#include "base/buffer.h"

/* A symbol can refer to its own parts, so that a short one may stand for a very long name: how deep
 * the reader goes is bounded, and so is the number of its steps. */
enum { TOLL_V0_MOST_DEPTH = 250 };

typedef struct toll_v0_reader {
    const char *text;
    size_t at, end;
    toll_buffer *out;
    size_t steps;       /* paths, types and constants so far, and bytes appended */
    unsigned depth;     /* of paths, types and constants within one another */
    uint64_t lifetimes; /* that the `for`s around this place bind */
    unsigned silent;    /* above 0: nothing is appended */
    bool open;          /* the trait read last has arguments, and its > has not been appended */
    bool failed;
} toll_v0_reader;

/* --- letters and numbers -----------------------------------------------------------------------*/

void toll_v0_fail(toll_v0_reader *r);

static inline bool toll_v0_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read the next letter; NUL, and a failure: there is none. */
char toll_v0_take(toll_v0_reader *r);

/* Read the next letter if it is `c`. */
bool toll_v0_take_if(toll_v0_reader *r, char c);

/* A number in base 62: "_" is 0, "0_" is 1, "1_" is 2. */
uint64_t toll_v0_take_base62(toll_v0_reader *r);

/* 0 if the next letter is another; else the number in base 62 that follows it, plus 1. */
uint64_t toll_v0_take_optional(toll_v0_reader *r, char letter);

void toll_v0_put_bytes(toll_v0_reader *r, const char *text, size_t size);
void toll_v0_put(toll_v0_reader *r, const char *text);
void toll_v0_put_number(toll_v0_reader *r, uint64_t number);

/* Go one level deeper, which the caller leaves by r->depth--. False, and a failure: too deep, or
 * too many steps. */
bool toll_v0_enter(toll_v0_reader *r);

/* A reference to an earlier place of the symbol, before `begin`: `work` reads what is there. If
 * nothing is appended at the moment, the reference is not followed. */
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

/* Append 'a, 'b, ... of the lifetime that is the `index`th from the innermost; '_ for 0. */
void toll_v0_put_lifetime(toll_v0_reader *r, uint64_t index);

/* for<'a, 'b>, if it comes next. Returns how many lifetimes it binds: the caller takes them from
 * r->lifetimes at the end of what they are bound for. */
uint64_t toll_v0_put_binder(toll_v0_reader *r);

/* --- constants ---------------------------------------------------------------------------------*/

/* A number, character or truth value, or the _ of one that is not known. */
void toll_v0_put_constant(toll_v0_reader *r);

#endif
