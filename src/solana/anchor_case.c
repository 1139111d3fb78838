/* anchor_case.c - see anchor_case.h. */
#include "solana/anchor_case.h"

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool toll_append_snake(toll_buffer *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool begins = is_capital(text[i]) && i > 0 &&
                      (is_small(text[i - 1]) ||
                       (is_capital(text[i - 1]) && i + 1 < size && is_small(text[i + 1])));
        if (begins)
            toll_buffer_append_byte(out, '_');
        toll_buffer_append_byte(out, (uint8_t)(is_capital(text[i]) ? text[i] | 0x20 : text[i]));
    }
    return !out->failed;
}

bool toll_append_pascal(toll_buffer *out, const char *text, size_t size)
{
    bool begins = true;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c != '_')
            toll_buffer_append_byte(out, (uint8_t)(begins && c >= 'a' && c <= 'z' ? c & ~0x20 : c));
        begins = c == '_';
    }
    return !out->failed;
}
