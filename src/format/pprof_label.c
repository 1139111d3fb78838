/* pprof_label.c - labels, by which functions of one name are told apart. See pprof.h. */
#include "format/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Does text[size] end in " (FILE:LINE)"? */
static bool ends_in_place(const char *text, size_t size, const char *file, uint32_t line)
{
    char digits[16] = "";
    if (line)
        snprintf(digits, sizeof digits, ":%" PRIu32, line);
    size_t file_size = strlen(file), digits_size = strlen(digits), place = file_size + digits_size;
    if (size <= place + 3)
        return false;
    const char *p = text + size - place - 1;
    return text[size - 1] == ')' && memcmp(p - 2, " (", 2) == 0 &&
           memcmp(p, file, file_size) == 0 && memcmp(p + file_size, digits, digits_size) == 0;
}

size_t toll_pprof_label_name(const char *label, const char *file, uint32_t line)
{
    size_t size = strlen(label), digits = line ? (size_t)snprintf(NULL, 0, ":%" PRIu32, line) : 0;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    if (!*file && !line)
        return size;
    if (ends_in_place(label, size, base, line))
        return size - strlen(base) - digits - 3;
    if (ends_in_place(label, size, file, line))
        return size - strlen(file) - digits - 3;
    return size;
}
