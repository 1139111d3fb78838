/* lua_walk.c - see lua_walk.h. */
#ifdef __linux__
#define _GNU_SOURCE /* process_vm_readv */
#endif
#include "lua_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/uio.h>

enum {
    SLOT = 16,
    EXTRA_SLOTS = 5,
    MOST = TOLL_LUA_MOST_FRAMES,
    MOST_READ = 128,
    LOOK_BACK = 12,   /* reads among which an equal one is looked for */
    MOST_SPAN = 8192, /* bytes of Lua's stack that are read together */
};

/* A slot of Lua's stack. */
typedef struct slot {
    uint64_t value;
    uint8_t type;
} slot;

/* --- reading -----------------------------------------------------------------------------------*/

/* Several reads of one size. Each takes the system as long as a few hundred instructions, so what
 * frames share (a function that calls itself, the name of a file) is read once. */
typedef struct reads {
    struct iovec remote[MOST + 1], local[MOST + 1];
    uint8_t bytes[MOST + 1][MOST_READ];
    uint32_t count;
    uint32_t which[MOST + 1]; /* of those above has the result of each wanted read */
    uint32_t wanted;
} reads;

typedef struct node {
    uint64_t address, func, previous;
} node;

/* What a walk needs beside its result. A signal's handler may have a small stack, so it is not
 * there. */
struct toll_lua_scratch {
    reads r;
    slot slots[MOST];
    uint8_t span[MOST_SPAN];
    node nodes[MOST + 1], fresh[MOST + 1]; /* CallInfo: the outermost first; those not known yet */
    uint64_t sizes[MOST];                  /* of the functions' chunks' names */
    uint32_t node_count;
    uint32_t known_count; /* with those that were inside of them: Lua uses a node again */
    uint64_t nodes_of;    /* the state that they are of */
};

static reads *begin_reads(const toll_lua_walk *w)
{
    w->scratch->r.count = w->scratch->r.wanted = 0;
    return &w->scratch->r;
}

static void add_read(reads *r, uint64_t address)
{
    uint32_t i = r->count, last = r->count > LOOK_BACK ? r->count - LOOK_BACK : 0;
    while (i > last && (uint64_t)(uintptr_t)r->remote[i - 1].iov_base != address)
        i--;
    r->which[r->wanted++] = i > last ? i - 1 : r->count;
    if (i == last)
        r->remote[r->count++].iov_base = (void *)(uintptr_t)address;
}

/* The result of the read that was added as the nth. */
static const uint8_t *result(const reads *r, uint32_t n)
{
    return r->bytes[r->which[n]];
}

static bool read_all(const toll_lua_walk *w, reads *r, size_t size)
{
    for (uint32_t i = 0; i < r->count; i++) {
        r->local[i] = (struct iovec){ r->bytes[i], size };
        r->remote[i].iov_len = size;
    }
    return !r->count || process_vm_readv(w->pid, r->local, r->count, r->remote, r->count, 0) ==
                            (ssize_t)(size * r->count);
}

static bool read_one(const toll_lua_walk *w, uint64_t address, void *out, size_t size)
{
    const struct iovec local = { out, size }, remote = { (void *)(uintptr_t)address, size };
    return process_vm_readv(w->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static uint64_t word(const uint8_t *bytes, size_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

static int32_t number(const uint8_t *bytes, size_t at)
{
    int32_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

/* --- CallInfo ----------------------------------------------------------------------------------*/

/* Lua 5.1: an array. The outermost one is the host's. */
static bool read_array(toll_lua_walk *w, const uint8_t *state)
{
    const toll_lua_layout *l = w->layout;
    uint64_t base = word(state, l->base_ci), ci = word(state, l->ci);
    if (ci < base || (ci - base) % l->ci_size)
        return false;
    uint64_t count = (ci - base) / l->ci_size;
    w->is_cut = count > MOST;
    if (w->is_cut)
        count = MOST;
    reads *r = begin_reads(w);
    for (uint64_t i = 0; i < count; i++)
        add_read(r, ci - (count - 1 - i) * l->ci_size);
    if (!read_all(w, r, l->ci_size))
        return false;
    w->scratch->node_count = r->wanted;
    for (uint32_t i = 0; i < r->wanted; i++)
        w->scratch->nodes[i].func = word(result(r, i), l->ci_func);
    return true;
}

static bool read_node(const toll_lua_walk *w, uint64_t address, node *out)
{
    uint8_t bytes[MOST_READ];
    if (!read_one(w, address, bytes, w->layout->ci_size))
        return false;
    *out = (node){ address, word(bytes, w->layout->ci_func), word(bytes, w->layout->ci_previous) };
    return true;
}

/* How many of the known nodes are on the stack, if that with this address is. */
static uint32_t kept_nodes(const toll_lua_walk *w, uint64_t address)
{
    uint32_t n = w->scratch->known_count;
    while (n && w->scratch->nodes[n - 1].address != address)
        n--;
    return n;
}

/* Follow the list from the innermost one outwards to one that is known, or to its end. */
static bool follow(toll_lua_walk *w, uint64_t ci)
{
    node *fresh = w->scratch->fresh;
    uint32_t count = 0, kept = 0;
    for (; ci && count <= MOST; count++) {
        kept = kept_nodes(w, ci);
        if (kept || !read_node(w, ci, &fresh[count]))
            break;
        ci = fresh[count].previous;
    }
    if (ci && !kept && count <= MOST)
        return false;
    w->is_cut = ci && !kept;
    if (kept + count > MOST + 1) { /* the outermost nodes that are known go */
        uint32_t gone = kept + count - (MOST + 1);
        memmove(w->scratch->nodes, w->scratch->nodes + gone, (kept - gone) * sizeof(node));
        kept -= gone;
    }
    for (uint32_t i = 0; i < count; i++)
        w->scratch->nodes[kept + i] = fresh[count - 1 - i];
    w->scratch->node_count = kept + count;
    if (count)
        w->scratch->known_count = kept + count;
    return true;
}

/* Read them all anew: a node is used for one call after the other. False: they are no list. */
static bool refresh(toll_lua_walk *w)
{
    reads *r = begin_reads(w);
    for (uint32_t i = 0; i < w->scratch->node_count; i++)
        add_read(r, w->scratch->nodes[i].address);
    if (!read_all(w, r, w->layout->ci_size))
        return false;
    for (uint32_t i = 0; i < r->wanted; i++) {
        uint64_t previous = word(result(r, i), w->layout->ci_previous);
        if (i && previous != w->scratch->nodes[i - 1].address)
            return false;
        w->scratch->nodes[i].func = word(result(r, i), w->layout->ci_func);
        w->scratch->nodes[i].previous = previous;
    }
    return true;
}

static bool read_list(toll_lua_walk *w, const uint8_t *state, uint64_t address)
{
    uint64_t ci = word(state, w->layout->ci);
    if (w->scratch->nodes_of != address)
        w->scratch->known_count = 0;
    w->scratch->nodes_of = address;
    if (!follow(w, ci) || !refresh(w)) {
        w->scratch->known_count = 0;
        if (!follow(w, ci) || !refresh(w)) {
            w->scratch->node_count = w->scratch->known_count = 0;
            return false;
        }
    }
    if (!w->scratch->node_count)
        return true;
    w->is_cut = w->scratch->nodes[0].previous != 0;
    return true;
}

/* --- functions ---------------------------------------------------------------------------------*/

/* Read the slots at these addresses, the innermost first: in one piece, if they are near. */
static bool fill_slots(toll_lua_walk *w, reads *r, slot *slots)
{
    uint64_t first = r->count ? (uint64_t)(uintptr_t)r->remote[0].iov_base : 0;
    uint64_t last = r->count ? (uint64_t)(uintptr_t)r->remote[r->count - 1].iov_base : 0;
    uint8_t *span = w->scratch->span;
    bool is_near = first >= last && first - last <= MOST_SPAN - SLOT;
    if (r->count &&
        !(is_near ? read_one(w, last, span, first - last + SLOT) : read_all(w, r, SLOT)))
        return false;
    for (uint32_t i = 0; i < r->wanted; i++) {
        uint64_t at = (uint64_t)(uintptr_t)r->remote[r->which[i]].iov_base - last;
        if (is_near && at > first - last)
            return false; /* they are in no order: the list has just changed */
        const uint8_t *bytes = is_near ? span + at : result(r, i);
        slots[i] = (slot){ word(bytes, 0), bytes[8] };
    }
    w->innermost_slot = first;
    w->count = r->wanted;
    return true;
}

/* The functions' slots, the innermost first: outside of the stack's bounds is what Lua has just
 * moved. The innermost may not be set yet. */
static bool read_slots(toll_lua_walk *w, const uint8_t *state, slot *slots)
{
    const toll_lua_layout *l = w->layout;
    uint64_t low = word(state, l->stack),
             high = word(state, l->stack_last) + (uint64_t)EXTRA_SLOTS * SLOT;
    /* of a list, the outermost node is the host's */
    uint32_t from = l->base_ci || w->is_cut ? 0 : 1, count = w->scratch->node_count;
    reads *r = begin_reads(w);
    for (uint32_t n = count; n-- > from;) {
        uint64_t func = w->scratch->nodes[n].func;
        bool is_inside = func >= low && func < high && (func - low) % SLOT == 0;
        if (!is_inside && n + 1 < count)
            return false;
        if (is_inside && r->wanted < MOST)
            add_read(r, func);
    }
    return fill_slots(w, r, slots);
}

static bool is_function(const toll_lua_layout *l, uint8_t type)
{
    return type == l->is_lua || (l->is_c && (type == l->is_c || type == l->is_light_c));
}

/* Remove the innermost slot if it is not one of a function. False: another one is not. */
static bool check_slots(toll_lua_walk *w, slot *slots)
{
    if (w->count && !is_function(w->layout, slots[0].type)) {
        memmove(slots, slots + 1, (w->count - 1) * sizeof *slots);
        w->count--;
        w->innermost_slot = 0;
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (!is_function(w->layout, slots[i].type))
            return false;
    return true;
}

static bool is_c_closure(const toll_lua_layout *l, const slot *s, const uint8_t *closure)
{
    return l->closure_is_c ? closure[l->closure_is_c] != 0 : s->type == l->is_c;
}

/* The C functions' addresses, and of Lua functions that of their prototype, in `source`. */
static bool read_closures(toll_lua_walk *w, const slot *slots)
{
    const toll_lua_layout *l = w->layout;
    const size_t last = l->closure_size - sizeof(uint64_t);
    reads *r = begin_reads(w);
    for (uint32_t i = 0; i < w->count; i++)
        if (slots[i].type != l->is_light_c || !l->is_light_c)
            add_read(r, slots[i].value);
    if (!read_all(w, r, l->closure_size))
        return false;
    for (uint32_t i = 0, k = 0; i < w->count; i++) {
        toll_lua_frame *f = &w->frames[i];
        *f = (toll_lua_frame){ 0 };
        if (l->is_light_c && slots[i].type == l->is_light_c) {
            f->c_function = slots[i].value;
            continue;
        }
        uint64_t target = word(result(r, k), last);
        if (is_c_closure(l, &slots[i], result(r, k++)))
            f->c_function = target;
        else
            f->source = target;
    }
    return true;
}

static bool read_prototypes(toll_lua_walk *w)
{
    const toll_lua_layout *l = w->layout;
    reads *r = begin_reads(w);
    for (uint32_t i = 0; i < w->count; i++)
        if (!w->frames[i].c_function)
            add_read(r, w->frames[i].source);
    if (!read_all(w, r, l->proto_size))
        return false;
    for (uint32_t i = 0, k = 0; i < w->count; i++) {
        toll_lua_frame *f = &w->frames[i];
        if (f->c_function)
            continue;
        const uint8_t *bytes = result(r, k++);
        f->source = word(bytes, l->source);
        f->first_line = number(bytes, l->first_line);
        f->last_line = number(bytes, l->last_line);
    }
    return true;
}

/* A string of Lua: its type is at 8, its own hash at 12, its size, or another pointer, at 16. */
enum { STRING_BEGIN = 8, STRING_READ = 24, END_READ = 8 };

static bool has_size(const toll_lua_layout *l, const uint8_t *bytes)
{
    return !l->is_short || bytes[0] != l->is_short;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return hash * 0x9e3779b97f4a7c15u + value;
}

static uint64_t hash_of_string(const toll_lua_layout *l, const uint8_t *bytes)
{
    uint64_t hash = (uint32_t)number(bytes, 12 - STRING_BEGIN);
    hash = mix(hash, has_size(l, bytes) ? word(bytes, 16 - STRING_BEGIN) : 0);
    return mix(hash, word(bytes, (size_t)l->string_text - STRING_BEGIN));
}

/* The end of each name that says its size: Lua's own hash of a long string may be of nothing, and
 * names of many chunks begin alike. */
static bool read_ends(toll_lua_walk *w, const uint64_t *sizes)
{
    reads *r = begin_reads(w);
    for (uint32_t i = 0; i < w->count; i++)
        if (sizes[i])
            add_read(r, w->frames[i].source + w->layout->string_text + sizes[i] - END_READ);
    if (!read_all(w, r, END_READ))
        return false;
    for (uint32_t i = 0, k = 0; i < w->count; i++)
        if (sizes[i])
            w->frames[i].name_hash = mix(w->frames[i].name_hash, word(result(r, k++), 0));
    return true;
}

static bool read_names(toll_lua_walk *w)
{
    uint64_t *sizes = w->scratch->sizes; /* 0: not known, or short */
    reads *r = begin_reads(w);
    for (uint32_t i = 0; i < w->count; i++)
        if (!w->frames[i].c_function)
            add_read(r, w->frames[i].source + STRING_BEGIN);
    if (!read_all(w, r, STRING_READ))
        return false;
    for (uint32_t i = 0, k = 0; i < w->count; i++) {
        sizes[i] = 0;
        if (w->frames[i].c_function)
            continue;
        const uint8_t *bytes = result(r, k++);
        w->frames[i].name_hash = hash_of_string(w->layout, bytes);
        if (has_size(w->layout, bytes) && word(bytes, 16 - STRING_BEGIN) > END_READ)
            sizes[i] = word(bytes, 16 - STRING_BEGIN);
    }
    return read_ends(w, sizes);
}

/* --- the walk ----------------------------------------------------------------------------------*/

toll_lua_walk *toll_lua_walk_new(const toll_lua_layout *layout, pid_t pid)
{
    toll_lua_walk *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->layout = layout;
    w->pid = pid;
    w->scratch = calloc(1, sizeof *w->scratch);
    if (w->scratch)
        return w;
    free(w);
    return NULL;
}

void toll_lua_walk_free(toll_lua_walk *w)
{
    if (w)
        free(w->scratch);
    free(w);
}

bool toll_lua_walk_state(toll_lua_walk *w, uint64_t address)
{
    uint8_t state[MOST_READ];
    slot *slots = w->scratch->slots;
    w->count = 0;
    w->is_cut = false;
    bool good = read_one(w, address, state, w->layout->state_size) &&
                (w->layout->base_ci ? read_array(w, state) : read_list(w, state, address)) &&
                read_slots(w, state, slots) && check_slots(w, slots) && read_closures(w, slots) &&
                read_prototypes(w) && read_names(w);
    if (!good)
        w->count = 0;
    return good;
}

uint64_t toll_lua_walk_global(const toll_lua_walk *w, uint64_t state)
{
    uint64_t global;
    return read_one(w, state + w->layout->global, &global, sizeof global) ? global : 0;
}

/* The thread in the slot, or value, at an address; 0: none is there. */
static uint64_t thread_at(const toll_lua_walk *w, uint64_t at)
{
    uint8_t bytes[SLOT];
    if (!read_one(w, at, bytes, sizeof bytes) || bytes[8] != w->layout->is_thread)
        return 0;
    return word(bytes, 0);
}

static uint64_t first_argument(const toll_lua_walk *w)
{
    return thread_at(w, w->innermost_slot + SLOT);
}

static uint64_t first_upvalue(const toll_lua_walk *w)
{
    uint64_t closure;
    return read_one(w, w->innermost_slot, &closure, sizeof closure)
               ? thread_at(w, closure + w->layout->upvalue)
               : 0;
}

uint64_t toll_lua_walk_resumed(const toll_lua_walk *w, uint64_t resume, uint64_t wrap)
{
    uint64_t function = w->count && w->innermost_slot ? w->frames[0].c_function : 0;
    if (function && function == resume)
        return first_argument(w);
    return function && function == wrap ? first_upvalue(w) : 0;
}

static bool runs(const toll_lua_walk *w, uint64_t thread)
{
    uint8_t status;
    return thread && read_one(w, thread + w->layout->status, &status, 1) && !status;
}

uint64_t toll_lua_walk_related(const toll_lua_walk *w)
{
    if (!w->count || !w->innermost_slot || !w->frames[0].c_function)
        return 0;
    uint64_t thread = first_argument(w);
    if (!runs(w, thread))
        thread = first_upvalue(w);
    return runs(w, thread) ? thread : 0;
}

bool toll_lua_walk_text(const toll_lua_walk *w, uint64_t source, char *text, size_t size)
{
    size_t used = 0;
    source += w->layout->string_text;
    while (used + 1 < size) { /* no read crosses a page, the next of which may not be there */
        size_t page = 4096 - (size_t)((source + used) % 4096), room = size - 1 - used;
        size_t n = page < room ? page : room;
        if (!read_one(w, source + used, text + used, n))
            return false;
        const char *end = memchr(text + used, 0, n);
        if (end)
            return true;
        used += n;
    }
    text[used] = 0;
    return true;
}

#else

toll_lua_walk *toll_lua_walk_new(const toll_lua_layout *layout, pid_t pid)
{
    (void)layout, (void)pid;
    return NULL;
}

void toll_lua_walk_free(toll_lua_walk *w)
{
    (void)w;
}

bool toll_lua_walk_state(toll_lua_walk *w, uint64_t address)
{
    (void)address;
    w->count = 0;
    return false;
}

uint64_t toll_lua_walk_global(const toll_lua_walk *w, uint64_t state)
{
    (void)w, (void)state;
    return 0;
}

uint64_t toll_lua_walk_resumed(const toll_lua_walk *w, uint64_t resume, uint64_t wrap)
{
    (void)w, (void)resume, (void)wrap;
    return 0;
}

uint64_t toll_lua_walk_related(const toll_lua_walk *w)
{
    (void)w;
    return 0;
}

bool toll_lua_walk_text(const toll_lua_walk *w, uint64_t source, char *text, size_t size)
{
    (void)w, (void)source, (void)text, (void)size;
    return false;
}

#endif

void toll_lua_short_source(int version, const char *text, char name[TOLL_LUA_SHORT_SIZE])
{
    size_t line = strcspn(text, version == 501 ? "\n\r" : "\n"), most = version == 501 ? 43 : 45;
    bool is_whole = !text[line] && (version == 501 ? line <= most : line < most);
    snprintf(name, TOLL_LUA_SHORT_SIZE, "[string \"%.*s%s\"]", (int)(line < most ? line : most),
             text, is_whole ? "" : "...");
}
