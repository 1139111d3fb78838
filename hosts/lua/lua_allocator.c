/* lua_allocator.c - see lua_allocator.h. */
#include "lua_allocator.h"

#include "coroutine_list.h"
#include "process_end.h"

#if LUA_VERSION_NUM >= 503
#define EXTRA_SPACE LUA_EXTRASPACE /* a coroutine's block begins this much before its lua_State */
#else
#define EXTRA_SPACE 0
#endif

static void forget(profiler *p, const void *block)
{
    int was_busy = host_begin_change(p);
    const object *o = objects_find(&p->map, (const char *)block + EXTRA_SPACE);
    object gone;
    if (o && o->f.flags & OBJECT_COROUTINE)
        host_free_coroutine(p, o);
    else
        objects_remove(&p->map, block, &gone);
    host_end_change(p, was_busy);
}

/* Charge an allocation. Lua also allocates a little while our hook runs: that is a change within a
 * change, see host_begin_change. */
static void record(profiler *p, void *old, void *block, size_t size)
{
    int was_busy = host_begin_change(p);
    if (!p->active)
        ;
    else if (old && block)
        toll_recorder_heap_realloc(p->recorder, (uintptr_t)old, (uintptr_t)block, size);
    else if (block)
        toll_recorder_heap_alloc(p->recorder, (uintptr_t)block, size);
    else if (old)
        toll_recorder_heap_free(p->recorder, (uintptr_t)old);
    host_end_change(p, was_busy);
}

static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    profiler *p = user;
    if (p->new_thread)
        host_expect_coroutine(p);
    if (block && new_size == 0) {
        if (p->map.used)
            forget(p, block);
        if (p->active && p->options.heap)
            record(p, block, NULL, 0);
        return p->alloc(p->alloc_user, block, old_size, 0);
    }
    void *moved = p->alloc(p->alloc_user, block, old_size, new_size);
    if (!block && old_size == LUA_TTHREAD && moved && p->active) /* known in Lua 5.2 and later */
        p->new_thread = (char *)moved + EXTRA_SPACE;
    if (moved && new_size && p->active && p->options.heap)
        record(p, block, moved, new_size);
    return moved;
}

void host_replace_allocator(profiler *p, lua_State *L)
{
    if (p->allocator_replaced) /* by an earlier recording */
        return;
    p->alloc = lua_getallocf(L, &p->alloc_user);
    lua_setallocf(L, allocate, p);
    p->allocator_replaced = true;
}

void host_restore_allocator(profiler *p, lua_State *L)
{
    void *user;
    if (p->allocator_replaced && lua_getallocf(L, &user) == allocate && user == p) {
        lua_setallocf(L, p->alloc, p->alloc_user);
        p->allocator_replaced = false;
    }
}

profiler *host_of_allocator(lua_State *L)
{
    void *user;
    return lua_getallocf(L, &user) == allocate ? user : NULL;
}
