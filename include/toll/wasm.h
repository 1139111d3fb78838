/* wasm.h - WebAssembly modules rewritten so that they tell of every call and count every tick.
 *
 * The new module does what the old one does, and calls four functions of a module "toll":
 *
 *     enter  (func (param $function i32) (param $ticks i64))   a function begins
 *     leave  (func (param $function i32) (param $ticks i64))   it ends: returns, or calls another
 *                                                              in its place
 *     depth  (func (result i32))                               how many functions stand
 *     unwind (func (param $depth i32) (param $ticks i64))      an exception was caught: all but so
 *                                                              many have ended
 *
 * of which it imports depth and unwind only if it can catch exceptions. $function is the function's
 * number in the old module; their names stand in the new one's custom section "toll". $ticks is
 * how many instructions have been executed (every one counts 1), also to be read in the global
 * that the new module exports as "toll:ticks". A trap counts the rest of the instructions that
 * would have been executed without a jump.
 *
 * An exception that no code of the module catches, and a trap, leave functions standing: whoever
 * called the module has to unwind to where it called. */
#ifndef TOLL_WASM_H
#define TOLL_WASM_H

#include <toll/memory.h>
#include <toll/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_wasm_options {
    /* Regular expressions (POSIX extended) that names of functions must, or must not, match to be
     * followed: others call no enter and leave, and their ticks are their callers'. NULL: all. */
    const char *only, *skip;
    int no_ticks; /* 1: no counting; $ticks is 0 */
    /* Called with a line for people on what was left out; may be NULL. */
    void (*warn)(void *user, const char *text);
    void *warn_user;
} toll_wasm_options;

/* Rewrite a module.
 *   in       at its first byte; read to its end, not freed; its name is for messages
 *   options  may be NULL
 *   out      gets the new module; not committed. The same input gives the same bytes
 * Sections that tell of places in the code (DWARF, source maps, branch hints) would be wrong: they
 * are left out, with a warning. All other custom sections stay.
 * Errors: TOLL_E_SYNTAX, TOLL_E_TRUNCATED (a bad module), TOLL_E_UNSUPPORTED (an instruction that
 * is not known, a component, an object file, a module that was instrumented before),
 * TOLL_E_ARGUMENT (a bad pattern), TOLL_E_LIMIT, TOLL_E_NOMEM, TOLL_E_IO.
 * Threads: any. Memory: about three times the module. */
TOLL_API toll_status toll_wasm_instrument(const toll_allocator *allocator, toll_input *in,
                                          const toll_wasm_options *options, toll_output *out,
                                          toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
