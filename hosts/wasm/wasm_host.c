/* wasm_host.c - see wasm_host.h. */
#include "wasm_host.h"

toll_node host_nowhere = { .frame = TOLL_NONE, .id = UINT32_MAX };

toll_host host = { .fast.node = &host_nowhere };
