/* component_clock.h - with time: appends what gives toll.wasm the clock of WASI 0.2, behind the
 * component's own definitions, so that these keep their numbers. For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_CLOCK_H
#define TOLL_WASM_COMPONENT_CLOCK_H

#include "wasm/component.h"

/* The first core module's table (toll_wasm_put_stubs), whose only element is the function that
 * reads the clock. */
#define TOLL_WASM_COMPONENT_TABLE "clock"

/* toll.wasm's export that begins the time: toll/embedder.h. */
#define TOLL_WASM_COMPONENT_CLOCK_BEGINS "component_clock"

/* Append an import of the clock, and a module that puts it into that table. clocks: as in
 * toll_component_origins. Errors: TOLL_E_UNSUPPORTED (the component imports all of them), or
 * TOLL_E_NOMEM. */
toll_status toll_component_put_clock(toll_component_rewrite *rewrite, uint32_t clocks,
                                     toll_error *err);

#endif
