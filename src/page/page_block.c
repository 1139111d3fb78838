/* page_block.c - see page_block.h. */
#include "page/page_block.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(char *to, const uint8_t *from)
{
    uint32_t bits = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
    for (int i = 0; i < 4; i++)
        to[i] = digits[bits >> (18 - 6 * i) & 63];
}

/* Write compressed bytes as base64. A group of three bytes may be spread over several calls. */
static void put_base64(void *user, const void *data, size_t size)
{
    toll_page_block *b = user;
    const uint8_t *from = data, *end = from + size;
    char text[4096];
    size_t used = 0;
    while (from < end) {
        while (b->held_count < 3 && from < end)
            b->held[b->held_count++] = *from++;
        if (b->held_count < 3)
            break;
        put_group(text + used, b->held);
        b->held_count = 0;
        used += 4;
        if (used == sizeof text) {
            toll_output_write(b->out, text, used);
            used = 0;
        }
    }
    toll_output_write(b->out, text, used);
}

static void put_last_group(toll_page_block *b)
{
    char text[4];
    if (b->held_count == 0)
        return;
    memset(b->held + b->held_count, 0, 3 - b->held_count);
    put_group(text, b->held);
    memset(text + b->held_count + 1, '=', 3 - b->held_count);
    toll_output_write(b->out, text, 4);
}

toll_status toll_page_block_begin(toll_page_block *b, const toll_mem *mem, toll_output *out,
                                  toll_error *err)
{
    b->out = out;
    b->deflater = NULL;
    b->size = b->used = b->held_count = 0;
    b->failed = false;
    return out ? toll_deflater_create(mem, &b->deflater, err) : TOLL_OK;
}

static void put(toll_page_block *b, const void *data, size_t size, bool finish)
{
    b->size += size;
    if (b->deflater && !toll_deflate(b->deflater, data, size, finish, put_base64, b))
        b->failed = true;
}

void toll_page_block_flush(toll_page_block *b)
{
    put(b, b->buffer, b->used, false);
    b->used = 0;
}

void toll_page_block_put(toll_page_block *b, const void *data, size_t size)
{
    toll_page_block_flush(b);
    if (size)
        put(b, data, size, false);
}

bool toll_page_block_end(toll_page_block *b)
{
    toll_page_block_flush(b);
    put(b, "", 0, true);
    if (b->out)
        put_last_group(b);
    toll_deflater_free(b->deflater);
    b->deflater = NULL;
    return !b->failed;
}
