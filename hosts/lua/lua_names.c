/* lua_names.c - see lua_names.h. */
#define _GNU_SOURCE
#include "lua_names.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <link.h>
#endif

#include "layout.h"
#include "luajit/jit_watch.h"
#include "offset_tables.h"

/* --- names -------------------------------------------------------------------------------------*/

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Did Lua invent the name, as it does for the iterator of a `for` and for t[1]? */
static bool is_made_up(const lua_Debug *ar)
{
    return !*ar->name || strcmp(ar->name, "?") == 0 || *ar->name == '(' ||
           strcmp(ar->name, "integer index") == 0 || strcmp(ar->namewhat, "for iterator") == 0 ||
           strcmp(ar->namewhat, "hook") == 0;
}

/* The name that the caller uses; "" if it uses none. */
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

static toll_frame_id name_lua_function(profiler *p, lua_State *L, lua_Debug *ar, bool shows_name)
{
    char name[HOST_NAME_SIZE], otherwise[HOST_NAME_SIZE];
    const known_function *known = host_find_place(&p->places, ar);
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
        frame = host_frame(&p->names, name, file, line, TOLL_KIND_FUNCTION);
    } else {
        if (shows_name)
            called_name(L, ar, name);
        snprintf(otherwise, sizeof otherwise, "%.100s:%d", base_name(file), ar->linedefined);
        frame = host_frame_of_call(&p->names, name, otherwise, file, line, TOLL_KIND_FUNCTION);
    }
    host_remember_place(&p->places, ar, frame);
    return frame;
}

/* --- C functions -------------------------------------------------------------------------------*/

/* Find the module that contains an address, and the symbol before it. The dynamic linker calls the
 * program itself by argv[0], which servers overwrite ("nginx: worker process"): then its file. */
static bool find_module(const void *address, Dl_info *info, char path[PATH_MAX])
{
#ifdef __GLIBC__
    struct link_map *map;
    if (!dladdr1(address, info, (void **)&map, RTLD_DL_LINKMAP) || !info->dli_fname)
        return false;
    ssize_t size = *map->l_name ? -1 : readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (size > 0) {
        path[size] = 0;
        info->dli_fname = path;
    }
    return true;
#else
    (void)path;
    return dladdr(address, info) && info->dli_fname;
#endif
}

/* The place of a C function, "libfoo.so+0x1234", which is the same in each run; and its symbol, if
 * it is exported. Both "": not known. */
static const native_place *place_of(profiler *p, lua_CFunction c, const void *function)
{
    native_place *at = &p->place;
    const char *address = (const char *)(uintptr_t)c;
    char path[PATH_MAX];
    Dl_info info;
    if (c && c == at->c) /* often closures of one function follow one another */
        return at;
    *at = (native_place){ .c = c };
    if (c && find_module(address, &info, path)) {
        snprintf(at->file, sizeof at->file, "%.100s+0x%lx", base_name(info.dli_fname),
                 (unsigned long)(address - (const char *)info.dli_fbase));
        if (info.dli_sname && (const char *)info.dli_saddr == address)
            snprintf(at->symbol, sizeof at->symbol, "%s", info.dli_sname);
    }
#if IS_51
    if (!c && p->jit && p->reads_callinfo) /* written in assembly: Lua knows no address */
        snprintf(at->file, sizeof at->file, "built-in #%u", layout_jit_id(function));
#endif
    (void)function;
    return at;
}

/* The map's key for a C function, shared by all Lua functions that are made of it: an address that
 * no Lua object can have. NULL: it is not known which C function it is. */
static const void *key_of(const profiler *p, lua_CFunction c, const void *function)
{
    if (c)
        return (const char *)(uintptr_t)c + 1;
#if IS_51
    if (p->jit && p->reads_callinfo)
        return (const void *)((uintptr_t)2 * layout_jit_id(function) + 1);
#endif
    (void)p;
    (void)function;
    return NULL;
}

static bool is_hidden(const profiler *p, lua_CFunction c)
{
    const object *known = c ? objects_find(&p->map, key_of(p, c, NULL)) : NULL;
    return known && known->f.flags & OBJECT_HIDDEN;
}

void host_hide_function(profiler *p, lua_CFunction c)
{
    if (!objects_put(&p->map,
                     (object){ .address = key_of(p, c, NULL), .f = { { 0, OBJECT_HIDDEN } } }))
        toll_recorder_note(p->recorder, "functions not remembered for lack of memory", 1, NULL);
}

static const char *otherwise_named(const native_place *at)
{
    return *at->symbol ? at->symbol : *at->file ? at->file : "C function";
}

/* Name a C function without upvalues. All Lua functions that are made of it share one frame. */
static toll_frame_id name_plain(profiler *p, lua_State *L, lua_Debug *ar, lua_CFunction c,
                                const void *function, bool shows_name)
{
    char name[HOST_NAME_SIZE];
    const void *key = key_of(p, c, function);
    const object *known = key ? objects_find(&p->map, key) : NULL;
    if (known)
        return known->f.frame;
    object named = { .address = key };
    host_stored_name(L, true, name);
    if (*name) {
        named.f.frame = host_frame(&p->names, name, "", 0, TOLL_KIND_NATIVE);
    } else {
        const native_place *at = place_of(p, c, function);
        if (shows_name)
            called_name(L, ar, name);
        named.f.frame =
            host_frame_of_call(&p->names, name, otherwise_named(at), at->file, 0, TOLL_KIND_NATIVE);
    }
    if (key)
        objects_put(&p->map, named);
    return named.f.frame;
}

/* Name a C closure. Programs make thousands of some closures and store them nowhere (string.gmatch
 * makes one at each call), so only the first one of a C function is searched for in tables.
 * Closures of one C function may have different purposes: each gets the name that its first call
 * uses. Mostly this is the name of the closure before, which is therefore kept. */
static toll_frame_id name_closure(profiler *p, lua_State *L, lua_Debug *ar, lua_CFunction c,
                                  const void *function, bool shows_name)
{
    char name[HOST_NAME_SIZE] = "";
    const void *key = key_of(p, c, function);
    if (key && !objects_find(&p->map, key) && objects_put(&p->map, (object){ .address = key })) {
        host_stored_name(L, true, name);
        if (*name)
            return host_frame(&p->names, name, "", 0, TOLL_KIND_NATIVE);
    }
    if (shows_name)
        called_name(L, ar, name);
    const native_place *at = place_of(p, c, function);
    const char *shown = *name ? name : otherwise_named(at);
    const char *before = host_frame_name(&p->names, p->named_closure);
    if (key != p->named_key || !before || strcmp(before, shown) != 0)
        p->named_closure = host_frame(&p->names, shown, at->file, 0, TOLL_KIND_NATIVE);
    p->named_key = key;
    return p->named_closure;
}

/* --- any function ------------------------------------------------------------------------------*/

/* The C function on top of the stack. */
static object describe_native(profiler *p, lua_State *L, lua_Debug *ar, const void *function,
                              bool shows_name)
{
    lua_CFunction c = lua_tocfunction(L, -1);
    object o = { .address = function };
    o.f.flags = OBJECT_NATIVE | (is_hidden(p, c) ? (uint32_t)OBJECT_HIDDEN : 0) |
                (c && c == p->library.resume ? (uint32_t)OBJECT_RESUME : 0) |
                (c && c == p->library.wrap_body ? (uint32_t)OBJECT_WRAP : 0);
#if IS_51
    if (p->jit && p->reads_callinfo)
        o.f.flags |= host_jit_flags(p, function);
#endif
    if (o.f.flags & OBJECT_HIDDEN)
        return o;
    bool closure = lua_getupvalue(L, -1, 1) != NULL;
    if (closure)
        lua_pop(L, 1);
    o.f.frame = (closure ? name_closure : name_plain)(p, L, ar, c, function, shows_name);
    return o;
}

void host_examine_name(profiler *p, lua_State *L, lua_Debug *ar, object *o, bool shows_name)
{
    char name[HOST_NAME_SIZE];
    if (!host_is_open(&p->names, o->f.frame)) {
        o->f.flags &= ~(uint32_t)OBJECT_OPEN_NAME;
        return;
    }
    if (!shows_name)
        return;
    called_name(L, ar, name);
    host_examine_call(&p->names, o->f.frame, name);
}

object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address,
                           bool shows_name)
{
    object o = { .address = address };
    lua_getinfo(L, "Sf", ar);
    if (lua_iscfunction(L, -1)) {
        host_replace_new_calls(); /* the function may come from a module loaded just now */
        o = describe_native(p, L, ar, address, shows_name);
    } else {
        o.f.frame = name_lua_function(p, L, ar, shows_name);
    }
    if (host_is_open(&p->names, o.f.frame))
        o.f.flags |= OBJECT_OPEN_NAME;
    lua_pop(L, 1);
    if (!objects_put(&p->map, o))
        toll_recorder_note(p->recorder, "functions not remembered for lack of memory", 1, NULL);
    p->named = o;
    return &p->named;
}

object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar, bool shows_name)
{
    const void *address = host_asked_function(L, ar);
    object *known = objects_find(&p->map, address);
    return known ? known : host_name_function(p, L, ar, address, shows_name);
}

toll_frame_id host_frame_of_level(profiler *p, lua_State *L, lua_Debug *ar, bool *is_native)
{
    lua_getinfo(L, "Sf", ar);
    *is_native = lua_iscfunction(L, -1);
    toll_frame_id frame = *is_native ? describe_native(p, L, ar, lua_topointer(L, -1), true).f.frame
                                     : name_lua_function(p, L, ar, true);
    lua_pop(L, 1);
    return frame;
}

toll_frame_id host_frame_of_c_function(profiler *p, lua_State *L, lua_CFunction c)
{
    char name[HOST_NAME_SIZE] = "";
    const void *key = key_of(p, c, NULL);
    const object *known = objects_find(&p->map, key);
    if (known)
        return known->f.flags & OBJECT_HIDDEN ? TOLL_NONE : known->f.frame;
    if (L)
        host_stored_c_name(L, c, name);
    const native_place *at = place_of(p, c, NULL);
    object named = { .address = key };
    named.f.frame = host_frame(&p->names, *name ? name : otherwise_named(at), *name ? "" : at->file,
                               0, TOLL_KIND_NATIVE);
    if (L)
        objects_put(&p->map, named);
    return named.f.frame;
}

toll_frame_id host_frame_of_place(profiler *p, const lua_Debug *ar)
{
    char otherwise[HOST_NAME_SIZE];
    const known_function *known = host_find_place(&p->places, ar);
    if (known)
        return known->frame;
    const char *file = file_of(ar);
    uint32_t line = ar->linedefined > 0 ? (uint32_t)ar->linedefined : 0;
    snprintf(otherwise, sizeof otherwise, "%.100s:%d", base_name(file), ar->linedefined);
    toll_frame_id frame =
        ar->linedefined > 0
            ? host_frame_of_call(&p->names, "", otherwise, file, line, TOLL_KIND_FUNCTION)
            : host_frame(&p->names, "main chunk", file, line, TOLL_KIND_FUNCTION);
    host_remember_place(&p->places, ar, frame);
    return frame;
}
