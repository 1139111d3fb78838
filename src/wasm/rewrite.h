/* rewrite.h - what the parts of the instrumenter share: where functions, types and globals are in
 * the new module, and how numbers are written. For wasm/ only. */
#ifndef TOLL_WASM_REWRITE_H
#define TOLL_WASM_REWRITE_H

#include "base/buffer.h"
#include "wasm/costs.h"
#include "wasm/instruction.h"
#include "wasm/leb.h"
#include "wasm/module.h"
#include "wasm/names.h"

#include <toll/wasm.h>

/* The functions that the new module imports, behind the old one's: the first two; up to unwind
 * where exceptions may be caught; all where the heap is told. */
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

/* A block type for a function's results, made where one value type does not do. */
typedef struct toll_wasm_results {
    toll_wasm_bytes types;
    uint32_t count;
} toll_wasm_results;

#define TOLL_WASM_SECTION "toll" /* the custom section; see toll/wasm.h */

/* The globals that are added, behind the old one's, and exported as toll/wasm.h tells. */
typedef enum toll_wasm_slot {
    TOLL_WASM_TICKS, /* not with calls_only */
    TOLL_WASM_PENDING,
    TOLL_WASM_PENDING_TICKS,
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
    uint8_t forms[256]; /* by opcode without prefix: what follows it, if it is plain (body.c) */
    bool traps[256];    /* by opcode without prefix */
    bool *followed;     /* by function: it has events */
    const struct toll_wasm_allocator **allocators; /* by function; NULL: it is none */
    uint32_t *callers; /* by imported function: which of the functions at the end calls it between
                          events; UINT32_MAX: none */
    uint32_t caller_count;
    uint32_t hooks;   /* how many are imported */
    uint32_t *blocks; /* by type of the module: the new type without parameters, or UINT32_MAX */
    toll_wasm_results *results; /* of the new types, in their order */
    size_t result_count, result_capacity;
    toll_buffer body, header, segment; /* of the function at hand */
    toll_buffer code;                  /* all bodies */
    struct toll_wasm_label *labels; /* that are open in the function at hand, the outermost first */
    size_t label_capacity;
    bool catches; /* somewhere an exception is caught */
} toll_wasm_rewrite;

/* The number in the new module of function `old`, as code, elements and exports name it: imported
 * ones that are followed go by a function that calls them between events. */
uint32_t toll_wasm_new_function(const toll_wasm_rewrite *rewrite, uint32_t old);

/* What is added (hooks.c): the number of a hook, of a slot (of the ticks not with calls_only), of
 * the first of rewrite->results, which is behind the hooks' types. */
uint32_t toll_wasm_hook_index(const toll_wasm_rewrite *rewrite, toll_wasm_hook hook);
uint32_t toll_wasm_slot_index(const toll_wasm_rewrite *rewrite, toll_wasm_slot slot);
uint32_t toll_wasm_first_result_type(const toll_wasm_rewrite *rewrite);

/* For the sections of types, imports, globals and exports: how many, and their bytes. The hooks are
 * rewrite->hooks. */
uint32_t toll_wasm_hook_types(const toll_wasm_rewrite *rewrite);
uint32_t toll_wasm_slot_count(const toll_wasm_rewrite *rewrite);
void toll_wasm_put_hook_types(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_hooks(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_slots(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_slot_exports(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Is a slot exported by that name? */
bool toll_wasm_is_slot(const char *name, size_t size);

/* Numbers, names, bytes and instructions at a buffer's end (emit.c): an opcode with an index, a
 * constant, what the ticks are. */
void toll_wasm_put_u32(toll_buffer *out, uint32_t value);
void toll_wasm_put_s64(toll_buffer *out, int64_t value);
void toll_wasm_put_name(toll_buffer *out, const char *name);
void toll_wasm_put_bytes(toll_buffer *out, toll_wasm_bytes bytes);
void toll_wasm_put_op(toll_buffer *out, uint8_t op, uint32_t index);
void toll_wasm_put_i64(toll_buffer *out, int64_t value);
void toll_wasm_put_ticks(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Tell of `function`: by leaving the event if that may be, else by a call of enter or leave. The
 * ticks are in local `ticks`, or (TOLL_WASM_NO_LOCAL) in the global only. */
void toll_wasm_put_event(const toll_wasm_rewrite *rewrite, toll_buffer *out, toll_wasm_hook hook,
                         uint32_t function, uint32_t ticks);

/* Before any other hook is called: an event that was left is told. */
void toll_wasm_put_settle(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Copy one constant expression, up to its end, with functions renumbered. */
void toll_wasm_copy_expression(const toll_wasm_rewrite *rewrite, toll_wasm_cursor *cursor,
                               toll_buffer *out);

/* All bodies into rewrite->code (code.c). Errors: as toll_wasm_instrument. */
toll_status toll_wasm_rewrite_code(toll_wasm_rewrite *rewrite, toll_error *err);
void toll_wasm_free_labels(toll_wasm_rewrite *rewrite);

/* The new module out of the old one's sections and rewrite->code (sections.c). */
toll_status toll_wasm_rewrite_sections(toll_wasm_rewrite *rewrite, toll_output *out,
                                       toll_error *err);

#endif
