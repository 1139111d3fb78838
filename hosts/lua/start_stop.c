/* start_stop.c - see start_stop.h. */
#include "start_stop.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adopt.h"
#include "call_stack.h"
#include "coroutine_list.h"
#include "fast_hook.h"
#include "host_calls.h"
#include "lua_allocator.h"
#include "luajit/jit_return.h"
#include "luajit/jit_watch.h"
#include "process_end.h"
#include "profile_files.h"
#include "lua_recording.h"
#include "run_summary.h"
#include "lua_sampling.h"
#include "user_hook.h"

/* --- the profiler of a Lua state ---------------------------------------------------------------*/

/* Profilers that wait to be used again. They are never freed: a thread that once ran a Lua state
 * may still read `fast_for` of its former profiler (this_thread.h). */
static _Atomic(profiler *) spare;

static _Atomic uint64_t states; /* that a profiler was made for */

static void put_aside(profiler *p)
{
    p->next = atomic_load(&spare);
    while (!atomic_compare_exchange_weak(&spare, &p->next, p))
        ;
}

static profiler *new_profiler(void)
{
    profiler *p =
        atomic_exchange(&spare, NULL); /* the whole list is ours now; the rest is put back */
    profiler *rest = p ? p->next : NULL;
    for (profiler *next; rest; rest = next) {
        next = rest->next;
        put_aside(rest);
    }
    if (!p)
        return calloc(1, sizeof *p);
    memset(&p->fast_for + 1, 0,
           sizeof *p - sizeof p->fast_for); /* all but `fast_for`, which is NULL */
    return p;
}

/* The Lua state closes: write the files that are due, and free everything. */
static int collect(lua_State *L)
{
    profiler **box = lua_touserdata(L, 1);
    profiler *p = *box;
    if (!p)
        return 0;
    host_stop(p, L, true);
    host_finish(p);
    host_restore_allocator(p, L); /* after a failed start it may still be ours */
    *box = NULL;
    host_free_recording(p);
    free(p->timeline_path);
    free(p->labels);
    free(p->kept);
    free(p->output);
    free(p->format);
    free(p->value);
    free(p->title);
    if (!p->allocator_replaced)
        put_aside(p);
    return 0;
}

bool host_is_jit(lua_State *L)
{
#if IS_51
    lua_pushliteral(L, "jit");
    lua_rawget(L, LUA_GLOBALSINDEX); /* raw: a script may have set a metatable */
    bool found = lua_istable(L, -1);
    lua_pop(L, 1);
    return found;
#else
    (void)L;
    return false;
#endif
}

/* Each call of Lua that may fail for lack of memory comes before the profiler is made, or after Lua
 * owns it, so that a failure loses nothing. */
profiler *host_make(lua_State *L)
{
    profiler *p = host_find(L);
    host_main_thread(L); /* known from now on */
    if (p)
        return p;
    bool jit = host_is_jit(L);
    host_keep_field_names(L);
    host_push_key(L);
    profiler **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    lua_newtable(L);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    p = *box = new_profiler();
    if (!p) {
        lua_pop(L, 2);
        return NULL;
    }
    p->pid = getpid();
    p->state = atomic_fetch_add(&states, 1);
    p->jit = jit;
    lua_rawset(L, LUA_REGISTRYINDEX);
    return p;
}

/* --- functions of Lua that matter --------------------------------------------------------------*/

/* Call jit.status(), jit.off() or the like, and return its first result. Compiled code calls no
 * hooks, so the compiler is off during a recording. False: there is no such function. */
static bool call_jit(lua_State *L, const char *function)
{
    int top = lua_gettop(L);
    host_push_library_function(L, "jit", function);
    bool result = lua_pcall(L, 0, 1, 0) == 0 && lua_toboolean(L, -1);
    lua_settop(L, top);
    return result;
}

/* --- start -------------------------------------------------------------------------------------*/

static bool make_main_coroutine(profiler *p, lua_State *L)
{
    coroutine *co = host_new_coroutine(p, L);
    if (!co)
        return false;
    co->track = toll_recorder_main_track(p->recorder);
    if (host_is_main_thread(L))
        co->landing_outside = JIT_NOWHERE;
    p->main_co = co;
    host_set_current(p, co);
    return true;
}

#if IS_51

/* Use LuaJIT's dispatch table in place of the count hook, see jit_table.h. */
static void use_jit_table(profiler *p, lua_State *L)
{
    if (!jit_table_find(&p->table, L, p->hook, host_hook_mask(p))) {
        host_set_hook(p, L);
        return;
    }
    p->table.after = host_return_routine(p->table.each);
    if (!p->armed)
        jit_table_see_each(&p->table, false);
}

#endif

static void hook_main_thread(profiler *p, lua_State *L)
{
    host_set_hook(p, L);
#if IS_51
    if (p->jit && p->reads_callinfo && !p->options.ticks && !p->options.lines && !p->user.mask)
        use_jit_table(p, L);
#endif
    if (p->jit || host_is_main_thread(L))
        return;
    lua_State *main_thread = host_main_thread(L);
    if (main_thread) {
        host_take_over_hook(p, main_thread);
        host_set_hook(p, main_thread);
    } else {
        toll_recorder_note(
            p->recorder,
            "starts in a coroutine of Lua 5.1, which does not show its main thread: calls there "
            "are not seen",
            1, NULL);
    }
}

/* Prepare to see every call. */
static void begin_tracing(profiler *p, lua_State *L)
{
    if (p->jit) {
        p->jit_was_on |= call_jit(L, "status"); /* |=: after a failed start it is off already */
        call_jit(L, "off");
        call_jit(L, "flush");
    }
    p->reads_callinfo = host_has_layout(p, L);
#if IS_51
    if (p->jit && p->reads_callinfo)
        host_find_jit_switches(p, L);
#endif
    host_watch_calls();
    host_replace_allocator(p, L);
    host_replace_debug(p, L);
}

static void choose_hook(profiler *p)
{
    p->hooks[0] = host_hook(p->jit, false, false);
    p->hooks[1] = host_hook(p->jit, false, true);
    p->hooks[2] = host_hook(p->jit, true, false);
    p->hook = p->options.lines ? p->hooks[2] : p->hooks[p->options.timeline != NULL];
}

bool host_start(profiler *p, lua_State *L, const host_options *options, toll_error *err)
{
    host_free_recording(p);
    p->options = *options;
    if (toll_start_time(&p->start_real_ns, err))
        return false;
    p->pid = getpid();
    host_set_last(p);
    p->armed = p->user_hooks = p->user_events = p->may_be_fast = false;
    p->library = (host_coroutine_functions){ NULL, NULL };
    p->entered = NULL;
    p->new_thread = NULL;
    p->named_closure = UINT32_MAX;
    p->user = (user_hook){ 0 };
    choose_hook(p);
    host_name_interpreter(L, p->jit, p->interpreter);
    memset(p->now, 0, sizeof p->now);
    p->own_ns = 0;
    host_start_clock(p);
    host_begin_times(p);
    if (!host_take_labels(p) || host_make_timeline(p, err) || host_make_recorder(p, err) ||
        !make_main_coroutine(p, L) || !host_make_outside(p)) {
        host_free_recording(p);
        return false;
    }
    /* LuaJIT has one hook for all coroutines. */
    if (!options->first && !options->sample_hz && !p->jit)
        p->library = host_find_coroutine_functions(L);
    if (!options->sample_hz) {
        begin_tracing(p, L);
    } else if (!host_start_sampling(p, L, err)) {
        host_free_recording(p);
        return false;
    }
    if (p->timeline)
        toll_timeline_set_start(p->timeline, p->start_real_ns);
    host_read_counters(p);
    return true;
}

static void go_tracing(profiler *p, lua_State *L, int hide)
{
    host_adopt(p, p->co, L, 0,
               hide); /* the last call of Lua here that may fail for lack of memory */
    toll_recorder_charge(p->recorder, p->now); /* it runs, even if no frame was open */
    p->active = true;
    p->armed = p->jit && p->co->top->f.flags & OBJECT_NATIVE; /* see arm in full_event.c */
    p->may_be_fast = host_may_take_fast_path(p);
    host_update_fast(p);
    hook_main_thread(p, L);
}

void host_go(profiler *p, lua_State *L, int hide)
{
    int was_busy = host_begin_change(p);
    if (!p->options.sample_hz) {
        go_tracing(p, L, hide);
    } else {
        host_go_sampling(p);
    }
    host_end_change(p, was_busy);
}

/* --- stop --------------------------------------------------------------------------------------*/

/* Remove our hook from every coroutine that has it. A coroutine may be garbage that Lua has not
 * freed yet: its memory can still be read, but it must not be pushed as a value. */
static void unhook_all(profiler *p)
{
    for (size_t i = 0; i < p->map.slot_count; i++) {
        const object *o = &p->map.slots[i];
        if (o->address && o->co) /* host_event removes it from others at their first event */
            host_unset_hook(p, o->co->L);
    }
}

static void stop_tracing(profiler *p, lua_State *L, bool closing)
{
    int was_busy = host_begin_change(p);
    if (p->active) {
        host_read_counters(p);
        host_settle(p, p->co);
        host_stop_recorder(p);
    }
    unhook_all(p);
    host_restore_allocator(p, L);
    host_end_change(p, was_busy);
    if (!closing) /* the first call of Lua here that may fail for lack of memory */
        host_restore_debug(L);
    if (p->jit_was_on)
        call_jit(L, "on");
    p->jit_was_on = false;
}

void host_stop(profiler *p, lua_State *L, bool closing)
{
    host_stop_sampling(p, L, closing);
    if (!p->active)
        return;
    if (!p->options.sample_hz)
        stop_tracing(p, L, closing);
    else
        host_stop_recorder(p);
}
