/* component_gather.h - makes the module that passes a component's executions of blocks to
 * toll.wasm, before a profile is written. For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_GATHER_H
#define TOLL_WASM_COMPONENT_GATHER_H

#include "wasm/component.h"

/* toll.wasm's exports for it: toll/embedder.h. */
#define TOLL_WASM_COMPONENT_PAGE "component_page"
#define TOLL_WASM_COMPONENT_EXECUTIONS "component_executions"

/* Append a module that imports
 *
 *     "toll"        toll.wasm's exports
 *     "executions"  "0", "1", ...: the functions toll:executions of the instances `counting`
 *                   (toll_component_counting), in this order
 *     "starter"     TOLL_WASM_COMPONENT_PROFILE of component_modules.h
 *
 * and exports a function of that name, which passes all executions on, and calls it.
 * Errors: TOLL_E_UNSUPPORTED (toll.wasm lacks an export), TOLL_E_NOMEM. */
toll_status toll_wasm_put_gatherer(const toll_wasm_module *toll_wasm, const toll_buffer *counting,
                                   toll_buffer *out, toll_error *err);

/* The name of the function of counting instance `i`. */
enum { TOLL_GATHER_NAME = 12 };
void toll_component_gather_name(uint32_t i, char name[TOLL_GATHER_NAME]);

/* Counting instance `i`. */
toll_component_counting toll_component_counting_at(const toll_buffer *counting, uint32_t i);
uint32_t toll_component_counting_count(const toll_buffer *counting);

#endif
