/* buffer.c - see buffer.h. */
#include "base/buffer.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void toll_buffer_init(toll_buffer *buffer, const toll_mem *mem)
{
    *buffer = (toll_buffer){ .mem = *mem };
}

void toll_buffer_free(toll_buffer *buffer)
{
    toll_mem_free(&buffer->mem, buffer->data, buffer->capacity, 1);
    buffer->data = NULL;
    buffer->size = buffer->capacity = 0;
}

void toll_buffer_clear(toll_buffer *buffer)
{
    buffer->size = 0;
    buffer->failed = false;
}

uint8_t *toll_buffer_room(toll_buffer *buffer, size_t size)
{
    if (buffer->failed ||
        !toll_array_grow(&buffer->mem, &buffer->data, &buffer->capacity, buffer->size, size)) {
        buffer->failed = true;
        return NULL;
    }
    return buffer->data + buffer->size;
}

bool toll_buffer_append(toll_buffer *buffer, const void *data, size_t size)
{
    uint8_t *room;
    if (size == 0)
        return !buffer->failed;
    room = toll_buffer_room(buffer, size);
    if (!room)
        return false;
    memcpy(room, data, size);
    buffer->size += size;
    return true;
}

bool toll_buffer_append_text(toll_buffer *buffer, const char *text)
{
    return toll_buffer_append(buffer, text, strlen(text));
}

bool toll_buffer_append_byte(toll_buffer *buffer, uint8_t byte)
{
    return toll_buffer_append(buffer, &byte, 1);
}

bool toll_buffer_append_format(toll_buffer *buffer, const char *format, ...)
{
    char text[128];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= 0 && (size_t)n < sizeof text) {
        toll_buffer_append(buffer, text, (size_t)n);
    } else if (n < 0) {
        buffer->failed = true;
    } else {
        uint8_t *room = toll_buffer_room(buffer, (size_t)n + 1);
        if (room) {
            vsnprintf((char *)room, (size_t)n + 1, format, again);
            buffer->size += (size_t)n;
        }
    }
    va_end(again);
    va_end(args);
    return !buffer->failed;
}

bool toll_buffer_append_hex(toll_buffer *b, const uint8_t *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        toll_buffer_append_byte(b, (uint8_t)digits[data[i] >> 4]);
        toll_buffer_append_byte(b, (uint8_t)digits[data[i] & 15]);
    }
    return !b->failed;
}

const char *toll_buffer_cstr(toll_buffer *buffer)
{
    uint8_t *room = toll_buffer_room(buffer, 1);
    if (!room)
        return NULL;
    *room = 0;
    return (const char *)buffer->data;
}
