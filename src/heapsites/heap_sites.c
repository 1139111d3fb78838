/* heap_sites.c - see heap_sites.h. */
#include "heapsites/heap_sites.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "heapsites/js_stack.h"
#include "profile/call_site.h"

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
    toll_strtab_init(&s->lines, &s->mem);
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
    toll_mem_free(&mem, s->stacks, s->stack_capacity, sizeof *s->stacks);
    toll_mem_free(&mem, s->ages, s->age_capacity, sizeof *s->ages);
    toll_mem_free(&mem, s->live.sites, s->live.capacity, sizeof *s->live.sites);
    toll_mem_free(&mem, s->growth.sites, s->growth.capacity, sizeof *s->growth.sites);
    toll_strtab_free(&s->names);
    toll_strtab_free(&s->lines);
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

/* Is it one of the JavaScript functions through which a module reports its allocations? */
static bool is_hook(const toll_js_frame *f)
{
    static const char *const hooks[] = { "emscripten_trace_record_", "emscripten_trace_sbrk_",
                                         "emscripten_memprof_sbrk_", "emscripten_realloc_buffer",
                                         "toll_heap_stack" };
    for (size_t h = 0; h < sizeof hooks / sizeof *hooks; h++) {
        size_t size = strlen(hooks[h]);
        for (size_t i = 0; i + size <= f->name_size; i++)
            if (memcmp(f->name + i, hooks[h], size) == 0)
                return true;
    }
    return false;
}

/* Get the id of a line; a new line is parsed. */
static bool add_line(toll_heap_sites *s, const char *line, size_t size, uint32_t *id)
{
    toll_js_frame f;
    if (!toll_array_grow(&s->mem, &s->frames, &s->frame_capacity, s->lines.count, 2))
        return false;
    *id = toll_strtab_add(&s->lines, line, size);
    if (*id == UINT32_MAX || *id < s->frame_count)
        return *id != UINT32_MAX;
    bool tells = toll_js_read(line, size, &f);
    s->frame_count = (size_t)*id + 1; /* 0 stays unused */
    s->frames[*id] = (toll_heap_frame){ .name = UINT32_MAX,
                                        .function = f.function,
                                        .offset = f.offset,
                                        .is_wasm = f.is_wasm,
                                        .is_hook = tells && !f.is_wasm && is_hook(&f),
                                        .is_none = !tells };
    return true;
}

static bool name_frame(toll_heap_sites *s, uint32_t line)
{
    toll_js_frame f;
    if (s->frames[line].name != UINT32_MAX)
        return true;
    toll_js_read(toll_strtab_text(&s->lines, line), toll_strtab_size(&s->lines, line), &f);
    return add_name(s, f.name, f.name_size, &s->frames[line].name);
}

static bool push(toll_heap_sites *s, const char *line, size_t size, const toll_heap_frame **frame)
{
    uint32_t id;
    if (!add_line(s, line, size, &id))
        return false;
    *frame = &s->frames[id];
    if ((*frame)->is_none)
        return true;
    if (s->stack_size == UINT32_MAX ||
        !toll_array_grow(&s->mem, &s->stacks, &s->stack_capacity, s->stack_size, 1))
        return false;
    s->stacks[s->stack_size++] = id;
    return true;
}

/* Push all lines. The first *own of them belong to the profiler: the JavaScript frames inside the
 * innermost WebAssembly frame, or, in a program compiled to JavaScript, the frames up to the
 * hook. */
static bool push_all(toll_heap_sites *s, const char *text, size_t size, size_t *own)
{
    const size_t first = s->stack_size;
    const toll_heap_frame *frame;
    toll_js_stack stack;
    const char *line;
    bool any_wasm = false;
    toll_js_stack_begin(&stack, text, size);
    for (*own = 0; toll_js_stack_line(&stack, &line, &size);) {
        if (!push(s, line, size, &frame))
            return false;
        if (!any_wasm && frame->is_wasm)
            *own = s->stack_size - first - 1;
        else if (!any_wasm && frame->is_hook)
            *own = s->stack_size - first;
        any_wasm |= frame->is_wasm;
    }
    s->unread += stack.unread;
    return true;
}

/* Add all frames except the profiler's own. If none remain, add one that says so. */
static bool add_frames(toll_heap_sites *s, const char *text, size_t size, uint32_t *depth)
{
    const size_t first = s->stack_size;
    const toll_heap_frame *frame;
    size_t own;
    if (!push_all(s, text, size, &own))
        return false;
    bool is_cut = s->stack_limit && s->stack_size - first >= s->stack_limit;
    s->stack_size -= own;
    if (own)
        memmove(s->stacks + first, s->stacks + first + own,
                (s->stack_size - first) * sizeof *s->stacks);
    if (s->stack_size == first && !push(s, "unknown", strlen("unknown"), &frame))
        return false;
    for (size_t i = first; i < s->stack_size; i++)
        if (!name_frame(s, s->stacks[i]))
            return false;
    s->cut += is_cut;
    *depth = (uint32_t)(s->stack_size - first);
    return true;
}

/* Is it "wasm-function[12]", which engines print if a module has no names? */
static bool is_nameless(const toll_heap_sites *s, const toll_heap_frame *f)
{
    static const char none[] = "wasm-function[";
    return strncmp(toll_strtab_text(&s->names, f->name), none, sizeof none - 1) == 0;
}

/* Has the site functions of WebAssembly, and none of them a name? */
static bool has_no_names(const toll_heap_sites *s, const toll_heap_site *site)
{
    bool has_wasm = false;
    for (uint32_t i = 0; i < site->depth; i++) {
        const toll_heap_frame *f = toll_heap_frame_at(s, site, i);
        if (f->is_wasm && !is_nameless(s, f))
            return false;
        has_wasm |= f->is_wasm;
    }
    return has_wasm;
}

/* --- sites -------------------------------------------------------------------------------------*/

static toll_status add_site(toll_heap_sites *s, toll_heap_list *to, const char *text, size_t size,
                            int64_t count, int64_t bytes, toll_error *err)
{
    size_t before = s->stack_size;
    toll_heap_site site = {
        .first = (uint32_t)before, .count = count, .bytes = bytes, .first_age = s->age_count
    };
    int64_t objects, sum;
    if (!toll_i64_add(to->objects, count, &objects) || !toll_i64_add(to->bytes, bytes, &sum))
        return toll_fail(err, TOLL_E_OVERFLOW,
                         "the sites' objects or bytes together do not fit 64 bits");
    if (to->count >= UINT32_MAX ||
        !toll_array_grow(&s->mem, &to->sites, &to->capacity, to->count, 1))
        return toll_fail_nomem(err);
    if (!add_frames(s, text, size, &site.depth)) {
        s->stack_size = before;
        s->text.failed = false;
        return toll_fail_nomem(err);
    }
    to->sites[to->count++] = site;
    s->nameless += to == &s->live && has_no_names(s, &site);
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

toll_status toll_heap_sites_age(toll_heap_sites *s, uint32_t snapshot, int64_t count, int64_t bytes,
                                toll_error *err)
{
    toll_heap_site *site = s->live.count ? &s->live.sites[s->live.count - 1] : NULL;
    uint32_t last = site && site->age_count ? s->ages[s->age_count - 1].snapshot : 0;
    if (!site || snapshot <= last || count <= 0 || count > site->count - site->aged_count ||
        bytes < 0 || bytes > site->bytes - site->aged_bytes)
        return toll_fail(err, TOLL_E_ARGUMENT, "the ages of blocks are not those of the site");
    if (!toll_array_grow(&s->mem, &s->ages, &s->age_capacity, s->age_count, 1))
        return toll_fail_nomem(err);
    s->ages[s->age_count++] = (toll_heap_age){ snapshot, count, bytes };
    site->age_count++;
    site->aged_count += count;
    site->aged_bytes += bytes;
    return TOLL_OK;
}

/* Copy the lines of a stack that the profiler has as HTML: "f<br />g<br />". */
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
    bool is_odd = begin < 0 || end < begin;
    return toll_heap_sites_grow_by(s, text, size, is_odd ? -1 : 1, is_odd ? 0 : end - begin, err);
}

toll_status toll_heap_sites_grow_by(toll_heap_sites *s, const char *text, size_t size,
                                    int64_t count, int64_t bytes, toll_error *err)
{
    toll_buffer lines;
    if (count <= 0 || bytes < 0) {
        s->odd++;
        return TOLL_OK;
    }
    toll_buffer_init(&lines, &s->mem);
    toll_status status = put_lines(&lines, text, size)
                             ? add_site(s, &s->growth, lines.size ? (const char *)lines.data : "",
                                        lines.size, count, bytes, err)
                             : toll_fail_nomem(err);
    toll_buffer_free(&lines);
    return status;
}

static bool is_before(const toll_heap_site *a, const toll_heap_site *b)
{
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->count > b->count;
}

/* Merge two sorted runs, from[0..half) and from[half..size). */
static void merge(const toll_heap_site *from, size_t half, size_t size, toll_heap_site *to)
{
    for (size_t i = 0, a = 0, b = half; i < size; i++)
        to[i] = a == half || (b < size && is_before(&from[b], &from[a])) ? from[b++] : from[a++];
}

/* A merge sort keeps equal sites in their order. It needs a tenth of the time of qsort, which would
 * be noticeable in a page. */
static bool sort(const toll_mem *mem, toll_heap_list *list)
{
    const size_t n = list->count;
    toll_heap_site *from = list->sites, *to = toll_mem_new(mem, n + 1, sizeof *to), *spare = to;
    if (!to)
        return false;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t left = n - at;
            merge(from + at, left < run ? left : run, left < 2 * run ? left : 2 * run, to + at);
        }
        toll_heap_site *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != list->sites && n)
        memcpy(list->sites, from, n * sizeof *from);
    toll_mem_free(mem, spare, n + 1, sizeof *spare);
    return true;
}

toll_status toll_heap_sites_sort(toll_heap_sites *s, toll_error *err)
{
    return sort(&s->mem, &s->live) && sort(&s->mem, &s->growth) ? TOLL_OK : toll_fail_nomem(err);
}

const char *toll_heap_site_key(const toll_heap_sites *s, const toll_heap_site *site)
{
    for (uint32_t i = 0; i < site->depth; i++) {
        const char *name = toll_strtab_text(&s->names, toll_heap_frame_at(s, site, i)->name);
        if (!toll_is_allocator(name, (const char *const *)s->allocators))
            return name;
    }
    return toll_strtab_text(&s->names, toll_heap_frame_at(s, site, 0)->name);
}

/* --- notes -------------------------------------------------------------------------------------*/

enum { OWN_NOTES = 6, NOTES = OWN_NOTES + TOLL_HEAP_NOTED };

static const char *const note_texts[NOTES] = {
    "heaps that other threads may use: blocks may be missing, or stand here though freed",
    "sites that were freed, left out",
    "sites with figures that cannot be, left out",
    "stacks as long as the engine keeps them: outer frames may be missing",
    "lines of stacks that tell no frame",
    "sites without a name of any function; link with --profiling-funcs",
    "blocks allocated where one was in use, which counts as freed",
    "frees of blocks that the profiler does not know",
    "events of other threads that did not come: blocks may be missing, or stand here though freed",
    "other programs of the page, which are not in this file",
    "bytes more than the allocator has in use: freed blocks stand here",
    "bytes that the allocator has in use are not here: blocks are missing",
};

static uint64_t note_at(const toll_heap_sites *s, size_t i)
{
    const uint64_t counts[OWN_NOTES] = { s->is_shared, s->freed,  s->odd,
                                         s->cut,       s->unread, s->nameless };
    return i < OWN_NOTES ? counts[i] : s->noted[i - OWN_NOTES];
}

size_t toll_heap_note_count(const toll_heap_sites *s)
{
    size_t count = 0;
    for (size_t i = 0; i < NOTES; i++)
        count += note_at(s, i) > 0;
    return count;
}

const char *toll_heap_note(const toll_heap_sites *s, size_t wanted, uint64_t *count)
{
    size_t i = 0;
    while (note_at(s, i) == 0 || wanted-- > 0)
        i++;
    *count = note_at(s, i);
    return note_texts[i];
}
