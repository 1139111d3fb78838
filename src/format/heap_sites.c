/* heap_sites.c - see heap_sites.h. */
#include "format/heap_sites.h"

#include "base/fail.h"
#include "base/text.h"
#include "format/js_stack.h"
#include "profile/call_site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

toll_status toll_heap_sites_create(const toll_allocator *allocator, toll_heap_sites **out,
                                   toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_heap_sites *s = toll_mem_new(&mem, 1, sizeof *s);
    *out = s;
    if (!s)
        return toll_fail_nomem(err);
    s->mem = mem;
    toll_strtab_init(&s->names, &s->mem);
    toll_buffer_init(&s->text, &s->mem);
    return TOLL_OK;
}

void toll_heap_sites_free(toll_heap_sites *s)
{
    if (!s)
        return;
    const toll_mem mem = s->mem;
    for (size_t i = 0; i < s->allocator_count; i++)
        toll_mem_free(&mem, s->allocators[i], strlen(s->allocators[i]) + 1, 1);
    if (s->allocators)
        toll_mem_free(&mem, s->allocators, s->allocator_count + 1, sizeof *s->allocators);
    toll_mem_free(&mem, s->frames, s->frame_capacity, sizeof *s->frames);
    toll_mem_free(&mem, s->live.sites, s->live.capacity, sizeof *s->live.sites);
    toll_mem_free(&mem, s->growth.sites, s->growth.capacity, sizeof *s->growth.sites);
    toll_strtab_free(&s->names);
    toll_buffer_free(&s->text);
    toll_mem_free(&mem, s, 1, sizeof *s);
}

toll_status toll_heap_sites_allocator(toll_heap_sites *s, const char *name, toll_error *err)
{
    size_t size = strlen(name) + 1, old = s->allocators ? s->allocator_count + 1 : 0;
    if (size == 1)
        return toll_fail(err, TOLL_E_ARGUMENT, "an allocator's name is empty; leave it out");
    char *copy = toll_mem_new(&s->mem, size, 1);
    char **list =
        copy ? toll_mem_resize(&s->mem, s->allocators, old, s->allocator_count + 2, sizeof *list)
             : NULL;
    if (!list) {
        toll_mem_free(&s->mem, copy, size, 1);
        return toll_fail_nomem(err);
    }
    memcpy(copy, name, size);
    s->allocators = list;
    list[s->allocator_count + 1] = NULL;
    list[s->allocator_count++] = copy;
    return TOLL_OK;
}

/* --- frames ------------------------------------------------------------------------------------*/

static bool add_name(toll_heap_sites *s, const char *name, size_t size, uint32_t *id)
{
    if (toll_text_check(name, size) != size) {
        toll_buffer_clear(&s->text);
        if (!toll_text_append_clean(&s->text, name, size))
            return false;
        name = (const char *)s->text.data;
        size = s->text.size;
    }
    *id = toll_strtab_add(&s->names, name, size);
    return *id != UINT32_MAX;
}

static bool add_frame(toll_heap_sites *s, const toll_js_frame *f)
{
    void *frames = s->frames;
    uint32_t name;
    if (!add_name(s, f->name, f->name_size, &name) ||
        !toll_mem_reserve(&s->mem, &frames, &s->frame_capacity, s->frame_count + 1,
                          sizeof *s->frames))
        return false;
    s->frames = frames;
    s->frames[s->frame_count++] = (toll_heap_frame){ name, f->function, f->offset };
    return true;
}

/* The functions of JavaScript by which a module tells that it allocates. */
static bool is_hook(const toll_js_frame *f)
{
    static const char *const hooks[] = { "emscripten_trace_record_", "emscripten_memprof_sbrk_",
                                         "emscripten_realloc_buffer" };
    for (size_t h = 0; h < sizeof hooks / sizeof *hooks; h++) {
        size_t size = strlen(hooks[h]);
        for (size_t i = 0; i + size <= f->name_size; i++)
            if (memcmp(f->name + i, hooks[h], size) == 0)
                return true;
    }
    return false;
}

/* How many frames are the profiler's own: those of JavaScript inside the innermost one of
 * WebAssembly, or (all is JavaScript in a program compiled to that) up to the hook. */
static uint32_t count_own(const char *text, size_t size)
{
    toll_js_stack stack;
    toll_js_frame f;
    uint32_t own = 0;
    toll_js_stack_begin(&stack, text, size);
    for (uint32_t i = 0; toll_js_stack_next(&stack, &f); i++) {
        if (f.is_wasm)
            return i;
        if (is_hook(&f))
            own = i + 1;
    }
    return own;
}

/* All frames but the profiler's own; without any, one that says so. */
static bool add_frames(toll_heap_sites *s, const char *text, size_t size, uint32_t *depth)
{
    const toll_js_frame unknown = { "unknown", 7, false, UINT32_MAX, UINT32_MAX };
    size_t first = s->frame_count;
    uint32_t all = 0, own = count_own(text, size);
    toll_js_stack stack;
    toll_js_frame f;
    toll_js_stack_begin(&stack, text, size);
    for (; toll_js_stack_next(&stack, &f); all++)
        if (all >= own && !add_frame(s, &f))
            return false;
    if (s->frame_count == first && !add_frame(s, &unknown))
        return false;
    s->unread += stack.unread;
    s->cut += s->stack_limit && all >= s->stack_limit;
    *depth = (uint32_t)(s->frame_count - first);
    return s->frame_count < UINT32_MAX;
}

/* --- sites -------------------------------------------------------------------------------------*/

static toll_status add_site(toll_heap_sites *s, toll_heap_list *to, const char *text, size_t size,
                            int64_t count, int64_t bytes, toll_error *err)
{
    size_t before = s->frame_count;
    void *sites = to->sites;
    toll_heap_site site = { (uint32_t)before, 0, count, bytes, (uint32_t)to->count };
    int64_t objects, sum;
    if (!toll_i64_add(to->objects, count, &objects) || !toll_i64_add(to->bytes, bytes, &sum))
        return toll_fail(err, TOLL_E_OVERFLOW,
                         "the sites' objects or bytes together do not fit 64 bits");
    if (to->count >= UINT32_MAX ||
        !toll_mem_reserve(&s->mem, &sites, &to->capacity, to->count + 1, sizeof site))
        return toll_fail_nomem(err);
    to->sites = sites;
    if (!add_frames(s, text, size, &site.depth)) {
        s->frame_count = before;
        s->text.failed = false;
        return toll_fail_nomem(err);
    }
    to->sites[to->count++] = site;
    to->objects = objects;
    to->bytes = sum;
    return TOLL_OK;
}

toll_status toll_heap_sites_add(toll_heap_sites *s, const char *text, size_t size, int64_t count,
                                int64_t bytes, toll_error *err)
{
    if (count == 0 && bytes == 0) {
        s->freed++;
        return TOLL_OK;
    }
    if (count <= 0 || bytes < 0) {
        s->odd++;
        return TOLL_OK;
    }
    return add_site(s, &s->live, text, size, count, bytes, err);
}

/* The profiler keeps these as HTML: "f<br />g<br />". */
static bool put_lines(toll_buffer *to, const char *text, size_t size)
{
    const char *end = text + size;
    toll_buffer_clear(to);
    while (text < end) {
        const char *close = *text == '<' ? memchr(text, '>', (size_t)(end - text)) : NULL;
        bool is_break =
            close && close - text >= 3 && close - text <= 5 && memcmp(text, "<br", 3) == 0;
        if (!toll_buffer_append_byte(to, is_break ? '\n' : (uint8_t)*text))
            return false;
        text = is_break ? close + 1 : text + 1;
    }
    return true;
}

toll_status toll_heap_sites_grow(toll_heap_sites *s, const char *text, size_t size, int64_t begin,
                                 int64_t end, toll_error *err)
{
    toll_buffer lines;
    if (begin < 0 || end < begin) {
        s->odd++;
        return TOLL_OK;
    }
    toll_buffer_init(&lines, &s->mem);
    toll_status status = put_lines(&lines, text, size)
                             ? add_site(s, &s->growth, lines.size ? (const char *)lines.data : "",
                                        lines.size, 1, end - begin, err)
                             : toll_fail_nomem(err);
    toll_buffer_free(&lines);
    return status;
}

static int compare(const void *a, const void *b)
{
    const toll_heap_site *p = a, *q = b;
    if (p->bytes != q->bytes)
        return p->bytes > q->bytes ? -1 : 1;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

void toll_heap_sites_sort(toll_heap_sites *s)
{
    if (s->live.count)
        qsort(s->live.sites, s->live.count, sizeof *s->live.sites, compare);
    if (s->growth.count)
        qsort(s->growth.sites, s->growth.count, sizeof *s->growth.sites, compare);
}

const char *toll_heap_site_key(const toll_heap_sites *s, const toll_heap_site *site)
{
    const toll_heap_frame *frames = s->frames + site->first;
    for (uint32_t i = 0; i < site->depth; i++) {
        const char *name = toll_strtab_text(&s->names, frames[i].name);
        if (!toll_is_allocator(name, (const char *const *)s->allocators))
            return name;
    }
    return toll_strtab_text(&s->names, frames->name);
}
