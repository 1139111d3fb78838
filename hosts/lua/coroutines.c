/* coroutines.c - which coroutine an event comes from, and the frames that stand when one is first
 * met. */
#include <stdio.h>
#include <stdlib.h>

#include "layout.h"
#include "record/recorder_inline.h"

enum { FIRST_FRAMES = 8 };

/* --- adoption ----------------------------------------------------------------------------------*/

/* The outermost frame of L; false: none stands. `ar` may hold any level. */
static bool outermost_level(profiler *p, lua_State *L, lua_Debug *ar)
{
    int low = 0, high = 1;
    if (!lua_getstack(L, 0, ar))
        return false;
#if IS_51
    if (!p->jit) {
        ar->i_ci = 1; /* levels that a tail call took the place of have no CallInfo */
        return true;
    }
#endif
    (void)p;
    while (lua_getstack(L, high, ar))
        low = high, high *= 2;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (lua_getstack(L, middle, ar))
            low = middle;
        else
            high = middle;
    }
    return lua_getstack(L, low, ar) != 0;
}

/* The CallInfo of a level, as lua_Debug.i_ci has it; 0: there is no such level. */
static uintptr_t level_ci(lua_State *L, int level)
{
    lua_Debug ar;
    return lua_getstack(L, level, &ar) ? (uintptr_t)ar.i_ci : 0;
}

/* The next level outwards. lua_getstack takes as many steps as the level is deep, so where frames
 * can be followed by themselves they are. */
static uintptr_t next_ci(const profiler *p, lua_State *L, int level, uintptr_t ci)
{
#if IS_51
    return p->jit ? level_ci(L, level) : ci - 1; /* 5.1 numbers them from 1 */
#else
    return p->fast ? layout_caller_of(ci) : level_ci(L, level);
#endif
}

/* The CallInfo of all levels of L from `first` up, the innermost first: an array of *count, the
 * caller's to free. Without memory for all, the outer ones are missing. */
static uintptr_t *standing_levels(const profiler *p, lua_State *L, int first, size_t *count)
{
    size_t capacity = 0;
    uintptr_t *levels = NULL;
    int level = first;
    *count = 0;
    for (uintptr_t ci = level_ci(L, level); ci; ci = next_ci(p, L, ++level, ci)) {
        if (*count == capacity) {
            size_t wanted = capacity ? capacity * 2 : 64;
            uintptr_t *more = realloc(levels, wanted * sizeof *more);
            if (!more)
                break;
            levels = more;
            capacity = wanted;
        }
        levels[(*count)++] = ci;
    }
    return levels;
}

static void set_level(lua_Debug *ar, uintptr_t ci)
{
#if IS_51
    ar->i_ci = (int)ci;
#else
    ar->i_ci = (void *)ci;
#endif
}

/* The levels that stand on L, outermost first, from `first` on (0 is the innermost): entered
 * without counting a call. The innermost `hide` of them are the profiler's own doing. */
void host_adopt(profiler *p, coroutine *co, lua_State *L, int first, int hide)
{
    lua_Debug ar = { 0 };
    size_t count;
    uintptr_t *levels = standing_levels(p, L, first, &count);
    for (size_t n = count; n-- > 0;) {
        set_level(&ar, levels[n]);
        const object *o = host_function_of(p, L, &ar, true);
        frame_ref f = o->f;
        f.flags &= ~(uint32_t)OBJECT_OPEN_NAME;
        if (n < (size_t)hide)
            f.flags |= OBJECT_HIDDEN;
        /* The outermost C function of the main thread is the interpreter itself. */
        if (n + 1 == count && f.flags == OBJECT_NATIVE && host_is_main_thread(L))
            f.frame = host_frame(p, "(lua)", "", 0, TOLL_KIND_NATIVE);
#if IS_51
        if (f.flags & OBJECT_NATIVE) {
            bool is_host = n + 1 == count && host_is_main_thread(L);
            f = host_native(f, is_host ? JIT_NOWHERE : JIT_ANY, co->landing);
            co->landing = host_native_next(f);
        }
#endif
        host_adopt_frame(p, co, layout_ci(p->jit, &ar), f);
    }
    free(levels);
}

/* --- coroutines --------------------------------------------------------------------------------*/

static toll_track *new_track(profiler *p, lua_State *L, lua_Debug *ar)
{
    char name[256];
    toll_track *track;
    lua_Debug body = *ar;
    outermost_level(p, L, &body);
    const object *o = host_function_of(p, L, &body, true);
    const char *of = host_frame_name(p, o->f.frame);
    snprintf(name, sizeof name, "coroutine %s", of ? of : "?");
    if (toll_recorder_new_track(p->recorder, name, &track, NULL))
        return toll_recorder_main_track(p->recorder);
    return track;
}

static coroutine *make_coroutine(const profiler *p, lua_State *L)
{
    coroutine *co = calloc(1, sizeof *co);
    entry *stack = calloc(FIRST_FRAMES, sizeof *stack);
    if (!co || !stack) {
        free(co);
        free(stack);
        return NULL;
    }
    co->L = L;
    co->user = host_inherited_hook(p);
    co->stack = co->top = stack;
    co->last = stack + FIRST_FRAMES - 1;
#if IS_51
    if (p->jit) /* who resumes is like a C function that it was called from */
        stack->f = host_native((frame_ref){ .flags = OBJECT_NATIVE }, JIT_OUTSIDE, JIT_OUTSIDE);
    co->landing = JIT_OUTSIDE;
    co->landing_outside = JIT_ANY;
#else
    (void)p;
#endif
    return co;
}

static bool put_coroutine(profiler *p, const void *thread, coroutine *co)
{
    object *known = p->map.used ? objects_find(&p->map, thread) : NULL;
    if (known)
        known->co = co;
    return known || objects_put(&p->map, (object){ thread, co, { { 0, OBJECT_COROUTINE } } });
}

coroutine *host_new_coroutine(profiler *p, lua_State *L)
{
    coroutine *co = make_coroutine(p, L);
    if (co && !put_coroutine(p, L, co)) {
        host_drop_coroutine(co);
        return NULL;
    }
    return co;
}

/* Lua has made a coroutine, with our hook. If the host replaces that before the first event,
 * nothing else will tell of it. */
void host_expect_coroutine(profiler *p)
{
    sig_atomic_t was_busy = p->busy;
    p->busy = 1;
    if (!put_coroutine(p, p->new_thread, NULL))
        toll_recorder_note(p->recorder, "coroutines not watched for lack of memory", 1, NULL);
    p->new_thread = NULL;
    host_leave(p, was_busy);
}

/* Its track has no frames, and is of the main thread: "(outside)" in reports. */
bool host_make_outside(profiler *p)
{
    p->outside = make_coroutine(p, NULL);
    return p->outside && !toll_recorder_new_track(p->recorder, "main", &p->outside->track, NULL);
}

coroutine *host_known_coroutine(const profiler *p, lua_State *L)
{
    const object *o = p->map.used ? objects_find(&p->map, L) : NULL;
    return o ? o->co : NULL;
}

void host_drop_coroutine(coroutine *co)
{
    if (co)
        free(co->stack);
    free(co);
}

/* Has the host set a hook of its own, and our entry points do not see what runs under it? */
static bool is_replaced(const object *o)
{
    lua_State *L = (lua_State *)(uintptr_t)o->address;
    return !host_is_hook(lua_gethook(L)) && !(o->co && o->co->is_entered);
}

static void note_replaced(profiler *p, uint64_t count)
{
    toll_recorder_note(p->recorder,
                       "coroutines with a hook of the host's in place of ours: calls under it are "
                       "not seen, their time is that of the frame before, or (outside)",
                       count, NULL);
}

/* Those that are still there; of others it has been told when they were freed. In LuaJIT all share
 * the hook of the first. */
void host_note_replaced(profiler *p)
{
    uint64_t count = 0;
    for (size_t i = 0; i < p->map.slot_count; i++) {
        const object *o = &p->map.slots[i];
        if (o->address && o->f.flags & OBJECT_COROUTINE && (!p->jit || o->co == p->main_co))
            count += is_replaced(o);
    }
    if (count)
        note_replaced(p, count);
}

/* Nobody may point to it any more. */
static void forget_coroutine(profiler *p, coroutine *co)
{
    for (coroutine *r = p->co; r; r = r->resumer)
        if (r->resumer == co)
            r->resumer = co->resumer;
    if (p->table.to == co)
        p->table.to = NULL;
    if (p->active && co->track)
        toll_recorder_end_track(p->recorder, co->track, p->now);
    if (p->co == co) {
        host_set_current(p, co->resumer ? co->resumer : p->main_co);
        if (p->active && p->co->track)
            toll_recorder_switch(p->recorder, p->co->track, p->now);
    }
    if (co == p->main_co) { /* kept, as nobody's: it is where time without a coroutine goes */
        co->L = NULL;
        co->top = co->stack;
        host_update_quick(p);
    } else {
        host_drop_coroutine(co);
    }
}

/* It was collected, suspended or dead; its memory is still there. */
void host_free_coroutine(profiler *p, const object *known)
{
    object gone;
    sig_atomic_t was_busy = p->busy;
    p->busy = 1;
    if (p->active && !p->jit && is_replaced(known))
        note_replaced(p, 1);
    objects_take(&p->map, known->address, &gone);
    if (gone.co)
        forget_coroutine(p, gone.co);
    host_leave(p, was_busy);
}

/* Those that were resumed since `to` was current have yielded, ended or failed. */
static void forget_resumers(profiler *p, const coroutine *to)
{
    for (coroutine *r = p->co, *next; r && r != to; r = next) {
        next = r->resumer;
        r->resumer = NULL;
    }
}

/* Is `co` among those that resumed the current one, directly or not? Then it goes on because that
 * one yielded, ended or failed. */
static bool is_resumer(const profiler *p, const coroutine *co)
{
    for (const coroutine *r = p->co->resumer; r; r = r->resumer)
        if (r == co)
            return true;
    return false;
}

/* From the current coroutine to another one that has a track. */
void host_switch_between(profiler *p, coroutine *co, const uint64_t *now)
{
    if (is_resumer(p, co)) {
        forget_resumers(p, co);
        toll_recorder_switch(p->recorder, co->track, now);
    } else {
        co->resumer = p->co;
#if IS_51
        co->landing_outside = host_landing_outside(p->co);
#endif
        toll_recorder_resume(p->recorder, co->track, now);
    }
    host_set_current(p, co);
}

void host_go_back(profiler *p, coroutine *to)
{
    if (!to)
        to = p->outside;
    if (to == p->co || !to->track)
        return;
    host_settle(p, p->co);
    forget_resumers(p, to);
    toll_recorder_switch(p->recorder, to->track, p->now);
    host_set_current(p, to);
}

bool host_has_frames(lua_State *L)
{
    lua_Debug ar;
    return lua_status(L) == 0 && lua_getstack(L, 0, &ar);
}

/* No event tells when a coroutine yields to C code, or ends under a hook that is not ours. The time
 * since the last event is then that of who goes on. */
void host_catch_up(profiler *p)
{
    coroutine *to = p->co;
    while (to && to->L && !host_has_frames(to->L))
        to = to->resumer;
    if (!to)
        to = p->outside;
    if (to == p->co)
        return;
    host_settle(p, p->co);
    forget_resumers(p, to);
    toll_recorder_hand_over(p->recorder, to->track);
    host_set_current(p, to);
}

/* Of L this is the first event. If no frame stands that may have resumed it, the host has; and if
 * that was not seen (entries.c), its yields will not be, either. */
static void note_unseen_resume(profiler *p, lua_State *L)
{
    if (p->co->top == p->co->stack && p->entered != L && !host_is_main_thread(L))
        toll_recorder_note(p->recorder,
                           "coroutines that the host resumes unseen: time after a yield is that of "
                           "the function which yielded, until the next event",
                           1, NULL);
}

/* An event comes from L, which is not the current coroutine: now it is. NULL: no memory. */
coroutine *host_switch(profiler *p, lua_State *L, lua_Debug *ar)
{
    coroutine *co = host_known_coroutine(p, L);
    if (!co)
        co = host_new_coroutine(p, L);
    if (!co || co == p->co)
        return co;
    if (!is_resumer(p, co))
        host_catch_up(p); /* or else who would have resumed this one? */
    host_settle(p, p->co);
    bool is_new = !co->track;
    if (is_new) {
        note_unseen_resume(p, L);
        co->track = new_track(p, L, ar);
    }
    host_switch_between(p, co, p->now);
    if (is_new)
        host_adopt(p, co, L, ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL, 0);
    return co;
}
