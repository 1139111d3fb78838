/* control_requests.c - puts states under control of a signal or of commands, and requests that
 * their recordings begin and end. See lua_control.h. */
#include "control_data.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "control_signal.h"
#include "control_socket.h"
#include "host_calls.h"
#include "lua_control.h"
#include "luastack/attach_request.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `is_used` */

static void (*attach_ends)(bool by_timer);
static void (*attach_forked)(void);

void host_control_watch(void (*ends)(bool by_timer), void (*forked)(void))
{
    attach_ends = ends;
    attach_forked = forked;
}

/* --- the signal --------------------------------------------------------------------------------*/

/* Begin everywhere; or end everywhere, if any state records or is about to. */
static bool decide(int signal_number)
{
    for (control *c = atomic_load(&host_controls); c; c = c->next)
        if (atomic_load(&c->L) && c->signal_number == signal_number &&
            (atomic_load(&c->requested) ? atomic_load(&c->on) : c->p->active))
            return false;
    return true;
}

/* `passes_on`: the signal is sent to the threads of other states. */
static void request(control *c, int signal_number, bool passes_on)
{
    atomic_store(&c->is_taken, false); /* an error of Lua's may have left it */
    host_add_request(c);
    if (!atomic_load(&c->L)) /* its thread has closed it meanwhile */
        host_end_request(c);
    else if (passes_on && atomic_load(&c->thread) != host_kernel_thread())
        host_pass_on(signal_number, atomic_load(&c->thread));
}

static void request_all(int signal_number, bool on, bool passes_on)
{
    for (control *c = atomic_load(&host_controls); c; c = c->next) {
        if (!atomic_load(&c->L) || c->signal_number != signal_number)
            continue;
        atomic_store(&c->on, on);
        request(c, signal_number, passes_on);
    }
}

/* A request that is none to begin or end. */
static void keep_on(control *c)
{
    if (!atomic_load(&c->requested) && !atomic_load(&c->is_taken))
        atomic_store(&c->on, c->p->active);
}

/* Have what was recorded so far written. */
static void request_snapshot(control *c, int signal_number, bool passes_on)
{
    keep_on(c);
    atomic_store(&c->wants_snapshot, true);
    request(c, signal_number, passes_on);
}

static void request_snapshots(int signal_number)
{
    for (control *c = atomic_load(&host_controls); c; c = c->next)
        if (atomic_load(&c->L) && c->snapshot_number == signal_number)
            request_snapshot(c, signal_number, true);
}

static bool is_for(const control *c, int signal_number)
{
    return atomic_load(&c->L) &&
           (c->signal_number == signal_number || c->snapshot_number == signal_number);
}

/* Is it of toll attach: from its timer, or because it was interrupted? */
static bool only_ends(const siginfo_t *info)
{
    return info->si_code == SI_TIMER ||
           (info->si_code == SI_QUEUE && info->si_value.sival_int == TOLL_ATTACH_END_VALUE);
}

enum { MOST_SIGNALS = 128 }; /* their numbers are below that in every Linux */

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
    static atomic_bool in_use[MOST_SIGNALS];
    int saved = errno;
    (void)context;
    /* Two at the same time, in two threads, are one, as signals are that wait. */
    if (!host_is_passed_on(info) && !atomic_exchange(&in_use[signal_number], true)) {
        if (only_ends(info) && attach_ends)
            attach_ends(info->si_code == SI_TIMER);
        request_all(signal_number, !only_ends(info) && decide(signal_number), true);
        request_snapshots(signal_number);
        atomic_store(&in_use[signal_number], false);
    }
    for (control *c = atomic_load(&host_controls); c; c = c->next)
        if (is_for(c, signal_number) && atomic_load(&c->thread) == host_kernel_thread() &&
            atomic_load(&c->requested))
            host_request(c);
    errno = saved;
}

bool host_handle_control(int signal_number, toll_error *err)
{
    return host_handle_signal(signal_number, on_signal, err);
}

bool host_is_handled(int signal_number)
{
    return host_has_handler(signal_number, on_signal);
}

void host_control_command(host_command command)
{
    for (control *c = atomic_load(&host_controls); c; c = c->next) {
        if (!atomic_load(&c->L) || !atomic_load(&c->has_socket))
            continue;
        if (command == HOST_COMMAND_SNAPSHOT) {
            request_snapshot(c, c->signal_number, host_is_handled(c->signal_number));
            continue;
        }
        atomic_store(&c->on, command == HOST_COMMAND_ON);
        request(c, c->signal_number, host_is_handled(c->signal_number));
    }
}

int host_command_signal(toll_error *err)
{
    static _Atomic int chosen;
    int number = atomic_load(&chosen);
    if (number && host_is_handled(number))
        return number;
    for (number = SIGRTMIN + 3; number < SIGRTMAX; number++)
        if (host_handle_control(number, err)) {
            atomic_store(&chosen, number);
            return number;
        }
    return 0;
}

bool host_has_controls(void)
{
    for (const control *c = atomic_load(&host_controls); c; c = c->next)
        if (atomic_load(&c->L) && !c->is_attached)
            return true;
    return false;
}

/* The coroutine in which a request can be taken now, as the thread waits in the system; NULL: none.
 * If nothing runs it is the state's own. Else a function written in C waits, which may call Lua;
 * under LuaJIT also one of the FFI's, since its compiler is off while calls are recorded. */
static lua_State *place_to_take(const control *c)
{
    lua_Debug ar;
    lua_State *L = atomic_load(&c->L);
    if (atomic_load(&c->is_shared)) /* another thread may be in it now */
        return NULL;
    if (lua_status(L) == 0 && !lua_getstack(L, 0, &ar))
        return L;
    bool may_call = c->p->active && !c->p->options.sample_hz && !atomic_load(&c->p->busy);
    return may_call ? c->p->co->L : NULL;
}

void host_control_end(int signal_number)
{
    request_all(signal_number, false, false);
    for (control *c = atomic_load(&host_controls); c; c = c->next) {
        if (!atomic_load(&c->L) || c->signal_number != signal_number ||
            !atomic_load(&c->requested) || atomic_load(&c->thread) != host_kernel_thread())
            continue;
        lua_State *L = place_to_take(c);
        if (L)
            host_take_request(c, L);
        else if (!atomic_load(&c->is_shared)) /* else the next call of Lua takes it */
            host_request(c);
    }
}

/* A forked process has one thread: that of the states. What toll attach records ends there. A
 * socket is made when the process runs Lua: most only execute another program. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&lock, NULL); /* another thread may have held it */
    host_outcome_after_fork();
    host_socket_after_fork();
    for (control *c = atomic_load(&host_controls); c; c = c->next) {
        atomic_store(&c->thread, host_kernel_thread());
        atomic_store(&c->is_taken, false);
        host_outcome_begin(&c->outcome, c->p && c->p->active);
        bool is_attached = c->ended != NULL;
        if ((!is_attached && !atomic_load(&c->has_socket)) || !atomic_load(&c->L))
            continue;
        keep_on(c);
        if (is_attached)
            atomic_store(&c->on, false);
        host_add_request(c);
        host_request(c);
    }
    if (attach_forked)
        attach_forked();
}

/* --- the state ---------------------------------------------------------------------------------*/

static void end_of(control *c)
{
    void (*ended)(void) = c->ended;
    c->ended = NULL;
    if (ended)
        ended();
}

static int forget(lua_State *L)
{
    control *c = *(control **)lua_touserdata(L, 1);
    if (!c)
        return 0;
    atomic_store(&c->L, NULL);
    host_end_request(c);
    c->p->turn = NULL;
    for (int i = 0; i < HOST_MOST_WAITING; i++)
        c->p->waiting.of[i].L = NULL;
    host_running_stack_close(&c->stack);
    end_of(c);
    c->is_used = false;
    return 0;
}

/* One that no other state uses. NULL: no memory. */
static control *reserve(profiler *p)
{
    static bool watches_forks;
    pthread_mutex_lock(&lock);
    if (!watches_forks)
        watches_forks = pthread_atfork(NULL, NULL, after_fork_in_child) == 0;
    control *c = atomic_load(&host_controls);
    while (c && c->is_used)
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c)) != NULL) {
        c->next = atomic_load(&host_controls);
        c->number = c->next ? c->next->number + 1 : 1;
        atomic_store(&host_controls, c);
    }
    if (c) {
        host_end_request(c);
        c->p = p;
        host_outcome_begin(&c->outcome, p->active);
        c->is_used = true;
    }
    pthread_mutex_unlock(&lock);
    return c;
}

/* The control lives as long as a userdata in the registry. */
static control *make(lua_State *L, profiler *p)
{
    control **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    lua_newtable(L);
    lua_pushcfunction(L, forget);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_pushlightuserdata(L, &host_controls);
    lua_insert(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return *box = reserve(p);
}

/* The thread whose next instruction the signal waits for: the state's main thread; where LuaJIT
 * does not show it, the one that runs now, since all share one hook. That is kept from being
 * collected. NULL: Lua 5.1 does not show it. */
static lua_State *thread_to_arm(lua_State *L, const profiler *p)
{
    static char key;
    lua_State *main_thread = host_main_thread(L);
    if (main_thread || !p->jit)
        return main_thread;
    lua_pushlightuserdata(L, &key);
    lua_pushthread(L);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return L;
}

bool host_control(lua_State *L, profiler *p, const host_options *o, const lua_CFunction *functions,
                  host_socket_answer *answer, toll_error *err)
{
    lua_State *thread = thread_to_arm(L, p);
    if (!thread) {
        *err = (toll_error){ TOLL_E_UNSUPPORTED,
                             "Lua 5.1 does not show a coroutine the main thread: call it in the "
                             "main thread" };
        return false;
    }
    if (!host_handle_control(o->signal_number, err) ||
        (o->snapshot_number && !host_handle_control(o->snapshot_number, err)))
        return false;
    if (o->socket && !host_socket_open(o->socket, answer, err))
        return false;
    control *c = host_control_of(p);
    if (!c)
        c = make(L, p);
    if (!c) {
        *err = (toll_error){ TOLL_E_NOMEM, "out of memory" };
        return false;
    }
    if (!p->jit && !c->stack.now)
        host_running_stack_open(&c->stack, L, &(toll_error){ TOLL_OK, "" });
    c->functions = functions;
    c->is_attached = false;
    atomic_store(&c->is_shared, false);
    atomic_store(&c->thread, host_kernel_thread());
    atomic_store(&c->signal_number, o->signal_number);
    atomic_store(&c->snapshot_number, o->snapshot_number);
    atomic_store(&c->wants_snapshot, false);
    atomic_store(&c->has_socket, o->socket != NULL);
    atomic_store(&c->L, thread);
    host_watch_calls();
    return true;
}

void host_control_ended(const profiler *p)
{
    control *c = host_control_of(p);
    if (c)
        end_of(c);
}

void host_control_on(const profiler *p, void (*ended)(void))
{
    control *c = host_control_of(p);
    c->ended = ended;
    host_end_request(c); /* one of before has lost its meaning */
    c->is_attached = true;
    c->begun_by = pthread_self();
    atomic_store(&c->is_shared, false);
    atomic_store(&c->on, true);
}

void host_control_off(const profiler *p)
{
    control *c = host_control_of(p);
    c->ended = NULL;
    atomic_store(&c->on, false);
}
