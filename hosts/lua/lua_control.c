/* lua_control.c - see lua_control.h. */
#include "lua_control.h"

#include <stdio.h>
#include <stdlib.h>

#include "control_data.h"
#include "host_calls.h"
#include "running_stack.h"
#include "user_hook.h"

_Atomic(control *) host_controls;
static _Atomic int requests;                 /* controls with `requested` */
static void (*_Atomic attach)(lua_State *L); /* of host_control_attach */

control *host_control_of(const profiler *p)
{
    control *c = p ? atomic_load(&host_controls) : NULL;
    while (c && (c->p != p || !atomic_load(&c->L)))
        c = c->next;
    return c;
}

host_outcome *host_control_outcome(const profiler *p)
{
    control *c = host_control_of(p);
    return c ? &c->outcome : NULL;
}

bool host_control_wants(const profiler *p)
{
    const control *c = host_control_of(p);
    return c && atomic_load(&c->on);
}

bool host_control_wants_snapshot(const profiler *p)
{
    control *c = host_control_of(p);
    return c && atomic_exchange(&c->wants_snapshot, false);
}

/* --- in the state's thread ---------------------------------------------------------------------*/

static void on_next_instruction(lua_State *L, lua_Debug *ar);

/* Does a hook of the recording see the next event of its current coroutine? Then a request needs no
 * hook of its own, which would have to take the place of that one. */
static bool is_traced(const profiler *p)
{
    return p->active && !p->options.sample_hz && !p->jit;
}

/* Have the next instruction of L call us: by all events, since Lua 5.4 sees no instructions of a
 * function that is at a line event. Safe in a signal's handler, as lua_sethook is. */
static void arm(control *c, int which, lua_State *L)
{
    host_waiting *w = &c->p->waiting;
    lua_Hook hook = lua_gethook(L);
    const int mask = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT;
    if (hook != on_next_instruction) {
        w->of[which].former = (user_hook){ .hook = hook };
        if (hook) {
            w->of[which].former.mask = lua_gethookmask(L);
            w->of[which].former.count = lua_gethookcount(L);
        }
        w->hook = on_next_instruction;
        w->of[which].L = L;
    }
    lua_sethook(L, on_next_instruction, mask, 1);
}

/* Give L its hook back, if it has ours. */
static void disarm(control *c, lua_State *L)
{
    host_waiting *w = &c->p->waiting;
    user_hook former = host_former_hook(c->p, L);
    for (int i = 0; i < HOST_MOST_WAITING; i++)
        if (w->of[i].L == L)
            w->of[i].L = NULL;
    if (lua_gethook(L) != on_next_instruction)
        return;
    if (c->p->active && !c->p->options.sample_hz)
        host_set_hook(c->p, L);
    else
        lua_sethook(L, former.hook, former.mask, former.count);
}

/* Have the request noticed, if possible at the next instruction of the coroutine that runs. Nothing
 * is changed in the middle of a change: that ends with after_change. */
static void await_turn(control *c)
{
    profiler *p = c->p;
    lua_State *main_thread = atomic_load(&c->L), *running = NULL;
    if (is_traced(p)) {
        running = p->co->L;
        if (running && host_is_hook(p, lua_gethook(running)))
            lua_sethook(running, p->hook, lua_gethookmask(running) | LUA_MASKCOUNT, 1);
        return;
    }
    if (c->stack.now)
        running = host_running_stack_read(&c->stack);
    arm(c, HOST_MAIN_WAITS, main_thread);
    if (running && running != main_thread)
        arm(c, HOST_RUNNING_WAITS, running);
}

static void before_call(lua_State *L);

/* Have the host's calls seen while they are of use. Other threads may change that at the same
 * time. */
static void watch_calls(void)
{
    host_before_call = before_call;
    if (!atomic_load(&requests) && !atomic_load(&attach))
        host_before_call = NULL;
    if (atomic_load(&requests) || atomic_load(&attach))
        host_before_call = before_call;
}

void host_control_attach(void (*function)(lua_State *L))
{
    atomic_store(&attach, function);
    watch_calls();
}

/* There is one request more. */
void host_add_request(control *c)
{
    if (!atomic_exchange(&c->requested, true))
        atomic_fetch_add(&requests, 1);
    watch_calls();
}

/* There is one request less. Another thread may make one at the same time. */
void host_end_request(control *c)
{
    if (atomic_exchange(&c->requested, false) && atomic_fetch_sub(&requests, 1) == 1)
        watch_calls();
}

/* Does L run one of the functions that begin and end a recording? They call Lua, and must not be
 * called in the middle of one another. */
static bool is_within_turn(const control *c, lua_State *L)
{
    enum { MOST_LEVELS = 200 };
    lua_Debug ar;
    bool found = false;
    for (int level = 0; !found && level < MOST_LEVELS && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "f", &ar);
        lua_CFunction f = lua_tocfunction(L, -1);
        lua_pop(L, 1);
        for (const lua_CFunction *own = c->functions; f && *own; own++)
            found |= f == *own;
    }
    return found;
}

/* Called at a point where Lua may be called. Within a turn the request stays. */
void host_take_request(control *c, lua_State *L)
{
    profiler *p = c->p;
    if (!lua_checkstack(L, LUA_MINSTACK) || is_within_turn(c, L))
        return;
    p->turn = NULL;
    atomic_store(&c->is_taken, true);
    host_end_request(c);
    if (is_traced(p))
        host_set_hook(p, L); /* without the instruction that await_turn wanted */
    disarm(c, L);
    disarm(c, atomic_load(&c->L));
    host_update_fast(p);
    lua_pushcfunction(L, c->functions[0]);
    if (lua_pcall(L, 0, 0, 0)) {
        const char *message = lua_tostring(L, -1);
        if (!message)
            message = "toll: out of memory";
        fprintf(stderr, "%s\n", message);
        host_outcome_fail(&c->outcome, message);
        lua_pop(L, 1);
    }
    atomic_store(&c->is_taken, false);
}

static void on_next_instruction(lua_State *L, lua_Debug *ar)
{
    control *c = host_control_of(host_find(L));
    if (!c) {
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    profiler *p = c->p;
    bool was_traced = p->active && !p->options.sample_hz;
    if (atomic_load(&c->requested))
        host_take_request(c, L);
    else
        disarm(c, L);
    if (was_traced && p->active) /* LuaJIT: its recording goes on, and misses no event */
        p->hook(L, ar);
}

/* The same, outside of the handler. */
static void arm_safely(control *c, lua_State *L)
{
    atomic_store(&c->is_arming, true);
    if (L)
        arm(c, L == atomic_load(&c->L) || c->p->jit ? HOST_MAIN_WAITS : HOST_RUNNING_WAITS, L);
    else
        await_turn(c);
    atomic_store(&c->is_arming, false);
}

static void after_change(profiler *p, lua_State *L);

static void before_call(lua_State *L)
{
    void (*also)(lua_State *) = atomic_load(&attach);
    if (also)
        also(L);
    control *c = host_control_of(host_find(L));
    if (c && c->is_attached && !pthread_equal(c->begun_by, pthread_self()))
        atomic_store(&c->is_shared, true);
    if (!c || !atomic_load(&c->requested))
        return;
    atomic_store(&c->thread,
                 host_kernel_thread()); /* a server may have made the state in another one */
    c->p->turn = after_change;
    atomic_store_explicit(&c->p->fast_for, NULL, memory_order_relaxed);
    if (is_traced(c->p))
        return; /* the recording's hook is on L already, or is set on it now */
    arm_safely(c, L);
}

static void after_change(profiler *p, lua_State *L)
{
    control *c = host_control_of(p);
    if (!c || !atomic_load(&c->requested))
        p->turn = NULL;
    else if (L)
        host_take_request(c, L);
    else
        arm_safely(c, NULL);
}

void host_request(control *c)
{
    profiler *p = c->p;
    p->turn = after_change;
    atomic_store_explicit(&p->fast_for, NULL, memory_order_relaxed);
    if (!atomic_load(&c->is_arming) && (!atomic_load(&p->busy) || is_traced(p)))
        await_turn(c);
}
