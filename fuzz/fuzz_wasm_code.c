/* fuzz_wasm_code.c - fuzzes the decoder of WebAssembly instructions. Any bytes are a function body:
 * instructions follow each other without gaps, the parts of an instruction lie within it, vectors
 * have as many elements as their count says, a copy of the bytes decodes to the same and has a text
 * of bounded size, and after a failure all further calls fail. */
#include "fuzz_format.h"

#include "wasm/instruction_text.h"

static void check_span(toll_wasm_span inner, toll_wasm_span outer)
{
    if (inner.end == 0)
        return;
    fuzz_require(inner.start >= outer.start && inner.start <= inner.end && inner.end <= outer.end,
                 "bytes outside of their instruction");
}

static uint32_t count_elements(const toll_wasm_cursor *code, const toll_wasm_instruction *i)
{
    toll_wasm_cursor vector = toll_wasm_vector(code, i);
    toll_wasm_catch clause;
    toll_wasm_type type;
    uint32_t count = 0, label;
    if (i->opcode->shape == TOLL_WASM_V128 || i->opcode->shape == TOLL_WASM_LANES)
        return (uint32_t)(i->vector.end - i->vector.start);
    if (i->opcode->shape == TOLL_WASM_LABELS)
        while (toll_wasm_next_label(&vector, &label))
            count++;
    if (i->opcode->shape == TOLL_WASM_TRY_TABLE)
        while (toll_wasm_next_catch(&vector, &clause))
            count++;
    if (i->opcode->shape == TOLL_WASM_VALUE_TYPES)
        while (toll_wasm_next_type(&vector, &type))
            count++;
    fuzz_require(vector.status == TOLL_OK, "elements that decode only once");
    return count;
}

static void check_copy(const uint8_t *data, const toll_wasm_instruction *i)
{
    toll_wasm_cursor alone;
    toll_wasm_instruction again;
    toll_wasm_cursor_init(&alone, data, i->span.start, i->span.end);
    fuzz_require(toll_wasm_next(&alone, &again), "an instruction that does not decode alone");
    fuzz_require(again.opcode == i->opcode && again.span.end == i->span.end &&
                     again.index[0] == i->index[0] && again.index[1] == i->index[1] &&
                     again.value == i->value && again.offset == i->offset,
                 "another instruction the second time");
}

static void check_text(const toll_wasm_cursor *code, const toll_wasm_instruction *i)
{
    toll_mem mem = toll_c_allocator();
    toll_buffer text;
    toll_buffer_init(&text, &mem);
    fuzz_require(toll_wasm_append_text(&text, code, i, NULL, NULL), "no memory for a text");
    fuzz_require(text.size >= strlen(i->opcode->name) && text.size < 8192, "a text too long");
    fuzz_see("texts", text.data, text.size);
    for (size_t k = 0; k < text.size; k++)
        fuzz_require(text.data[k] >= ' ' && text.data[k] < 0x7f, "a text that is not printable");
    toll_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_wasm_cursor c;
    toll_wasm_instruction i;
    size_t at = 0;
    toll_wasm_cursor_init(&c, data, 0, size);
    while (toll_wasm_left(&c) > 0 && toll_wasm_next(&c, &i)) {
        fuzz_require(i.span.start == at && i.span.end == c.at && c.at > at, "a gap");
        at = c.at;
        check_span(i.function, i.span);
        check_span(i.vector, i.span);
        fuzz_require(count_elements(&c, &i) == i.count, "another number of elements");
        check_copy(data, &i);
        check_text(&c, &i);
    }
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_wasm_cursor_check(&c, "input", &err);
    fuzz_see_failure(status, &err);
    fuzz_require(status == TOLL_OK ? at == size : c.failed_at <= size && err.text[0],
                 "a failure without a place");
    fuzz_require(status == TOLL_OK || !toll_wasm_next(&c, &i), "a failure that does not stick");
    return 0;
}
