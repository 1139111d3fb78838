/* embedder.h - the exports and imports of toll.wasm: the library as a WebAssembly module, which an
 * engine runs beside the profiled module, the guest. For authors of embedders in other languages;
 * docs/embedder.md has the calls in order. C programs do not need this: they use toll.h.
 *
 * toll.wasm is compiled with this header, and exports what TOLL_EXPORT names here, "memory" and
 * "_initialize", nothing else. Types: int, uint32_t, size_t and every pointer (an offset in
 * toll.wasm's memory) are i32; int64_t and uint64_t are i64; double is f64.
 *
 * A recording, in order:
 *
 *     _initialize()                      once, before anything else
 *     prepare(module, ...)               result: the module that reports its calls
 *     begin(instrumented(module), ...)
 *     for each instance of the guest, one after the other:
 *         module(module)                 the module of the instance
 *         next_instance(ticks)
 *         settles(0)
 *         make the instance; its imports from "toll" are exports of toll.wasm, of the same name:
 *         enter, leave, settle, depth, unwind, allocating, heap
 *         settles(1)
 *         for each call into the instance: deliver the pending event, and keep depth(); call; if
 *         the call fails (a trap, an exception, an exit), deliver the pending event again, and
 *         unwind() to that depth
 *     deliver the pending event; charge(ticks); executions(), if there are counters
 *     profile(...); pass(ticks)          as often as wanted; the recording goes on
 *
 * To deliver the pending event: read the guest's global "toll:pending"; if it is above 1, call
 * settle with it and with the global "toll:pending_ticks", and set "toll:pending" to what settle
 * returns. `ticks` is the guest's global "toll:ticks", read after that; 0 if it has none. See
 * toll/wasm.h. A module with call_lines exports "toll:place" in addition: it gets enter_placed,
 * leave_placed and settle_placed in place of enter, leave and settle, and its "toll:pending" is an
 * i64.
 *
 * Deliver the pending event before any function below that has a parameter `ticks`, before depth(),
 * and before functions that read the recording. While the embedder itself works between two calls
 * into the guest, only time is charged: see pass().
 *
 * An instance of toll.wasm makes one recording. Guest instances that exist at the same time, or in
 * other threads, each need their own instance of toll.wasm; add() merges their profiles.
 *
 * Memory: arguments are borrowed for the call. The embedder copies data for toll.wasm into a block
 * of alloc(), which it owns and must release(). Texts are UTF-8 and end in a NUL; "" means that an
 * option is not set. A result (of instrument, or of output to TOLL_TO_RESULT) belongs to toll.wasm:
 * result() is its address, result_size() its bytes; both are valid until the next function that
 * makes a result. Each call may grow toll.wasm's memory, which moves it in some engines.
 *
 * Errors: functions that return `int` return 0 or a toll_status (toll/error.h); error_text() then
 * returns what is wrong, where, and what to do. Events cannot fail. A function that needs begin()
 * traps without it.
 *
 * Frozen: within one TOLL_EMBEDDER_VERSION, only exports and bits of flags are added; everything
 * here keeps its name, type and meaning, and no import is added. An embedder compares interface().
 *
 * Experimental: see toll.h. */
#ifndef TOLL_EMBEDDER_H
#define TOLL_EMBEDDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOLL_EMBEDDER_VERSION 1

#ifdef __wasm__
#define TOLL_EXPORT(name) __attribute__((export_name(name)))
#define TOLL_IMPORT(module, name) __attribute__((import_module(module), import_name(name)))
#else
#define TOLL_EXPORT(name)
#define TOLL_IMPORT(module, name)
#endif

/* --- imports -----------------------------------------------------------------------------------*/

/* Nanoseconds since any moment; never less than before. Called where time is recorded, unless
 * TOLL_RECORD_WASI_CLOCK is set, with TOLL_RECORD_SAMPLES at some events, by clock_cost, by
 * profile, since, mark and report, which say in a note what reading it has cost, while a timeline
 * is written to a file, and by events that are watched: see gate. */
TOLL_IMPORT("toll_host", "now") double host_now(void);

/* Imports from "wasi_snapshot_preview1", as WASI defines them, so an engine's WASI works. An
 * embedder that needs none of the features here can pass functions that return 52 (not supported).
 *
 *   fd_write            of profile, since, report and sites_write to a descriptor; of warnings, to
 * 2 fd_pwrite, fd_pread, fd_filestat_set_size of the file of a timeline, descriptor 4:
 * TOLL_RECORD_TIMELINE_FILE clock_time_get      clock 1, monotonic: TOLL_RECORD_WASI_CLOCK */

/* --- memory, errors, results -------------------------------------------------------------------*/

/* TOLL_EMBEDDER_VERSION of this toll.wasm. */
TOLL_EXPORT("interface") uint32_t host_interface(void);

/* A block of `size` bytes, aligned to 8; 0: no memory. */
TOLL_EXPORT("alloc") void *host_alloc(size_t size);

/* Free a block of alloc. 0 is fine. */
TOLL_EXPORT("release") void host_release(void *block);

/* The text of the last failure, one line, and its size without the NUL. */
TOLL_EXPORT("error_text") const char *host_error_text(void);
TOLL_EXPORT("error_size") size_t host_error_size(void);

/* The last result; 0 and 0 if there is none. */
TOLL_EXPORT("result") const void *host_result_data(void);
TOLL_EXPORT("result_size") size_t host_result_size(void);

/* --- modules -----------------------------------------------------------------------------------*/

enum { TOLL_WRITTEN_FD = 3 };

enum {
    TOLL_INSTRUMENT_NO_TICKS = 1, /* calls alone */
    TOLL_INSTRUMENT_HEAP = 2,
    TOLL_INSTRUMENT_LINES = 4,
    TOLL_INSTRUMENT_NO_CALLS = 8,
    TOLL_INSTRUMENT_CALL_LINES = 16, /* with TOLL_INSTRUMENT_LINES */
    TOLL_INSTRUMENT_CALL_KINDS = 32, /* without TOLL_INSTRUMENT_CALL_LINES */
    TOLL_INSTRUMENT_LINKED = 64,     /* see module() */
    TOLL_INSTRUMENT_WRITTEN = 128,   /* there is no result: fd_write gets the module, in pieces, for
                                      * TOLL_WRITTEN_FD; not with TOLL_INSTRUMENT_LINKED */
    TOLL_INSTRUMENT_TIME = 256       /* for instrument_component() and TOLL_RECORD_WINDOWS */
};

/* Rewrite the module data[size] so that it reports its calls; toll_wasm_options in toll/wasm.h says
 * what each option does. The result is the new module. Needs no begin().
 *   name        of the module's file, for profiles and messages
 *   only, skip  patterns of functions' names
 *   costs       the name of a table of costs, or its text; "": every instruction 1
 *   flags       TOLL_INSTRUMENT_* */
TOLL_EXPORT("instrument")
int host_instrument(const void *data, size_t size, const char *name, const char *only,
                    const char *skip, const char *costs, uint32_t flags);

/* The module data[size] as it is recorded: the result of instrument(), or the module itself if it
 * is instrumented already. TOLL_E_STATE: it is, but not with what the arguments ask for. (Without
 * ticks it can be recorded: leave TOLL_RECORD_TICKS out.) Needs no begin(). Since 0.1. */
TOLL_EXPORT("prepare")
int host_prepare(const void *data, size_t size, const char *name, const char *only,
                 const char *skip, const char *costs, uint32_t flags);

/* Instrument the component data[size] so that it records itself: toll_wasm_instrument_component in
 * toll/wasm.h. The result is the new component. toll_wasm[toll_wasm_size] is toll.wasm itself;
 * depth as for begin(). Needs no begin(). */
TOLL_EXPORT("instrument_component")
int host_instrument_component(const void *data, size_t size, const char *name, const char *only,
                              const char *skip, const char *costs, uint32_t flags, uint32_t depth,
                              const void *toll_wasm, size_t toll_wasm_size);

/* Give the next instrument() or prepare() the places where functions are defined, which it would
 * else read from the module's own DWARF: lines "BEGIN END LINE FILE", each with a newline at its
 * end, in order of address. END is the first address after the code (addresses as in the section:
 * toll/wasm.h). The text is changed, and must stay valid until then. "": as without a text. */
TOLL_EXPORT("define") void host_define(char *text);

/* Keep the debug information of the module data[size], as it was before instrument(): profile,
 * since and report then have lines in place of addresses, as `toll convert --debug` makes them. For
 * each module that counts executions (TOLL_INSTRUMENT_LINES), in the instance of toll.wasm that
 * writes its profiles. A module without lines, or one that was instrumented before, changes
 * nothing. Of a component, the core modules in it are read. Takes about as much memory as the
 * functions and lines take in the module. name     of the module's file, for messages costs    as
 * for instrument(): the same for all modules inlines  1: frames of inlined functions; 0: what they
 * cost is that of the line that calls them Since 0.1. */
TOLL_EXPORT("debug_info")
int host_debug_info(const void *data, size_t size, const char *name, const char *costs,
                    int inlines);

/* What the module data[size] reports: TOLL_RECORD_TICKS, _HEAP, _NO_CALLS and _CALL_KINDS, which
 * are flags for begin, and TOLL_MODULE_*, which begin ignores. 0: it is not instrumented. Negative:
 * it is not a module, or its section "toll" is of another version; error_text() has the reason.
 * Needs no begin(). */
TOLL_EXPORT("instrumented") int host_instrumented(const void *data, size_t size);

enum {
    TOLL_MODULE_INSTRUMENTED = 1 << 16,
    TOLL_MODULE_LINES = 1 << 17,     /* it exports toll:executions */
    TOLL_MODULE_CALL_LINES = 1 << 18 /* it exports toll:place or toll:call_kind */
};

/* The depth that the instrumented module data[size] asks begin for (toll instrument --depth); 0:
 * none, or it is not instrumented. Needs no begin(). */
TOLL_EXPORT("instrumented_depth") uint32_t host_instrumented_depth(const void *data, size_t size);

/* The content of the section "toll" of the instrumented module data[size], which module() takes in
 * its place, becomes the result: an embedder need not keep the whole module. Needs no begin().
 * TOLL_E_ARGUMENT: the module is not instrumented. */
TOLL_EXPORT("module_section") int host_module_section(const uint8_t *data, size_t size);

/* The types of the parameters of the function that the module data[size] exports as `name`; the
 * result is one byte for each, as in the binary format: 0x7f is i32, 0x7e i64, 0x7d f32, 0x7c f64.
 * TOLL_E_NOT_FOUND: there is no such export. Needs no begin(). */
TOLL_EXPORT("parameters") int host_parameters(const void *data, size_t size, const char *name);

/* How many ticks Tezos' WASM PVM takes to start the module data[size]: to decode, to link and to
 * initialise it, without its start function. The result is three numbers of 8 bytes, little-endian.
 * Needs no begin(). */
TOLL_EXPORT("pvm_start") int host_pvm_start(const void *data, size_t size);

/* --- a recording -------------------------------------------------------------------------------*/

enum {
    TOLL_RECORD_TICKS = 1, /* the guest counts them */
    TOLL_RECORD_TIME = 2,  /* each event reads the clock */
    TOLL_RECORD_TIMELINE = 4,
    TOLL_RECORD_HEAP = 8,
    TOLL_RECORD_NO_CALLS = 16,      /* executions are all that is recorded; no other flag then */
    TOLL_RECORD_TIMELINE_FILE = 32, /* in the embedder's descriptor 4; else in memory */
    TOLL_RECORD_TIMELINE_TEMPORARY = 64, /* that file is not kept */
    TOLL_RECORD_WASI_CLOCK = 128,        /* the clock is clock_time_get; else now */
    TOLL_RECORD_FOLD_RECURSION = 256, /* a call of an open function is charged to its open frame, so
                                       * that deep recursion takes no memory. Not with
                                       * TOLL_RECORD_TIMELINE, nor with TOLL_MODULE_CALL_LINES */
    TOLL_RECORD_WINDOWS = 512, /* with _TIME: see "Time by windows" in docs/semantics.md. Instrument
                                * with TOLL_INSTRUMENT_TIME; the events are enter_clocked and so on.
                                * Not with TOLL_RECORD_TIMELINE */
    TOLL_RECORD_CALL_KINDS = 1024, /* a column for calls that were not direct; not with
                                      TOLL_RECORD_FOLD_RECURSION */
    TOLL_RECORD_SAMPLES = 2048 /* with _TIME: sampled by the engine, from sampling_begins() on; not
                                  with TOLL_RECORD_TIMELINE or TOLL_RECORD_WINDOWS */
};

/* The name of the thread of the profile; "main" without it. Before begin. */
TOLL_EXPORT("name_thread") void host_name_thread(const char *name);

/* Begin recording.
 *   flags      TOLL_RECORD_*; see instrumented()
 *   max_depth  deeper calls are charged to their ancestor there; 0: no limit. instrumented_depth()
 *   start_ns   nanoseconds since 1970, for the profile; 0: not known
 * TOLL_E_STATE: this instance of toll.wasm has begun already. */
TOLL_EXPORT("begin") int host_begin(uint32_t flags, uint32_t max_depth, int64_t start_ns);

/* Set the module of the next instance: data[size] is the whole instrumented module, or the content
 * of its custom section "toll". It is copied; setting the same one again is cheap. TOLL_E_STATE: a
 * function of the previous instance is open. It would seem to call the new ones: unwind it, if it
 * has failed, or record the other instance with another toll.wasm.
 *
 * Modules whose instances live at the same time and call one another, such as the core modules of a
 * component, are recorded as one program if all are instrumented with TOLL_INSTRUMENT_LINKED, one
 * after the other in one instance of toll.wasm, which numbers their functions and calls. They
 * import the globals ticks, pending, pending_ticks, place or call_kind from "toll": make one of
 * each for all of them, "pending" with the value 0. Call module() before each instance is made, and
 * next_instance() before the first one of a run of the program. executions() is for the module that
 * was set last: to pass those of another one, set that module again. TOLL_E_STATE: another module
 * precedes them in the recording, or they were not numbered in one instance of toll.wasm. */
TOLL_EXPORT("module") int host_set_module(const uint8_t *data, size_t size);

/* The name of a function of the module that was set last becomes the result, in UTF-8 without a NUL
 * at its end. `function` is its index in the module as it was before it was instrumented.
 * TOLL_E_NOT_FOUND: there is no such function, or no module was set. */
TOLL_EXPORT("function_name") int host_function_name(uint32_t function);

/* Begin another instance, whose ticks begin at 0. `ticks`: those of the previous instance; 0 for
 * the first one. */
TOLL_EXPORT("next_instance") void host_next_instance(uint64_t ticks);

/* May an event stay pending in the guest? 1 once the embedder can read and write "toll:pending", 0
 * (as at first) while an instance is made. An embedder that leaves it at 0 need not deliver pending
 * events; each call of a function then costs twice as much. */
TOLL_EXPORT("settles") void host_set_settles(int settles);

/* --- within a component ------------------------------------------------------------------------*/

/* For the component that instrument_component() makes, which calls them itself.
 * component_begin() begins the recording: `data`, from alloc(), is what instrument_component() has
 * put there, and is released. It traps if that fails. component_profile() returns a
 * result<list<u8>, string> of the component model: the profile so far, in the format pprof, or what
 * is wrong. `pending`: the pending event and its ticks, which it delivers; `ticks`: the
 * component's. Before that, executions are passed for each page of each instance that counts them:
 * its TOLL_COUNTERS_OF_PAGE counters are written to component_page(), and component_executions()
 * adds them to those of the module with this number, the first being 0. component_profile() forgets
 * them. */
TOLL_EXPORT("component_page") uint64_t *host_component_page(void);
TOLL_EXPORT("component_executions")
void host_add_component_executions(uint32_t module, uint32_t page);
TOLL_EXPORT("component_begin") void host_begin_component(const uint8_t *data, size_t size);
TOLL_EXPORT("component_profile")
const void *host_component_profile(uint64_t pending, uint64_t pending_ticks, uint64_t ticks);

/* With time, which is always by windows: component_clock() says that now() returns the time from
 * now on. Functions in which the component must not call out call component_hold(1) at their begin
 * and component_hold(-1) at their end: the clock is not read meanwhile. */
TOLL_EXPORT("component_clock") void host_begin_component_clock(void);
TOLL_EXPORT("component_hold") void host_hold_component_clock(int more);

/* --- events: the guest's imports from "toll" ---------------------------------------------------*/

/* Their arguments are defined in toll/wasm.h. */
TOLL_EXPORT("enter")
uint32_t host_enter(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("leave")
uint32_t host_leave(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("enter_placed")
uint64_t host_enter_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks);
TOLL_EXPORT("leave_placed")
uint64_t host_leave_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks);
TOLL_EXPORT("allocating") void host_allocating(void);
TOLL_EXPORT("heap") void host_heap(uint64_t old_address, uint64_t new_address, uint64_t size);

/* These four are called by the embedder, too. settle and settle_placed deliver a pending event, and
 * return the new value of "toll:pending". */
TOLL_EXPORT("settle") uint32_t host_settle(uint32_t event, uint64_t ticks);
TOLL_EXPORT("settle_placed") uint64_t host_settle_placed(uint64_t event, uint64_t ticks);

/* Around an instruction that copies or fills at least TOLL_LONG_BYTES of memory, or grows it, a
 * module of TOLL_INSTRUMENT_TIME passes one of these, which are no events, to settle; it ignores
 * the result. */
enum { TOLL_LONG_BYTES = 16384, TOLL_LONG_BEGINS = -2, TOLL_LONG_ENDS = -1 };

/* The same events with time by windows: TOLL_RECORD_WINDOWS, and within a component. */
TOLL_EXPORT("enter_clocked")
uint32_t host_enter_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("leave_clocked")
uint32_t host_leave_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("enter_placed_clocked")
uint64_t host_enter_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks);
TOLL_EXPORT("leave_placed_clocked")
uint64_t host_leave_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks);

/* The same events for an embedder that reads toll.wasm's memory from another thread while the guest
 * runs, and must not see half an event; it makes them the guest's imports in place of those above.
 * gate() is the address of two words of 32 bits, both 0 at first:
 *
 *     the first   1 while the gate is closed. Only the embedder writes it, at any time
 *     the second  1: an event is handled. 2: one waits at the closed gate, and nothing of it has
 *                 happened: it calls now, again and again. 0: there is no event
 *
 * The embedder closes the gate, and waits for longer than a store takes to be seen by other
 * processors (a millisecond is far more). From then on, as soon as the second word is not 1, the
 * memory is that between two events, until the gate is opened. To write a profile meanwhile, copy
 * it into another instance of toll.wasm. If the memory moves, the first word's store may be lost:
 * repeat it. now is also called with every 65536th event: an engine that cannot interrupt a guest
 * gets control there. */
TOLL_EXPORT("gate") const volatile void *host_gate(void);
TOLL_EXPORT("enter_watched")
uint32_t host_enter_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("leave_watched")
uint32_t host_leave_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks);
TOLL_EXPORT("settle_watched") uint32_t host_settle_watched(uint32_t event, uint64_t ticks);
TOLL_EXPORT("enter_clocked_watched")
uint32_t host_enter_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks);
TOLL_EXPORT("leave_clocked_watched")
uint32_t host_leave_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks);
TOLL_EXPORT("unwind_watched") void host_unwind_watched(uint32_t depth, uint64_t ticks);
TOLL_EXPORT("allocating_watched") void host_allocating_watched(void);
TOLL_EXPORT("heap_watched")
void host_heap_watched(uint64_t old_address, uint64_t new_address, uint64_t size);

/* The number of open functions and phases. */
TOLL_EXPORT("depth") uint32_t host_depth(void);

/* Leave functions and phases until `depth` are open. A depth above the current one changes nothing.
 * The embedder sets "toll:place", if there is one, and then "toll:pending", to 0. */
TOLL_EXPORT("unwind") void host_unwind(uint32_t depth, uint64_t ticks);

/* Let at most `most` functions be open at once (0, as at first: any number): the call of one more
 * traps here, within its event. frames_exhausted() says whether that was the reason for a trap,
 * once: then call recover(), and set "toll:pending" to 0. Functions that the host provides do not
 * count. `most` is more than the depth limit of begin(), which is not 0. */
TOLL_EXPORT("limit_frames") void host_limit_frames(uint32_t most);
TOLL_EXPORT("frames_exhausted") int host_frames_exhausted(void);

enum { TOLL_IS_LOST = -1, TOLL_IS_SETTLED = 1 };

/* The engine has ended a call at a check of fuel or time, by a trap, or because a suspended call
 * was abandoned: this may have been within an event, or another function here. Call this before
 * anything else, while nothing of toll.wasm runs; then unwind as after any failure. An event is
 * counted in whole or not at all. Returns
 *
 *   TOLL_IS_SETTLED  the pending event is handled: set "toll:pending" to 0, in place of settle;
 *   0                nothing is to be done;
 *   TOLL_IS_LOST     memory was being allocated: call nothing in this instance of toll.wasm any
 *                    more, and nothing in the guest.
 * */
TOLL_EXPORT("recover") int host_recover(void);

/* --- between events ----------------------------------------------------------------------------*/

/* Charge what the guest has spent since the last event to the innermost open function. */
TOLL_EXPORT("charge") void host_charge(uint64_t ticks);

/* Do not charge what was spent since the last event or charge. An embedder that works for the
 * profiler calls charge before, and pass after that work. */
TOLL_EXPORT("pass") void host_pass(uint64_t ticks);

/* Begin and end a phase of the embedder (link, init, ...): a frame around what is called meanwhile.
 * Phases nest. With time by windows, set "toll:pending" to 0 behind phase(). */
TOLL_EXPORT("phase") int host_begin_phase(const char *name, uint64_t ticks);
TOLL_EXPORT("phase_end") void host_end_phase(uint64_t ticks);

/* Begin and end a section that the guest names: a frame that is open until its end, whatever is
 * called and returns meanwhile. TOLL_E_NOT_FOUND: no section of that name is open. */
TOLL_EXPORT("section") int host_begin_section(const char *name, uint64_t ticks);
TOLL_EXPORT("section_end") int host_end_section(const char *name, uint64_t ticks);

/* The same as section(), for a guest that begins its sections with helper functions: the frame is
 * entered when the innermost functions, which only begin the section, have returned. So it is not
 * under these. The section has all costs since this call. */
TOLL_EXPORT("section_late") int host_begin_section_late(const char *name, uint64_t ticks);

/* End a section that the guest has left open, as of the last event: what was spent since then is
 * not the section's. */
TOLL_EXPORT("section_drop") int host_drop_section(const char *name);

/* The ticks and the time recorded so far, in all instances. */
TOLL_EXPORT("spent_ticks") uint64_t host_spent_ticks(void);
TOLL_EXPORT("spent_time") uint64_t host_spent_time(void);

/* The current instance's ticks, and the clock in nanoseconds, as the last event or charge had them.
 */
TOLL_EXPORT("ticks") uint64_t host_ticks_so_far(void);
TOLL_EXPORT("time") double host_time_so_far(void);

/* How often the clock was read, and what one reading costs in nanoseconds: the least mean of
 * `rounds` rounds of `count` readings. */
TOLL_EXPORT("clock_readings") uint64_t host_clock_readings(void);
TOLL_EXPORT("clock_cost") double host_clock_cost(uint32_t rounds, uint32_t count);

/* --- time that the engine samples --------------------------------------------------------------*/

/* From the next event on, the clock is not read. The cost of earlier readings, each_ps picoseconds
 * each, is subtracted from the time. TOLL_E_STATE: time is not recorded. */
TOLL_EXPORT("sampling_begins") int host_begin_sampling(uint64_t each_ps);

/* With TOLL_RECORD_SAMPLES the engine's own sampler finds whole call stacks, and the embedder
 * passes them. Until sampling_begins() each event reads the clock; after that events are as without
 * time.
 *
 * sampled_stack() is the stack of a function, by its number in events, under the stack `caller`; 0:
 * the function is the outermost one. Nothing is added to the recorded calls: if such a call was not
 * recorded the result is the caller's stack. sampled_cut() is the same for a stack whose outermost
 * functions the engine does not show; these are kept apart from the recorded ones. A stack is valid
 * until the next instance begins. */
TOLL_EXPORT("sampled_stack") void *host_sampled_stack(void *caller, uint32_t function);
TOLL_EXPORT("sampled_cut") void *host_sampled_cut(void *caller, uint32_t function);

/* Charge nanoseconds to a stack, which is not 0. */
TOLL_EXPORT("sampled") void host_sampled(void *stack, uint64_t ns);

/* How many samples there were, and what passed in nanoseconds: all of it; what of that was the
 * profiler's own work; and what was in no function of the guest. Both are in no stack. */
TOLL_EXPORT("samples_counted")
void host_samples_counted(uint64_t count, uint64_t all, uint64_t own, uint64_t outside);

/* Forget the time so far, except for that of phases and of what they contain: the samples that
 * follow are of a second run of the guest, as it was before instrument(). sampled_stack() then
 * finds the calls of the recorded run. */
TOLL_EXPORT("samples_anew") int host_samples_anew(void);

/* The nanoseconds that the profiler itself took, as a note of a profile has them: not in its time;
 * or the clock's, which are in it, if it was read at each event. */
TOLL_EXPORT("overhead") uint64_t host_overhead(void);

/* How many counters of executions the current instance has; 0: none. */
TOLL_EXPORT("counters") uint32_t host_counter_count(void);

enum { TOLL_COUNTERS_OF_PAGE = 64 }; /* that the guest's "toll:executions" returns */

/* Their values now: counts[count], `count` is counters(). The guest's "toll:executions" returns a
 * page of them at a time. Call it before what reads the recording, and before module(). */
TOLL_EXPORT("executions") void host_executions(const uint64_t *counts, uint32_t count);

/* Add to the profile a note for people: `text`, counted `count` times. */
TOLL_EXPORT("note") int host_note(const char *text, uint64_t count);

/* --- results -----------------------------------------------------------------------------------*/

enum { TOLL_TO_RESULT = -1 }; /* in place of a descriptor: the bytes become the result */

/* The name of the format for a file of that name, by its extension, becomes the result. If the name
 * ends in .gz, the embedder compresses what profile writes. TOLL_E_UNKNOWN_FORMAT: error_text()
 * names the extensions. Needs no begin(). */
TOLL_EXPORT("format_of") int host_format_of(const char *path);

/* Write the profile so far, not compressed.
 *   fd        TOLL_TO_RESULT, or a descriptor: fd_write gets the bytes, in pieces
 *   format    "pprof", "folded", "speedscope", ...: `toll help formats`
 *   value     the column for a format of one value, "ticks", "time", "calls", ...; "": the default
 *   in_order  1: in the order of time, in formats that have it; needs TOLL_RECORD_TIMELINE
 * Without begin(): what was added. */
TOLL_EXPORT("profile")
int host_profile(int fd, const char *format, const char *value, int in_order);

/* Write the profile so far for mark_profile(), of this instance or another: in pprof's format, with
 * all stacks and without labels, which may have been set or changed by then. */
TOLL_EXPORT("moment") int host_moment(int fd);

/* Set a mark, and write what was recorded and noted since; as profile(). */
TOLL_EXPORT("mark") int host_mark(void);
TOLL_EXPORT("since") int host_since(int fd, const char *format, const char *value);

/* Set the mark to the profile data[size], which moment() has written earlier for the same
 * recordings. Without begin(), since() then writes what was added minus that profile. */
TOLL_EXPORT("mark_profile") int host_mark_profile(const void *data, size_t size);

enum {
    TOLL_REPORT_TOP = 0,  /* the functions that cost most, as text */
    TOLL_REPORT_TREE = 1, /* the tree of calls, as text */
    TOLL_REPORT_JSON = 2  /* both, as JSON */
};

/* Write a report.
 *   rows  as many at most; 0: all
 *   form  TOLL_REPORT_* */
TOLL_EXPORT("report") int host_report(int fd, const char *value, uint32_t rows, int form);

/* Add the profile data[size], in any format that is not compressed, to those added before. In an
 * instance of toll.wasm without begin(). */
TOLL_EXPORT("add") int host_add(const void *data, size_t size);

/* End the timeline's file: no event follows. */
TOLL_EXPORT("timeline_end") int host_end_timeline(void);

/* The number of events in the timeline so far; 0 without one. Between two calls into the guest,
 * when no function is open, it can begin or end a part of the timeline. */
TOLL_EXPORT("timeline_events") uint64_t host_timeline_events(void);

/* Let profile() write, in the order of time, only the events from number `from` on and before
 * number `to`. Both 0, as at first: all. */
TOLL_EXPORT("timeline_part") void host_set_timeline_part(uint64_t from, uint64_t to);

/* 1: warnings about what is written (what a format omits, ...) go to descriptor 2, each in one
 * fd_write. 0, as at first: there are none. */
TOLL_EXPORT("warns") void host_set_warns(int warns);

/* 1: profile and since write all stacks. 0, as at first: at most a million in pprof, folded and
 * perfview, which have each in full; the smallest are charged to their callers, and notes count
 * them. */
TOLL_EXPORT("keeps_all") void host_set_keeps_all(int keeps_all);

/* Labels of what profile and since write, and of the timeline: "KEY=VALUE,KEY=VALUE"
 * (toll_profile_with_labels in toll/profile.h). They take the place of those of the same keys that
 * were set before; of other keys these stay. An embedder that has an environment sets those of the
 * variable TOLL_LABELS first, after begin(). What is no such list is refused: TOLL_E_ARGUMENT; and
 * once there are events, if the timeline is in a file: TOLL_E_STATE. Nothing changes then. */
TOLL_EXPORT("labels") int host_set_labels(const char *labels);

/* A fact about the run, for all profiles of this recording (toll_profile_add_run in
 * toll/profile.h): "engine", and its name and version, such as "wasmtime 36.0.2". It takes the
 * place of the value that was set before; "" removes it. Table of costs, module and version of Toll
 * are known without. Errors: TOLL_E_ARGUMENT (the key is none), TOLL_E_LIMIT (more than 16),
 * TOLL_E_NOMEM. */
TOLL_EXPORT("fact") int host_set_fact(const char *key, const char *value);

/* --- the heap of Emscripten's programs, by place of allocation (toll-heap.mjs) -----------------*/

/* A set of sites needs no begin(). Numbers are doubles, as in JavaScript: integers up to 2^53 are
 * exact; others count as sites with impossible figures. */

/* Begin a new set. `limit`: how many frames of a stack the engine keeps, 0: all; `is_shared`: other
 * threads use the heap, too. */
TOLL_EXPORT("sites_begin") int host_sites_begin(uint32_t limit, int is_shared);
TOLL_EXPORT("sites_end") void host_sites_end(void);

/* Declare that functions of that name are allocators, too. */
TOLL_EXPORT("sites_allocator") int host_sites_allocator(const char *name);

/* Add a stack (text[size]) and its allocations that are in use. */
TOLL_EXPORT("site") int host_site(const char *text, size_t size, double count, double bytes);

/* Say of the newest site that `snapshot`, from 1, was the first to have `count` of its blocks. In
 * pprof they get the label snapshot=N. TOLL_E_ARGUMENT: the site has not so many left, or the
 * snapshot is not after the one before. */
TOLL_EXPORT("site_age") int host_site_age(uint32_t snapshot, double count, double bytes);

/* Add a stack (text[size]) that made the memory grow `count` times, by `bytes` in all. */
TOLL_EXPORT("growth") int host_growth(const char *text, size_t size, double count, double bytes);

/* Say what the source of the sites has counted, which each file then notes. what: 0: allocations at
 * the address of a block in use, 1: frees of an address that has no block, 2: events that did not
 * come, 3: other programs of the page, 4: bytes that the sites have more than the allocator, 5:
 * bytes that they have less. */
TOLL_EXPORT("sites_noted") int host_sites_noted(uint32_t what, double count);

/* Counts of what was omitted or guessed: 0: freed sites, 1: sites with impossible figures, 2:
 * stacks that may be cut, 3: lines that are not frames. Counts of what there is: 4: sites, 5:
 * objects, 6: bytes. 7: sites without a name of any function. */
TOLL_EXPORT("sites_told") double host_sites_told(uint32_t what);

/* Begin a file, after all sites were added; then write pieces of up to `most` sites to the
 * descriptor. sites_step returns TOLL_SITES_MORE until the last piece is written. */
TOLL_EXPORT("sites_write") int host_sites_write(int fd, const char *format);
TOLL_EXPORT("sites_step") int host_sites_step(size_t most);

enum { TOLL_SITES_MORE = -1 };

#ifdef __cplusplus
}
#endif

#endif
