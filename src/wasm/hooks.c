/* hooks.c - writes the imports and exports that the instrumenter adds to a module: imported
 * functions and exported globals. toll/wasm.h has their meaning. */
#include "wasm/call_places.h"
#include "wasm/counters.h"

#include <string.h>

/* The functions that call imported ones come last, in the order of the imports. */
uint32_t toll_wasm_new_function(const toll_wasm_rewrite *w, uint32_t old)
{
    const toll_wasm_module *m = w->module;
    if (old >= m->imported_functions)
        return old + w->hooks;
    return w->callers[old] == UINT32_MAX ? old
                                         : (uint32_t)m->function_count + w->hooks + w->callers[old];
}

uint32_t toll_wasm_new_global(const toll_wasm_rewrite *w, uint32_t old)
{
    return old < w->module->imported_globals ? old : old + toll_wasm_slot_count(w);
}

/* --- functions ---------------------------------------------------------------------------------*/

/* The names of the imported functions, and the index of their type in the list below. */
static const struct {
    const char *name;
    uint32_t type;
} hooks[TOLL_WASM_HOOKS] = {
    [TOLL_WASM_ENTER] = { "enter", 0 },   [TOLL_WASM_LEAVE] = { "leave", 0 },
    [TOLL_WASM_SETTLE] = { "settle", 1 }, [TOLL_WASM_DEPTH] = { "depth", 2 },
    [TOLL_WASM_UNWIND] = { "unwind", 3 }, [TOLL_WASM_ALLOCATING] = { "allocating", 4 },
    [TOLL_WASM_HEAP] = { "heap", 5 },
};

uint32_t toll_wasm_hook_index(const toll_wasm_rewrite *w, toll_wasm_hook hook)
{
    return w->module->imported_functions + hook;
}

void toll_wasm_put_hooks(const toll_wasm_rewrite *w, toll_buffer *out)
{
    for (uint32_t i = 0; i < w->hooks; i++) {
        toll_wasm_put_name(out, "toll");
        toll_wasm_put_name(out, hooks[i].name);
        toll_buffer_append_byte(out, 0);
        toll_wasm_put_u32(out, (uint32_t)w->module->type_count + hooks[i].type);
    }
}

/* The number of types. It must not depend on whether any function catches exceptions, since that is
 * known only later. */
uint32_t toll_wasm_hook_types(const toll_wasm_rewrite *w)
{
    return w->options->no_calls ? 0 : w->options->heap ? 6 : 4;
}

void toll_wasm_put_hook_types(const toll_wasm_rewrite *w, toll_buffer *out)
{
    enum { I32 = TOLL_WASM_I32_TYPE, I64 = TOLL_WASM_I64_TYPE };
    const uint8_t event = w->options->call_lines ? I64 : I32;
    const struct {
        uint8_t size, bytes[8]; /* the parameters, then the results, each preceded by their count */
    } types[] = {
        { 7, { 4, event, I64, event, I64, 1, event } }, /* enter, leave */
        { 5, { 2, event, I64, 1, event } },             /* settle */
        { 3, { 0, 1, I32 } },                           /* depth */
        { 4, { 2, I32, I64, 0 } },                      /* unwind */
        { 2, { 0, 0 } },                                /* allocating */
        { 5, { 3, I64, I64, I64, 0 } },                 /* heap */
    };
    for (uint32_t i = 0; i < toll_wasm_hook_types(w); i++) {
        toll_buffer_append_byte(out, TOLL_WASM_FUNCTION_TYPE);
        toll_buffer_append(out, types[i].bytes, types[i].size);
    }
}

uint32_t toll_wasm_first_result_type(const toll_wasm_rewrite *w)
{
    return (uint32_t)w->module->type_count + toll_wasm_hook_types(w);
}

/* --- globals -----------------------------------------------------------------------------------*/

static const struct {
    const char *name;
    uint8_t type, constant;
} slots[TOLL_WASM_SLOTS] = {
    [TOLL_WASM_TICKS] = { "toll:ticks", TOLL_WASM_I64_TYPE, TOLL_WASM_OP_I64_CONST },
    [TOLL_WASM_PENDING] = { "toll:pending", TOLL_WASM_I32_TYPE, TOLL_WASM_OP_I32_CONST },
    [TOLL_WASM_PENDING_TICKS] = { "toll:pending_ticks", TOLL_WASM_I64_TYPE,
                                  TOLL_WASM_OP_I64_CONST },
    [TOLL_WASM_PLACE] = { "toll:place", TOLL_WASM_I32_TYPE, TOLL_WASM_OP_I32_CONST },
};

static const char *slot_name(const toll_wasm_rewrite *w, uint32_t slot)
{
    bool is_kind = slot == TOLL_WASM_PLACE && w->options->call_lines == TOLL_WASM_CALL_KINDS;
    return is_kind ? TOLL_WASM_CALL_KIND : slots[slot].name;
}

/* Does this global hold a pending event with the place of its call in the upper half? */
static bool is_wide(const toll_wasm_rewrite *w, uint32_t slot)
{
    return slot == TOLL_WASM_PENDING && w->options->call_lines;
}

static uint32_t first_slot(const toll_wasm_rewrite *w)
{
    return w->options->calls_only ? TOLL_WASM_PENDING : TOLL_WASM_TICKS;
}

static uint32_t end_of_slots(const toll_wasm_rewrite *w)
{
    return w->options->no_calls     ? TOLL_WASM_PENDING
           : w->options->call_lines ? TOLL_WASM_SLOTS
                                    : TOLL_WASM_PLACE;
}

uint32_t toll_wasm_slot_count(const toll_wasm_rewrite *w)
{
    return end_of_slots(w) - first_slot(w);
}

uint32_t toll_wasm_slot_index(const toll_wasm_rewrite *w, toll_wasm_slot slot)
{
    return w->module->imported_globals + slot - first_slot(w);
}

static void put_slot_type(const toll_wasm_rewrite *w, uint32_t slot, toll_buffer *out)
{
    toll_buffer_append_byte(out, is_wide(w, slot) ? TOLL_WASM_I64_TYPE : slots[slot].type);
    toll_buffer_append_byte(out, 1); /* mutable */
}

void toll_wasm_put_slot_imports(const toll_wasm_rewrite *w, toll_buffer *out)
{
    for (uint32_t i = first_slot(w); i < end_of_slots(w); i++) {
        toll_wasm_put_name(out, "toll");
        toll_wasm_put_name(out, slot_name(w, i) + strlen("toll:"));
        toll_buffer_append_byte(out, 3);
        put_slot_type(w, i, out);
    }
}

void toll_wasm_put_slots(const toll_wasm_rewrite *w, toll_buffer *out)
{
    for (uint32_t i = first_slot(w); i < end_of_slots(w); i++) {
        put_slot_type(w, i, out);
        toll_wasm_put_op(out, is_wide(w, i) ? TOLL_WASM_OP_I64_CONST : slots[i].constant, 0);
        toll_buffer_append_byte(out, TOLL_WASM_OP_END);
    }
}

void toll_wasm_put_slot_exports(const toll_wasm_rewrite *w, toll_buffer *out)
{
    for (uint32_t i = first_slot(w); i < end_of_slots(w); i++) {
        toll_wasm_put_name(out, slot_name(w, i));
        toll_buffer_append_byte(out, 3);
        toll_wasm_put_u32(out, toll_wasm_slot_index(w, (toll_wasm_slot)i));
    }
}

static bool is_text(const char *name, size_t size, const char *text)
{
    return size == strlen(text) && memcmp(name, text, size) == 0;
}

bool toll_wasm_is_added(const char *name, size_t size)
{
    for (uint32_t i = 0; i < TOLL_WASM_SLOTS; i++)
        if (is_text(name, size, slots[i].name))
            return true;
    return is_text(name, size, TOLL_WASM_EXECUTIONS) || is_text(name, size, TOLL_WASM_CALL_KIND);
}
