/* producers.h - which compilers have made a module: its custom section "producers", field
 * "processed-by", as ProducersSection.md of github.com/WebAssembly/tool-conventions defines it. For
 * wasm/ only. */
#ifndef TOLL_WASM_PRODUCERS_H
#define TOLL_WASM_PRODUCERS_H

#include "base/buffer.h"
#include "wasm/wasm_module.h"

/* Append "clang 14.0.6, rustc 1.75.0", in the order of the names; at most 500 bytes, with what
 * has no room left out. Nothing if the module does not say it, or its section is damaged. False: no
 * memory. */
bool toll_wasm_append_compilers(const toll_wasm_module *module, toll_buffer *out);

#endif
