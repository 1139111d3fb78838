/* debug.h - reads debug information: the function, file and line of an address in a program's code,
 * and the calls that were inlined there.
 *
 * It is read from the program's file, never from the running program: from a WebAssembly module or
 * an ELF file (such as a Solana program), or from a separate file in the same folder that the
 * linker has made. DWARF 2 to 5 has functions, lines and inlined calls; a source map has lines. The
 * names in the name section or the symbol table are used if there is nothing else.
 *
 * Addresses in a WebAssembly module count from the first byte of its code section's contents, as in
 * its DWARF: the offset in the file minus the offset of the section's contents. Addresses in an ELF
 * file are its virtual addresses.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_DEBUG_H
#define TOLL_DEBUG_H

#include <stdint.h>
#include <toll/memory.h>
#include <toll/profile.h>
#include <toll/report.h>
#include <toll/stream.h>
#include <toll/wasm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The debug information of one program. It never changes, so any number of threads may use it. */
typedef struct toll_debug toll_debug;

/* The kinds of information in a file. */
enum {
    TOLL_DEBUG_NAMES = 1 << 0,  /* of functions */
    TOLL_DEBUG_LINES = 1 << 1,  /* of addresses, with their files */
    TOLL_DEBUG_INLINES = 1 << 2 /* functions with file and line, and the calls inlined in them */
};

/* Open a program's file. This also opens files in the same folder that it names: the file with its
 * debug information, its source map, or the files of split DWARF.
 *   path  of the module or ELF file as it was before `toll instrument`; gzip is seen through
 *   out   the caller's to free (toll_debug_free)
 * If a part of the debug information is damaged or missing, the rest is still used, and
 * toll_debug_remark returns a message about it.
 * Errors: TOLL_E_IO, TOLL_E_SYNTAX, TOLL_E_TRUNCATED (a bad module or ELF file), TOLL_E_UNSUPPORTED
 * (neither of the two, or an instrumented module), TOLL_E_ARGUMENT (a file that it names is of
 * another build; or a NULL), TOLL_E_LIMIT, TOLL_E_NOMEM.
 * Memory: about twice the file while it is opened, and then about as much as its functions and
 * lines take in the file; of split DWARF also about three times the largest of its files.
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_debug_open(const toll_allocator *allocator,
                                                     const char *path, toll_debug **out,
                                                     toll_error *err);

/* The same for toll_debug_find_function only. It is faster and takes less memory: it reads no
 * lines, no inlined calls and no source map. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_debug_open_functions(const toll_allocator *allocator,
                                                               const char *path, toll_debug **out,
                                                               toll_error *err);

/* The same as toll_debug_open from an input, which is read to its end and not freed; no other files
 * are opened. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_debug_read(const toll_allocator *allocator,
                                                     toll_input *in, toll_debug **out,
                                                     toll_error *err);

/* Gets the debug information of a core module, and owns it. A status that is not 0 ends the reading
 * and is returned; fill *err then, if it is not NULL. */
typedef toll_status (*toll_debug_found_fn)(void *user, toll_debug *debug, toll_error *err);

/* The same as toll_debug_read for each core module of a component (WebAssembly's component model),
 * and of components in it, in order. Their names are as in profiles: FILE.core.wasm,
 * FILE.core2.wasm, ...
 *   in     at the component's first byte; read to its end, not freed
 *   found  is called with each; must not be NULL
 * Errors: those of toll_debug_read, of any of them, and found's; TOLL_E_UNSUPPORTED (no component).
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_debug_read_component(const toll_allocator *allocator,
                                                               toll_input *in,
                                                               toll_debug_found_fn found,
                                                               void *user, toll_error *err);

/* The same as toll_debug_open_functions from an input, which is read to its end and not freed; no
 * other files are opened. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_debug_read_functions(const toll_allocator *allocator,
                                                               toll_input *in, toll_debug **out,
                                                               toll_error *err);

/* Free it, and with it all texts that its functions returned. NULL is fine. Since 0.1. */
TOLL_API void toll_debug_free(toll_debug *debug);

/* The path or name that it was opened with. Never NULL. Since 0.1. */
TOLL_API const char *toll_debug_path(const toll_debug *debug);

/* The program's build, in hexadecimal digits: the build id that the linker wrote (section build_id,
 * .note.gnu.build-id), else a hash (FNV-1a, 64 bits) of the code section's contents or of .text; ""
 * if there is neither, as in a file with nothing but debug information. Profiles contain the builds
 * of the modules that they were recorded from. Since 0.1. */
TOLL_API const char *toll_debug_build_id(const toll_debug *debug);

/* The kinds of information that it has: TOLL_DEBUG_... bits. Since 0.1. */
TOLL_API unsigned toll_debug_gives(const toll_debug *debug);

/* A line of text for users: what is missing, and why; "" if there are lines and inlined calls.
 * Since 0.1. */
TOLL_API const char *toll_debug_remark(const toll_debug *debug);

/* A function, as the linker has placed it. */
typedef struct toll_debug_function {
    const char *name;        /* as people write it; "" if it has none */
    const char *system_name; /* as the linker has it; "" if that is the same */
    const char *file;        /* of its definition; "" if that is not known */
    uint32_t line;           /* 0 if that is not known */
    uint64_t begin, end;     /* its code: up to, and without, `end` */
} toll_debug_function;

/* Find the function whose code is at `address`. Returns 1, or 0 if no function is known there; all
 * fields of *out are then "" or 0. `out` may be NULL. Since 0.1. */
TOLL_API int toll_debug_find_function(const toll_debug *debug, uint64_t address,
                                      toll_debug_function *out);

/* Get function `i` of a module, counted from 0 in the order of its code, without imported
 * functions. Returns 1, or 0 if there is no such function, or this is not a module; *out is then as
 * above. `out` may be NULL. Since 0.1. */
TOLL_API int toll_debug_function_at(const toll_debug *debug, uint32_t i, toll_debug_function *out);

/* A place in the source: the function, and the line within it. */
typedef struct toll_debug_place {
    const char *name, *system_name, *file; /* of the function, as above */
    uint32_t line;
    const char *at_file; /* of the place; "" if that is not known */
    uint32_t at_line;    /* 0: the compiler gives no line */
    uint32_t at_column;  /* from 1; 0 if that is not known */
} toll_debug_place;

/* Get the places of an address, innermost first. The first is the source of the instruction. If
 * that function was inlined, the next place is where it was called, and so on; the last one is in
 * the function that contains the code.
 *   places, room  at most `room` are written there; may be NULL if room is 0
 * Returns their number, which may be more than `room`; 0 if the address is unknown.
 * Since 0.1. */
TOLL_API uint32_t toll_debug_places(const toll_debug *debug, uint64_t address,
                                    toll_debug_place *places, uint32_t room);

/* The source map that was read, by its path; "" if none was. Since 0.1. */
TOLL_API const char *toll_debug_source_map(const toll_debug *debug);

/* The text of a source file that this source map carries ("sourcesContent"). It is whatever the
 * module's maker wrote there, UTF-8 without NUL: show it as text, and say where it is from.
 *   file  as toll_debug_place.at_file has it
 *   text  `size` bytes, as long as the debug information; NULL if there is none, and *size is then
 *         why: TOLL_SOURCE_MISSING, or TOLL_SOURCE_UNREADABLE (above 8 MiB, or beyond 64 MiB of all
 *         texts)
 * Returns 1, or 0 if there is none. Since 0.1. */
TOLL_API int toll_debug_source(const toll_debug *debug, const char *file, const char **text,
                               size_t *size);

/* --- profiles ----------------------------------------------------------------------------------*/

typedef struct toll_symbolize_options {
    size_t size; /* sizeof(toll_symbolize_options), as for all options: see toll.h */
    const toll_wasm_costs
        *costs;  /* the cost table of the run's ticks; borrowed; NULL: every instruction costs 1 */
    int inlines; /* 1: frames for inlined functions (TOLL_KIND_INLINED); 0: their costs are those
                    of the line that calls them */
    int blocks;  /* 1: a stretch that is divided remains as an address beside its lines, with its
                   executions in a column of their own: for toll_assembly_create */
    int skip_line_zero; /* 1: of a stretch, an instruction to which the compiler gives no line is
                           charged to the line of the one before it; a note has the ticks */
    int reserved;       /* 0 */
} toll_symbolize_options;

#define TOLL_SYMBOLIZE_OPTIONS_INIT TOLL_SIZED_INIT(toll_symbolize_options)

/* The type of that column; its unit is "count". */
#define TOLL_BLOCK_EXECUTIONS "block executions"

/* Give the functions of a profile their names, files and lines, and divide values that were
 * recorded by address among lines and inlined functions.
 *   debugs  `count` programs' debug information; functions are matched by build id
 *   out     a new profile, the caller's to free
 * A frame whose file and line are found gets the name that belongs to them. A frame with an address
 * as its place becomes a frame with a line; with options.inlines also inlined functions under it. A
 * stretch of a module's instructions (column "executions") is divided: each line of it gets the
 * ticks of its own instructions, which add up to the stretch's. A line has the executions of the
 * stretch that ran most often among its own. If that does not add up (as with another table of
 * costs), or if nothing is known, the costs stay together, and a note counts it. The sums of all
 * columns but "executions" are those of `profile`; with options.blocks there is one column more.
 * Lines that were made with options.blocks are divided again if options.inlines is set; the result
 * is the same as with options.inlines at first.
 * Errors: TOLL_E_ARGUMENT (a file is of another build than the profile; options), TOLL_E_NOT_FOUND
 * (nothing in the profile is of one of the files), those of a bad module, TOLL_E_OVERFLOW,
 * TOLL_E_LIMIT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_symbolize(const toll_profile *profile,
                                                            const toll_debug *const *debugs,
                                                            size_t count,
                                                            const toll_symbolize_options *options,
                                                            toll_profile **out, toll_error *err);

/* --- instructions ------------------------------------------------------------------------------*/

typedef struct toll_assembly_options {
    size_t size; /* sizeof(toll_assembly_options), as for all options: see toll.h */
    const toll_wasm_costs *costs; /* as for toll_symbolize_options */
    int inlines;  /* 1: an instruction is of the function that it was inlined from */
    int reserved; /* 0 */
} toll_assembly_options;

#define TOLL_ASSEMBLY_OPTIONS_INIT TOLL_SIZED_INIT(toll_assembly_options)

/* The instructions of the functions that ran, with the cost of each: of a WebAssembly module, or of
 * a Solana program. */
typedef struct toll_assembly toll_assembly;

/* Find the cost of each instruction in a profile that has addresses: one that was recorded by
 * address (a module's stretches, or a program's instructions), or one that toll_profile_symbolize
 * made from such a profile with `blocks`.
 *   profile, debugs  both must outlive the assembly; `debugs` as for toll_profile_symbolize
 *   out              the caller's to free
 * Errors: TOLL_E_NOT_FOUND (the profile has no addresses of these programs), TOLL_E_ARGUMENT (a
 * file is of another build), those of a bad module or ELF file, TOLL_E_OVERFLOW, TOLL_E_NOMEM.
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_assembly_create(const toll_profile *profile,
                                                          const toll_debug *const *debugs,
                                                          size_t count,
                                                          const toll_assembly_options *options,
                                                          toll_assembly **out, toll_error *err);

/* Free it. NULL is fine. Since 0.1. */
TOLL_API void toll_assembly_free(toll_assembly *assembly);

/* The instructions of a function, or with a frame whose name is "" those of lines in its file: by
 * file (the function's own first), line and address. A toll_instructions_fn; `assembly` is the
 * toll_assembly. value  whose costs: "executions", or else what an instruction counts (of a
 * module), or the values that the profile has at its address list   good until the next call
 * Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API toll_status toll_assembly_instructions(void *assembly, const toll_frame *function,
                                                toll_value_type value,
                                                const toll_instruction **list, size_t *count,
                                                toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
