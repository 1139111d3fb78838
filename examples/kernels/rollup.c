/* rollup.c - rollup.h's functions. */
#include "rollup.h"

/* Compilers call these for loops that copy and clear. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    char *t = to;
    for (const char *f = from; size; size--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    for (char *t = to; size; size--)
        *t++ = (char)byte;
    return to;
}

static uint32_t length(const char *string)
{
    uint32_t n = 0;
    while (string[n])
        n++;
    return n;
}

static void text_add_byte(text *t, char byte)
{
    if (t->size < sizeof t->bytes)
        t->bytes[t->size++] = byte;
}

void text_add(text *t, const char *piece)
{
    while (*piece)
        text_add_byte(t, *piece++);
}

void text_add_hex(text *t, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        text_add_byte(t, "0123456789abcdef"[bytes[i] >> 4]);
        text_add_byte(t, "0123456789abcdef"[bytes[i] & 15]);
    }
}

void text_add_number(text *t, uint64_t number)
{
    if (number > 9)
        text_add_number(t, number / 10);
    text_add_byte(t, (char)('0' + number % 10));
}

void debug(const char *message)
{
    write_debug(message, length(message));
}

static void mark(const char *what, const char *name)
{
    text t = { 0 };
    text_add(&t, "__wasm_debugger__::");
    text_add(&t, what);
    text_add(&t, "(");
    text_add(&t, name);
    text_add(&t, ")");
    write_debug(t.bytes, t.size);
}

void section_start(const char *name)
{
    mark("start_section", name);
}

void section_end(const char *name)
{
    mark("end_section", name);
}

uint64_t store_number(const text *key)
{
    uint64_t number = 0;
    store_read(key->bytes, key->size, 0, &number, sizeof number);
    return number;
}

void store_set_number(const text *key, uint64_t number)
{
    store_write(key->bytes, key->size, 0, &number, sizeof number);
}

void ask_for_reboot(void)
{
    static const char key[] = "/kernel/env/reboot";
    store_write(key, sizeof key - 1, 0, "", 0);
}
