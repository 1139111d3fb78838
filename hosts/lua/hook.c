/* hook.c - Lua's call, return and count events turned into the recorder's. The hot path.
 *
 * Errors leave no return events behind, so each event first brings our stack in line with Lua's:
 * a frame is known by its CallInfo (see struct entry), and frames of ours that no longer stand
 * are left. Time is charged to whoever stood since the event before. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#if LUA_VERSION_NUM >= 502
#define IS_51 0
#else
#define IS_51 1
#define LUA_HOOKTAILCALL (-1)
#endif
#ifndef LUA_HOOKTAILRET
#define LUA_HOOKTAILRET (-1)
#endif

/* --- CallInfo: what Lua's headers do not tell but every release has --------------------------------
 *
 * Reading the function and the caller of a frame through lua_getinfo and lua_getstack costs more than
 * all else here. The layouts below are those of the releases; host_probe holds them against the
 * public functions in the very interpreter at hand, and without a match they are not used. */

static uintptr_t ci_of(const profiler *p, const lua_Debug *ar)
{
#if IS_51
    return (uintptr_t)(p->jit ? ar->i_ci & 0xffff : ar->i_ci);
#else
    (void)p;
    return (uintptr_t)ar->i_ci;
#endif
}

static const void *fast_function(bool jit, lua_State *L, const lua_Debug *ar)
{
#if IS_51
    const char *l = (const char *)L;
    if (jit) { /* GC64: lua_State.base at 32; the function lies two slots below, tagged */
        const char *base = *(const char *const *)(l + 32);
        uint64_t tagged = *(const uint64_t *)(base - 16);
        return (const void *)(uintptr_t)(tagged & (((uint64_t)1 << 47) - 1));
    }
    /* lua_State.ci at 40; CallInfo { base, func, ... }; func points to the function's value */
    const char *ci = *(const char *const *)(l + 40);
    (void)ar;
    return **(const void *const *const *)(ci + 8);
#else
    (void)jit;
    (void)L;
    return **(const void *const *const *)ar->i_ci; /* CallInfo { func, top, previous, next, ... } */
#endif
}

#if !IS_51
struct fast_ci {
    const void *func, *top;
    const struct fast_ci *previous;
};

/* The caller's CallInfo; 0 for the outermost frame. */
static uintptr_t fast_caller(const lua_Debug *ar)
{
    const struct fast_ci *caller = ((const struct fast_ci *)(const void *)ar->i_ci)->previous;
    return caller && caller->previous ? (uintptr_t)caller : 0;
}

static uintptr_t caller_ci(const profiler *p, lua_State *L, const lua_Debug *ar)
{
    lua_Debug caller;
    if (p->fast)
        return fast_caller(ar);
    return lua_getstack(L, 1, &caller) ? (uintptr_t)caller.i_ci : 0;
}
#endif

const void *host_function_address(profiler *p, lua_State *L, lua_Debug *ar)
{
    if (p->fast)
        return fast_function(p->jit, L, ar);
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    return address;
}

/* Would reading 8 bytes there be a fault? Asked of the kernel: write() tells without a signal. */
static bool readable(int pipe_end, const void *address)
{
    char sink[8];
    (void)sink;
    return address && write(pipe_end, address, 8) == 8;
}

static int probe_pipe[2];
static int probe_hits, probe_misses;
static bool probe_jit;

static bool probe_one(lua_State *L, lua_Debug *ar)
{
#if IS_51
    const char *l = (const char *)L;
    const char *const *field = (const char *const *)(l + (probe_jit ? 32 : 40));
    const char *next = *field;
    if (!readable(probe_pipe[1], next + (probe_jit ? -16 : 8)))
        return false;
    if (!probe_jit && !readable(probe_pipe[1], *(const void *const *)(next + 8)))
        return false;
#else
    if (!readable(probe_pipe[1], ar->i_ci) ||
        !readable(probe_pipe[1], *(const void *const *)(const void *)ar->i_ci) ||
        !readable(probe_pipe[1], (const char *)(const void *)ar->i_ci + 16))
        return false;
    const struct fast_ci *previous = ((const struct fast_ci *)(const void *)ar->i_ci)->previous;
    lua_Debug caller;
    if (previous && !readable(probe_pipe[1], (const char *)previous + 16))
        return false;
    if (fast_caller(ar) != (lua_getstack(L, 1, &caller) ? (uintptr_t)caller.i_ci : 0))
        return false;
#endif
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    return fast_function(probe_jit, L, ar) == address;
}

static void probe_hook(lua_State *L, lua_Debug *ar)
{
    if (probe_one(L, ar))
        probe_hits++;
    else
        probe_misses++;
}

/* Does the fast way see what the public one sees, for calls of Lua and C functions? Runs a few
 * calls on a coroutine of its own. Once a process and start: its state is static. */
bool host_probe(lua_State *L, bool jit)
{
    static const char code[] = "local function f(n) if n > 0 then f(n - 1) end return tostring(n) end"
                               " f(3) pcall(f, 2) string.rep('x', 3)";
    lua_Hook old = lua_gethook(L);
    int old_mask = lua_gethookmask(L), old_count = lua_gethookcount(L);
    if (pipe(probe_pipe) != 0)
        return false;
    probe_hits = probe_misses = 0;
    probe_jit = jit;
    if (luaL_loadstring(L, code) == 0) {
        lua_sethook(L, probe_hook, LUA_MASKCALL, 0);
        lua_pcall(L, 0, 0, 0);
        lua_sethook(L, old, old_mask, old_count);
    } else {
        lua_pop(L, 1);
    }
    close(probe_pipe[0]);
    close(probe_pipe[1]);
    return probe_hits >= 8 && probe_misses == 0;
}

/* --- our stack ------------------------------------------------------------------------------------*/

static void push(coroutine *co, uintptr_t ci, toll_frame_id frame, uint32_t flags)
{
    if (co->depth == co->capacity) {
        size_t capacity = co->capacity ? co->capacity * 2 : 16;
        entry *stack = realloc(co->stack, capacity * sizeof *stack);
        if (!stack)
            return; /* the frame is not followed; its return will not be found, and is let be */
        co->stack = stack;
        co->capacity = capacity;
    }
    co->stack[co->depth++] = (entry){ ci, flags, frame };
}

/* The innermost frame is left. */
static void pop(profiler *p, coroutine *co)
{
    if (!(co->stack[--co->depth].flags & OBJECT_HIDDEN))
        toll_recorder_return(p->recorder, p->now);
}

static object describe(profiler *p, lua_State *L, lua_Debug *ar)
{
    const void *address = host_function_address(p, L, ar);
    const object *known = objects_find(&p->map, address);
    return known ? *known : host_name_function(p, L, ar, address);
}

static void enter(profiler *p, coroutine *co, uintptr_t ci, const object *o)
{
    push(co, ci, o->frame, o->flags);
    if (!(o->flags & OBJECT_HIDDEN))
        toll_recorder_call(p->recorder, o->frame, p->now);
}

static void replace_top(profiler *p, coroutine *co, const object *o)
{
    entry *top = &co->stack[co->depth - 1];
    bool was_hidden = (top->flags & OBJECT_HIDDEN) != 0, hidden = (o->flags & OBJECT_HIDDEN) != 0;
    if (!was_hidden && !hidden)
        toll_recorder_tail_call(p->recorder, o->frame, p->now);
    else if (!was_hidden)
        toll_recorder_return(p->recorder, p->now);
    else if (!hidden)
        toll_recorder_call(p->recorder, o->frame, p->now);
    top->frame = o->frame;
    top->flags = o->flags;
}

/* --- adoption ---------------------------------------------------------------------------------------*/

/* The frame of one standing level; `ar` names it. Outermost C functions without a name are the
 * interpreter's own. */
static object describe_level(profiler *p, lua_State *L, lua_Debug *ar, bool outermost)
{
    object o;
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    bool native = lua_iscfunction(L, -1);
    lua_pop(L, 1);
    const object *known = objects_find(&p->map, address);
    o = known ? *known : host_name_function(p, L, ar, address);
    if (outermost && native && L == p->L && !(o.flags & OBJECT_HIDDEN))
        o.frame = host_frame(p, "(lua)", "", 0, TOLL_KIND_NATIVE);
    return o;
}

/* The levels that stand on L, outermost first, from `first` on (0 is the innermost): entered without
 * counting a call. The innermost `hide` of them are the profiler's own doing. */
static void adopt_levels(profiler *p, coroutine *co, lua_State *L, int first, int hide)
{
    lua_Debug ar;
    int levels = 0;
    while (lua_getstack(L, levels, &ar)) /* each look costs its level: paid once a coroutine */
        levels++;
    for (int level = levels - 1; level >= first; level--) {
        if (!lua_getstack(L, level, &ar))
            continue;
#if IS_51
        if (!p->jit && ar.i_ci == 0)
            continue; /* a frame that a tail call took the place of */
#endif
        object o = describe_level(p, L, &ar, level == levels - 1);
        if (level < hide)
            o.flags |= OBJECT_HIDDEN;
        push(co, ci_of(p, &ar), o.frame, o.flags);
        if (!(o.flags & OBJECT_HIDDEN))
            toll_recorder_adopt(p->recorder, &o.frame, 1, p->now);
    }
}

void host_adopt(profiler *p, coroutine *co, int hide)
{
    adopt_levels(p, co, co->L, 0, hide);
}

/* --- coroutines -------------------------------------------------------------------------------------*/

static toll_track *new_track(profiler *p, coroutine *co, lua_State *L, int levels, lua_Debug *ar)
{
    char name[256] = "main";
    toll_track *track;
    lua_Debug body = *ar;
    if (co->L == p->L)
        return toll_recorder_main_track(p->recorder);
    if (levels > 0)
        lua_getstack(L, levels - 1, &body);
    object o = describe_level(p, L, &body, false);
    const char *of = o.frame < p->frame_name_count ? p->frame_names[o.frame] : "?";
    snprintf(name, sizeof name, "coroutine %s", of ? of : "?");
    if (toll_recorder_new_track(p->recorder, name, &track, NULL))
        return toll_recorder_main_track(p->recorder);
    return track;
}

static int count_levels(lua_State *L)
{
    lua_Debug ar;
    int low = 0, high = 1;
    while (lua_getstack(L, high, &ar))
        low = high, high *= 2;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (lua_getstack(L, middle, &ar))
            low = middle;
        else
            high = middle;
    }
    return low + lua_getstack(L, 0, &ar);
}

/* A coroutine seen for the first time, at event `ar`: what stands on it is adopted once it is current. */
static coroutine *new_coroutine(profiler *p, lua_State *L, lua_Debug *ar)
{
    coroutine *co = calloc(1, sizeof *co);
    if (!co)
        return NULL;
    co->L = L;
    if (!objects_put(&p->map, (object){ L, co, 0, OBJECT_COROUTINE })) {
        free(co);
        return NULL;
    }
    co->track = new_track(p, co, L, count_levels(L), ar);
    co->user_mask = p->user_global_mask;
    return co;
}

/* It was collected, suspended or dead. Nobody may point to it any more. */
void host_free_coroutine(profiler *p, coroutine *co)
{
    object gone;
    objects_take(&p->map, co->L, &gone);
    if (p->active && co->track != toll_recorder_main_track(p->recorder))
        toll_recorder_end_track(p->recorder, co->track, p->now);
    if (p->co == co)
        p->co = co->resumer ? co->resumer : p->main_co;
    for (coroutine *r = p->co; r; r = r->resumer)
        if (r->resumer == co)
            r->resumer = co->resumer;
    free(co->stack);
    free(co);
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

coroutine *host_coroutine(profiler *p, lua_State *L, lua_Debug *ar)
{
    const object *known = objects_find(&p->map, L);
    coroutine *co = known ? known->co : NULL;
    bool is_new = !co;
    if (is_new) {
        co = new_coroutine(p, L, ar);
        if (!co)
            return NULL;
    }
    if (co == p->co)
        return co;
    if (is_resumer(p, co)) {
        for (coroutine *r = p->co, *next; r && r != co; r = next) {
            next = r->resumer;
            r->resumer = NULL;
        }
        toll_recorder_switch(p->recorder, co->track, p->now);
    } else {
        co->resumer = p->co;
        toll_recorder_resume(p->recorder, co->track, p->now);
    }
    p->co = co;
    if (is_new)
        adopt_levels(p, co, L, ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL, 0);
    return co;
}

void host_set_hook(profiler *p, lua_State *L)
{
    const object *known = objects_find(&p->map, L);
    int user = known && known->co ? known->co->user_mask : p->user_global_mask;
    int mask = p->mask | user;
    int count = 0;
    if (p->armed || p->options.ticks) {
        mask |= LUA_MASKCOUNT;
        count = 1;
    } else if (user & LUA_MASKCOUNT && known && known->co) {
        count = known->co->user_count;
    }
    lua_sethook(L, host_hook, mask, count);
}

/* A coroutine from before the start goes on now: see its events too. */
static void hook_resumed(profiler *p, lua_State *L, lua_Debug *ar, uint32_t flags)
{
    if (p->jit)
        return; /* one hook for all */
    lua_State *co = NULL;
    int top = lua_gettop(L);
    if (flags & OBJECT_RESUME) {
        if (lua_getlocal(L, ar, 1))
            co = lua_tothread(L, -1);
    } else {
        lua_getinfo(L, "f", ar);
        if (lua_getupvalue(L, -1, 1))
            co = lua_tothread(L, -1);
    }
    lua_settop(L, top);
    if (co && lua_gethook(co) != host_hook && lua_gethook(co) == NULL)
        host_set_hook(p, co);
}

/* --- events -----------------------------------------------------------------------------------------*/

#if IS_51

/* LuaJIT tells no return of C functions: while one is innermost, the next instruction tells. 5.1 with
 * heap: a pending callee must be placed before it allocates. */
static void arm(profiler *p, lua_State *L, bool on)
{
    if (p->armed != on) {
        p->armed = on;
        host_set_hook(p, L);
    }
}

/* The pending callee of Lua 5.1 was a tail call (it took the caller's place) or a plain one. */
static void settle(profiler *p, coroutine *co, bool tail)
{
    object o = { .frame = co->pending_frame };
    co->pending = false;
    if (tail)
        replace_top(p, co, &o);
    else
        enter(p, co, co->stack[co->depth - 1].ci + 1, &o);
}

/* What the event at level `ci` says about a pending callee: the caller stands at `level`. A tail
 * callee has come down to the caller's level, a plain one stands above it. */
static void settle_by(profiler *p, coroutine *co, int event, uintptr_t ci)
{
    uintptr_t level = co->stack[co->depth - 1].ci;
    if (event == LUA_HOOKCALL)
        settle(p, co, ci == level + 1);
    else
        settle(p, co, ci == level);
}

static void on_call(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = ci_of(p, ar);
    while (co->depth && co->stack[co->depth - 1].ci >= ci)
        if (p->jit && co->stack[co->depth - 1].ci == ci)
            break;
        else
            pop(p, co);
    object o = describe(p, L, ar);
    bool top_is_lua = co->depth && !(co->stack[co->depth - 1].flags & (OBJECT_NATIVE | OBJECT_HIDDEN));
    if (p->jit && co->depth && co->stack[co->depth - 1].ci == ci) {
        replace_top(p, co, &o); /* a tail call, or the same place after an error */
    } else if (!p->jit && top_is_lua && !(o.flags & OBJECT_NATIVE) &&
               co->stack[co->depth - 1].ci + 1 == ci) {
        toll_recorder_charge(p->recorder, p->now);
        co->pending = true;
        co->pending_frame = o.frame;
        if (p->options.heap)
            arm(p, L, true);
        return;
    } else {
        enter(p, co, ci, &o);
    }
    if (p->jit)
        arm(p, L, (o.flags & OBJECT_NATIVE) != 0);
    if (o.flags & (OBJECT_RESUME | OBJECT_WRAP))
        hook_resumed(p, L, ar, o.flags);
}

static void on_return(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = ci_of(p, ar);
    while (co->depth && co->stack[co->depth - 1].ci > ci)
        pop(p, co);
    if (co->depth && co->stack[co->depth - 1].ci == ci)
        pop(p, co);
    else
        toll_recorder_note(p->recorder, "returns without a call", 1, NULL);
    if (p->jit)
        arm(p, L, co->depth && co->stack[co->depth - 1].flags & OBJECT_NATIVE);
}

/* One instruction of the function at `ci` is about to run: C functions above it have returned. */
static void on_instruction(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    if (!p->armed)
        return;
    if (p->jit) {
        uintptr_t ci = ci_of(p, ar);
        while (co->depth && co->stack[co->depth - 1].ci > ci)
            pop(p, co);
    }
    arm(p, L, false);
}

#else

static void pop_to(profiler *p, coroutine *co, size_t depth)
{
    while (co->depth > depth)
        pop(p, co);
}

/* Make the frame `ci` innermost, or nothing if it is 0. False: it is not on our stack at all. */
static bool unwind_to(profiler *p, coroutine *co, uintptr_t ci)
{
    size_t depth = co->depth;
    if (depth && co->stack[depth - 1].ci == ci)
        return true;
    while (ci && depth && co->stack[depth - 1].ci != ci)
        depth--;
    pop_to(p, co, ci ? depth : 0);
    return ci == 0 || depth > 0;
}

static void on_call(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = ci_of(p, ar);
    bool tail = ar->event == LUA_HOOKTAILCALL;
#if LUA_VERSION_NUM >= 504
    uintptr_t below = tail ? ci : caller_ci(p, L, ar); /* the callee is in place already */
#else
    uintptr_t below = caller_ci(p, L, ar); /* the callee comes down to the caller's place */
#endif
    if (!unwind_to(p, co, below))
        adopt_levels(p, co, L, 1, 0);
    object o = describe(p, L, ar);
    if (tail && co->depth && co->stack[co->depth - 1].ci == below)
        replace_top(p, co, &o);
    else
        enter(p, co, ci, &o);
    if (o.flags & (OBJECT_RESUME | OBJECT_WRAP))
        hook_resumed(p, L, ar, o.flags);
}

static void on_return(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = ci_of(p, ar);
    size_t depth = co->depth;
    (void)L;
    if (depth && co->stack[depth - 1].ci == ci) {
        pop(p, co);
        return;
    }
    while (depth && co->stack[depth - 1].ci != ci)
        depth--;
    if (depth)
        pop_to(p, co, depth - 1);
    else
        toll_recorder_note(p->recorder, "returns without a call", 1, NULL);
}

#endif

static void handle(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
#if IS_51
    if (co->pending && ar->event != LUA_HOOKTAILRET && ar->event != LUA_HOOKLINE)
        settle_by(p, co, ar->event, ci_of(p, ar));
    if (ar->event == LUA_HOOKCOUNT)
        on_instruction(p, co, L, ar);
#endif
    if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL)
        on_call(p, co, L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(p, co, L, ar);
}

static _Thread_local profiler *last_used;

void host_hook(lua_State *L, lua_Debug *ar)
{
    profiler *p = last_used;
    if (!p || !p->active || p->co->L != L) {
        p = host_find(L);
        if (!p || !p->active)
            return;
        last_used = p;
    }
    if (ar->event == LUA_HOOKCOUNT && p->options.ticks) {
        p->now[p->tick_counter]++;
        if (!p->armed && !p->co->pending && p->co->L == L && !p->user_hooks)
            return;
    }
    p->busy = 1;
    host_read_counters(p);
    coroutine *co = p->co->L == L ? p->co : host_coroutine(p, L, ar);
    if (co)
        handle(p, co, L, ar);
    p->busy = 0;
    if (p->signalled)
        host_die_of_signal(p);
    if (p->user_hooks && co)
        host_call_user_hook(p, co, L, ar);
}
