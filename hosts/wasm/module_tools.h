/* module_tools.h - what is done with modules before they are recorded: instrumented, and read. */
#ifndef TOLL_HOSTS_WASM_MODULE_TOOLS_H
#define TOLL_HOSTS_WASM_MODULE_TOOLS_H

#include "wasm/section_read.h"

#include <toll/toll.h>

/* The content of the section "toll", which data[size] is, or which is in the module data[size]. It
 * stays there. */
toll_status host_find_section(const uint8_t *data, size_t size, toll_wasm_bytes *out);

/* Make a table of costs from its name or its text; "": NULL, each instruction costs 1. */
toll_status host_make_costs(const char *table, toll_wasm_costs **out);

#endif
