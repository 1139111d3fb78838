/* pprof.c - see pprof.h. */
#include "format/pprof.h"

#include "base/text.h"

#include <string.h>

static bool is_heap(const char *type)
{
    static const char *const types[] = { "inuse_space", "inuse_objects", "alloc_space",
                                         "alloc_objects" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

toll_value_type toll_pprof_period_type(const toll_profile *p)
{
    uint32_t column = toll_profile_default_column(p);
    if (column == TOLL_NONE)
        return (toll_value_type){ NULL, NULL };
    toll_value_type v = toll_profile_column(p, column);
    return is_heap(v.type) ? (toll_value_type){ "space", "bytes" } : v;
}

/* ":LINE", or nothing for 0; returns its length. */
static size_t put_line(char *to, uint32_t line)
{
    *to = ':';
    return line ? 1 + toll_text_put_u64(to + 1, line) : 0;
}

/* Does text[size] end in " (FILE:LINE)"? */
static bool ends_in_place(const char *text, size_t size, const char *file, uint32_t line)
{
    char digits[16];
    size_t digits_size = put_line(digits, line);
    size_t file_size = strlen(file), place = file_size + digits_size;
    if (size <= place + 3)
        return false;
    const char *p = text + size - place - 1;
    return memcmp(p - 2, " (", 2) == 0 && memcmp(p, file, file_size) == 0 &&
           memcmp(p + file_size, digits, digits_size) == 0;
}

size_t toll_pprof_label_name(const char *label, const char *file, uint32_t line)
{
    size_t size = strlen(label);
    if (size == 0 || label[size - 1] != ')' || (!*file && !line))
        return size;
    char room[16];
    size_t digits = put_line(room, line);
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    if (ends_in_place(label, size, base, line))
        return size - strlen(base) - digits - 3;
    if (ends_in_place(label, size, file, line))
        return size - strlen(file) - digits - 3;
    return size;
}
