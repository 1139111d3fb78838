/* component_definitions.h - copies the definitions in a component's sections, with new numbers, and
 * counts what they define. For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_DEFINITIONS_H
#define TOLL_WASM_COMPONENT_DEFINITIONS_H

#include "wasm/component.h"

typedef struct toll_component_reader {
    toll_component_rewrite *r;
    toll_wasm_cursor old; /* in the old section */
    toll_buffer body;     /* of the new one */
} toll_component_reader;

/* Each copies one definition of the section that it is named after. */
void toll_component_copy_core_instance(toll_component_reader *reader);
void toll_component_copy_instance(toll_component_reader *reader);
void toll_component_copy_alias(toll_component_reader *reader);
void toll_component_copy_canon(toll_component_reader *reader);
void toll_component_copy_import(toll_component_reader *reader);
void toll_component_copy_export(toll_component_reader *reader);

/* Copy what was taken since `start`. */
void toll_component_copy_from(toll_component_reader *reader, size_t start);

/* Take a number, and write it as much larger; returns the old one. */
uint32_t toll_component_copy_index(toll_component_reader *reader, uint32_t more);

/* By how much a number of a core sort grows. */
uint32_t toll_component_growth(const toll_component_rewrite *rewrite, uint8_t core, uint32_t index);

/* Take a number of a core sort, and write it as much larger; returns the old one. */
uint32_t toll_component_copy_core(toll_component_reader *reader, uint8_t core);

/* Take a sort; *core is its second byte, if it is one of core WebAssembly. */
uint8_t toll_component_take_sort(toll_wasm_cursor *cursor, uint8_t *core);

void toll_component_pass_name(toll_wasm_cursor *cursor);

#endif
