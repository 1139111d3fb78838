/* json_write.c - see json_write.h. */
#include "base/json_write.h"

#include "base/text.h"

#include <string.h>

void toll_json_put_text(toll_output *out, const char *text)
{
    toll_output_write(out, text, strlen(text));
}

void toll_json_put_i64(toll_output *out, int64_t value)
{
    char digits[24];
    toll_output_write(out, digits, toll_text_put_i64(digits, value));
}

static void put_escape(toll_output *out, uint8_t c)
{
    static const char hex[] = "0123456789abcdef";
    char text[] = "\\u0000";
    if (c == '"' || c == '\\') {
        text[1] = (char)c;
        toll_output_write(out, text, 2);
        return;
    }
    text[4] = hex[c >> 4];
    text[5] = hex[c & 15];
    toll_output_write(out, text, 6);
}

void toll_json_put_inner(toll_output *out, const char *text)
{
    while (*text) {
        size_t plain = 0;
        while ((uint8_t)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        toll_output_write(out, text, plain);
        text += plain;
        if (*text)
            put_escape(out, (uint8_t)*text++);
    }
}

void toll_json_put_string(toll_output *out, const char *text)
{
    toll_output_write(out, "\"", 1);
    toll_json_put_inner(out, text);
    toll_output_write(out, "\"", 1);
}
