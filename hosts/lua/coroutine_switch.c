/* coroutine_switch.c - see coroutine_switch.h. */
#include "coroutine_switch.h"

#include <stdio.h>

#include "adopt.h"
#include "call_stack.h"
#include "coroutine_list.h"
#include "lua_names.h"
#include "luajit/jit_watch.h"

static toll_track *new_track(profiler *p, lua_State *L, lua_Debug *ar)
{
    char name[256];
    toll_track *track;
    lua_Debug body = *ar;
    host_outermost_level(p, L, &body);
    const object *o = host_function_of(p, L, &body, true);
    const char *of = host_frame_name(&p->names, o->f.frame);
    snprintf(name, sizeof name, "coroutine %s", of ? of : "?");
    if (toll_recorder_new_track(p->recorder, name, &track, NULL))
        return toll_recorder_main_track(p->recorder);
    return track;
}

/* Clear `resumer` of the coroutines that were resumed since `to` was current: they have yielded,
 * ended or failed. */
static void forget_resumers(profiler *p, const coroutine *to)
{
    for (coroutine *r = p->co, *next; r && r != to; r = next) {
        next = r->resumer;
        r->resumer = NULL;
    }
}

/* Has `co` resumed the current coroutine, directly or not? If so, an event of `co` shows that the
 * current one has yielded, ended or failed. */
static bool is_resumer(const profiler *p, const coroutine *co)
{
    for (const coroutine *r = p->co->resumer; r; r = r->resumer)
        if (r == co)
            return true;
    return false;
}

void host_switch_between(profiler *p, coroutine *co)
{
    if (is_resumer(p, co)) {
        forget_resumers(p, co);
        toll_recorder_switch(p->recorder, co->track, p->now);
    } else {
        co->resumer = p->co;
#if IS_51
        co->landing_outside = host_landing_outside(p->co);
#endif
        toll_recorder_resume(p->recorder, co->track, p->now);
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

/* This is the first event of L. If the current coroutine has no frame that could have resumed L,
 * the host has. If the host's call was not seen (host_calls.h), the yields of L will not be seen
 * either: note that. */
static void note_unseen_resume(profiler *p, lua_State *L)
{
    if (p->co->top == p->co->stack && p->entered != L && !host_is_main_thread(L))
        toll_recorder_note(p->recorder,
                           "coroutines that the host resumes unseen: time after a yield is that of "
                           "the function which yielded, until the next event",
                           1, NULL);
}

coroutine *host_switch(profiler *p, lua_State *L, lua_Debug *ar)
{
    coroutine *co = host_known_coroutine(p, L);
    if (!co)
        co = host_new_coroutine(p, L);
    if (!co || co == p->co)
        return co;
    if (!is_resumer(p, co))
        host_catch_up(p); /* so that the current one is the one that resumed `co` */
    host_settle(p, p->co);
    bool is_new = !co->track;
    if (is_new) {
        note_unseen_resume(p, L);
        co->track = new_track(p, L, ar);
    }
    host_switch_between(p, co);
    if (is_new)
        host_adopt(p, co, L, ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL, 0);
    return co;
}
