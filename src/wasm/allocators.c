/* allocators.c - see allocators.h. Each allocator reports at its end what it did. If one calls
 * another (calloc calls malloc), both report; the host counts the outermost. */
#include "wasm/allocators.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { NO = -1 };
enum { LOAD_I32 = 0x28, EQZ_I32 = 0x45, MUL_I64 = 0x7e, EXTEND_I32_U = 0xad };

/* C and C++ (also as Emscripten calls them), Rust, AssemblyScript, TinyGo. */
static const toll_wasm_allocator table[] = {
    /* name, parameters, results, old, size, count, place */
    { "malloc", 1, 1, NO, 0, NO, NO },
    { "dlmalloc", 1, 1, NO, 0, NO, NO },
    { "__libc_malloc", 1, 1, NO, 0, NO, NO },
    { "emscripten_builtin_malloc", 1, 1, NO, 0, NO, NO },
    { "calloc", 2, 1, NO, 0, 1, NO },
    { "dlcalloc", 2, 1, NO, 0, 1, NO },
    { "__libc_calloc", 2, 1, NO, 0, 1, NO },
    { "emscripten_builtin_calloc", 2, 1, NO, 0, 1, NO },
    { "realloc", 2, 1, 0, 1, NO, NO },
    { "dlrealloc", 2, 1, 0, 1, NO, NO },
    { "__libc_realloc", 2, 1, 0, 1, NO, NO },
    { "emscripten_builtin_realloc", 2, 1, 0, 1, NO, NO },
    { "reallocarray", 3, 1, 0, 1, 2, NO },
    { "memalign", 2, 1, NO, 1, NO, NO },
    { "dlmemalign", 2, 1, NO, 1, NO, NO },
    { "emscripten_builtin_memalign", 2, 1, NO, 1, NO, NO },
    { "aligned_alloc", 2, 1, NO, 1, NO, NO },
    { "posix_memalign", 3, 1, NO, 2, NO, 0 },
    { "dlposix_memalign", 3, 1, NO, 2, NO, 0 },
    { "free", 1, 0, 0, NO, NO, NO },
    { "dlfree", 1, 0, 0, NO, NO, NO },
    { "__libc_free", 1, 0, 0, NO, NO, NO },
    { "emscripten_builtin_free", 1, 0, 0, NO, NO, NO },
    { "__rust_alloc", 2, 1, NO, 0, NO, NO },
    { "__rust_alloc_zeroed", 2, 1, NO, 0, NO, NO },
    { "__rust_realloc", 4, 1, 0, 3, NO, NO },
    { "__rust_dealloc", 3, 0, 0, NO, NO, NO },
    { "~lib/rt/tlsf/__alloc", 1, 1, NO, 0, NO, NO },
    { "~lib/rt/tlsf/__realloc", 2, 1, 0, 1, NO, NO },
    { "~lib/rt/tlsf/__free", 1, 0, 0, NO, NO, NO },
    { "runtime.alloc", 3, 1, NO, 0, NO, NO },
};

/* The first parameter of operator new and the like is the size; any others may follow. */
static const char *const new_prefixes[] = { "operator new", "_Znwm", "_Znwj", "_Znam", "_Znaj" };
static const char *const delete_prefixes[] = { "operator delete", "_ZdlPv", "_ZdaPv" };
static const toll_wasm_allocator operators[] = {
    { "operator new", 1, 1, NO, 0, NO, NO },    { "operator new", 2, 1, NO, 0, NO, NO },
    { "operator new", 3, 1, NO, 0, NO, NO },    { "operator delete", 1, 0, 0, NO, NO, NO },
    { "operator delete", 2, 0, 0, NO, NO, NO }, { "operator delete", 3, 0, 0, NO, NO, NO },
};

/* --- which functions ---------------------------------------------------------------------------*/

/* Does the function have this name: by itself, in any namespace, or as a Rust symbol, where the
 * length precedes the name? */
static bool is_called(const char *text, const char *name)
{
    char end[64];
    if (strcmp(text, name) == 0)
        return true;
    if (strncmp(name, "__rust", 6) != 0)
        return false;
    snprintf(end, sizeof end, "::%s", name);
    if (toll_text_ends_with(text, end))
        return true;
    snprintf(end, sizeof end, "%zu_%s", strlen(name), name);
    return toll_text_ends_with(text, end);
}

static bool begins_with_any(const char *text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool fits(const toll_wasm_allocator *a, const toll_wasm_signature *type)
{
    if (type->parameter_count != (uint32_t)a->parameters ||
        type->result_count != (uint32_t)a->results ||
        type->parameters.size != type->parameter_count || type->results.size != type->result_count)
        return false;
    for (size_t i = 0; i < type->parameters.size; i++)
        if (type->parameters.data[i] != TOLL_WASM_I32_TYPE &&
            type->parameters.data[i] != TOLL_WASM_I64_TYPE)
            return false;
    return !a->results || type->results.data[0] == TOLL_WASM_I32_TYPE ||
           type->results.data[0] == TOLL_WASM_I64_TYPE;
}

/* Can the address that the function stores at `place` be read? Only if places and results have 32
 * bits, and the module itself defines its first memory, with 32-bit addresses. */
static bool can_look(const toll_wasm_module *m, const toll_wasm_allocator *a,
                     const toll_wasm_signature *type)
{
    const toll_wasm_section *memories = toll_wasm_find_section(m, TOLL_WASM_MEMORIES);
    bool is_64 = true;
    if (memories && memories->body.size >= 2 && memories->body.data[0] > 0)
        is_64 = memories->body.data[1] & 4;
    return a->place < 0 || (!is_64 && type->parameters.data[a->place] == TOLL_WASM_I32_TYPE &&
                            type->results.data[0] == TOLL_WASM_I32_TYPE);
}

static const toll_wasm_allocator *find_operator(const toll_wasm_signature *type, const char *name)
{
    bool is_new = begins_with_any(name, new_prefixes, sizeof new_prefixes / sizeof *new_prefixes);
    if (!is_new &&
        !begins_with_any(name, delete_prefixes, sizeof delete_prefixes / sizeof *delete_prefixes))
        return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((operators[i].results == 1) == is_new && fits(&operators[i], type))
            return &operators[i];
    return NULL;
}

const toll_wasm_allocator *toll_wasm_find_allocator(const toll_wasm_module *m, uint32_t function,
                                                    const char *name)
{
    const toll_wasm_signature *type = &m->types[m->functions[function].type];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is_called(name, table[i].name) && fits(&table[i], type) && can_look(m, &table[i], type))
            return &table[i];
    return find_operator(type, name);
}

/* --- what allocators do in addition
 * ------------------------------------------------------------------------- */

uint32_t toll_wasm_heap_locals(const toll_wasm_allocator *a)
{
    return (uint32_t)a->parameters + (uint32_t)a->results;
}

void toll_wasm_put_heap_locals(const toll_wasm_rewrite *w, uint32_t function,
                               const toll_wasm_allocator *a, toll_buffer *out)
{
    const toll_wasm_signature *type = &w->module->types[w->module->functions[function].type];
    for (int i = 0; i < a->parameters + a->results; i++) {
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, i < a->parameters ? type->parameters.data[i]
                                                       : type->results.data[0]);
    }
}

void toll_wasm_put_allocating(const toll_wasm_rewrite *w, const toll_wasm_allocator *a,
                              uint32_t first, toll_buffer *out)
{
    for (uint32_t i = 0; i < (uint32_t)a->parameters; i++) {
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, i);
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_SET, first + i);
    }
    toll_wasm_put_settle(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_ALLOCATING));
}

/* The local with the copy of parameter `index`. */
static uint32_t copy_of(uint32_t first, int index)
{
    return first + (uint32_t)index;
}

/* The allocator whose event is being written. */
typedef struct event {
    const toll_wasm_signature *type;
    const toll_wasm_allocator *a;
    uint32_t first, result; /* indices of its locals */
    toll_buffer *out;
} event;

static void extend(const event *e, uint8_t type)
{
    if (type == TOLL_WASM_I32_TYPE)
        toll_buffer_append_byte(e->out, EXTEND_I32_U);
}

/* Write a parameter as i64; 0 if there is none. */
static void put_parameter(const event *e, int index)
{
    if (index < 0) {
        toll_wasm_put_i64(e->out, 0);
        return;
    }
    toll_wasm_put_op(e->out, TOLL_WASM_OP_LOCAL_GET, copy_of(e->first, index));
    extend(e, e->type->parameters.data[index]);
}

static void put_result(const event *e)
{
    toll_wasm_put_op(e->out, TOLL_WASM_OP_LOCAL_GET, e->result);
    extend(e, e->type->results.data[0]);
}

/* Write code for the address that the function stored in the first memory, if its result is 0; else
 * for 0. */
static void put_stored(const event *e)
{
    toll_wasm_put_op(e->out, TOLL_WASM_OP_LOCAL_GET, e->result);
    toll_buffer_append_byte(e->out, EQZ_I32);
    toll_wasm_put_op(e->out, TOLL_WASM_OP_IF, TOLL_WASM_I64_TYPE);
    toll_wasm_put_op(e->out, TOLL_WASM_OP_LOCAL_GET, copy_of(e->first, e->a->place));
    toll_wasm_put_op(e->out, LOAD_I32, 0); /* any alignment, */
    toll_buffer_append_byte(e->out, 0);    /* no offset */
    extend(e, TOLL_WASM_I32_TYPE);
    toll_buffer_append_byte(e->out, TOLL_WASM_OP_ELSE);
    toll_wasm_put_i64(e->out, 0);
    toll_buffer_append_byte(e->out, TOLL_WASM_OP_END);
}

void toll_wasm_put_heap_event(const toll_wasm_rewrite *w, uint32_t function,
                              const toll_wasm_allocator *a, uint32_t first, toll_buffer *out)
{
    const event e = { &w->module->types[w->module->functions[function].type], a, first,
                      copy_of(first, a->parameters), out };
    if (a->results)
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_TEE, e.result);
    put_parameter(&e, a->old);
    if (a->place >= 0)
        put_stored(&e);
    else if (a->results)
        put_result(&e);
    else
        toll_wasm_put_i64(out, 0);
    put_parameter(&e, a->size);
    if (a->count >= 0) {
        put_parameter(&e, a->count);
        toll_buffer_append_byte(out, MUL_I64);
    }
    toll_wasm_put_settle(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_HEAP));
}
