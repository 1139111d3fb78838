/* coroutine_list.c - see coroutine_list.h. */
#include "coroutine_list.h"

#include <stdlib.h>

#include "luajit/jit_frame.h"
#include "process_end.h"

enum { FIRST_FRAMES = 8 };

user_hook host_inherited_hook(const profiler *p)
{
    user_hook user = { 0 };
    if (p->jit)
        user = p->user;
    else if (p->co)
        user = p->co->L ? p->co->user : p->main_co->user;
    user.remaining = user.count;
    return user;
}

void host_drop_coroutine(coroutine *co)
{
    if (co)
        free(co->stack);
    free(co);
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
    if (p->jit) /* entry 0 acts as the C function that resumes the coroutine */
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

void host_expect_coroutine(profiler *p)
{
    int was_busy = host_begin_change(p);
    if (!put_coroutine(p, p->new_thread, NULL))
        toll_recorder_note(p->recorder, "coroutines not watched for lack of memory", 1, NULL);
    p->new_thread = NULL;
    host_end_change(p, was_busy);
}

/* The track belongs to the main thread and has no frames, so reports show its cost as "(outside)".
 */
bool host_make_outside(profiler *p)
{
    p->outside = make_coroutine(p, NULL);
    return p->outside && !toll_recorder_new_track(p->recorder, "main", &p->outside->track, NULL);
}

/* --- the end of a coroutine --------------------------------------------------------------------*/

/* Remove each pointer to the coroutine, end its track, and free it. */
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
    if (co == p->main_co) { /* keep it: it is charged while no other coroutine is current */
        co->L = NULL;
        co->top = co->stack;
        host_update_fast(p);
    } else {
        host_drop_coroutine(co);
    }
}

void host_free_coroutine(profiler *p, const object *known)
{
    object gone;
    int was_busy = host_begin_change(p);
    if (p->active && !p->jit && host_is_replaced(p, known))
        host_note_replaced(p, 1);
    objects_remove(&p->map, known->address, &gone);
    if (gone.co)
        forget_coroutine(p, gone.co);
    host_end_change(p, was_busy);
}
