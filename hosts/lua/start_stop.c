/* start_stop.c - see start_stop.h. */
#include "start_stop.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adopt.h"
#include "call_stack.h"
#include "coroutine_list.h"
#include "fast_hook.h"
#include "host_calls.h"
#include "layout.h"
#include "lua_allocator.h"
#include "luajit/jit_return.h"
#include "luajit/jit_watch.h"
#include "process_end.h"
#include "profile_files.h"
#include "run_summary.h"
#include "user_hook.h"

/* --- the profiler of a Lua state ---------------------------------------------------------------*/

static void free_recording(profiler *p)
{
    if (p->main_co && !p->main_co->L) /* Lua has freed it, so it is not in the map */
        host_drop_coroutine(p->main_co);
    if (p->outside)
        host_drop_coroutine(p->outside);
    for (size_t i = 0; i < p->map.slot_count; i++)
        if (p->map.slots[i].address && p->map.slots[i].f.flags & OBJECT_COROUTINE)
            host_drop_coroutine(p->map.slots[i].co);
    objects_free(&p->map);
    host_free_places(&p->places);
    host_free_frame_names(&p->names);
    toll_recorder_free(p->recorder);
    toll_timeline_free(p->timeline);
    toll_kernel_memory_free(&p->memory);
    toll_cpu_clock_end(&p->cpu);
    p->cpu_is_cheap = false;
    p->recorder = NULL;
    p->timeline = NULL;
    p->co = p->main_co = p->outside = NULL;
}

/* Profilers that wait to be used again. They are never freed: a thread that once ran a Lua state
 * may still read `fast_for` of its former profiler (this_thread.h). */
static _Atomic(profiler *) spare;

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
    free_recording(p);
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

static bool is_jit(lua_State *L)
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
    if (p)
        return p;
    bool jit = is_jit(L);
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
    p->jit = jit;
    lua_rawset(L, LUA_REGISTRYINDEX);
    return p;
}

/* --- functions of Lua that matter --------------------------------------------------------------*/

static void find_coroutine_functions(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
    host_push_library_function(L, "coroutine", "resume");
    p->resume = lua_tocfunction(L, -1);
    host_push_library_function(L, "coroutine", "wrap");
    if (lua_iscfunction(L, -1) && luaL_loadstring(L, "") == 0 && lua_pcall(L, 1, 1, 0) == 0)
        p->wrap_body = lua_tocfunction(L, -1);
    lua_settop(L, top);
}

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

/* CPU time has another name than wall time, so that nothing adds them up. */
static uint32_t list_counters(profiler *p, toll_counter counters[HOST_MOST_COUNTERS])
{
    host_clock clock = p->options.clock;
    uint32_t count = 0;
    if (clock != HOST_CLOCK_NONE)
        counters[count++] =
            (toll_counter){ clock == HOST_CLOCK_CPU ? "cpu" : "time", "nanoseconds", 0 };
    if (p->cpu_is_cheap)
        counters[count++] = (toll_counter){ "waited", "nanoseconds", 0 };
    p->tick_counter = count;
    if (p->options.ticks || clock == HOST_CLOCK_NONE)
        counters[count++] = (toll_counter){ "ticks", "count", 0 };
    return count;
}

static toll_status make_timeline(profiler *p, toll_error *err)
{
    free(p->timeline_path); /* of the last recording */
    p->timeline_path = NULL;
    if (!p->options.timeline)
        return TOLL_OK;
    p->timeline_path = strdup(p->options.timeline);
    if (!p->timeline_path)
        return TOLL_E_NOMEM;
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_counter counters[HOST_MOST_COUNTERS];
    uint32_t count = list_counters(p, counters), ticks = p->tick_counter;
    toll_value_type axis = { counters[0].type, counters[0].unit };
    toll_status status =
        host_streams_timeline(p)
            ? toll_timeline_create_file(&allocator, axis, p->timeline_path, &p->timeline, err)
            : toll_timeline_create(&allocator, axis, 0, &p->timeline, err);
    if (!status && ticks > 0 && ticks < count)
        status = toll_timeline_add_second_axis(
            p->timeline, (toll_value_type){ counters[ticks].type, counters[ticks].unit }, err);
    if (!status && p->labels)
        status = toll_timeline_set_labels(p->timeline, p->labels, err);
    return status;
}

static toll_status make_recorder(profiler *p, toll_error *err)
{
    toll_counter counters[HOST_MOST_COUNTERS];
    uint32_t count = list_counters(p, counters);
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = &allocator,
                                .counters = counters,
                                .counter_count = count,
                                .max_depth = p->options.max_depth,
                                .heap = p->options.heap,
                                .join_threads = p->options.join_threads,
                                .timeline = p->timeline,
                                .timeline_second = p->tick_counter,
                                .lines = p->options.lines,
                                .call_lines = p->options.call_lines };
    toll_status status = toll_recorder_create(&o, &p->recorder, err);
    p->names.recorder = p->recorder;
    if (!status) /* frame 0 is for functions that get no name for lack of memory */
        host_frame(&p->names, "(unknown)", "", 0, TOLL_KIND_FUNCTION);
    return status;
}

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
#ifdef LUA_RIDX_MAINTHREAD
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    lua_State *main_thread = lua_tothread(L, -1);
    lua_pop(L, 1);
    if (main_thread) {
        host_take_over_hook(p, main_thread);
        host_set_hook(p, main_thread);
    }
#else
    toll_recorder_note(
        p->recorder,
        "starts in a coroutine of Lua 5.1, which does not show its main thread: calls there are "
        "not seen",
        1, NULL);
#endif
}

bool host_clock_named(const char *name, host_clock *clock)
{
    static const char *const names[] = { NULL, "wall", "cpu", "none" };
    for (host_clock c = HOST_CLOCK_BEST; c <= HOST_CLOCK_NONE; c++)
        if (name == names[c] || (name && names[c] && strcmp(name, names[c]) == 0)) {
            *clock = c;
            return true;
        }
    return false;
}

static void start_clock(profiler *p)
{
    host_clock *clock = &p->options.clock;
    p->clock = (toll_tsc){ 0 };
    p->cpu_time = (host_cpu_time){ 0 };
    p->cpu_is_cheap =
        (*clock == HOST_CLOCK_BEST || *clock == HOST_CLOCK_CPU) && toll_cpu_clock_start(&p->cpu);
    p->had_no_choice = *clock == HOST_CLOCK_BEST && !p->cpu_is_cheap;
    if (*clock == HOST_CLOCK_BEST)
        *clock = p->cpu_is_cheap ? HOST_CLOCK_CPU : HOST_CLOCK_WALL;
    if (*clock == HOST_CLOCK_WALL)
        toll_tsc_start(&p->clock);
}

bool host_start(profiler *p, lua_State *L, const host_options *options, toll_error *err)
{
    struct timespec real;
    free_recording(p);
    p->options = *options;
    p->pid = getpid();
    host_set_last(p);
    p->armed = p->user_hooks = p->user_events = p->may_be_fast = false;
    p->resume = p->wrap_body = NULL;
    p->entered = NULL;
    p->new_thread = NULL;
    p->named_closure = UINT32_MAX;
    p->user = (user_hook){ 0 };
    p->hook = host_hook(p->jit, p->options.lines, p->options.timeline != NULL);
    memset(p->now, 0, sizeof p->now);
    start_clock(p);
    host_begin_times(p);
    if (!host_take_labels(p) || make_timeline(p, err) || make_recorder(p, err) ||
        !make_main_coroutine(p, L) || !host_make_outside(p)) {
        free_recording(p);
        return false;
    }
    if (p->jit) {
        p->jit_was_on |= call_jit(L, "status"); /* |=: after a failed start it is off already */
        call_jit(L, "off");
        call_jit(L, "flush");
    }
    if (!p->options.first && !p->jit) /* LuaJIT has one hook for all */
        find_coroutine_functions(p, L);
    p->reads_callinfo = !p->options.portable && host_probe(L, p->jit);
#if IS_51
    if (p->jit && p->reads_callinfo)
        host_find_jit_switches(p, L);
#endif
    host_watch_calls();
    host_replace_allocator(p, L);
    host_replace_debug(p, L);
    clock_gettime(CLOCK_REALTIME, &real);
    p->start_real_ns = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
    if (p->timeline)
        toll_timeline_set_start(p->timeline, (int64_t)p->start_real_ns);
    host_read_counters(p);
    return true;
}

void host_go(profiler *p, lua_State *L, int hide)
{
    int was_busy = host_begin_change(p);
    host_adopt(p, p->co, L, 0,
               hide); /* the last call of Lua here that may fail for lack of memory */
    toll_recorder_charge(p->recorder, p->now); /* it runs, even if no frame was open */
    p->active = true;
    p->armed = p->jit && p->co->top->f.flags & OBJECT_NATIVE; /* see arm in full_event.c */
    p->may_be_fast = host_may_take_fast_path(p);
    host_update_fast(p);
    hook_main_thread(p, L);
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

void host_stop(profiler *p, lua_State *L, bool closing)
{
    if (!p->active)
        return;
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
