/* names.c - what functions are called. Asked when a function is first met, and, where it is stored
 * nowhere, at some of its next calls, so it may take its time.
 *
 * A Lua function is one frame for each place where it is written (source and lines). Its name is
 * where it is stored (stored.c), else what most of its first calls call it, else "file.lua:12".
 *
 * A C function is one frame for each name; one that is stored nowhere has its own (told by calls as
 * above, else its symbol, else where in which shared object it is), with that place as its file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

enum { MOST_HASHED = 64 };

/* --- names -------------------------------------------------------------------------------------*/

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Names that no program has given: of `for` and of t[1]. */
static bool is_made_up(const lua_Debug *ar)
{
    return !*ar->name || strcmp(ar->name, "?") == 0 || *ar->name == '(' ||
           strcmp(ar->name, "integer index") == 0 || strcmp(ar->namewhat, "for iterator") == 0 ||
           strcmp(ar->namewhat, "hook") == 0;
}

/* As the caller calls it; "" if that says nothing. */
static void called_name(lua_State *L, lua_Debug *ar, char name[HOST_NAME_SIZE])
{
    *name = 0;
    lua_getinfo(L, "n", ar);
    if (!ar->name || !ar->namewhat || !*ar->namewhat || is_made_up(ar))
        return;
    bool meta = strcmp(ar->namewhat, "metamethod") == 0 && strncmp(ar->name, "__", 2) != 0;
    snprintf(name, HOST_NAME_SIZE, "%s%s", meta ? "__" : "", ar->name);
}

static const char *file_of(const lua_Debug *ar)
{
    return *ar->source == '@' || *ar->source == '=' ? ar->source + 1 : ar->short_src;
}

/* --- functions by place ------------------------------------------------------------------------*/

static size_t place_hash(const char *source, int first, int last)
{
    size_t h = (size_t)first * 31 + (size_t)last, size = strlen(source);
    /* The source may be the whole text of a chunk, and many chunks begin alike. */
    size_t step = size / MOST_HASHED + 1;
    for (size_t i = 0; i < size; i += step)
        h = (h ^ (uint8_t)source[size - 1 - i]) * (size_t)0x100000001b3u;
    return (h ^ h >> 29) + size;
}

static known_function *find_place(profiler *p, const lua_Debug *ar)
{
    if (!p->function_slot_count)
        return NULL;
    size_t mask = p->function_slot_count - 1;
    for (size_t i = place_hash(ar->source, ar->linedefined, ar->lastlinedefined) & mask;
         p->function_slots[i]; i = (i + 1) & mask) {
        known_function *f = &p->functions[p->function_slots[i] - 1];
        if (f->first_line == ar->linedefined && f->last_line == ar->lastlinedefined &&
            strcmp(f->source, ar->source) == 0)
            return f;
    }
    return NULL;
}

static bool grow_places(profiler *p)
{
    size_t count = p->function_slot_count ? p->function_slot_count * 2 : 256;
    size_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t n = 0; n < p->function_count; n++) {
        const known_function *f = &p->functions[n];
        size_t i = place_hash(f->source, f->first_line, f->last_line) & (count - 1);
        while (slots[i])
            i = (i + 1) & (count - 1);
        slots[i] = n + 1;
    }
    free(p->function_slots);
    p->function_slots = slots;
    p->function_slot_count = count;
    return true;
}

static void remember_place(profiler *p, const lua_Debug *ar, toll_frame_id frame)
{
    if ((p->function_count + 1) * 2 > p->function_slot_count && !grow_places(p))
        return;
    if (p->function_count == p->function_capacity) {
        size_t capacity = p->function_capacity ? p->function_capacity * 2 : 64;
        known_function *functions = realloc(p->functions, capacity * sizeof *functions);
        if (!functions)
            return;
        p->functions = functions;
        p->function_capacity = capacity;
    }
    char *source = strdup(ar->source);
    if (!source)
        return;
    size_t mask = p->function_slot_count - 1;
    size_t i = place_hash(source, ar->linedefined, ar->lastlinedefined) & mask;
    while (p->function_slots[i])
        i = (i + 1) & mask;
    p->functions[p->function_count] =
        (known_function){ source, ar->linedefined, ar->lastlinedefined, frame };
    p->function_slots[i] = ++p->function_count;
}

static toll_frame_id name_lua_function(profiler *p, lua_State *L, lua_Debug *ar, bool tells)
{
    char name[HOST_NAME_SIZE], otherwise[HOST_NAME_SIZE];
    known_function *known = find_place(p, ar);
    if (known)
        return known->frame;
    const char *file = file_of(ar);
    uint32_t line = ar->linedefined > 0 ? (uint32_t)ar->linedefined : 0;
    toll_frame_id frame;
    if (strcmp(ar->what, "main") == 0)
        strcpy(name, "main chunk");
    else
        host_stored_name(L, false, name);
    if (*name) {
        frame = host_frame(p, name, file, line, TOLL_KIND_FUNCTION);
    } else {
        if (tells)
            called_name(L, ar, name);
        snprintf(otherwise, sizeof otherwise, "%.100s:%d", base_name(file), ar->linedefined);
        frame = host_told_frame(p, name, otherwise, file, line, TOLL_KIND_FUNCTION);
    }
    remember_place(p, ar, frame);
    return frame;
}

/* --- C functions -------------------------------------------------------------------------------*/

/* Where a C function is, which is the same in each run: "libfoo.so+0x1234"; and its symbol, if it
 * has one that others see. Both "": not known. */
static const native_place *place_of(profiler *p, lua_CFunction c, const void *function)
{
    native_place *at = &p->place;
    const char *address = (const char *)(uintptr_t)c;
    Dl_info info;
    if (c && c == at->c) /* closures of one function are met one after the other */
        return at;
    *at = (native_place){ .c = c };
    if (c && dladdr(address, &info) && info.dli_fname) {
        snprintf(at->file, sizeof at->file, "%.100s+0x%lx", base_name(info.dli_fname),
                 (unsigned long)(address - (const char *)info.dli_fbase));
        if (info.dli_sname && (const char *)info.dli_saddr == address)
            snprintf(at->symbol, sizeof at->symbol, "%s", info.dli_sname);
    }
#if IS_51
    if (!c && p->jit && p->fast) /* in assembly, without an address that Lua tells */
        snprintf(at->file, sizeof at->file, "built-in #%u", layout_jit_id(function));
#endif
    (void)function;
    return at;
}

/* The entry of the map for all Lua functions that are the same one in C: an address that none of
 * them has. NULL: it is not known which one that is. */
static const void *key_of(const profiler *p, lua_CFunction c, const void *function)
{
    if (c)
        return (const char *)(uintptr_t)c + 1;
#if IS_51
    if (p->jit && p->fast)
        return (const char *)0 + 2 * layout_jit_id(function) + 1;
#endif
    (void)p;
    (void)function;
    return NULL;
}

static const char *otherwise_named(const native_place *at)
{
    return *at->symbol ? at->symbol : *at->file ? at->file : "C function";
}

/* Without upvalues: however many Lua functions it is, it is one, with one name. */
static toll_frame_id name_plain(profiler *p, lua_State *L, lua_Debug *ar, lua_CFunction c,
                                const void *function, bool tells)
{
    char name[HOST_NAME_SIZE];
    const void *key = key_of(p, c, function);
    const object *known = key ? objects_find(&p->map, key) : NULL;
    if (known)
        return known->f.frame;
    object named = { .address = key };
    host_stored_name(L, true, name);
    if (*name) {
        named.f.frame = host_frame(p, name, "", 0, TOLL_KIND_NATIVE);
    } else {
        const native_place *at = place_of(p, c, function);
        if (tells)
            called_name(L, ar, name);
        named.f.frame =
            host_told_frame(p, name, otherwise_named(at), at->file, 0, TOLL_KIND_NATIVE);
    }
    if (key)
        objects_put(&p->map, named);
    return named.f.frame;
}

/* Programs make some closures by the thousand (string.gmatch one a call), and these are stored
 * nowhere: only the first is searched for. They are not one function: each has the name that its
 * first call tells. Most have that of the one before. */
static toll_frame_id name_closure(profiler *p, lua_State *L, lua_Debug *ar, lua_CFunction c,
                                  const void *function, bool tells)
{
    char name[HOST_NAME_SIZE] = "";
    const void *key = key_of(p, c, function);
    if (key && !objects_find(&p->map, key) && objects_put(&p->map, (object){ .address = key })) {
        host_stored_name(L, true, name);
        if (*name)
            return host_frame(p, name, "", 0, TOLL_KIND_NATIVE);
    }
    if (tells)
        called_name(L, ar, name);
    const native_place *at = place_of(p, c, function);
    const char *shown = *name ? name : otherwise_named(at);
    const char *before = host_frame_name(p, p->named_closure);
    if (key != p->named_key || !before || strcmp(before, shown) != 0)
        p->named_closure = host_frame(p, shown, at->file, 0, TOLL_KIND_NATIVE);
    p->named_key = key;
    return p->named_closure;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* The C function on top of the stack. */
static object describe_native(profiler *p, lua_State *L, lua_Debug *ar, const void *function,
                              bool tells)
{
    lua_CFunction c = lua_tocfunction(L, -1);
    object o = { .address = function };
    o.f.flags = OBJECT_NATIVE | (host_is_own(c) ? (uint32_t)OBJECT_HIDDEN : 0) |
                (c && c == p->resume ? (uint32_t)OBJECT_RESUME : 0) |
                (c && c == p->wrap_body ? (uint32_t)OBJECT_WRAP : 0);
#if IS_51
    if (p->jit && p->fast)
        o.f.flags |= host_jit_flags(p, function);
#endif
    if (o.f.flags & OBJECT_HIDDEN)
        return o;
    bool closure = lua_getupvalue(L, -1, 1) != NULL;
    if (closure)
        lua_pop(L, 1);
    o.f.frame = (closure ? name_closure : name_plain)(p, L, ar, c, function, tells);
    return o;
}

void host_look_at_name(profiler *p, lua_State *L, lua_Debug *ar, object *o, bool tells)
{
    char name[HOST_NAME_SIZE];
    if (!host_is_open(p, o->f.frame)) {
        o->f.flags &= ~(uint32_t)OBJECT_OPEN_NAME;
        return;
    }
    if (!tells)
        return;
    p->frame_names[o->f.frame].looks--;
    called_name(L, ar, name);
    if (*name)
        host_count_told(p, o->f.frame, name);
}

object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address,
                           bool tells)
{
    object o = { .address = address };
    lua_getinfo(L, "Sf", ar);
    if (lua_iscfunction(L, -1)) {
        host_watch_new_entries(); /* the first of a module that was loaded meanwhile? */
        o = describe_native(p, L, ar, address, tells);
    } else {
        o.f.frame = name_lua_function(p, L, ar, tells);
    }
    if (host_is_open(p, o.f.frame))
        o.f.flags |= OBJECT_OPEN_NAME;
    lua_pop(L, 1);
    if (!objects_put(&p->map, o))
        toll_recorder_note(p->recorder, "functions not remembered for lack of memory", 1, NULL);
    p->named = o;
    return &p->named;
}

object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar, bool tells)
{
    const void *address = host_asked_function(L, ar);
    object *known = objects_find(&p->map, address);
    return known ? known : host_name_function(p, L, ar, address, tells);
}
