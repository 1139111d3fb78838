/* rewrite.h - declares what the parts of the instrumenter share: the state of a rewrite, indices in
 * the new module, and code for events. For wasm/ only. */
#ifndef TOLL_WASM_REWRITE_H
#define TOLL_WASM_REWRITE_H

#include "wasm/costs.h"
#include "wasm/emit.h"
#include "wasm/function_names.h"
#include "wasm/instruction.h"

#include <toll/wasm.h>

/* The functions that the new module imports, after the old imports: always the first two; those up
 * to unwind if exceptions may be caught; all if the heap is reported. */
typedef enum toll_wasm_hook {
    TOLL_WASM_ENTER,
    TOLL_WASM_LEAVE,
    TOLL_WASM_SETTLE,
    TOLL_WASM_DEPTH,
    TOLL_WASM_UNWIND,
    TOLL_WASM_ALLOCATING,
    TOLL_WASM_HEAP,
    TOLL_WASM_HOOKS
} toll_wasm_hook;

/* A block type for a function's results, if these are not one value type. */
typedef struct toll_wasm_results {
    toll_wasm_bytes types;
    uint32_t count;
} toll_wasm_results;

#define TOLL_WASM_SECTION "toll" /* the custom section; see toll/wasm.h */

/* The globals that are added, after the old imports, and exported as defined in toll/wasm.h. They
 * precede the module's own globals, since a low index takes fewer bytes. Of a linked module they
 * are imported instead. */
typedef enum toll_wasm_slot {
    TOLL_WASM_TICKS,   /* not with calls_only */
    TOLL_WASM_PENDING, /* this and the next: not with no_calls */
    TOLL_WASM_PENDING_TICKS,
    TOLL_WASM_PLACE, /* with call_lines */
    TOLL_WASM_SLOTS
} toll_wasm_slot;

enum { TOLL_WASM_EMPTY_BLOCK = 0x40, TOLL_WASM_FUNCTION_TYPE = 0x60 };
#define TOLL_WASM_NO_LOCAL UINT32_MAX

typedef struct toll_wasm_rewrite {
    toll_mem mem;
    const toll_wasm_module *module;
    const toll_wasm_options *options;
    toll_wasm_names names;
    toll_wasm_costs costs;
    bool is_pvm;          /* ticks are counted, and the costs are the PVM's */
    bool times_long;      /* long instructions are reported: see long_instructions.h */
    bool has_scratch;     /* functions have a local of 32 bits for either of these */
    uint32_t entry_point; /* with the PVM's, the exported function kernel_run; or UINT32_MAX */
    uint8_t forms[256]; /* by opcode without prefix: what follows it, for the fast path of body.c */
    bool traps[256];    /* by opcode without prefix */
    bool *followed;     /* by function: is it followed: does it report events? */
    bool *counted;      /* by function: do its stretches have counters (options.lines)? */
    bool follows_all;   /* all functions are followed */
    const struct toll_wasm_allocator **allocators; /* by function; NULL if it is not an allocator */
    uint32_t *callers; /* by imported function: the added function that calls it between two events;
                        * UINT32_MAX if there is none */
    uint32_t caller_count;
    uint32_t hooks;             /* how many are imported */
    uint32_t *blocks;           /* by type of the module: the new type with its results and without
                                 * parameters, or UINT32_MAX */
    toll_wasm_results *results; /* of the new types, in their order */
    size_t result_count, result_capacity;
    toll_buffer body, header, segment; /* of the current function */
    toll_buffer code;                  /* all bodies */
    struct toll_wasm_label *labels;    /* open ones of the current function, outermost first */
    size_t label_capacity;
    bool catches;                        /* some function catches exceptions */
    struct toll_wasm_stretch *stretches; /* those that have a counter, in order of the code */
    size_t stretch_count, stretch_capacity;
    struct toll_wasm_call *calls; /* calls that have a number, in order of the code */
    size_t call_count, call_capacity;
    struct toll_wasm_hint *hints; /* for branches, in order of the code */
    size_t hint_count, hint_capacity;
    bool counts_in_memory; /* the counters are in a memory of their own; else they are globals */
} toll_wasm_rewrite;

/* Indices in the new module (hooks.c).
 *
 * The index of function `old`, for code, elements and exports. For an imported function that is
 * followed, it is the index of the added function that calls it between two events. */
uint32_t toll_wasm_new_function(const toll_wasm_rewrite *rewrite, uint32_t old);

/* The same for a global. */
uint32_t toll_wasm_new_global(const toll_wasm_rewrite *rewrite, uint32_t old);

/* Indices of added items (hooks.c): of a hook, of a slot (TOLL_WASM_TICKS: not with calls_only),
 * and of the first type in rewrite->results; these types follow those of the hooks. */
uint32_t toll_wasm_hook_index(const toll_wasm_rewrite *rewrite, toll_wasm_hook hook);
uint32_t toll_wasm_slot_index(const toll_wasm_rewrite *rewrite, toll_wasm_slot slot);
uint32_t toll_wasm_first_result_type(const toll_wasm_rewrite *rewrite);

/* The items that are added to the sections of types, imports, globals and exports: their number,
 * and their bytes. The number of hooks is rewrite->hooks. */
uint32_t toll_wasm_hook_types(const toll_wasm_rewrite *rewrite);
uint32_t toll_wasm_slot_count(const toll_wasm_rewrite *rewrite);
void toll_wasm_put_hook_types(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_hooks(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_slots(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_slot_exports(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_slot_imports(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Does an added export have that name? */
bool toll_wasm_is_added(const char *name, size_t size);

/* Append code (event_code.c) that pushes the ticks as they are in their global. */
void toll_wasm_put_ticks(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Append code for an event of `function`. It leaves the event pending if that is allowed; otherwise
 * it calls enter or leave. The ticks are in local `ticks`, or only in the global
 * (TOLL_WASM_NO_LOCAL).
 * */
void toll_wasm_put_event(const toll_wasm_rewrite *rewrite, toll_buffer *out, toll_wasm_hook hook,
                         uint32_t function, uint32_t ticks);

/* The same for enter, but no event is pending behind it. */
void toll_wasm_put_enter_at_once(const toll_wasm_rewrite *rewrite, toll_buffer *out,
                                 uint32_t function);

/* With options.time: imported functions, and what unwinds, let no event stay pending, since the
 * clock may be read there. */
bool toll_wasm_is_prompt(const toll_wasm_rewrite *rewrite);

/* Append code that delivers a pending event, before any other hook is called. */
void toll_wasm_put_settle(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* With toll_wasm_is_prompt: append code, for behind unwind, after which no event stays pending. */
void toll_wasm_put_unwound(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Copy one constant expression, up to its end, with functions and globals renumbered. */
void toll_wasm_copy_expression(const toll_wasm_rewrite *rewrite, toll_wasm_cursor *cursor,
                               toll_buffer *out);

/* Allocate the arrays of a rewrite whose mem, module, options and costs are set (instrument.c). No
 * function is followed yet. False: no memory. Call toll_wasm_end_rewrite in any case. */
bool toll_wasm_begin_rewrite(toll_wasm_rewrite *rewrite);
void toll_wasm_end_rewrite(toll_wasm_rewrite *rewrite);

/* Fill rewrite->forms and rewrite->traps, by opcode (body.c). */
void toll_wasm_find_forms(toll_wasm_rewrite *rewrite);

/* Rewrite all bodies into rewrite->code; or append the new body of one function (code.c). Errors:
 * as toll_wasm_instrument. */
toll_status toll_wasm_rewrite_code(toll_wasm_rewrite *rewrite, toll_error *err);
toll_status toll_wasm_rewrite_body(toll_wasm_rewrite *rewrite, uint32_t function, toll_error *err);
void toll_wasm_free_labels(toll_wasm_rewrite *rewrite);

/* Move past the declarations of a body's locals, with which it begins (code.c). Returns how many
 * they declare. */
uint64_t toll_wasm_pass_locals(toll_wasm_cursor *cursor);

/* Write the new module from the old one's sections and rewrite->code (new_sections.c). */
toll_status toll_wasm_rewrite_sections(toll_wasm_rewrite *rewrite, toll_output *out,
                                       toll_error *err);

#endif
