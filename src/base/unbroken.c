/* unbroken.c - see unbroken.h. The kernel reads what a field points to, at any time, in any thread
 * that has used the clock: so descriptors are in memory that stays for the life of the process, and
 * whose content stays valid, also after a clock is freed and the library is unloaded. */
#define _GNU_SOURCE
#include "base/unbroken.h"

#ifdef TOLL_HAVE_UNBROKEN

#include <stdatomic.h>
#include <sys/mman.h>

/* struct rseq_cs of <linux/rseq.h>. */
typedef struct descriptor {
    uint32_t version, flags;
    uint64_t start, size, abort;
} descriptor;
_Static_assert(sizeof(descriptor) == 32, "as the kernel has it; aligned to that, too");

enum { FIELD = 8 /* rseq_cs in struct rseq */, COUNT = 32768, SIGNATURE = 0x53053053 };

/* Only the parts in use take memory. `next` links those that are free, by number + 1. */
typedef struct table {
    descriptor list[COUNT];
    uint32_t next[COUNT];
    uint32_t signature; /* the kernel wants it before the address to go on at */
    uint8_t abort[8], range[8];
} table;

_Static_assert(offsetof(table, abort) == offsetof(table, signature) + sizeof(uint32_t),
               "the signature is the four bytes before");

static _Atomic(table *) all;
static atomic_uint made;         /* descriptors that were ever used */
static atomic_uint_fast64_t top; /* number + 1 of the first free one; above it a count of changes,
                                    without which a thread could take it for unchanged */

static table *get_table(void)
{
    table *t = atomic_load(&all);
    if (t)
        return t;
    void *fresh = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
        return NULL;
    ((table *)fresh)->signature = SIGNATURE;
    if (atomic_compare_exchange_strong(&all, &t, fresh))
        return fresh;
    munmap(fresh, sizeof *t); /* another thread was first */
    return t;
}

static descriptor *take(table *t)
{
    uint64_t first = atomic_load(&top);
    while (first & UINT32_MAX) {
        uint32_t number = (uint32_t)first - 1;
        uint64_t rest = ((first >> 32) + 1) << 32 | t->next[number];
        if (atomic_compare_exchange_weak(&top, &first, rest))
            return &t->list[number];
    }
    uint32_t number = atomic_fetch_add(&made, 1);
    if (number >= COUNT) {
        atomic_fetch_sub(&made, 1);
        return NULL;
    }
    descriptor *d = &t->list[number];
    d->start = (uintptr_t)t->range;
    d->size = sizeof t->range;
    d->abort = (uintptr_t)t->abort;
    return d;
}

/* Of glibc 2.35 and later (<sys/rseq.h>). Weak: an older one lacks them, and must load this library
 * nevertheless. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

/* The offset of the field, from the thread pointer; 0: there is none. */
static ptrdiff_t field_offset(void)
{
    return &__rseq_offset && &__rseq_size && __rseq_size ? __rseq_offset + FIELD : 0;
}

bool toll_unbroken_create(toll_unbroken *w)
{
    *w = (toll_unbroken){ .offset = field_offset() };
    table *t = w->offset ? get_table() : NULL;
    descriptor *d = t ? take(t) : NULL;
    w->value = (uintptr_t)d;
    return d;
}

void toll_unbroken_free(toll_unbroken *w)
{
    if (!w->value)
        return;
    table *t = atomic_load(&all);
    uint32_t number = (uint32_t)((descriptor *)(uintptr_t)w->value - t->list);
    if (toll_unbroken_is(w))
        *w->field = 0;
    uint64_t first = atomic_load(&top), changed;
    do {
        t->next[number] = (uint32_t)first;
        changed = ((first >> 32) + 1) << 32 | (number + 1);
    } while (!atomic_compare_exchange_weak(&top, &first, changed));
    w->value = 0;
}

#else

bool toll_unbroken_create(toll_unbroken *w)
{
    *w = (toll_unbroken){ 0 };
    return false;
}

void toll_unbroken_free(toll_unbroken *w)
{
    (void)w;
}

#endif
