/* nearest.c - see nearest.h. */
#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 64, TOO_FAR = 99, MOST = 2 };

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The number of letters to insert, delete or change to get from a to b; TOO_FAR if a text is long,
 * or the number is above MOST. */
static unsigned distance(const char *a, const char *b)
{
    size_t size = strlen(b), other = strlen(a);
    unsigned row[LONGEST + 1];
    if (size > LONGEST || other > LONGEST || size > other + MOST || other > size + MOST)
        return TOO_FAR;
    for (; *a && *a == *b; a++, b++)
        size--; /* a common beginning costs nothing */
    unsigned n = (unsigned)size;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned corner = row[0], least = i;
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = least_of(change, least_of(row[j], row[j - 1]) + 1);
            least = least_of(least, row[j]);
        }
        if (least > MOST) /* it cannot get smaller in later rows */
            return TOO_FAR;
    }
    return row[n];
}

const char *toll_nearest(const char *word, const char *(*name_at)(const void *, unsigned),
                         const void *user, unsigned count)
{
    const char *best = NULL;
    unsigned least = MOST + 1;
    for (unsigned i = 0; i < count; i++) {
        const char *name = name_at(user, i);
        unsigned d = name && *name ? distance(word, name) : TOO_FAR;
        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}
