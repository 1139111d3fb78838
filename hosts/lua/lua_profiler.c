/* lua_profiler.c - see lua_profiler.h. */
#include "lua_profiler.h"

#include <stdio.h>

#include "profile/sampled.h"

static char profiler_key; /* its address is the key in the registry */

void host_push_key(lua_State *L)
{
    lua_pushlightuserdata(L, &profiler_key);
}

profiler *host_find(lua_State *L)
{
    host_push_key(L);
    lua_rawget(L, LUA_REGISTRYINDEX);
    profiler **box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return box ? *box : NULL;
}

coroutine *host_known_coroutine(const profiler *p, lua_State *L)
{
    const object *o = p->map.used ? objects_find(&p->map, L) : NULL;
    return o ? o->co : NULL;
}

/* --- the recording -----------------------------------------------------------------------------*/

bool host_is_replaced(const profiler *p, const object *thread)
{
    lua_State *L = (lua_State *)(uintptr_t)thread->address;
    lua_Hook hook = lua_gethook(L);
    return !host_is_hook(p, hook) && !(hook && hook == p->waiting.hook) &&
           !(thread->co && thread->co->is_entered);
}

void host_note_replaced(profiler *p, uint64_t count)
{
    toll_recorder_note(p->recorder,
                       "coroutines with a hook of the host's in place of ours: calls under it are "
                       "not seen, their time is that of the frame before, or (outside)",
                       count, NULL);
}

/* Note the coroutines whose hook the host has replaced. Those that Lua has freed were noted then
 * (coroutine_list.c). In LuaJIT all coroutines share one hook. */
static void note_all_replaced(profiler *p)
{
    uint64_t count = 0;
    for (size_t i = 0; i < p->map.slot_count; i++) {
        const object *o = &p->map.slots[i];
        if (o->address && o->f.flags & OBJECT_COROUTINE && (!p->jit || o->co == p->main_co))
            count += host_is_replaced(p, o);
    }
    if (count)
        host_note_replaced(p, count);
}

void host_stop_recorder(profiler *p)
{
    if (p->samples.charge)
        p->samples.charge(p, NULL);
    host_read_counters(p);
    if (!p->options.sample_hz)
        note_all_replaced(p);
    toll_recorder_stop(p->recorder, p->now);
    p->active = false;
    host_update_fast(p);
}

/* Note what the profiler itself took in all: the costs of each call and line, times their number.
 */
static toll_status note_costs(const profiler *p, toll_profile *profile, toll_error *err)
{
    uint64_t calls[2] = { 0 }, lines = 0;
    const uint32_t called = toll_profile_find_column(profile, "calls"),
                   executions = toll_profile_find_column(profile, "executions");
    for (toll_node_id n = 0; n < toll_profile_node_count(profile); n++) {
        toll_frame_id frame = toll_profile_node_frame(profile, n);
        if (frame == TOLL_NONE)
            continue;
        bool is_native = toll_profile_frame(profile, frame).kind == TOLL_KIND_NATIVE;
        calls[is_native] += (uint64_t)toll_profile_self(profile, n, called);
        if (executions != TOLL_NONE)
            lines += (uint64_t)toll_profile_self(profile, n, executions);
    }
    const struct {
        const char *text;
        uint64_t each_ps, count;
    } notes[] = {
        { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED, p->costs.called_ps[0], calls[0] },
        { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED_NATIVE, p->costs.called_ps[1], calls[1] },
        { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS, p->costs.caller_ps[0], calls[0] },
        { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS_OF_NATIVE, p->costs.caller_ps[1], calls[1] },
        { TOLL_NOTE_RECORDING TOLL_RECORDING_LINES, p->costs.line_ps, lines },
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof notes / sizeof *notes; i++) {
        uint64_t ns = notes[i].each_ps * notes[i].count / 1000;
        if (ns)
            status = toll_profile_add_note(profile, notes[i].text, ns, err);
    }
    if (!status && p->own_ns)
        status = toll_profile_add_note(profile, TOLL_NOTE_NOT_IN_TIME, p->own_ns, err);
    return status;
}

/* Say in the profile how its samples were taken. */
static toll_status say_sampled(const profiler *p, toll_profile *profile, toll_error *err)
{
    char text[80];
    snprintf(text, sizeof text, TOLL_SAMPLED_PREFIX "every %u nanoseconds of cpu",
             1000000000u / p->options.sample_hz);
    return toll_profile_add_comment(profile, text, err);
}

static toll_status say_run(const profiler *p, toll_profile *profile, toll_error *err)
{
    const toll_thread_label facts[] = { { "interpreter", p->interpreter },
                                        { "toll", TOLL_VERSION_STRING } };
    return toll_profile_add_run(profile, facts, sizeof facts / sizeof *facts, err);
}

toll_status host_snapshot(profiler *p, const toll_allocator *allocator, toll_profile **out,
                          toll_error *err)
{
    toll_status status = toll_recorder_snapshot(p->recorder, allocator, out, err);
    if (status)
        return status;
    status = p->options.sample_hz ? say_sampled(p, *out, err) : note_costs(p, *out, err);
    if (!status)
        status = say_run(p, *out, err);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
        return status;
    }
    toll_profile_set_time(*out, p->start_real_ns, 0);
    if (p->options.clock == HOST_CLOCK_NONE &&
        !p->options.ticks) /* the only counter never moves: show calls */
        toll_profile_set_default_column(*out, toll_profile_find_column(*out, "calls"));
    return TOLL_OK;
}
