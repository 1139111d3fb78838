/* section_place.c - splits the id of a section into its name and its place. */
#include "sections/section_place.h"

#include "base/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parse the number of a line; 0: the text is not one. */
static uint32_t line_of(const char *text, const char *end)
{
    uint64_t line = 0;
    for (; text < end && is_digit(*text) && line <= UINT32_MAX; text++)
        line = line * 10 + (uint64_t)(*text - '0');
    return text == end && line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Does the name of a file end in a dot and letters or digits? */
static bool has_extension(const char *file, const char *end)
{
    const char *p = end;
    while (p > file && (is_digit(p[-1]) || (p[-1] >= 'a' && p[-1] <= 'z')))
        p--;
    return p < end && p - file > 1 && p[-1] == '.';
}

toll_section_place toll_section_split(const char *id, size_t size)
{
    const char *end = id + size;
    while (end > id && is_blank(end[-1]))
        end--;
    const char *word = end, *colon = end;
    for (; word > id && !is_blank(word[-1]); word--)
        if (word[-1] == ':' && colon == end)
            colon = word - 1;
    const char *name = word;
    while (name > id && is_blank(name[-1]))
        name--;
    uint32_t line = colon < end ? line_of(colon + 1, end) : 0;
    if (!line || name == id || !has_extension(word, colon))
        return (toll_section_place){ .name_size = size };
    return (toll_section_place){ (size_t)(name - id), word, (size_t)(colon - word), line };
}

bool toll_section_frame(toll_buffer *room, const char *id, size_t size, toll_frame *out)
{
    toll_section_place place = toll_section_split(id, size);
    toll_buffer_clear(room);
    toll_text_append_clean(room, id, place.name_size);
    toll_buffer_append_byte(room, 0);
    size_t file = room->size;
    toll_text_append_clean(room, place.file, place.file_size);
    const char *text = toll_buffer_cstr(room);
    if (!text)
        return false;
    *out = (toll_frame){ .name = *text ? text : "(unknown)",
                         .file = place.file_size ? text + file : NULL,
                         .line = place.line,
                         .kind = TOLL_KIND_SECTION };
    return true;
}
