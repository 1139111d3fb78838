/* json_write.c - see json_write.h. */
#include "base/json_write.h"

#include "base/printable.h"
#include "base/text.h"

#include <stdio.h>
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

/* A quotation mark, a backslash, or a character that printable.h escapes. */
static void put_escape(toll_output *out, uint32_t code)
{
    char text[8] = { '\\', (char)code };
    if (code == '"' || code == '\\') {
        toll_output_write(out, text, 2);
        return;
    }
    unsigned shown = code == TOLL_NOT_UTF8 ? 0xfffd : code & 0xffff;
    snprintf(text, sizeof text, "\\u%04x", shown);
    toll_output_write(out, text, 6);
}

static bool is_plain(toll_character c)
{
    return c.is_printable && c.code != '"' && c.code != '\\';
}

/* Is the character printable ASCII without an escape? Nearly all are, so this is checked first:
 * PerfView's files have each name many times. */
static bool is_plain_ascii(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void toll_json_put_inner(toll_output *out, const char *text)
{
    const char *end = text + strlen(text), *plain = text;
    while (text < end) {
        if (is_plain_ascii(*text)) {
            text++;
            continue;
        }
        toll_character c = toll_character_at(text, (size_t)(end - text));
        text += c.size;
        if (is_plain(c))
            continue;
        toll_output_write(out, plain, (size_t)(text - c.size - plain));
        put_escape(out, c.code);
        plain = text;
    }
    toll_output_write(out, plain, (size_t)(text - plain));
}

void toll_json_put_string(toll_output *out, const char *text)
{
    toll_output_write(out, "\"", 1);
    toll_json_put_inner(out, text);
    toll_output_write(out, "\"", 1);
}
