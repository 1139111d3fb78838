/* sample_stack.c - see sample_stack.h. */
#include "sample_stack.h"

#include <stdio.h>
#include <stdlib.h>

#include "lua_names.h"
#include "process_end.h"
#include "profile/sampled.h"

/* --- the track ---------------------------------------------------------------------------------*/

/* All coroutines that begin with the same function share a track: a sample has a whole stack. */
static toll_track *track_of(profiler *p, toll_frame_id outermost)
{
    host_samples *s = &p->samples;
    char name[256];
    for (uint32_t i = 0; i < s->track_count; i++)
        if (s->tracks[i].outermost == outermost)
            return s->tracks[i].track;
    host_sample_track *tracks = realloc(s->tracks, (s->track_count + 1) * sizeof *tracks);
    if (!tracks)
        return toll_recorder_main_track(p->recorder);
    s->tracks = tracks;
    const char *of = host_frame_name(&p->names, outermost);
    toll_track *track = toll_recorder_main_track(p->recorder);
    snprintf(name, sizeof name, "coroutine %s", of ? of : "?");
    if (!toll_recorder_new_track(p->recorder, name, &track, NULL))
        tracks[s->track_count++] = (host_sample_track){ outermost, track };
    return track;
}

/* --- the frames --------------------------------------------------------------------------------*/

void host_add_sampled(host_sample *s, toll_frame_id frame, int line)
{
    s->frames[s->count] = frame;
    s->lines[s->count++] = line;
}

toll_frame_id host_pseudo_frame(profiler *p, const char *name)
{
    return host_frame(&p->names, name, "", 0, TOLL_KIND_NATIVE);
}

static void add_state(profiler *p, host_sample *s, host_sample_state state)
{
    if (state == HOST_IN_C)
        host_add_sampled(s, host_pseudo_frame(p, "(C function)"), 0);
    else if (state == HOST_IN_COLLECTOR)
        host_add_sampled(s, host_pseudo_frame(p, "(garbage collector)"), 0);
    else if (state == HOST_IN_COMPILER)
        host_add_sampled(s, host_pseudo_frame(p, "(compiler)"), 0);
}

static void add_levels(profiler *p, lua_State *L, int hide, host_sample *s)
{
    lua_Debug ar = { 0 };
    bool is_native = false;
    int level = hide;
    for (; s->count < HOST_MOST_SAMPLED && lua_getstack(L, level, &ar); level++) {
        toll_frame_id frame = host_frame_of_level(p, L, &ar, &is_native);
        host_add_sampled(s, frame,
                         p->options.lines && lua_getinfo(L, "l", &ar) ? ar.currentline : 0);
    }
    s->is_cut = lua_getstack(L, level, &ar);
    /* The outermost C function of the main thread is the interpreter itself. */
    if (!s->is_cut && level > hide && is_native && s->is_main)
        s->frames[s->count - 1] = host_pseudo_frame(p, "(lua)");
}

void host_enter_sample(profiler *p, host_sample *s)
{
    toll_track *track = toll_recorder_main_track(p->recorder);
    if (s->is_cut) {
        toll_recorder_note(p->recorder, TOLL_NOTE_SAMPLES_CUT, 1, NULL);
        host_add_sampled(s, host_pseudo_frame(p, "(frames cut off)"), 0);
    } else if (s->count && !s->is_main) {
        track = track_of(p, s->frames[s->count - 1]);
    }
    toll_recorder_switch(p->recorder, track, p->now);
    toll_recorder_unwind(p->recorder, 0, p->now);
    for (uint32_t i = s->count; i-- > 0;) {
        toll_recorder_adopt(p->recorder, &s->frames[i], 1, p->now);
        if (s->lines[i] > 0)
            toll_recorder_adopt_line(
                p->recorder, host_line_frame(&p->names, s->frames[i], (uint32_t)s->lines[i]),
                p->now);
    }
}

/* --- a sample ----------------------------------------------------------------------------------*/

static void charge(profiler *p, host_sample_state state)
{
    uint64_t before = p->now[0];
    host_read_counters(p);
    p->now[HOST_SAMPLES]++;
    if (state == HOST_IN_COMPILED)
        p->now[HOST_COMPILED] += p->now[0] - before;
    toll_recorder_charge(p->recorder, p->now);
}

void host_take_sample(profiler *p, lua_State *L, int hide, host_sample_state state)
{
    int was_busy = host_begin_change(p);
    if (p->active && lua_checkstack(L, LUA_MINSTACK)) {
        if (p->samples.charge)
            p->samples.charge(p, L);
        host_sample s = { .is_main = host_is_main_thread(L) };
        add_state(p, &s, state);
        add_levels(p, L, hide, &s);
        host_enter_sample(p, &s);
        charge(p, state);
    }
    host_end_change(p, was_busy);
}

void host_end_samples(profiler *p, lua_State *L)
{
    if (p->samples.charge)
        p->samples.charge(p, L);
    toll_recorder_switch(p->recorder, toll_recorder_main_track(p->recorder), p->now);
    toll_recorder_unwind(p->recorder, 0, p->now);
}

void host_free_samples(profiler *p)
{
    free(p->samples.tracks);
    p->samples.tracks = NULL;
    p->samples.track_count = 0;
}
