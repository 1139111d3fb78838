/* wasm.h - rewrites WebAssembly modules so that they report each call, and count instructions.
 *
 * The new module behaves as the old one, and calls functions of a module "toll":
 *
 *     enter  (func (param $pending i32) (param $then i64) (param $function i32) (param $ticks i64)
 *                  (result i32))                       a function begins
 *     leave  (as enter)                                it ends: it returns, or calls another one in
 *                                                      its place
 *     settle (func (param $pending i32) (param $then i64) (result i32))
 *                                                      called before any of these, if an event is
 *                                                      pending:
 *     depth  (func (result i32))                       how many functions are open
 *     unwind (func (param $depth i32) (param $ticks i64))
 *                                                      an exception was caught: only $depth
 *                                                      functions are still open
 *     allocating (func)                                the innermost open function is about to
 *                                                      allocate or free memory
 *     heap   (func (param $old i64) (param $new i64) (param $size i64))
 *                                                      it has done so, see below
 *
 * It imports settle, depth and unwind only if it can catch exceptions, and these, allocating and
 * heap only if options.heap asks for them. $function is the function's index in the old module.
 * $ticks is what the instructions executed so far cost (1 each, unless there is a table of costs);
 * the new module exports it as the global "toll:ticks", too. After a trap all instructions up to
 * the next jump are counted, also those behind the one that trapped.
 *
 * Pending events save half of the calls. What enter, leave and settle return is kept in the global
 * "toll:pending". If that is 1, the next event is stored instead of reported: 2 * $function + 2 for
 * enter, or + 3 for leave, in "toll:pending", and its $ticks in "toll:pending_ticks". The event
 * after it then passes both as $pending and $then: first the pending event happened, then this one.
 * A $pending of 0 or 1 is no event. A host that returns 0 is called for each event, and can ignore
 * $pending. A host that returns 1 must read "toll:pending" itself before it reads the stack or the
 * counters, handle an event that it finds there, and set the global to 1 again.
 *
 * An exception that the module does not catch, and a trap, leave functions open: the caller of the
 * module has to unwind to the depth of that call.
 *
 * heap is called in functions that allocate (known by name: malloc, free, operator new,
 * __rust_alloc and the like): the block at $old is freed (0: none), and a block of $size bytes at
 * $new is allocated (0: none). $old and $size without $new: a resize failed, and nothing has
 * changed. Where such functions call one another, the outermost one's call counts.
 *
 * options.lines counts executions, too: each basic block (instructions that are executed all or
 * none, but for traps) has a counter, and the new module exports
 *
 *     toll:executions  (func (param $page i32) (result i64 ... i64))
 *
 * which returns counters 64 * $page to 64 * $page + 63; those beyond the last are 0. A block that
 * trapped is counted as executed, and so are its ticks: the executions of all blocks, each times
 * what the block costs, are the ticks. Code that no path leads to has no counter. Counters are
 * globals, of which engines allow a million. Above half a million counters, they are in a separate
 * memory, for which the engine needs multi-memory.
 *
 * options.call_lines: an event contains the call of the caller from which the function was entered.
 * Each call instruction of the functions that are followed has a number, from 1 on; tail calls have
 * none. $pending, $function, "toll:pending" and what enter, leave and settle return have 64 bits
 * then: of an event in which a function begins, the upper half is the call's number. 0: the place
 * is still the previous call, since the functions in between are not followed or were left by a
 * tail call; or no function of the module made the call. The number is in the global "toll:place"
 * from the call to the event: a host that unwinds functions sets it to 0.
 *
 * With options.call_lines of 2 the number is that of the call's kind: 1 direct, 2 by call_indirect
 * or call_ref. Tail calls have it, too, unless what they call may be a function that is not
 * followed. The global's name is "toll:call_kind" then, and no call has a number in the section.
 *
 * With options.no_calls the new module calls nothing and imports nothing.
 *
 * options.linked: the module is one of several that are recorded as one program, such as the core
 * modules of a component. It imports the globals that it would define and export from "toll", under
 * their names without "toll:", so that all modules have the same ones; and the numbers of its
 * functions and calls in events begin at first_function and first_call + 1.
 *
 * The new module's custom section "toll" has everything else that a host needs. Numbers are
 * unsigned LEB128 of at most 32 bits (costs: 64); a text is its size in bytes (a number), then its
 * bytes in UTF-8. Code addresses are offsets in the old module's file minus that of the code
 * section's content (of the byte behind the section's size), as in DWARF:
 *
 *     byte     8, the version of this layout
 *     number   frames deeper than this are charged to their ancestor at this depth; 0: no limit
 *     number   how many functions the old module has, imported ones first
 *     number   0: the rest follows as it is; else how many bytes the rest has, which follow as a
 *              block of LZ4 (github.com/lz4/lz4, doc/lz4_Block_format.md)
 *
 * and, in the rest,
 *
 *     text     the name of the table of costs: instructions, fuel, or its file's
 *     text     the name of each function: from Go's table of functions, else the name section, else
 *              module.name of an import, else an export's, else function[N]; symbols of Rust
 *              and C++ demangled. Functions of one name that file and line (below) do not keep
 *              apart have their index behind it, as in cmp#7
 *     number   how many of these functions are imported
 *     text     the old module's file name, without folders
 *     text     its build id in hexadecimal: that of its custom section "build_id", else a hash of
 *              its code section
 *     text     the compilers that its custom section "producers" names: "clang 14.0.6"
 *     number   for each function that is not imported: its code address, that of its locals'
 *              declarations, minus that of the function before
 *     number   how many files functions are defined in, as far as Go's table of functions, or
 *              options.define, gives it
 *     text     the name of each
 *     number   if there are any, for each function that is not imported: 0 (not known), or the
 *              file's place in this list, the first being 1, then its line (a number)
 *     number   how many counters there are; 0 without options.lines
 *     number   if there are any, for each function that is not imported: how many it has; then for
 *              each of these the address of its block minus that of the block before (of the
 *              first: minus the function's), and what the block costs. A block ends where its
 *              last instruction does: at the next branch, call or place that a branch leads to
 *     number   how many calls have a number; 0 unless options.call_lines is 1
 *     number   if there are any, for each function that is not imported: how many it has; then for
 *              each of these, in order of their numbers, the instruction's address minus that of
 *              the call before (of the first: minus the function's)
 *     number   how many functions' names are symbols demangled; for each of them its index minus
 *              that of the one before (of the first: its index), and the symbol (a text)
 *     number   1: the events of imported functions never stay pending (options.time); else 0
 *     number   only with options.linked: first_function, then first_call (a number)
 *
 * Experimental: see toll.h. */
#ifndef TOLL_WASM_H
#define TOLL_WASM_H

#include <toll/memory.h>
#include <toll/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cost of each instruction in ticks. It never changes, so any number of threads may use it. */
typedef struct toll_wasm_costs toll_wasm_costs;

/* Make a built-in table of costs.
 *   name  "instructions": every instruction 1. "fuel": as the engine wasmtime counts: to enter a
 *         function 1; nop, drop, block, loop, else, end, return, unreachable 0; all others 1
 *         (what wasmtime adds for each byte or element of bulk instructions is not in it).
 *         "pvm": what Tezos' WASM PVM counts for the instructions of a kernel, as docs/kernels.md
 *         defines it; not with options.lines, since it depends on which branches are taken.
 *         "cosmwasm": the gas of cosmwasm-vm 2 and 3: 115 for each instruction, and 1610 for else,
 *         end, loop, if, branches, calls, return, throw and the like; to enter a function 115 for
 *         each local variable that it declares from the 30th on
 *   out   the caller's to free (toll_wasm_costs_free)
 * Errors: TOLL_E_ARGUMENT (no such name), TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_wasm_costs_named(const toll_allocator *allocator,
                                                           const char *name, toll_wasm_costs **out,
                                                           toll_error *err);

/* Read a table of costs from lines NAME COST; # begins a comment.
 *   in   at the text's first byte; read to its end, not freed
 *   out  the caller's to free (toll_wasm_costs_free)
 * NAME is an instruction's in the text format, such as i32.add; or * for all that have no line
 * (else these cost 1); or entry, for entering a function of the module (else 0), which is the
 * entered function's. COST is 0 to 4294967295. The order of lines does not matter.
 * Errors: TOLL_E_SYNTAX (with line; of an unknown name also the nearest one), TOLL_E_NOMEM,
 * TOLL_E_IO and those of gzip. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_wasm_costs_read(const toll_allocator *allocator,
                                                          toll_input *in, toll_wasm_costs **out,
                                                          toll_error *err);

/* Free a table of costs. NULL is fine. Since 0.1. */
TOLL_API void toll_wasm_costs_free(toll_wasm_costs *costs);

typedef struct toll_wasm_options {
    size_t size; /* sizeof(toll_wasm_options), as for all options: see toll.h */
    /* Regular expressions (docs/semantics.md, "Patterns") that names of functions must, or must
     * not, match to be followed, with or without the number behind them: others call no enter and
     * leave, and their ticks are their callers'; nor are their blocks counted. NULL: all. */
    const char *only, *skip;
    int calls_only;               /* 1: calls alone, instructions are not counted: $ticks is 0 */
    int heap;                     /* 1: functions that allocate or free report it */
    const toll_wasm_costs *costs; /* borrowed; NULL: every instruction 1 */
    uint32_t max_depth; /* for hosts, in the section: calls deeper are their ancestor's; 0: all */
    int call_lines;     /* 1: events say where the function was called; 2: only whether directly or
                           not; see above. Not with no_calls */
    /* Called with a line for users on what was omitted; may be NULL. */
    void (*warn)(void *user, const char *text);
    void *warn_user;
    int lines; /* 1: each basic block counts its executions; see above */
    /* 1: no enter and leave, and nothing is imported. With lines, ticks are not counted in
     * addition: they follow from the executions. Not with heap. */
    int no_calls;
    /* Where a function is defined, for the section: returns the file's name, which is copied before
     * the next call, and sets *line; NULL: not known. `address`: where its code begins, as in the
     * section. Called for each function of the module that is not imported; may be NULL. */
    const char *(*define)(void *user, uint32_t function, uint64_t address, uint32_t *line);
    void *define_user;
    int linked; /* 1: one of several modules of one program; see above. Not with costs of the PVM */
    uint32_t first_function, first_call; /* with linked; else ignored */
    /* 1, for toll_wasm_instrument_component: time is recorded, by the clock of WASI 0.2, which the
     * new component imports. Not with calls_only and no_calls. For a module its host has a clock */
    int time;
    /* For toll_wasm_instrument_component: called with each core module before `define` is called
     * for its functions; may be NULL. A status that is not 0 is returned. */
    toll_status (*begin_module)(void *define_user, const char *name, const void *data, size_t size,
                                toll_error *err);
} toll_wasm_options;

#define TOLL_WASM_OPTIONS_INIT TOLL_SIZED_INIT(toll_wasm_options)

/* Rewrite a module.
 *   in       at its first byte; read to its end, not freed; its name is for messages
 *   options  may be NULL
 *   out      the new module is written there, and not committed; must not be NULL. The same input
 *            gives the same bytes
 * Sections with offsets into the code (DWARF, source maps) would be wrong: they are omitted, with a
 * warning. Branch hints are moved to where their instructions are. All other custom sections stay.
 * Errors: TOLL_E_SYNTAX, TOLL_E_TRUNCATED (a bad module), TOLL_E_UNSUPPORTED (an instruction that
 * is not known, a component, an object file, a module that was instrumented before),
 * TOLL_E_ARGUMENT (a bad pattern; options), TOLL_E_LIMIT, TOLL_E_NOMEM, TOLL_E_IO. Threads: any.
 * Memory: about three times the module. Since 0.1. */
TOLL_API toll_status toll_wasm_instrument(const toll_allocator *allocator, toll_input *in,
                                          const toll_wasm_options *options, toll_output *out,
                                          toll_error *err);

/* Do these bytes begin a component (WebAssembly's component model), and no module? 8 bytes are
 * enough; of fewer the answer is no. Since 0.1. */
TOLL_API int toll_wasm_is_component(const void *data, size_t size);

/* Instrument a component (WebAssembly's component model), for any engine that runs components: its
 * core modules are linked modules (see above), and toll.wasm is put into it, which records them.
 * The new component imports and exports what the old one does, and exports
 *
 *     toll-profile: func() -> result<list<u8>, string>
 *
 * which returns the profile so far of this instance, in the format pprof, not compressed; or what
 * is wrong. With options.time it imports wasi:clocks/monotonic-clock@0.2.N, of the first N that it
 * does not import yet. With options.lines the profile has addresses, to which toll_debug_read of
 * the core modules gives lines. After a trap, or an exit of the program, engines let no function of
 * a component be called, so that its profile is lost. in         at the component's first byte;
 * read to its end, not freed; its name is for messages toll_wasm  the same for toll.wasm of this
 * version options    as for toll_wasm_instrument; may be NULL. `linked` and what belongs to it are
 * ignored out        the new component is written there, and not committed. The same input gives
 * the same bytes Functions of modules that only connect others, which tools add, have no frames;
 * what they cost is their callers'. Core modules have the names FILE.core.wasm, FILE.core2.wasm,
 * ... Components in it share nothing with it, so that each instance of one that has core modules
 * has a recording of its own. The first profile is toll-profile, and further ones are
 * toll-profile2, toll-profile3, ...: at most 100. Errors: as above, and TOLL_E_UNSUPPORTED (no core
 * module; core modules that it passes on to other components; asynchronous exports; the heap of
 * several memories; the time of components in it that have core modules, or where a core module
 * allocates that it imports; another version of the format, or of toll.wasm), TOLL_E_LIMIT (more
 * than 30 components in one another). Since 0.1. */
TOLL_API toll_status toll_wasm_instrument_component(const toll_allocator *allocator, toll_input *in,
                                                    toll_input *toll_wasm,
                                                    const toll_wasm_options *options,
                                                    toll_output *out, toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
