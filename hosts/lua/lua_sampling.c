/* lua_sampling.c - see lua_sampling.h. */
#include "lua_sampling.h"

#include <stdio.h>

#include "host_calls.h"
#include "lua_recording.h"
#include "luajit/jit_sample.h"
#include "process_end.h"
#include "sample_stack.h"
#include "sample_walk.h"

bool host_may_sample(const host_options *o, toll_error *err)
{
    const char *not = o->ticks          ? "ticks"
                      : o->heap         ? "heap"
                      : o->join_threads ? "join_threads"
                      : o->timeline     ? "timeline"
                                        : NULL;
    if (!not )
        return true;
    *err = (toll_error){ TOLL_E_UNSUPPORTED, "" };
    snprintf(err->text, sizeof err->text, "%s needs every call, and samples do not have them",
             not );
    return false;
}

bool host_start_sampling(profiler *p, lua_State *L, toll_error *err)
{
#if IS_51
    p->reads_callinfo = p->jit && host_has_layout(p, L);
    if (p->jit)
        return host_jit_sample(p, L, err);
#endif
    host_watch_calls();
    return host_walk_start(p, L, err);
}

void host_go_sampling(profiler *p)
{
    host_read_counters(p);
    toll_recorder_rebase(p->recorder, p->now);
    p->active = true;
}

void host_stop_sampling(profiler *p, lua_State *L, bool closing)
{
    if (!p->samples.timer)
        return;
    if (p->active && !closing)
        host_take_sample(p, L, 1, HOST_IN_LUA); /* level 0 is the function that stops it */
    int was_busy = host_begin_change(p);
    if (p->active && closing)
        host_end_samples(p, L);
    host_end_change(p, was_busy);
#if IS_51
    if (p->jit) {
        host_jit_stop_sampling(p, L);
        return;
    }
#endif
    host_walk_stop(p, L);
}
