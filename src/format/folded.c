/* folded.c - see folded.h. Reading is in folded_read.c, writing in folded_write.c. */
#include "format/folded.h"

#include "base/text.h"
#include "format/format_row.h"

#include <string.h>

bool toll_folded_is_number(const char *text, size_t size)
{
    int64_t ignored;
    return toll_text_scaled(text, size, 0, &ignored, NULL) ||
           (size && text[0] == '+' && toll_text_scaled(text + 1, size - 1, 0, &ignored, NULL));
}

/* Find the last word of text[*size]; *size then excludes the word and the blank before it. */
static size_t last_word(const char *text, size_t *size, const char **word)
{
    size_t end = *size, start;
    while (end && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    start = end;
    while (start && text[start - 1] != ' ' && text[start - 1] != '\t')
        start--;
    *word = text + start;
    *size = start ? start - 1 : 0;
    return end - start;
}

void toll_folded_split(const char *text, size_t size, int values, folded_line *line)
{
    for (int i = values; i-- > 0;)
        line->value_size[i] = last_word(text, &size, &line->value[i]);
    line->stack = text;
    line->stack_size = size;
}

bool toll_folded_is_differential(const char *text, size_t size)
{
    folded_line l;
    toll_folded_split(text, size, 2, &l);
    return l.stack_size && toll_folded_is_number(l.value[0], l.value_size[0]) &&
           toll_folded_is_number(l.value[1], l.value_size[1]);
}

toll_sniff toll_folded_sniff(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - text) : size;
    folded_line l;
    if (length && text[length - 1] == '\r')
        length--;
    if (size == 0 || *text == '{' || *text == '[' || memchr(data, 0, size))
        return TOLL_SNIFF_NO;
    toll_folded_split(text, length, 1, &l);
    bool number = toll_folded_is_number(l.value[0], l.value_size[0]);
    if (end && l.stack_size && number && toll_text_check(text, length) == length)
        return TOLL_SNIFF_LIKELY;
    return memchr(data, ';', size) || *text == '#' || number ? TOLL_SNIFF_MAYBE : TOLL_SNIFF_NO;
}
