/* heap_sites.h - the blocks in use on a heap, by the place that allocated them, and the growth of
 * the heap. Emscripten's heap profiler reports them: for each JavaScript stack a count and bytes.
 *
 * Copies its input. Sites remain distinct even if their frames have the same names: two calls of
 * malloc in one function are two sites. Called by the reader of format emscripten and by
 * hosts/wasm. */
#ifndef TOLL_HEAPSITES_HEAP_SITES_H
#define TOLL_HEAPSITES_HEAP_SITES_H

#include "base/buffer.h"
#include "base/strtab.h"

#include <toll/profile.h>
#include <toll/stream.h>

/* What the source of the sites counts: allocations at the address of a block in use; frees of an
 * address that has no block; events that did not come; other programs of the page; bytes by which
 * the sites have more than the allocator, and by which they have less. */
enum {
    TOLL_HEAP_REUSED,
    TOLL_HEAP_UNKNOWN,
    TOLL_HEAP_LOST,
    TOLL_HEAP_OTHERS,
    TOLL_HEAP_EXCESS,
    TOLL_HEAP_MISSING,
    TOLL_HEAP_NOTED
};

/* A parsed line of a stack. Lines are repeated often, so each is parsed once. */
typedef struct toll_heap_frame {
    uint32_t name;             /* in `names`; UINT32_MAX: on no stack yet */
    uint32_t function, offset; /* in `names`; UINT32_MAX: not yet on any stack */
    bool is_wasm, is_hook;     /* is_hook: a function through which a module reports its
                                * allocations */
    bool is_none;              /* the line is not a frame */
} toll_heap_frame;

/* Blocks of a site that one snapshot was the first to have. */
typedef struct toll_heap_age {
    uint32_t snapshot; /* its number, from 1 */
    int64_t count, bytes;
} toll_heap_age;

typedef struct toll_heap_site {
    uint32_t first, depth; /* in `stacks`, innermost first; at least one */
    int64_t count, bytes;
    size_t first_age, age_count;    /* in `ages`, by ascending snapshot */
    int64_t aged_count, aged_bytes; /* of all of them; they may be a part of the site's blocks */
} toll_heap_site;

typedef struct toll_heap_list {
    toll_heap_site *sites;
    size_t count, capacity;
    int64_t objects, bytes; /* sums */
} toll_heap_list;

typedef struct toll_heap_sites {
    toll_mem mem;
    toll_strtab names; /* of frames that are on a stack */
    toll_strtab lines;
    toll_heap_frame *frames; /* by line */
    size_t frame_count, frame_capacity;
    uint32_t *stacks; /* lines of each site */
    size_t stack_size, stack_capacity;
    toll_heap_list live, growth;
    toll_heap_age *ages;
    size_t age_count, age_capacity;
    char **allocators; /* in addition to the built-in ones; ended by NULL */
    size_t allocator_count;
    uint32_t stack_limit; /* frames of a stack that the engine keeps; 0: not known */
    uint64_t freed, odd, cut, unread;
    uint64_t nameless; /* sites with functions of WebAssembly, none of which has a name */
    uint64_t noted[TOLL_HEAP_NOTED]; /* what the source of the sites counts itself */
    bool is_shared; /* other threads may use the heap, too; the profiler does not see their
                     * blocks */
    toll_buffer text;
} toll_heap_sites;

toll_status toll_heap_sites_create(const toll_allocator *allocator, toll_heap_sites **out,
                                   toll_error *err);
void toll_heap_sites_free(toll_heap_sites *sites); /* NULL is fine */

/* Add the name of a function that only allocates for its callers, and so is not a call site. */
toll_status toll_heap_sites_allocator(toll_heap_sites *sites, const char *name, toll_error *err);

/* Add a site: the stack text[size] allocated `count` objects that are in use, of `bytes` in all. A
 * site without objects, or with impossible figures, is omitted and counted. */
toll_status toll_heap_sites_add(toll_heap_sites *sites, const char *text, size_t size,
                                int64_t count, int64_t bytes, toll_error *err);

/* Say how old blocks of the newest site are: `snapshot` was the first to have them. Errors:
 * TOLL_E_ARGUMENT (there is no site; it has not so many blocks or bytes left; the snapshot is not
 * after the one that was named before), TOLL_E_NOMEM. */
toll_status toll_heap_sites_age(toll_heap_sites *sites, uint32_t snapshot, int64_t count,
                                int64_t bytes, toll_error *err);

/* The stack text[size] made the heap grow `count` times, by `bytes` in all; its lines may end in
 * <br>. What is impossible is omitted and counted. */
toll_status toll_heap_sites_grow_by(toll_heap_sites *sites, const char *text, size_t size,
                                    int64_t count, int64_t bytes, toll_error *err);

/* The same of one growth, from address `begin` to `end`. */
toll_status toll_heap_sites_grow(toll_heap_sites *sites, const char *text, size_t size,
                                 int64_t begin, int64_t end, toll_error *err);

/* Frame `i` of a site, 0 the innermost. */
static inline const toll_heap_frame *toll_heap_frame_at(const toll_heap_sites *sites,
                                                        const toll_heap_site *site, uint32_t i)
{
    return &sites->frames[sites->stacks[site->first + i]];
}

/* Sort the sites, before they are written: most bytes first, then most objects, then in the order
 * in which they were added. Errors: TOLL_E_NOMEM. */
toll_status toll_heap_sites_sort(toll_heap_sites *sites, toll_error *err);

/* The name of the innermost frame that is not an allocator (if all are, of the innermost). */
const char *toll_heap_site_key(const toll_heap_sites *sites, const toll_heap_site *site);

/* Make a profile with the columns inuse_objects and inuse_space, and growths and growth_space for
 * the heap's growth, which is a thread of its own. Blocks whose age is known are in threads with
 * the label snapshot=N. It is created empty, filled by ranges of sites
 * (so that the page can run in between), and finished with notes. */
toll_status toll_heap_profile_begin(const toll_heap_sites *sites, toll_profile **out,
                                    toll_error *err);
toll_status toll_heap_profile_add(const toll_heap_sites *sites, toll_profile *profile, size_t from,
                                  size_t to, toll_error *err);
toll_status toll_heap_profile_end(const toll_heap_sites *sites, toll_profile *profile,
                                  toll_error *err);

/* The notes on what was omitted or is not known. Each has a count above 0. Index: 0 to count -
 * 1. */
size_t toll_heap_note_count(const toll_heap_sites *sites);
const char *toll_heap_note(const toll_heap_sites *sites, size_t i, uint64_t *count);

#endif
