/* source_text.c - see source_text.h. */
#include "report/source_text.h"

#include "base/printable.h"

#include <string.h>

enum { TAB = 8, MOST_COLUMNS = 200 };

bool toll_source_go(toll_source_text *s, uint32_t line)
{
    while (s->line < line) {
        if (s->size == 0)
            return false;
        const char *end = memchr(s->text, '\n', s->size);
        size_t size = end ? (size_t)(end - s->text) : s->size;
        s->line_text = s->text;
        s->line_size = size > 0 && s->text[size - 1] == '\r' ? size - 1 : size;
        s->text += size + (end != NULL);
        s->size -= size + (end != NULL);
        s->line++;
    }
    return true;
}

typedef struct printer {
    toll_output *out;
    size_t column;
} printer;

static void put_piece(void *user, const char *text, size_t size)
{
    printer *p = user;
    toll_output_write(p->out, text, size);
    for (size_t i = 0; i < size; i++)
        p->column += ((uint8_t)text[i] & 0xc0) != 0x80;
}

void toll_source_put(const toll_source_text *s, const char *before, toll_output *out)
{
    printer p = { .out = out };
    size_t size = s->line_size;
    while (size > 0 && (s->line_text[size - 1] == ' ' || s->line_text[size - 1] == '\t'))
        size--;
    toll_output_printf(out, "%s", size ? before : "");
    for (size_t at = 0; at < size;) {
        if (p.column >= MOST_COLUMNS) {
            toll_output_printf(out, "...");
            return;
        }
        if (s->line_text[at] == '\t') {
            do
                put_piece(&p, " ", 1);
            while (p.column % TAB);
            at++;
            continue;
        }
        toll_character c = toll_character_at(s->line_text + at, size - at);
        toll_put_printable(s->line_text + at, c.size, put_piece, &p);
        at += c.size;
    }
}
