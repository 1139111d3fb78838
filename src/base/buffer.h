/* buffer.h - a buffer of bytes that grows. After one failed append, `failed` is true and further
 * appends do nothing, so a writer may check once at the end. */
#ifndef TOLL_BASE_BUFFER_H
#define TOLL_BASE_BUFFER_H

#include "base/mem.h"

#include <stdint.h>

typedef struct toll_buffer {
    toll_mem mem;
    uint8_t *data; /* size bytes of capacity in use; NULL while empty */
    size_t size, capacity;
    bool failed;
} toll_buffer;

void toll_buffer_init(toll_buffer *buffer, const toll_mem *mem);
void toll_buffer_free(toll_buffer *buffer);
void toll_buffer_clear(toll_buffer *buffer); /* keeps the memory */

/* Append; false if there was no memory, now or in an earlier call. */
bool toll_buffer_append(toll_buffer *buffer, const void *data, size_t size);
bool toll_buffer_append_text(toll_buffer *buffer, const char *text);
bool toll_buffer_append_byte(toll_buffer *buffer, uint8_t byte);
bool toll_buffer_append_format(toll_buffer *buffer, const char *format, ...) TOLL_PRINTF(2, 3);
bool toll_buffer_append_hex(toll_buffer *buffer, const uint8_t *data, size_t size); /* digits */

/* Make room for `size` more bytes at the end. NULL: no memory. The caller writes there and adds to
 * buffer->size. */
uint8_t *toll_buffer_room(toll_buffer *buffer, size_t size);

/* The contents with a NUL after them (not counted in size), or NULL. */
const char *toll_buffer_cstr(toll_buffer *buffer);

#endif
