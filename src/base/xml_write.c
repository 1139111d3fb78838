/* xml_write.c - see xml_write.h. */
#include "base/xml_write.h"

#include "base/printable.h"

#include <string.h>

static const char *escape_of(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

static bool is_no_xml(const char *text, size_t size)
{
    return size == 3 &&
           (memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0);
}

size_t toll_xml_put_character(toll_output *out, const char *text, size_t size)
{
    size_t n = toll_character_at(text, size).size;
    const char *escape = is_no_xml(text, n) ? "\xef\xbf\xbd" : escape_of(*text);
    toll_output_write(out, escape ? escape : text, escape ? strlen(escape) : n);
    return n;
}

static void put_piece(void *out, const char *text, size_t size)
{
    while (size) {
        size_t n = toll_xml_put_character(out, text, size);
        text += n;
        size -= n;
    }
}

void toll_xml_put_text(toll_output *out, const char *text)
{
    toll_put_printable(text, strlen(text), put_piece, out);
}
