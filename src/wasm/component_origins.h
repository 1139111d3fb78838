/* component_origins.h - notes where a component's core functions come from, and finds those that
 * the engine calls itself while the component must not call out: to allocate memory for values that
 * it passes (realloc), and to free them (post-return). For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_ORIGINS_H
#define TOLL_WASM_COMPONENT_ORIGINS_H

#include "base/buffer.h"
#include "base/fail.h"
#include "wasm/wasm_module.h"

enum { TOLL_COMPONENT_NONE = UINT32_MAX };

/* An export of a core instance: that is what a core function is, or TOLL_COMPONENT_NONE. */
typedef struct toll_component_export {
    uint32_t instance;
    toll_wasm_bytes name;
} toll_component_export;

/* What a core instance is made of: a core module, or (TOLL_COMPONENT_NONE) pairs of names and core
 * things, which are at that byte of the component. */
typedef struct toll_component_source {
    uint32_t module;
    size_t pairs;
} toll_component_source;

typedef struct toll_component_origins {
    const uint8_t *data;   /* of the outermost component */
    size_t end;            /* of this one */
    toll_buffer functions; /* toll_component_export, by core function */
    toll_buffer instances; /* toll_component_source, by core instance */
    toll_buffer modules;   /* toll_wasm_bytes, by core module; of one that it imports: no bytes */
    toll_buffer held;      /* uint32_t: the core functions that are options realloc, post-return */
    uint32_t clocks;       /* bit N: it imports the clock of WASI 0.2.N */
} toll_component_origins;

#define TOLL_COMPONENT_CLOCK "wasi:clocks/monotonic-clock@0.2."
enum { TOLL_COMPONENT_CLOCKS = 32 };

void toll_component_origins_init(toll_component_origins *origins, const toll_mem *mem,
                                 const uint8_t *data, size_t end);
void toll_component_origins_free(toll_component_origins *origins);

/* The next core function, instance or module is that one. NULL: nothing is noted. */
void toll_component_note_function(toll_component_origins *origins, toll_component_export found);
void toll_component_note_instance(toll_component_origins *origins, toll_component_source made);
void toll_component_note_module(toll_component_origins *origins, toll_wasm_bytes module);

/* The same for an option realloc or post-return, and the name of an import. */
void toll_component_note_held(toll_component_origins *origins, uint32_t function);
void toll_component_note_import(toll_component_origins *origins, toll_wasm_bytes name);

/* Append the exports of instances of core modules (toll_component_export), each once, that are held
 * functions. Errors: TOLL_E_NOMEM. */
toll_status toll_component_find_held(const toll_component_origins *origins, toll_buffer *out,
                                     toll_error *err);

/* The core module of an instance that toll_component_find_held has found. */
toll_wasm_bytes toll_component_module_of(const toll_component_origins *origins, uint32_t instance);

#endif
