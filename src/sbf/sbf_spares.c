/* sbf_spares.c - see sbf_spares.h. */
#include "sbf/sbf_spares.h"

#include <stdlib.h>

/* Instructions that may not be charged: one that fails stops the machine at once; without units,
 * the machine notices once in so many instructions. */
enum { OF_FAILED = 1, OF_EXHAUSTED = 10000 };

uint64_t toll_sbf_uncharged(const toll_solana_spent *spent)
{
    if (!spent->failed)
        return 0;
    return spent->total == toll_solana_at_start(spent) ? OF_EXHAUSTED : OF_FAILED;
}

/* --- the order ---------------------------------------------------------------------------------*/

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_kinds(const toll_sbf_spare *a, const toll_sbf_spare *b)
{
    int order = compare(a->program, b->program);
    order = order ? order : compare(a->children, b->children);
    return order ? order : compare(a->uncharged, b->uncharged);
}

static int compare_spares(const void *left, const void *right)
{
    const toll_sbf_spare *a = left, *b = right;
    int order = compare_kinds(a, b);
    order = order ? order : compare(a->own, b->own);
    return order ? order : compare(a->invocation, b->invocation);
}

static bool is_spare(const toll_sbf_job *job, uint32_t invocation)
{
    uint32_t trace = job->matches[invocation];
    return trace != TOLL_SBF_NONE && job->traces[trace].used > 1 &&
           job->logs.list[invocation].spent.is_logged;
}

static void add(toll_sbf_spares *s, uint32_t invocation)
{
    const toll_sbf_invocation *at = &s->job->logs.list[invocation];
    s->list[s->count++] = (toll_sbf_spare){ .program = s->job->traced[invocation],
                                            .children = at->children,
                                            .uncharged = toll_sbf_uncharged(&at->spent),
                                            .own = toll_sbf_own(at),
                                            .invocation = invocation };
}

bool toll_sbf_spares_make(toll_sbf_spares *s, toll_sbf_job *job)
{
    *s = (toll_sbf_spares){ .job = job, .capacity = job->logs.count };
    s->list = toll_mem_new(&job->mem, s->capacity, sizeof *s->list);
    s->next = toll_mem_new(&job->mem, s->capacity, sizeof *s->next);
    if (!s->list || !s->next)
        return false;
    for (uint32_t i = 0; i < job->logs.count; i++)
        if (is_spare(job, i))
            add(s, i);
    if (s->count)
        qsort(s->list, s->count, sizeof *s->list, compare_spares);
    for (uint32_t i = 0; i < s->count; i++)
        s->next[i] = i;
    return true;
}

void toll_sbf_spares_free(toll_sbf_spares *s)
{
    if (!s->job)
        return;
    toll_mem_free(&s->job->mem, s->list, s->capacity, sizeof *s->list);
    toll_mem_free(&s->job->mem, s->next, s->capacity, sizeof *s->next);
    *s = (toll_sbf_spares){ .job = NULL };
}

/* --- finding one -------------------------------------------------------------------------------*/

/* The first place whose spare is not below `wanted`. */
static size_t find_place(toll_sbf_spares *s, const toll_sbf_spare *wanted)
{
    size_t from = 0, end = s->count;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        s->looks++;
        if (compare_spares(&s->list[middle], wanted) < 0)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The first place from `at` on that is still a spare. Paths are halved on the way (union-find). */
static size_t skip_used(toll_sbf_spares *s, size_t at)
{
    while (at < s->count) {
        uint32_t next = s->next[at];
        s->looks++;
        if (next == at && is_spare(s->job, s->list[at].invocation))
            break;
        if (next == at)
            next = s->next[at] = (uint32_t)at + 1;
        else if (next < s->count)
            s->next[at] = s->next[next];
        at = next;
    }
    return at;
}

/* The spare of that kind with the fewest units that are at least so many; NULL: there is none. */
static const toll_sbf_spare *find(toll_sbf_spares *s, const toll_sbf_spare *wanted)
{
    size_t at = skip_used(s, find_place(s, wanted));
    bool is_it = at < s->count && compare_kinds(&s->list[at], wanted) == 0;
    return is_it ? &s->list[at] : NULL;
}

static const toll_sbf_spare *lesser(const toll_sbf_spare *a, const toll_sbf_spare *b)
{
    if (!a || !b)
        return a ? a : b;
    int order = compare(a->own, b->own);
    order = order ? order : compare(a->invocation, b->invocation);
    return order <= 0 ? a : b;
}

/* Find a spare that did not fail. A trace without a system call costs exactly what its invocation
 * spent. */
static const toll_sbf_spare *find_finished(toll_sbf_spares *s, const toll_sbf_trace *t)
{
    const toll_sbf_spare wanted = { .program = t->program,
                                    .children = t->invokes,
                                    .own = t->instructions };
    const toll_sbf_spare *found = toll_sbf_has_failed(t) ? NULL : find(s, &wanted);
    return found && (t->syscalls > 0 || found->own == t->instructions) ? found : NULL;
}

static const toll_sbf_spare *find_failed(toll_sbf_spares *s, const toll_sbf_trace *t,
                                         uint64_t uncharged)
{
    toll_sbf_spare wanted = { .program = t->program,
                              .children = t->invokes,
                              .uncharged = uncharged,
                              .own =
                                  t->instructions > uncharged ? t->instructions - uncharged : 0 };
    const toll_sbf_spare *found = find(s, &wanted);
    if (t->invokes == 0)
        return found;
    wanted.children--; /* the last call failed */
    return lesser(found, find(s, &wanted));
}

bool toll_sbf_spares_use(toll_sbf_spares *s, uint32_t trace)
{
    toll_sbf_job *job = s->job;
    const toll_sbf_trace *t = &job->traces[trace];
    const toll_sbf_spare *best = find_finished(s, t);
    best = lesser(best, find_failed(s, t, OF_FAILED));
    best = lesser(best, find_failed(s, t, OF_EXHAUSTED));
    if (!best)
        return false;
    job->traces[job->matches[best->invocation]].used--;
    job->traces[trace].used++;
    job->matches[best->invocation] = trace;
    return true;
}
