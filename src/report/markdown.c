/* markdown.c - see markdown.h. */
#include "report/markdown.h"

#include "base/printable.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_MOST = 80, NAME_END = 39, WHERE_MOST = 60 };

static const char ellipsis[] = "\xe2\x80\xa6";

/* Has the character no meaning in Markdown or HTML? All others are written as entities, which
 * Markdown shows as text. */
static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           (unsigned char)c >= 0x80 || strchr(" .,-/()+;=", c) != NULL;
}

static void put_entities(void *user, const char *text, size_t size)
{
    toll_output *out = user;
    for (size_t i = 0; i < size; i++) {
        if (is_plain(text[i]))
            toll_output_write(out, &text[i], 1);
        else
            toll_output_printf(out, "%s&#%u;", text[i] == '@' ? "<!-- -->" : "",
                               (unsigned)(unsigned char)text[i]);
    }
}

/* The size of the first `count` characters of the text, or of all if it has fewer. */
static size_t characters(const char *text, size_t size, size_t count)
{
    size_t at = 0;
    while (count-- && at < size)
        at += toll_character_at(text + at, size - at).size;
    return at;
}

static size_t count_characters(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; at < size; count++)
        at += toll_character_at(text + at, size - at).size;
    return count;
}

void toll_markdown_put_code(toll_output *out, const char *name)
{
    size_t size = strlen(name), count = count_characters(name, size);
    toll_output_printf(out, "<code>");
    if (count <= NAME_MOST) {
        toll_put_printable(name, size, put_entities, out);
    } else {
        size_t end = characters(name, size, count - NAME_END);
        toll_put_printable(name, characters(name, size, NAME_MOST - 1 - NAME_END), put_entities,
                           out);
        toll_output_printf(out, "%s", ellipsis);
        toll_put_printable(name + end, size - end, put_entities, out);
    }
    toll_output_printf(out, "</code>");
}

void toll_markdown_put_whole(toll_output *out, const char *name)
{
    toll_output_printf(out, "<code>");
    toll_put_printable(name, strlen(name), put_entities, out);
    toll_output_printf(out, "</code>");
}

void toll_markdown_put_text(toll_output *out, const char *text, size_t size)
{
    toll_put_printable(text, size, put_entities, out);
}

void toll_markdown_put_more(toll_output *out, uint32_t more, const char *what)
{
    if (more)
        toll_output_printf(out, "\n%" PRIu32 " more %s%s\n", more, what, toll_plural(more));
}

void toll_markdown_put_where(toll_output *out, toll_frame frame)
{
    char where[TOLL_WHERE_TEXT_SIZE];
    const char *text = toll_where_text(frame, where);
    size_t size = strlen(text), count = count_characters(text, size);
    size_t from = count > WHERE_MOST ? characters(text, size, count - WHERE_MOST + 1) : 0;
    if (!size)
        return;
    toll_output_printf(out, "<code>%s", from ? ellipsis : "");
    toll_put_printable(text + from, size - from, put_entities, out);
    toll_output_printf(out, "</code>");
}

void toll_markdown_begin_pre(toll_output *out)
{
    toll_output_printf(out, "<pre>\n");
}

void toll_markdown_put_line(toll_output *out, const char *line, size_t size)
{
    toll_put_printable(line, size, put_entities, out);
    toll_output_write(out, "\n", 1);
}

void toll_markdown_end_pre(toll_output *out)
{
    toll_output_printf(out, "</pre>\n");
}

void toll_markdown_put_pre(toll_output *out, const char *text, size_t size)
{
    toll_markdown_begin_pre(out);
    while (size) {
        const char *end = memchr(text, '\n', size);
        size_t n = end ? (size_t)(end - text) : size;
        toll_markdown_put_line(out, text, n);
        text += n + (end != NULL);
        size -= n + (end != NULL);
    }
    toll_markdown_end_pre(out);
}

void toll_markdown_begin_details(toll_output *out, const char *title)
{
    toll_output_printf(out, "\n<details><summary>%s</summary>\n\n", title);
}

void toll_markdown_end_details(toll_output *out)
{
    toll_output_printf(out, "\n</details>\n");
}
