/* dump.c - lists the instructions of all function bodies of a module: offset and name a line, or
 * with --text each instruction's text. Knows just enough of modules to find the code section. Exit
 * code 1, and the reason, if a body does not decode or ends elsewhere than its size says. */
#include "wasm/instruction_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_CODE = 10, HEADER_SIZE = 8 };

static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    size_t room = 1 << 20, got;
    uint8_t *data = f ? malloc(room) : NULL;
    *size = 0;
    while (data && (got = fread(data + *size, 1, room - *size, f)) > 0)
        if ((*size += got) == room)
            data = realloc(data, room *= 2);
    if (f)
        fclose(f);
    return data;
}

static bool wants_text;

static void print(const toll_wasm_cursor *c, const toll_wasm_instruction *i)
{
    toll_mem mem = toll_c_allocator();
    toll_buffer text;
    if (!wants_text) {
        printf("%zx %s\n", i->span.start, i->opcode->name);
        return;
    }
    toll_buffer_init(&text, &mem);
    toll_wasm_append_text(&text, c, i, NULL, NULL);
    printf("%s\n", toll_buffer_cstr(&text));
    toll_buffer_free(&text);
}

static void dump_body(toll_wasm_cursor *c)
{
    toll_wasm_instruction i;
    long depth = 1;
    uint32_t groups = toll_wasm_take_count(c, "groups of locals");
    for (uint32_t g = 0; g < groups && !c->status; g++) {
        toll_wasm_take_u32(c);
        toll_wasm_take_value_type(c);
    }
    while (depth > 0 && toll_wasm_next(c, &i)) {
        print(c, &i);
        if (i.opcode->flow == TOLL_WASM_OPENS)
            depth++;
        if (i.opcode->flow == TOLL_WASM_END || i.opcode->flow == TOLL_WASM_DELEGATE)
            depth--;
    }
    if (toll_wasm_left(c) > 0)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "bytes behind the end of a function");
}

static toll_status dump_code(toll_wasm_cursor *section, const char *name, toll_error *err)
{
    uint32_t count = toll_wasm_take_count(section, "functions");
    for (uint32_t f = 0; f < count && !section->status; f++) {
        toll_wasm_cursor body;
        size_t size = toll_wasm_take_u32(section);
        if (!toll_wasm_take_bytes(section, size))
            break;
        toll_wasm_cursor_init(&body, section->data, section->at - size, section->at);
        dump_body(&body);
        toll_status status = toll_wasm_cursor_check(&body, name, err);
        if (status)
            return status;
    }
    return toll_wasm_cursor_check(section, name, err);
}

static toll_status dump(const uint8_t *data, size_t size, const char *name, toll_error *err)
{
    toll_wasm_cursor module, section;
    toll_wasm_cursor_init(&module, data, 0, size);
    toll_wasm_take_bytes(&module, HEADER_SIZE);
    while (toll_wasm_left(&module) > 0) {
        uint8_t id = toll_wasm_take_u8(&module);
        size_t length = toll_wasm_take_u32(&module);
        if (!toll_wasm_take_bytes(&module, length) || id != SECTION_CODE)
            continue;
        toll_wasm_cursor_init(&section, data, module.at - length, module.at);
        toll_status status = dump_code(&section, name, err);
        if (status)
            return status;
    }
    return toll_wasm_cursor_check(&module, name, err);
}

int main(int argc, char **argv)
{
    toll_error err = { TOLL_OK, "" };
    size_t size;
    wants_text = argc == 3 && strcmp(argv[1], "--text") == 0;
    const char *path = argc == 2 + wants_text ? argv[argc - 1] : NULL;
    uint8_t *data = path ? read_all(path, &size) : NULL;
    if (!data) {
        fprintf(stderr, "usage: wasm_dump [--text] MODULE\n");
        return 2;
    }
    toll_status status = dump(data, size, path, &err);
    if (status)
        fprintf(stderr, "%s: %s\n", toll_status_name(status), err.text);
    free(data);
    return status ? 1 : 0;
}
