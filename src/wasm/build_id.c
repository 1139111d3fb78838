/* build_id.c - see build_id.h. */
#include "wasm/build_id.h"

#include "base/fingerprint.h"

/* Finds the build id. The section holds its size, then its bytes. Empty if there is no such
 * section, or it is damaged. */
static toll_wasm_bytes find_id(const toll_wasm_module *m)
{
    const toll_wasm_section *section = toll_wasm_find_custom(m, "build_id");
    toll_wasm_cursor c;
    if (!section)
        return (toll_wasm_bytes){ NULL, 0 };
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    uint32_t size = toll_wasm_take_u32(&c);
    const uint8_t *bytes = toll_wasm_take_bytes(&c, size);
    return (toll_wasm_bytes){ bytes, bytes ? size : 0 };
}

bool toll_wasm_append_build_id(const toll_wasm_module *m, toll_buffer *out)
{
    toll_wasm_bytes id = find_id(m);
    char fingerprint[TOLL_FINGERPRINT_SIZE];
    if (id.size)
        return toll_buffer_append_hex(out, id.data, id.size);
    toll_fingerprint(m->code.data, m->code.size, fingerprint);
    return toll_buffer_append_text(out, fingerprint);
}
