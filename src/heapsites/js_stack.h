/* js_stack.h - the text of a JavaScript error's stack, line by line: as V8 ("    at NAME (WHERE)"),
 * Firefox ("NAME@WHERE") and Safari ("<?>.wasm-function[NAME]@[wasm code]") print it.
 *
 * Allocates nothing and keeps no state but a place in the text: frames point into it. */
#ifndef TOLL_HEAPSITES_JS_STACK_H
#define TOLL_HEAPSITES_JS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct toll_js_frame {
    const char *name; /* never empty; a place ("app.js:3:7") where the engine knows no name */
    size_t name_size;
    bool is_wasm;
    uint32_t function; /* index in its module; UINT32_MAX: not told, or none */
    uint32_t offset;   /* of the instruction in its module, in bytes; UINT32_MAX: not told */
} toll_js_frame;

typedef struct toll_js_stack {
    const char *at, *end;
    bool is_v8;
    uint64_t unread; /* lines among the frames that tell none */
} toll_js_stack;

void toll_js_stack_begin(toll_js_stack *stack, const char *text, size_t size);

/* The next line that tells a frame, innermost first, without the space around it; false: there are
 * no more. Lines that are the same tell the same. */
bool toll_js_stack_line(toll_js_stack *stack, const char **line, size_t *size);

/* The frame that a line tells. false: it is Safari's way between JavaScript and WebAssembly. */
bool toll_js_read(const char *line, size_t size, toll_js_frame *frame);

#endif
