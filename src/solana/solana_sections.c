/* solana_sections.c - parses section lines, and finds how sections nest.
 *
 * The lines are written when an invocation ends, in the order in which its sections ended, so a
 * section comes after everything that it contains. For a section with total T and net N, D = T - N
 * was spent in its direct children: those are the latest sections without a parent whose totals sum
 * to D.
 *
 *     inner 100 (net 100), mid 200 (net 100), outer 300 (net 100): D of outer is 200: mid
 *
 * An older tool subtracts the totals of *all* sections inside from T. There outer's net is 0, and D
 * is 300 = mid and inner. That is recognised by this sum, and the net is computed again: 300 - 200
 * = 100. */
#include "solana/solana.h"

#include <string.h>

enum { MOST_BELOW = 4096 }; /* direct children of a section; bounds the search */

/* --- lines -------------------------------------------------------------------------------------*/

/* The end of the last `word` in the text, or NULL. */
static const char *behind_last(const char *text, const char *end, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = end; (size_t)(p - text) >= n; p--)
        if (memcmp(p - n, word, n) == 0)
            return p;
    return NULL;
}

static bool begins(const char *text, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - text) >= n && memcmp(text, word, n) == 0;
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

/* Parse blanks, an optional minus, and digits. */
static bool read_signed(const char **text, const char *end, int64_t *out)
{
    const char *p = skip_blanks(*text, end);
    bool minus = p < end && *p == '-';
    p += minus;
    if (!toll_solana_number(&p, end, out))
        return false;
    *out = minus ? -*out : *out;
    *text = p;
    return true;
}

/* Parse `TOTAL WORD (net NET`; what follows is ignored. */
static bool read_pair(const char *text, const char *end, const char *word,
                      toll_solana_section_line *line)
{
    if (!read_signed(&text, end, &line->total))
        return false;
    text = skip_blanks(text, end);
    if (!begins(text, end, word))
        return false;
    text = skip_blanks(text + strlen(word), end);
    if (!begins(text, end, "(net "))
        return false;
    text += 5;
    return read_signed(&text, end, &line->net);
}

/* Parse `NN ID`, up to end. */
static bool read_name(const char *text, const char *end, toll_solana_section_line *line)
{
    int64_t number;
    text = skip_blanks(text, end);
    if (!toll_solana_number(&text, end, &number) || text == end || *text != ' ')
        return false;
    text = skip_blanks(text, end);
    while (end > text && end[-1] && strchr(" \t\r\"',", end[-1]))
        end--;
    line->name = text;
    line->name_size = (size_t)(end - text);
    return line->name_size > 0;
}

static toll_solana_section_kind read_heap(const char *text, const char *end,
                                          toll_solana_section_line *line)
{
    static const char old[] = "HEAP : ";
    const char *p = behind_last(text, end, " consumed ");
    if (begins(text, end, old) && read_pair(text + sizeof old - 1, end, "heap", line))
        return SECTION_HEAP;
    return p && read_pair(p, end, "", line) ? SECTION_HEAP : SECTION_NONE;
}

static toll_solana_section_kind read_units(const char *text, const char *end,
                                           toll_solana_section_line *line)
{
    static const char old[] = "CU log: ", word[] = " consumed ";
    const char *p = behind_last(text, end, word);
    if (begins(text, end, old) && behind_last(text, end, " was not ended, "))
        return SECTION_OPEN;
    if (!p)
        return SECTION_NONE;
    if (!begins(text, end, old))
        return read_pair(p, end, "", line) ? SECTION_UNITS : SECTION_NONE;
    if (!read_pair(p, end, "CU", line) ||
        !read_name(text + sizeof old - 1, p - (sizeof word - 1), line))
        return SECTION_NONE;
    return SECTION_WHOLE;
}

void toll_solana_section_parse(const char *text, size_t size, toll_solana_section_line *line)
{
    const char *end = text + size;
    *line = (toll_solana_section_line){ SECTION_NONE, NULL, 0, 0, 0 };
    while (text < end && (*text == ' ' || *text == '\t' || *text == '"'))
        text++;
    if (begins(text, end, "# "))
        line->kind = read_name(text + 2, end, line) ? SECTION_NAME : SECTION_NONE;
    else if (begins(text, end, "HEAP"))
        line->kind = read_heap(text, end, line);
    else if (begins(text, end, "CU"))
        line->kind = read_units(text, end, line);
}

/* --- nesting -----------------------------------------------------------------------------------*/

/* How many of the latest of open[count] have measures that sum to `wanted`, which may be 0; -1: no
 * such number. */
static int count_below(const toll_solana_section *s, const uint32_t *open, size_t count,
                       int64_t wanted, bool deep)
{
    int64_t sum = 0;
    size_t k = 0;
    while (sum != wanted && k < count && k < MOST_BELOW && sum < wanted) {
        const toll_solana_section *below = &s[open[count - ++k]];
        sum = toll_solana_add(sum, deep ? below->deep : below->total);
    }
    return sum == wanted ? (int)k : -1;
}

/* Compute the net again, with the latest `k` sections as direct children. */
static bool recompute(toll_solana_section *s, const toll_solana_section *all, const uint32_t *open,
                      size_t count, int k)
{
    int64_t units = 0, heap = 0;
    for (int i = 1; i <= k; i++) {
        units = toll_solana_add(units, all[open[count - (size_t)i]].total);
        heap += all[open[count - (size_t)i]].heap_total;
    }
    if (units > s->total)
        return false;
    s->net = s->total - units;
    s->heap_net = s->heap_total - heap;
    s->differs = true;
    return true;
}

/* Find the direct children of section `i`; returns how many of open[] they are, or -1. */
static int find_children(toll_solana_section *all, size_t i, const uint32_t *open, size_t count)
{
    toll_solana_section *s = &all[i];
    if (s->net > s->total && s->net <= UINT32_MAX)
        s->net -= INT64_C(1) << 32; /* a value below 0 that was printed without its sign */
    int64_t below = s->total - s->net;
    int k = s->total < 0 || below < 0 ? -1 : count_below(all, open, count, below, false);
    if (k >= 0 && s->net >= 0)
        return k;
    k = s->total < 0 || below < 0 ? -1 : count_below(all, open, count, below, true);
    return k >= 0 && recompute(s, all, open, count, k) ? k : -1;
}

void toll_solana_place(toll_solana_section *all, size_t section_count, uint32_t *open)
{
    size_t count = 0;
    for (size_t i = 0; i < section_count; i++) {
        toll_solana_section *s = &all[i];
        int k = find_children(all, i, open, count);
        s->parent = TOLL_NONE;
        s->placed = k >= 0;
        if (!s->placed)
            continue;
        s->deep = s->total;
        for (; k > 0; k--) {
            toll_solana_section *below = &all[open[--count]];
            below->parent = (uint32_t)i;
            s->deep = toll_solana_add(s->deep, below->deep);
        }
        open[count++] = (uint32_t)i;
    }
}
