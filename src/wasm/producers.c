/* producers.c - see producers.h. */
#include "wasm/producers.h"

#include "base/text.h"

#include <string.h>

enum { MOST_TOOLS = 32, MOST_BYTES = 500 };

typedef struct tools {
    toll_buffer texts; /* "clang 14.0.6", with a NUL behind each */
    size_t at[MOST_TOOLS];
    size_t count;
} tools;

static void add_tool(tools *t, toll_wasm_bytes name, toll_wasm_bytes version)
{
    if (t->count == MOST_TOOLS)
        return;
    t->at[t->count++] = t->texts.size;
    toll_text_append_clean(&t->texts, (const char *)name.data, name.size);
    if (version.size) {
        toll_buffer_append_byte(&t->texts, ' ');
        toll_text_append_clean(&t->texts, (const char *)version.data, version.size);
    }
    toll_buffer_append_byte(&t->texts, 0);
}

static void read_tools(tools *t, toll_wasm_cursor *c)
{
    for (uint32_t fields = toll_wasm_take_u32(c); fields > 0 && !c->status; fields--) {
        toll_wasm_bytes field = toll_wasm_take_text(c);
        bool is_compiler = field.size == 12 && memcmp(field.data, "processed-by", 12) == 0;
        for (uint32_t left = toll_wasm_take_u32(c); left > 0 && !c->status; left--) {
            toll_wasm_bytes name = toll_wasm_take_text(c), version = toll_wasm_take_text(c);
            if (is_compiler && !c->status)
                add_tool(t, name, version);
        }
    }
}

static const char *text_of(const tools *t, size_t i)
{
    return (const char *)t->texts.data + t->at[i];
}

/* There are few: by insertion. */
static void sort(tools *t)
{
    for (size_t i = 1; i < t->count; i++)
        for (size_t j = i; j > 0 && strcmp(text_of(t, j - 1), text_of(t, j)) > 0; j--) {
            size_t other = t->at[j];
            t->at[j] = t->at[j - 1];
            t->at[j - 1] = other;
        }
}

static void put_tools(const tools *t, toll_buffer *out)
{
    size_t begin = out->size;
    for (size_t i = 0; i < t->count; i++) {
        const char *text = text_of(t, i);
        if (out->size - begin + strlen(text) + 2 > MOST_BYTES)
            continue;
        toll_buffer_append_text(out, out->size > begin ? ", " : "");
        toll_buffer_append_text(out, text);
    }
}

bool toll_wasm_append_compilers(const toll_wasm_module *m, toll_buffer *out)
{
    const toll_wasm_section *section = toll_wasm_find_custom(m, "producers");
    if (!section)
        return true;
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor c;
    tools t = { .count = 0 };
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    toll_buffer_init(&t.texts, &out->mem);
    read_tools(&t, &c);
    out->failed |= t.texts.failed;
    if (!c.status && !out->failed) {
        sort(&t);
        put_tools(&t, out);
    }
    toll_buffer_free(&t.texts);
    return !out->failed;
}
