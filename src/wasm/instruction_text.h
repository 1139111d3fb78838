/* instruction_text.h - writes an instruction in WebAssembly's text format, on one line:
 *
 *     i32.load offset=8          alignment only where it is not the natural one
 *     call $parse                functions by their names
 *     block (result i32)
 *     f64.const 0x1.8p+1         floats in hexadecimal, which is exact
 *
 * Labels, locals, globals, types and the like are numbers. So are memories and tables, which are
 * omitted if they are 0. https://webassembly.github.io/spec/core/text/instructions.html */
#ifndef TOLL_WASM_INSTRUCTION_TEXT_H
#define TOLL_WASM_INSTRUCTION_TEXT_H

#include "base/buffer.h"
#include "wasm/instruction.h"

/* The name of a function; NULL: its number is written. */
typedef const char *(*toll_wasm_name_fn)(void *user, uint32_t function);

/* Append the text of an instruction that was decoded from `code`, without a line end. A long vector
 * is cut with "...". With name_of NULL, functions are written as numbers. False: no memory.
 * */
bool toll_wasm_append_text(toll_buffer *out, const toll_wasm_cursor *code,
                           const toll_wasm_instruction *instruction, toll_wasm_name_fn name_of,
                           void *user);

#endif
