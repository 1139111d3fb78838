/* build_id.h - identifies the build of a module: profiles and debug information belong to the same
 * module if their build ids are equal. For wasm/ and debug information. */
#ifndef TOLL_WASM_BUILD_ID_H
#define TOLL_WASM_BUILD_ID_H

#include "base/buffer.h"
#include "wasm/wasm_module.h"

/* Append the bytes of the custom section "build_id" (which linkers write with --build-id) as
 * hexadecimal digits; without one, the fingerprint of the code section (base/fingerprint.h), which
 * does not change when debug information or names are stripped. False: no memory. */
bool toll_wasm_append_build_id(const toll_wasm_module *module, toll_buffer *out);

#endif
