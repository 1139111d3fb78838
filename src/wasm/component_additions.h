/* component_additions.h - what instrumenting adds to a component: toll.wasm and its instance, and
 * the export of the profile. For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_ADDITIONS_H
#define TOLL_WASM_COMPONENT_ADDITIONS_H

#include "wasm/component.h"
#include "wasm/component_modules.h"

/* The core modules, and an instance of each with the same number, that precede the component's own.
 * The last one has what its modules import from "toll". */
enum { TOLL_COMPONENT_STUBS, TOLL_COMPONENT_TOLL, TOLL_COMPONENT_STARTER, TOLL_COMPONENT_INSERTED };

/* Append the first two modules, of which the outermost component has one each, as sections. depth:
 * how many components are around this one, which takes them from the outermost. Errors:
 * TOLL_E_UNSUPPORTED (toll.wasm is of another version), TOLL_E_NOMEM. */
toll_status toll_component_put_toll(const toll_wasm_module *toll_wasm, uint32_t depth,
                                    bool has_clock, toll_buffer *out, toll_error *err);

/* Append the third one, then sections with further modules, and the instances. description, events:
 * as for toll_wasm_put_starter. Errors: as above. */
toll_status toll_component_put_starter(const toll_wasm_module *toll_wasm,
                                       const toll_buffer *description, toll_component_events events,
                                       const toll_buffer *modules, toll_buffer *out,
                                       toll_error *err);

/* Append a core instance of the next guard, behind what it guards. */
void toll_component_put_guard(toll_component_rewrite *rewrite);

/* Append an argument of a core instance: another one. */
void toll_component_put_argument(toll_buffer *out, const char *name, uint32_t instance);

/* Append a module that passes the component's executions of blocks on, and its instance, which has
 * the profile's function from then on; nothing if none are counted. Errors: as above. */
toll_status toll_component_put_gatherer(const toll_wasm_module *toll_wasm,
                                        toll_component_rewrite *rewrite, toll_error *err);

/* How many profiles a component could export: that of its own recording, if there is one, and those
 * of the components in it. */
enum { TOLL_COMPONENT_MOST_PROFILES = 100 };
size_t toll_component_count_profiles(const toll_component_rewrite *rewrite, bool is_recorded);

/* Append exports of these to the new sections, but no more than TOLL_COMPONENT_MOST_PROFILES.
 * Returns how many. */
uint8_t toll_component_put_profiles(toll_component_rewrite *rewrite, bool is_recorded);

#endif
