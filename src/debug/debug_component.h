/* debug_component.h - reads the debug information of a component's core modules. For debug/, cli
 * and hosts. */
#ifndef TOLL_DEBUG_DEBUG_COMPONENT_H
#define TOLL_DEBUG_DEBUG_COMPONENT_H

#include <toll/debug.h>

/* Read the core modules of a component, in which it contains them, and of components in it; their
 * names are as in profiles: FILE.core.wasm, FILE.core2.wasm, ... No other files are opened.
 *   in     at the component's first byte; read to its end, not freed
 *   found  is given the debug information of each, and owns it; a status that is not 0 ends this
 * Errors: those of toll_debug_read, of any of them; and found's. */
typedef toll_status toll_debug_found(void *user, toll_debug *debug, toll_error *err);
toll_status toll_debug_read_component(const toll_allocator *allocator, toll_input *in,
                                      toll_debug_found *found, void *user, toll_error *err);

#endif
