/* component_guards.h - with time: wraps the functions that the engine calls while the component
 * must not call out, not even for a clock. A guard is a module that has the same exports, and holds
 * the clock while they run. For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_GUARDS_H
#define TOLL_WASM_COMPONENT_GUARDS_H

#include "wasm/component_origins.h"

#define TOLL_WASM_COMPONENT_HOLD "component_hold" /* toll.wasm's export: toll/embedder.h */

/* The guard of a core instance. Its own instance is made behind the section that makes the other,
 * and moves the numbers of later ones by one. */
typedef struct toll_component_guard {
    uint32_t instance; /* the old number */
    uint32_t position; /* how many core instances the old component had before the guard's */
} toll_component_guard;

typedef struct toll_component_guards {
    toll_buffer exports; /* toll_component_export: what is guarded */
    toll_buffer modules; /* sections, one for each guard */
    toll_buffer guards;  /* toll_component_guard, by instance */
    uint32_t count;      /* of these, */
    uint32_t placed;     /* of which so many have a position yet */
} toll_component_guards;

/* Make the guards of a component. Errors: TOLL_E_UNSUPPORTED (a function of a core module that it
 * imports), TOLL_E_SYNTAX, those of toll_wasm_module_read. Free them in any case. */
toll_status toll_component_make_guards(const toll_component_origins *origins, const toll_mem *mem,
                                       const char *path, toll_component_guards *guards,
                                       toll_error *err);
void toll_component_guards_free(toll_component_guards *guards);

/* The guard of an instance's export, from 0 on; TOLL_COMPONENT_NONE: it has none. NULL has none. */
uint32_t toll_component_guard_of(const toll_component_guards *guards, uint32_t instance,
                                 toll_wasm_bytes name);

toll_component_guard toll_component_guard_at(const toll_component_guards *guards, uint32_t i);

/* Set the position of the next guard. */
void toll_component_place_guard(toll_component_guards *guards, uint32_t position);

/* How many guards precede a core instance. */
uint32_t toll_component_guards_before(const toll_component_guards *guards, uint32_t instance);

#endif
