/* lua_recording.c - see lua_recording.h. */
#include "lua_recording.h"

#include <stdlib.h>
#include <string.h>

#include "coroutine_list.h"
#include "layout.h"
#include "process_end.h"
#include "profile_files.h"
#include "sample_stack.h"

/* --- the clock ---------------------------------------------------------------------------------*/

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

void host_start_clock(profiler *p)
{
    host_clock *clock = &p->options.clock;
    p->clock = (toll_tsc){ 0 };
    p->cpu_time = (host_cpu_time){ 0 };
    if (p->options.sample_hz) {
        *clock = HOST_CLOCK_CPU;
        p->cpu_is_cheap = p->had_no_choice = false;
        return;
    }
    p->cpu_is_cheap =
        (*clock == HOST_CLOCK_BEST || *clock == HOST_CLOCK_CPU) && toll_cpu_clock_start(&p->cpu);
    p->had_no_choice = *clock == HOST_CLOCK_BEST && !p->cpu_is_cheap;
    if (*clock == HOST_CLOCK_BEST)
        *clock = p->cpu_is_cheap ? HOST_CLOCK_CPU : HOST_CLOCK_WALL;
    if (*clock == HOST_CLOCK_WALL)
        toll_tsc_start(&p->clock);
}

/* --- the layout --------------------------------------------------------------------------------*/

bool host_has_layout(profiler *p, lua_State *L)
{
    if (p->options.portable)
        return false;
    lua_pushcfunction(L, host_probe_call);
    int was_busy = host_begin_change(p);
    bool good = host_probe(L, p->jit);
    host_end_change(p, was_busy);
    return good;
}

/* --- recorder and timeline ---------------------------------------------------------------------*/

/* CPU time has another name than wall time, so that nothing adds them up. */
static uint32_t list_counters(profiler *p, toll_counter counters[HOST_MOST_COUNTERS])
{
    host_clock clock = p->options.clock;
    uint32_t count = 0;
    if (p->options.sample_hz) {
        counters[count++] = (toll_counter){ "sampled_cpu", "nanoseconds", 0 };
        counters[count++] = (toll_counter){ "samples", "count", 0 };
        if (p->jit)
            counters[count++] = (toll_counter){ "compiled_cpu", "nanoseconds", 0 };
        p->tick_counter = count;
        return count;
    }
    if (clock != HOST_CLOCK_NONE)
        counters[count++] =
            (toll_counter){ clock == HOST_CLOCK_CPU ? "cpu" : "time", "nanoseconds", 0 };
    if (p->cpu_is_cheap)
        counters[count++] = (toll_counter){ "waited", "nanoseconds", 0 };
    p->tick_counter = count;
    if (p->options.ticks ||
        (clock == HOST_CLOCK_NONE && p->options.timeline)) /* it needs an axis */
        counters[count++] = (toll_counter){ "ticks", "count", 0 };
    return count;
}

toll_status host_make_timeline(profiler *p, toll_error *err)
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

toll_status host_make_recorder(profiler *p, toll_error *err)
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

void host_free_recording(profiler *p)
{
    if (p->main_co && !p->main_co->L) /* Lua has freed it, so it is not in the map */
        host_drop_coroutine(p->main_co);
    if (p->outside)
        host_drop_coroutine(p->outside);
    for (size_t i = 0; i < p->map.slot_count; i++)
        if (p->map.slots[i].address && p->map.slots[i].f.flags & OBJECT_COROUTINE)
            host_drop_coroutine(p->map.slots[i].co);
    objects_free(&p->map);
    host_free_samples(p);
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
