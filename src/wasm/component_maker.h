/* component_maker.h - makes small core modules that are added to a component, and sections. For
 * wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_MAKER_H
#define TOLL_WASM_COMPONENT_MAKER_H

#include "base/buffer.h"
#include "wasm/wasm_module.h"

/* A module whose sections are appended to `out`, one after the other. */
typedef struct toll_maker {
    toll_buffer *out, section;
} toll_maker;

/* Begin a module. */
void toll_maker_begin(toll_maker *maker, const toll_mem *mem, toll_buffer *out);

/* Append maker->section as a section with this id, and clear it. */
void toll_maker_put_section(toll_maker *maker, uint8_t id);

/* Returns TOLL_E_NOMEM if anything could not be appended. Call it also after a failure. */
toll_status toll_maker_end(toll_maker *maker, toll_error *err);

/* Append a section with this body, of a component or a module. */
void toll_component_put_section(toll_buffer *out, uint8_t id, const toll_buffer *body);

/* Parts of sections. */
void toll_maker_put_type(toll_buffer *out, const toll_wasm_signature *type);
void toll_maker_put_name(toll_buffer *out, toll_wasm_bytes name);
void toll_maker_put_i32(toll_buffer *out, uint32_t value);
void toll_maker_put_export(toll_maker *maker, const char *name, uint8_t kind, uint32_t index);

/* Append the body of a function, without its end, to the section, and clear it. */
void toll_maker_put_body(toll_maker *maker, toll_buffer *body);

#endif
