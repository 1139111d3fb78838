/* nearest.c - see nearest.h. */
#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 64, FAR = 99, MOST = 2 };

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete or change to get from a to b; FAR if one is long. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1], n = (unsigned)strlen(b);
    if (n > LONGEST || strlen(a) > LONGEST)
        return FAR;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = least_of(change, least_of(row[j], row[j - 1]) + 1);
        }
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
        unsigned d = name ? distance(word, name) : FAR;
        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}
