/* module_tools.h - instruments modules, and reads what an instrumented module reports. */
#ifndef TOLL_HOSTS_WASM_MODULE_TOOLS_H
#define TOLL_HOSTS_WASM_MODULE_TOOLS_H

#include "wasm/section_read.h"

#include <toll/toll.h>

/* Find the content of the section "toll". data[size] is a module that has the section, or the
 * content itself. *out points into `data`. */
toll_status host_find_section(const uint8_t *data, size_t size, toll_wasm_bytes *out);

/* Make a table of costs from its name or its text. "": *out is NULL, and each instruction costs 1.
 */
toll_status host_make_costs(const char *table, toll_wasm_costs **out);

#endif
