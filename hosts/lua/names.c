/* names.c - what functions are called. Asked once for each function value, so it may take its time.
 *
 * A Lua function is one frame for each place where it is written (source and lines), named when it
 * is first met: by where it is stored ("string.format", "Account.deposit"), else as its caller
 * calls it, else "file.lua:12". Of several places the first in the alphabet counts: tables are
 * walked in an order that differs from run to run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { NAME_SIZE = 128, MOST_FIELDS = 2000, MOST_HASHED = 64 };

/* --- where a function is stored ----------------------------------------------------------------*/

static void offer(char *best, const char *table, const char *field)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s%s", table, *table ? "." : "", field);
    /* Fewer dots first, then the alphabet: print before _G.print, string.rep before my.string.rep.
     */
    size_t dots = 0, best_dots = 0;
    for (const char *c = name; *c; c++)
        dots += *c == '.';
    for (const char *c = best; *c; c++)
        best_dots += *c == '.';
    if (!*best || dots < best_dots || (dots == best_dots && strcmp(name, best) < 0))
        strcpy(best, name);
}

/* Look through the table on top for the function at `function`; `prefix` names the table. */
static void search_fields(lua_State *L, int function, const char *prefix, char *best)
{
    char found[NAME_SIZE] = "";
    int count = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_type(L, -2) == LUA_TSTRING && lua_rawequal(L, -1, function))
            offer(found, prefix, lua_tostring(L, -2));
        lua_pop(L, 1);
        if (++count > MOST_FIELDS) { /* a table of data: its order is not ours to rely on */
            lua_pop(L, 1);
            return;
        }
    }
    if (*found)
        offer(best, "", found);
}

/* All tables of strings in the table on top: package.loaded, or the globals. */
static void search_tables(lua_State *L, int function, char *best)
{
    char found[NAME_SIZE] = "";
    int count = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_type(L, -2) == LUA_TSTRING && lua_istable(L, -1)) {
            const char *name = lua_tostring(L, -2);
            search_fields(L, function, strcmp(name, "_G") == 0 ? "" : name, found);
        }
        lua_pop(L, 1);
        if (++count > MOST_FIELDS) {
            lua_pop(L, 1);
            return;
        }
    }
    if (*found)
        offer(best, "", found);
}

/* The name by which the function on top of the stack is stored, or "". */
static void stored_name(lua_State *L, char name[NAME_SIZE])
{
    int top = lua_gettop(L);
    *name = 0;
    if (!lua_checkstack(L, 12))
        return;
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (lua_istable(L, -1)) {
        search_tables(L, top, name);
        lua_pushstring(L, "_G");
        lua_rawget(L, -2);
        if (!*name && lua_istable(L, -1))
            search_tables(L, top, name);
    }
    lua_settop(L, top);
}

/* --- names -------------------------------------------------------------------------------------*/

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* As the caller calls it; "" if that says nothing. */
static void called_name(const lua_Debug *ar, char name[NAME_SIZE])
{
    *name = 0;
    if (!ar->name || !ar->namewhat || !*ar->namewhat || strcmp(ar->name, "?") == 0 ||
        strcmp(ar->namewhat, "for iterator") == 0 || strcmp(ar->namewhat, "hook") == 0)
        return;
    bool meta = strcmp(ar->namewhat, "metamethod") == 0 && strncmp(ar->name, "__", 2) != 0;
    snprintf(name, NAME_SIZE, "%s%s", meta ? "__" : "", ar->name);
}

static const char *file_of(const lua_Debug *ar)
{
    return *ar->source == '@' || *ar->source == '=' ? ar->source + 1 : ar->short_src;
}

toll_frame_id host_frame(profiler *p, const char *name, const char *file, uint32_t line,
                         toll_frame_kind kind)
{
    toll_frame frame = { name, file, line, kind };
    toll_frame_id id;
    if (toll_recorder_frame(p->recorder, &frame, &id, NULL))
        return 0; /* the frame that is registered first, "(unknown)" */
    if (id >= p->frame_name_count) {
        size_t count = (size_t)id * 2 + 16;
        char **names = realloc(p->frame_names, count * sizeof *names);
        if (!names)
            return id;
        memset(names + p->frame_name_count, 0, (count - p->frame_name_count) * sizeof *names);
        p->frame_names = names;
        p->frame_name_count = count;
    }
    if (!p->frame_names[id])
        p->frame_names[id] = strdup(name);
    return id;
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

static toll_frame_id name_lua_function(profiler *p, lua_State *L, lua_Debug *ar)
{
    char name[NAME_SIZE];
    known_function *known = find_place(p, ar);
    if (known)
        return known->frame;
    const char *file = file_of(ar);
    if (strcmp(ar->what, "main") == 0) {
        strcpy(name, "main chunk");
    } else {
        stored_name(L, name);
        if (!*name) {
            lua_getinfo(L, "n", ar);
            called_name(ar, name);
        }
        if (!*name)
            snprintf(name, sizeof name, "%.100s:%d", base_name(file), ar->linedefined);
    }
    toll_frame_id frame = host_frame(
        p, name, file, ar->linedefined > 0 ? (uint32_t)ar->linedefined : 0, TOLL_KIND_FUNCTION);
    remember_place(p, ar, frame);
    return frame;
}

/* Is the C function on top of the stack the first of its closures? Programs make some by the
 * thousand (string.gmatch one a call), and these are stored nowhere. */
static bool is_first_closure(profiler *p, lua_State *L, lua_CFunction c)
{
    const void *key = (const char *)(uintptr_t)c + 1; /* the address itself may be a function's */
    if (!lua_getupvalue(L, -1, 1))
        return true;
    lua_pop(L, 1);
    return !objects_find(&p->map, key) && objects_put(&p->map, (object){ .address = key });
}

/* Closures made by the thousand mostly have the name of the one before. */
static toll_frame_id native_frame(profiler *p, const char *name)
{
    toll_frame_id before = p->named_native;
    const char *known = before < p->frame_name_count ? p->frame_names[before] : NULL;
    if (!known || strcmp(known, name) != 0)
        p->named_native = host_frame(p, name, "", 0, TOLL_KIND_NATIVE);
    return p->named_native;
}

static toll_frame_id name_c_function(profiler *p, lua_State *L, lua_Debug *ar, lua_CFunction c)
{
    char name[NAME_SIZE] = "";
    if (is_first_closure(p, L, c))
        stored_name(L, name);
    if (!*name) {
        lua_getinfo(L, "n", ar);
        called_name(ar, name);
    }
    return native_frame(p, *name ? name : "C function");
}

object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address)
{
    object o = { .address = address };
    lua_getinfo(L, "Sf", ar);
    lua_CFunction c = lua_tocfunction(L, -1);
    if (lua_iscfunction(L, -1)) {
        o.f.flags = OBJECT_NATIVE | (host_is_own(c) ? (uint32_t)OBJECT_HIDDEN : 0) |
                    (c && c == p->resume ? (uint32_t)OBJECT_RESUME : 0) |
                    (c && c == p->wrap_body ? (uint32_t)OBJECT_WRAP : 0);
#if IS_51
        if (p->jit && p->fast)
            o.f.flags |= host_jit_flags(p, address);
#endif
        if (!(o.f.flags & OBJECT_HIDDEN))
            o.f.frame = name_c_function(p, L, ar, c);
    } else {
        o.f.frame = name_lua_function(p, L, ar);
    }
    lua_pop(L, 1);
    if (!objects_put(&p->map, o))
        toll_recorder_note(p->recorder, "functions not remembered for lack of memory", 1, NULL);
    p->named = o;
    return &p->named;
}

object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    object *known = objects_find(&p->map, address);
    return known ? known : host_name_function(p, L, ar, address);
}
