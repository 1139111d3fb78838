/* call_stack.h - keeps the active frames of a coroutine, and enters and leaves them in the
 * recorder.
 *
 * An error unwinds frames without a return event. So each event first compares our stack with Lua's
 * by CallInfo (see struct entry), and pops the frames that are no longer active. */
#ifndef TOLL_LUA_CALL_STACK_H
#define TOLL_LUA_CALL_STACK_H

#include "lua_profiler.h"
#include "luajit/jit_frame.h"
#include "record/fast_path.h"

/* False: no memory. Then the frame is not followed. Its return finds no frame, and is counted as a
 * note. */
bool host_grow_stack(coroutine *co);

/* Enter a frame that was active before the recording, or before its coroutine was first seen: no
 * call is counted. */
void host_adopt_frame(profiler *p, coroutine *co, uintptr_t ci, frame_ref f, int line);

static inline bool host_push(coroutine *co, uintptr_t ci, frame_ref f)
{
    if (UNLIKELY(co->top == co->last) && !host_grow_stack(co))
        return false;
    *++co->top = (entry){ ci, f };
    return true;
}

static inline void host_enter(profiler *p, coroutine *co, uintptr_t ci, frame_ref f)
{
    if (host_push(co, ci, f) && !(f.flags & OBJECT_HIDDEN))
        toll_recorder_call(p->recorder, f.frame, p->now);
}

/* Leave the innermost frame. */
static inline void host_pop(profiler *p, coroutine *co)
{
    frame_ref f = co->top--->f;
#if IS_51
    if (f.flags & OBJECT_NATIVE)
        co->landing = host_native_landing(f);
#endif
    if (!(f.flags & OBJECT_HIDDEN))
        toll_recorder_return(p->recorder, p->now);
}

/* --- the pending callee of Lua 5.1 -------------------------------------------------------------*/

/* Record the pending call, if there is one. The coroutine's innermost level shows whether it was a
 * tail call. To be called where the coroutine will have no further event for now. */
void host_settle(profiler *p, coroutine *co);

#if IS_51

/* The same, where an event at level `ci` shows it. The callee of a tail call has the level of its
 * caller by then; any other callee is one level deeper. A call event is at the level of the new
 * callee, so its caller is one level less deep. */
void host_settle_by(profiler *p, coroutine *co, int event, uintptr_t ci);

#endif
#endif
