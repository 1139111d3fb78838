/* lua_attach.c - see lua_attach.h. */
#include "lua_attach.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <toll/version.h>

#include "attach_profiles.h"
#include "host_calls.h"
#include "lua_allocator.h"
#include "lua_control.h"
#include "start_stop.h"
#include "system_clock.h"
#include "user_hook.h"

/* A coroutine that has our hook until its next instruction, and the hook that it had. */
typedef struct armed {
    _Atomic(lua_State *) L;
    bool is_given;        /* by the request */
    const void *registry; /* of its state */
    user_hook former;
} armed;

static struct {
    toll_attach_request request;
    lua_CFunction begin;
    int signal_number;
    timer_t timer;
    atomic_bool is_awaited; /* the command has ended it, and reads the profiles */
    uint64_t end_ns;        /* by CLOCK_MONOTONIC */
    armed armed[TOLL_ATTACH_STATES];
} now;
static toll_attach_status status;

static bool is_over(void)
{
    return host_read_clock(CLOCK_MONOTONIC) >= now.end_ns;
}

bool host_attach_is_on(void)
{
    return atomic_load(&status.is_on) != TOLL_ATTACH_OFF;
}

static void end(void)
{
    if (atomic_exchange(&status.is_on, TOLL_ATTACH_OFF) == TOLL_ATTACH_OFF)
        return;
    timer_delete(now.timer);
    host_attach_profiles_close(atomic_load(&status.is_alone), atomic_load(&status.taken));
}

/* The command ends it, and reads the profiles. Its timer does, and the command has not done it: it
 * is gone. */
static void on_end(bool by_timer)
{
    if (!by_timer)
        atomic_store(&now.is_awaited, true);
    else if (!atomic_load(&now.is_awaited))
        atomic_store(&status.is_alone, 1);
}

/* A forked process is not part of it. */
static void on_fork(void)
{
    atomic_store(&status.is_on, TOLL_ATTACH_OFF); /* the timer is the parent's alone */
    host_attach_profiles_close(false, 0);
}

/* --- in a state's thread -----------------------------------------------------------------------*/

/* May a recording of the state begin? Not after the end of another one's, nor after the time. */
static bool may_begin(lua_State *L)
{
    if (atomic_load(&status.is_on) != TOLL_ATTACH_ON || atomic_load(&status.failed))
        return false;
    const profiler *p = host_find(L);
    return !(p && p->active) && !is_over();
}

/* Does Lua 5.1 hide the main thread, because it has not been seen and L is a coroutine? */
static bool is_early(lua_State *L)
{
    const profiler *p = host_find(L);
    return !host_main_thread(L) && !(p ? p->jit : host_is_jit(L));
}

static void on_instruction(lua_State *L, lua_Debug *ar);

/* Give L the hook back that it had; unless it is `alone`, also the state's coroutines that were
 * given: a recording that begins would take ours for one of the program's. */
static void disarm(lua_State *L, bool is_alone)
{
    for (int i = 0; i < TOLL_ATTACH_STATES; i++) {
        const user_hook former = now.armed[i].former;
        lua_State *of = atomic_load(&now.armed[i].L);
        bool is_related =
            now.armed[i].is_given && now.armed[i].registry == lua_topointer(L, LUA_REGISTRYINDEX);
        if (!of || (of != L && (is_alone || !is_related)))
            continue;
        if (lua_gethook(of) == on_instruction)
            lua_sethook(of, former.hook, former.mask, former.count);
        atomic_store(&now.armed[i].L, NULL);
    }
}

static void begin_state(lua_State *L)
{
    if (!lua_checkstack(L, LUA_MINSTACK) || is_early(L))
        return;
    lua_pushcfunction(L, now.begin);
    lua_pushinteger(L, now.signal_number);
    lua_pushinteger(L, (lua_Integer)now.request.sample_hz);
    if (lua_pcall(L, 2, 0, 0)) {
        const char *message = lua_tostring(L, -1);
        snprintf(status.text, sizeof status.text, "%s", message ? message : "out of memory");
        lua_pop(L, 1);
        atomic_fetch_add(&status.failed, 1);
    } else {
        atomic_fetch_add(&status.begun, 1);
        if (is_over()) /* the end was wanted before the state was under control */
            host_control_end(now.signal_number);
    }
}

static void on_instruction(lua_State *L, lua_Debug *ar)
{
    profiler *p = host_find(L);
    (void)ar;
    disarm(L, is_early(L));               /* if so, the main thread's turn comes */
    if (lua_gethook(L) == on_instruction) /* another one has taken its place */
        lua_sethook(L, NULL, 0, 0);
    if (p && p->active && !p->options.sample_hz)
        host_set_hook(p, L);
    else if (may_begin(L))
        begin_state(L);
}

/* By all events: Lua 5.4 sees no instructions of a function that is at a line event. */
static void arm(lua_State *L, bool is_given)
{
    const int mask = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT;
    lua_Hook hook = lua_gethook(L);
    if (hook == on_instruction)
        return;
    for (int i = 0; i < TOLL_ATTACH_STATES; i++) {
        lua_State *none = NULL;
        if (!atomic_compare_exchange_strong(&now.armed[i].L, &none, L))
            continue;
        now.armed[i].is_given = is_given;
        now.armed[i].registry = lua_topointer(L, LUA_REGISTRYINDEX);
        now.armed[i].former = (user_hook){ .hook = hook };
        if (hook) {
            now.armed[i].former.mask = lua_gethookmask(L);
            now.armed[i].former.count = lua_gethookcount(L);
        }
        lua_sethook(L, on_instruction, mask, 1);
        return;
    }
}

static void before_call(lua_State *L)
{
    const profiler *recorded = host_of_allocator(L);
    if (recorded && recorded->active)
        return;
    if (may_begin(L))
        arm(L, false);
    else if (atomic_load(&status.is_on) != TOLL_ATTACH_ON || is_over())
        host_control_attach(NULL);
}

void host_attach_ended(void)
{
    if (!host_attach_is_on())
        return;
    atomic_store(&status.is_on, TOLL_ATTACH_ENDING);
    if (atomic_fetch_add(&status.ended, 1) + 1 >= status.begun)
        end();
}

/* --- in any thread -----------------------------------------------------------------------------*/

/* Find a real-time signal that the program does not handle. Others may be sent to it. */
static bool choose_signal(toll_error *err)
{
    for (now.signal_number = SIGRTMAX; now.signal_number > SIGRTMIN + 2; now.signal_number--)
        if (host_handle_control(now.signal_number, err))
            return true;
    return false;
}

/* The command ends the recording by a call, which disturbs no call of the system that the program
 * makes. If the command is gone, a signal does it a little later. */
enum { GRACE_SECONDS = 2 };

static bool set_end(uint32_t seconds)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = now.signal_number };
    const struct itimerspec at = { .it_value = { .tv_sec = (time_t)seconds + GRACE_SECONDS } };
    now.end_ns = host_read_clock(CLOCK_MONOTONIC) + (uint64_t)seconds * HOST_NS_A_SECOND;
    return !timer_create(CLOCK_MONOTONIC, &event, &now.timer) &&
           !timer_settime(now.timer, 0, &at, NULL);
}

/* NULL: it can be accepted. */
static const char *refusal_of(const toll_attach_request *request)
{
    if (strcmp(request->version, TOLL_VERSION_STRING) != 0)
        return "it contains the module of another version of Toll";
    if (host_attach_is_on() && status.begun > status.ended) /* one that waits is replaced */
        return "another toll attach records it, or that recording has not come to its end";
    if (host_has_controls())
        return "it is prepared by toll.control: send it the signal, or use toll control";
    return NULL;
}

/* Is it one of the states that the request names? Such a one may have our hook since a request
 * before, and then keeps the hook that it had. */
static bool is_named(const toll_attach_request *request, const lua_State *L)
{
    for (uint32_t i = 0; L && i < request->state_count; i++)
        if (request->states[i] == (uint64_t)(uintptr_t)L)
            return true;
    return false;
}

static const char *begin(const toll_attach_request *request, lua_CFunction begin_function)
{
    static toll_error err;
    end();
    *status.text = 0;
    status.begun = status.ended = status.failed = status.is_alone = 0;
    status.taken = 0;
    atomic_store(&now.is_awaited, false);
    now.request = *request;
    now.begin = begin_function;
    for (int i = 0; i < TOLL_ATTACH_STATES; i++)
        if (!is_named(request, atomic_load(&now.armed[i].L)))
            atomic_store(&now.armed[i].L, NULL);
    if (!choose_signal(&err))
        return err.text;
    status.profiles = host_attach_profiles_open();
    if (status.profiles < 0)
        return "the system has no memory for the profiles (memfd_create)";
    if (!set_end(request->seconds)) {
        host_attach_profiles_close(false, 0);
        return "the system has no timer for it";
    }
    status.id = request->id;
    status.signal_number = now.signal_number;
    atomic_store(&status.is_on, TOLL_ATTACH_ON);
    host_control_attach(before_call);
    host_control_watch(on_end, on_fork);
    host_watch_calls();
    for (uint32_t i = 0; i < request->state_count; i++)
        arm((lua_State *)(uintptr_t)request->states[i], true);
    return NULL;
}

toll_attach_status *host_attach(const toll_attach_request *request, lua_CFunction begin_function,
                                toll_attach_status *(*end_function)(void))
{
    const char *why = refusal_of(request);
    status.end = (uint64_t)(uintptr_t)end_function;
    if (!why)
        why = begin(request, begin_function);
    snprintf(status.refusal, sizeof status.refusal, "%.*s", TOLL_ATTACH_TEXT - 1, why ? why : "");
    return &status;
}

toll_attach_status *host_attach_end(void)
{
    on_end(false);
    if (host_attach_is_on() && !atomic_load(&status.begun))
        end();
    if (host_attach_is_on())
        host_control_end(now.signal_number);
    return &status;
}
