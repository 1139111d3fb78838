/* wasm.h - WebAssembly modules rewritten so that they tell of every call and count every tick.
 *
 * The new module does what the old one does, and calls functions of a module "toll":
 *
 *     enter  (func (param $pending i32) (param $then i64) (param $function i32) (param $ticks i64)
 *                  (result i32))                               a function begins
 *     leave  (as enter)                                        it ends: returns, or calls another
 *                                                              in its place
 *     settle (func (param $pending i32) (param $then i64) (result i32))
 *                                                              before any of these is called:
 *     depth  (func (result i32))                               how many functions stand
 *     unwind (func (param $depth i32) (param $ticks i64))      an exception was caught: all but so
 *                                                              many have ended
 *     allocating (func)                                        the function that was entered last
 *                                                              allocates or frees memory
 *     heap   (func (param $old i64) (param $new i64) (param $size i64))
 *                                                              and has: see below
 *
 * of which it imports settle, depth and unwind only if it can catch exceptions, and these and the
 * last two if options.heap asks for them. $function is the function's number in the old module.
 * $ticks is what the instructions executed so far cost (each one 1, if options tell no other
 * costs), also to be read in the global that the new module exports as "toll:ticks". A trap counts
 * the rest of the instructions that would have been executed without a jump.
 *
 * Half of the calls can be saved: what enter, leave and settle return is kept in the global
 * "toll:pending", and if that is 1, the next event is left there instead of being told: 2 *
 * $function + 2 for enter, + 3 for leave, and its $ticks in "toll:pending_ticks". They are what is
 * handed over as $pending and $then with the event after it, which comes later; $pending 0 and 1
 * are no events. So a host that returns 0 is told of each event at once, and has nothing to do with
 * $pending; one that returns 1 also has to look at "toll:pending" before it asks or tells anything
 * else, take what it finds there, and set it to 1 again.
 *
 * An exception that no code of the module catches, and a trap, leave functions standing: whoever
 * called the module has to unwind to where it called.
 *
 * heap, in a function that called allocating (known by its name: malloc, free, operator new,
 * __rust_alloc and the like): the block at $old is given back (0: none), and there is one of $size
 * bytes at $new (0: none). With $old and $size, but without $new, nothing has happened: there was
 * no memory. Where such functions call one another, the outermost one tells the truth.
 *
 * The new module's custom section "toll" tells hosts the rest; numbers are unsigned LEB128 of at
 * most 32 bits, a text is its size in bytes (a number), then its bytes in UTF-8:
 *
 *     byte     3, the version of this form
 *     number   calls deeper than so many are to be charged to their ancestor there; 0: no limit
 *     text     the name of the table of costs: instructions, fuel, or its file's
 *     number   how many functions the old module has, imported ones first
 *     text     for each its name: of the name section, else module.name of an import, else an
 *              export's, else function[N]; Rust's symbols demangled. No two are the same: where
 * several functions are called the same, each has its number behind it, as in cmp#7
 *
 * Experimental: see toll.h. */
#ifndef TOLL_WASM_H
#define TOLL_WASM_H

#include <toll/memory.h>
#include <toll/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What instructions cost in ticks. Not changed once made: any number of threads may use it. */
typedef struct toll_wasm_costs toll_wasm_costs;

/* A table that is built in.
 *   name  "instructions": every instruction 1. "fuel": as the engine wasmtime counts: to enter a
 *         function 1; nop, drop, block, loop, else, end, return, unreachable 0; all others 1
 *         (what wasmtime adds for each byte or element of bulk instructions is not in it)
 *   out   the caller's to free (toll_wasm_costs_free)
 * Errors: TOLL_E_ARGUMENT (no such name), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_wasm_costs_named(const toll_allocator *allocator, const char *name,
                                           toll_wasm_costs **out, toll_error *err);

/* A table out of a text of lines NAME COST; # begins a comment.
 *   in   at the text's first byte; read to its end, not freed
 *   out  the caller's to free (toll_wasm_costs_free)
 * NAME is an instruction's in the text format, such as i32.add; or * for all that have no line
 * (else these cost 1); or entry, for entering a function of the module (else 0), which is the
 * entered function's. COST is 0 to 4294967295. The order of lines does not matter.
 * Errors: TOLL_E_SYNTAX (with line; of an unknown name also the nearest one), TOLL_E_NOMEM,
 * TOLL_E_IO and those of gzip. Since 0.1. */
TOLL_API toll_status toll_wasm_costs_read(const toll_allocator *allocator, toll_input *in,
                                          toll_wasm_costs **out, toll_error *err);

/* Free a table of costs. NULL is fine. Since 0.1. */
TOLL_API void toll_wasm_costs_free(toll_wasm_costs *costs);

typedef struct toll_wasm_options {
    size_t size; /* sizeof(toll_wasm_options), as for all options: see toll.h */
    /* Regular expressions (POSIX extended) that names of functions must, or must not, match to be
     * followed, with or without the number behind them: others call no enter and leave, and their
     * ticks are their callers'. NULL: all. */
    const char *only, *skip;
    int calls_only;               /* 1: calls alone, instructions are not counted: $ticks is 0 */
    int heap;                     /* 1: functions that allocate or free tell it, see above */
    const toll_wasm_costs *costs; /* borrowed; NULL: every instruction 1 */
    uint32_t max_depth; /* for hosts, in the section: calls deeper are their ancestor's; 0: all */
    /* Called with a line for people on what was left out; may be NULL. */
    void (*warn)(void *user, const char *text);
    void *warn_user;
} toll_wasm_options;

/* Rewrite a module.
 *   in       at its first byte; read to its end, not freed; its name is for messages
 *   options  may be NULL
 *   out      the new module is written there, and not committed; must not be NULL. The same input
 *            gives the same bytes
 * Sections that hold places in the code (DWARF, source maps, branch hints) would be wrong: they are
 * left out, with a warning. All other custom sections stay.
 * Errors: TOLL_E_SYNTAX, TOLL_E_TRUNCATED (a bad module), TOLL_E_UNSUPPORTED (an instruction that
 * is not known, a component, an object file, a module that was instrumented before),
 * TOLL_E_ARGUMENT (a bad pattern; options), TOLL_E_LIMIT, TOLL_E_NOMEM, TOLL_E_IO. Threads: any.
 * Memory: about three times the module. Since 0.1. */
TOLL_API toll_status toll_wasm_instrument(const toll_allocator *allocator, toll_input *in,
                                          const toll_wasm_options *options, toll_output *out,
                                          toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
