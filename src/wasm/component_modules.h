/* component_modules.h - makes the modules that connect a component with toll.wasm. One has what
 * toll.wasm imports. The other begins the recording, and has what instrumented modules import.
 * For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_MODULES_H
#define TOLL_WASM_COMPONENT_MODULES_H

#include "base/buffer.h"
#include "wasm/wasm_module.h"

/* The names in the second module. It exports the functions and globals that instrumented modules
 * import from "toll", and this one, which returns the address of the profile's result in
 * toll.wasm's memory: component_profile() of toll/embedder.h. */
#define TOLL_WASM_COMPONENT_PROFILE "profile"

/* Fail because toll.wasm does not export that function. */
toll_status toll_component_fail_toll_wasm(const toll_wasm_module *toll_wasm, const char *name,
                                          toll_error *err);

/* Append a module that exports each function that toll.wasm imports. They return "not supported",
 * or no time. has_clock: the time is what the function in the table TOLL_WASM_COMPONENT_TABLE
 * returns, 0 at first. Errors: TOLL_E_UNSUPPORTED (it imports something else), TOLL_E_NOMEM. */
toll_status toll_wasm_put_stubs(const toll_wasm_module *toll_wasm, bool has_clock, toll_buffer *out,
                                toll_error *err);

/* Which functions of toll.wasm take the events. */
typedef struct toll_component_events {
    int placed;     /* as for instruction options.call_lines, 0 to 2 */
    bool has_clock; /* they read the clock */
} toll_component_events;

/* Append a module that imports toll.wasm's exports from "toll". When it is made, it passes
 * `description` to component_begin(). Errors: TOLL_E_UNSUPPORTED (toll.wasm lacks an export),
 * TOLL_E_NOMEM. */
toll_status toll_wasm_put_starter(const toll_wasm_module *toll_wasm, const toll_buffer *description,
                                  toll_component_events events, toll_buffer *out, toll_error *err);

#endif
