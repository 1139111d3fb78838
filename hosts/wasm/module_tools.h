/* module_tools.h - what is done with modules before they are recorded: instrumented, and read. */
#ifndef TOLL_HOSTS_WASM_MODULE_TOOLS_H
#define TOLL_HOSTS_WASM_MODULE_TOOLS_H

#include "wasm/section_read.h"

#include <toll/toll.h>

/* The content of the section "toll", which data[size] is, or which is in the module data[size]. It
 * stays there. */
toll_status host_find_section(const uint8_t *data, size_t size, toll_wasm_bytes *out);

#endif
