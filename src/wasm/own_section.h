/* own_section.h - writes the custom section "toll" of the new module. For wasm/ only. */
#ifndef TOLL_WASM_OWN_SECTION_H
#define TOLL_WASM_OWN_SECTION_H

#include "wasm/rewrite.h"

enum { TOLL_WASM_SECTION_VERSION = 9 };

/* Append the section's body, with its name; toll/wasm.h defines the layout. Errors: TOLL_E_NOMEM,
 * TOLL_E_LIMIT. */
toll_status toll_wasm_put_own_section(const toll_wasm_rewrite *rewrite, toll_buffer *out,
                                      toll_error *err);

#endif
