/* js_stack.h - parses the text of a JavaScript error's stack line by line, as V8 (" at NAME
 * (WHERE)"), Firefox ("NAME@WHERE") and Safari ("<?>.wasm-function[NAME]@[wasm code]") print it.
 *
 * Allocates nothing. Its only state is a position in the text; frames point into the text. */
#ifndef TOLL_HEAPSITES_JS_STACK_H
#define TOLL_HEAPSITES_JS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct toll_js_frame {
    const char *name; /* never empty; a place ("app.js:3:7") if the engine has no name */
    size_t name_size;
    bool is_wasm;
    uint32_t function; /* index in its module; UINT32_MAX: not known, or not WebAssembly */
    uint32_t offset;   /* of the instruction in its module, in bytes; UINT32_MAX: not known */
} toll_js_frame;

typedef struct toll_js_stack {
    const char *at, *end;
    bool is_v8;
    uint64_t unread; /* lines between frames that are not frames */
} toll_js_stack;

void toll_js_stack_begin(toll_js_stack *stack, const char *text, size_t size);

/* The next line that is a frame, innermost first, without surrounding space. False: no more lines.
 * Equal lines are equal frames. */
bool toll_js_stack_line(toll_js_stack *stack, const char **line, size_t *size);

/* Parse a line. False: it is Safari's frame for the transition between JavaScript and
 * WebAssembly. */
bool toll_js_read(const char *line, size_t size, toll_js_frame *frame);

#endif
