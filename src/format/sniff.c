/* sniff.c - see sniff.h. */
#include "format/sniff.h"

#include <string.h>

static bool holds(const uint8_t *data, size_t size, const char *word)
{
    size_t n = strlen(word);
    const uint8_t *end = data + size;
    for (const uint8_t *p = data; (size_t)(end - p) >= n; p++) {
        p = memchr(p, word[0], (size_t)(end - p) - n + 1);
        if (!p)
            return false;
        if (memcmp(p, word, n) == 0)
            return true;
    }
    return false;
}

toll_sniff toll_sniff_json(const uint8_t *data, size_t size, const char *word, const char *other)
{
    size_t i = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t'))
        i++;
    if (i == size || (data[i] != '{' && data[i] != '['))
        return TOLL_SNIFF_NO;
    int found = holds(data, size, word) + (other ? holds(data, size, other) : 1);
    if (other ? found == 0 : found == 1)
        return TOLL_SNIFF_NO;
    return found == 2 ? TOLL_SNIFF_SURE : TOLL_SNIFF_LIKELY;
}
