/* object_map.h - a hash table from the address of a Lua function or coroutine to what the profiler
 * knows of it.
 *
 * Invariant: each address in the map is that of a living object. The allocator (lua_allocator.c)
 * removes an object when Lua frees it, before the address can be used again. */
#ifndef TOLL_LUA_OBJECT_MAP_H
#define TOLL_LUA_OBJECT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <toll/toll.h>

typedef enum object_flags {
    OBJECT_NATIVE = 1, /* a C function */
    OBJECT_HIDDEN = 2, /* a function of the profiler: it gets no frame in the profile */
    /* Functions that may resume a coroutine which lacks our hook: coroutine.resume, whose first
     * argument is the coroutine, and the functions that coroutine.wrap returns, whose first upvalue
     * is. */
    OBJECT_RESUME = 4,
    OBJECT_WRAP = 8,
    OBJECT_COROUTINE = 16,  /* not a function */
    OBJECT_GOES_ON = 32,    /* LuaJIT: it either returns to its caller or fails, see jit_watch.h */
    OBJECT_YIELD = 64,      /* LuaJIT: coroutine.yield */
    OBJECT_OPEN_NAME = 128, /* its next calls may show a better name, see frame_names.h */
    OBJECT_HELD = 1 << 24   /* of a frame: a hook has yielded in it, see is_repeated */
} object_flags;

/* A function's frame and flags, which are copied as one word. */
typedef union frame_ref {
    struct {
        toll_frame_id frame;
        uint32_t flags;
    };
    uint64_t word;
} frame_ref;

typedef struct object {
    const void *address;  /* NULL: a free slot */
    struct coroutine *co; /* of a coroutine; NULL: it has had no event so far */
    frame_ref f;          /* of a coroutine only the flags */
} object;

typedef struct objects {
    object *slots; /* slot_count is a power of two; at most half of the slots are in use */
    size_t mask;   /* slot_count - 1 */
    size_t slot_count, used;
} objects;

void objects_free(objects *map);

/* Add an object that is not in the map. False: no memory, and nothing has changed. */
bool objects_put(objects *map, object new_object);

/* Remove an object, and copy it to *out. False: there is none at that address. */
bool objects_remove(objects *map, const void *address, object *out);

static inline size_t object_home(const objects *map, const void *address)
{
    return (uint32_t)((uintptr_t)address >> 4) * 0x9e3779b1u >> 8 & map->mask;
}

/* Valid until the map changes; NULL: not found. The map must not be empty. */
static inline object *objects_find(const objects *map, const void *address)
{
    for (size_t i = object_home(map, address);; i = (i + 1) & map->mask) {
        if (map->slots[i].address == address)
            return &map->slots[i];
        if (!map->slots[i].address)
            return NULL;
    }
}

#endif
