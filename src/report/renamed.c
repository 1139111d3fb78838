/* renamed.c - see renamed.h. Functions are sorted by change: what grew before what shrank, the
 * larger change first. So those with the same cost are in two ranges, which one pass finds. */
#include "report/renamed.h"

#include <string.h>

/* Functions with changes of one size, of which only those that are new, or gone, count. */
typedef struct range {
    const toll_change *first;
    uint32_t count;
    bool are_new;
} range;

enum { MOST_ALIKE = 64 }; /* of one cost; more are not compared with one another */

static bool counts(const range *r, const toll_change *c)
{
    return c->id != TOLL_NONE && (r->are_new ? c->before == 0 : c->after == 0);
}

static bool is_alike(toll_frame a, toll_frame b, bool same_line)
{
    return strcmp(a.file, b.file) == 0 && a.kind == b.kind && (!same_line || a.line == b.line);
}

/* The only function of the range that is like that one; NULL: there is none, or several. */
static const toll_change *only_one(const toll_changes *c, const range *r, toll_frame like,
                                   bool same_line)
{
    const toll_change *found = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        const toll_change *other = &r->first[i];
        if (!counts(r, other) || !is_alike(toll_change_frame(c, other), like, same_line))
            continue;
        if (found)
            return NULL;
        found = other;
    }
    return found;
}

static uint32_t find_in(const toll_changes *c, const range *are, const range *were,
                        toll_renamed *found, uint32_t room)
{
    uint32_t count = 0;
    if (are->count > MOST_ALIKE || were->count > MOST_ALIKE)
        return 0;
    for (uint32_t i = 0; i < are->count && count < room; i++) {
        const toll_change *is = &are->first[i], *was = NULL;
        if (!counts(are, is))
            continue;
        toll_frame frame = toll_change_frame(c, is);
        for (int same_line = 1; !was && same_line >= 0; same_line--)
            if (only_one(c, are, frame, same_line) == is)
                was = only_one(c, were, frame, same_line);
        if (was && strcmp(frame.name, toll_change_frame(c, was).name) != 0)
            found[count++] = (toll_renamed){ was, is };
    }
    return count;
}

static uint64_t size_of(const toll_change *c)
{
    return c->by < 0 ? 0 - (uint64_t)c->by : (uint64_t)c->by;
}

/* The functions from `first` on, before `end`, whose change has the same size. */
static range range_at(const toll_change *first, const toll_change *end, bool are_new)
{
    const toll_change *last = first;
    while (last < end && size_of(last) == size_of(first))
        last++;
    return (range){ first, (uint32_t)(last - first), are_new };
}

uint32_t toll_find_renamed(const toll_changes *c, toll_renamed found[TOLL_MOST_RENAMED])
{
    const toll_change *grown = c->functions, *end = grown + c->function_count, *shrunk = grown;
    uint32_t count = 0;
    while (shrunk < end && shrunk->by > 0)
        shrunk++;
    const toll_change *grown_end = shrunk;
    while (grown < grown_end && shrunk < end && count < TOLL_MOST_RENAMED) {
        range are = range_at(grown, grown_end, true), were = range_at(shrunk, end, false);
        uint64_t is = size_of(grown), was = size_of(shrunk);
        if (is == was)
            count += find_in(c, &are, &were, found + count, TOLL_MOST_RENAMED - count);
        grown += is >= was ? are.count : 0;
        shrunk += is <= was ? were.count : 0;
    }
    return count;
}
