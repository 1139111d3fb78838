/* lua_control.c - see lua_control.h. */
#define _GNU_SOURCE /* syscall */
#include "lua_control.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control_signal.h"
#include "host_calls.h"
#include "running_stack.h"
#include "user_hook.h"

/* Of a state. None is freed, since the handler may read it at any time. That of a closed state is
 * used for another one. */
typedef struct control {
    struct control *next;
    _Atomic(lua_State *) L; /* see thread_to_arm; NULL: the state is closed */
    profiler *p;            /* kept when the state closes: another thread's handler may read it */
    bool is_used;
    const lua_CFunction *functions;
    _Atomic int signal_number;
    _Atomic pid_t thread; /* of the kernel */
    atomic_bool requested, on;
    host_running_stack stack; /* of Lua 5.1 to 5.4; closed where it cannot be read */
    atomic_bool is_arming;    /* the state's thread changes p->waiting, so its handler may not */
} control;

static _Atomic(control *) all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `is_used` */
static _Atomic int requests;                             /* controls with `requested` */

static control *control_of(const profiler *p)
{
    control *c = p ? atomic_load(&all) : NULL;
    while (c && (c->p != p || !atomic_load(&c->L)))
        c = c->next;
    return c;
}

bool host_control_wants(const profiler *p)
{
    const control *c = control_of(p);
    return c && atomic_load(&c->on);
}

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* --- in the state's thread ---------------------------------------------------------------------*/

static void on_next_instruction(lua_State *L, lua_Debug *ar);

/* Does a hook of the recording see the next event of its current coroutine? Then a request needs no
 * hook of its own, which would have to take the place of that one. */
static bool is_traced(const profiler *p)
{
    return p->active && !p->options.sample_hz && !p->jit;
}

/* Have the next instruction of L call us: by all events, since Lua 5.4 sees no instructions of a
 * function that is at a line event. Safe in a signal's handler, as lua_sethook is. */
static void arm(control *c, int which, lua_State *L)
{
    host_waiting *w = &c->p->waiting;
    lua_Hook hook = lua_gethook(L);
    const int mask = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT;
    if (hook != on_next_instruction) {
        w->of[which].former = (user_hook){ .hook = hook };
        if (hook) {
            w->of[which].former.mask = lua_gethookmask(L);
            w->of[which].former.count = lua_gethookcount(L);
        }
        w->hook = on_next_instruction;
        w->of[which].L = L;
    }
    lua_sethook(L, on_next_instruction, mask, 1);
}

/* Give L its hook back, if it has ours. */
static void disarm(control *c, lua_State *L)
{
    host_waiting *w = &c->p->waiting;
    user_hook former = host_former_hook(c->p, L);
    for (int i = 0; i < HOST_MOST_WAITING; i++)
        if (w->of[i].L == L)
            w->of[i].L = NULL;
    if (lua_gethook(L) != on_next_instruction)
        return;
    if (c->p->active && !c->p->options.sample_hz)
        host_set_hook(c->p, L);
    else
        lua_sethook(L, former.hook, former.mask, former.count);
}

/* Have the request noticed, if possible at the next instruction of the coroutine that runs. Nothing
 * is changed in the middle of a change: that ends with after_change. */
static void await_turn(control *c)
{
    profiler *p = c->p;
    lua_State *main_thread = atomic_load(&c->L), *running = NULL;
    if (is_traced(p)) {
        running = p->co->L;
        if (running && host_is_hook(p, lua_gethook(running)))
            lua_sethook(running, p->hook, lua_gethookmask(running) | LUA_MASKCOUNT, 1);
        return;
    }
    if (c->stack.now)
        running = host_running_stack_read(&c->stack);
    arm(c, HOST_MAIN_WAITS, main_thread);
    if (running && running != main_thread)
        arm(c, HOST_RUNNING_WAITS, running);
}

static void before_call(lua_State *L);

/* There is one request less. Another thread may make one at the same time. */
static void end_request(control *c)
{
    if (!atomic_exchange(&c->requested, false) || atomic_fetch_sub(&requests, 1) > 1)
        return;
    host_before_call = NULL;
    if (atomic_load(&requests))
        host_before_call = before_call;
}

/* Does L run one of the functions that begin and end a recording? They call Lua, and must not be
 * called in the middle of one another. */
static bool is_within_turn(const control *c, lua_State *L)
{
    enum { MOST_LEVELS = 200 };
    lua_Debug ar;
    bool found = false;
    for (int level = 0; !found && level < MOST_LEVELS && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "f", &ar);
        lua_CFunction f = lua_tocfunction(L, -1);
        lua_pop(L, 1);
        for (const lua_CFunction *own = c->functions; f && *own; own++)
            found |= f == *own;
    }
    return found;
}

/* Called at a point where Lua may be called. Within a turn the request stays. */
static void take_request(control *c, lua_State *L)
{
    profiler *p = c->p;
    if (!lua_checkstack(L, LUA_MINSTACK) || is_within_turn(c, L))
        return;
    p->turn = NULL;
    end_request(c);
    if (is_traced(p))
        host_set_hook(p, L); /* without the instruction that await_turn wanted */
    disarm(c, L);
    disarm(c, atomic_load(&c->L));
    host_update_fast(p);
    lua_pushcfunction(L, c->functions[0]);
    if (lua_pcall(L, 0, 0, 0)) {
        const char *message = lua_tostring(L, -1);
        fprintf(stderr, "%s\n", message ? message : "toll: out of memory");
        lua_pop(L, 1);
    }
}

static void on_next_instruction(lua_State *L, lua_Debug *ar)
{
    control *c = control_of(host_find(L));
    if (!c) {
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    profiler *p = c->p;
    bool was_traced = p->active && !p->options.sample_hz;
    if (atomic_load(&c->requested))
        take_request(c, L);
    else
        disarm(c, L);
    if (was_traced && p->active) /* LuaJIT: its recording goes on, and misses no event */
        p->hook(L, ar);
}

/* The same, outside of the handler. */
static void arm_safely(control *c, lua_State *L)
{
    atomic_store(&c->is_arming, true);
    if (L)
        arm(c, L == atomic_load(&c->L) || c->p->jit ? HOST_MAIN_WAITS : HOST_RUNNING_WAITS, L);
    else
        await_turn(c);
    atomic_store(&c->is_arming, false);
}

static void after_change(profiler *p, lua_State *L);

static void before_call(lua_State *L)
{
    control *c = control_of(host_find(L));
    if (!c || !atomic_load(&c->requested))
        return;
    atomic_store(&c->thread, this_thread()); /* a server may have made the state in another one */
    c->p->turn = after_change;
    atomic_store_explicit(&c->p->fast_for, NULL, memory_order_relaxed);
    if (is_traced(c->p))
        return; /* the recording's hook is on L already, or is set on it now */
    arm_safely(c, L);
}

static void after_change(profiler *p, lua_State *L)
{
    control *c = control_of(p);
    if (!c || !atomic_load(&c->requested))
        p->turn = NULL;
    else if (L)
        take_request(c, L);
    else
        arm_safely(c, NULL);
}

/* --- the signal --------------------------------------------------------------------------------*/

static void request(control *c)
{
    profiler *p = c->p;
    p->turn = after_change;
    atomic_store_explicit(&p->fast_for, NULL, memory_order_relaxed);
    if (!atomic_load(&c->is_arming) && (!atomic_load(&p->busy) || is_traced(p)))
        await_turn(c);
}

/* Begin everywhere; or end everywhere, if any state records or is about to. */
static bool decide(int signal_number)
{
    for (control *c = atomic_load(&all); c; c = c->next)
        if (atomic_load(&c->L) && c->signal_number == signal_number &&
            (atomic_load(&c->requested) ? atomic_load(&c->on) : c->p->active))
            return false;
    return true;
}

static void request_all(int signal_number)
{
    bool on = decide(signal_number);
    for (control *c = atomic_load(&all); c; c = c->next) {
        if (!atomic_load(&c->L) || c->signal_number != signal_number)
            continue;
        atomic_store(&c->on, on);
        if (!atomic_exchange(&c->requested, true))
            atomic_fetch_add(&requests, 1);
        host_before_call = before_call;
        if (!atomic_load(&c->L)) /* its thread has closed it meanwhile */
            end_request(c);
        else if (atomic_load(&c->thread) != this_thread())
            host_pass_on(signal_number, atomic_load(&c->thread));
    }
}

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
    static atomic_flag in_use = ATOMIC_FLAG_INIT;
    int saved = errno;
    (void)context;
    /* Two at the same time, in two threads, are one, as signals are that wait. */
    if (!host_is_passed_on(info) && !atomic_flag_test_and_set(&in_use)) {
        request_all(signal_number);
        atomic_flag_clear(&in_use);
    }
    for (control *c = atomic_load(&all); c; c = c->next)
        if (atomic_load(&c->L) && c->signal_number == signal_number &&
            atomic_load(&c->thread) == this_thread() && atomic_load(&c->requested))
            request(c);
    errno = saved;
}

/* A forked process has one thread: that of the states. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&lock, NULL); /* another thread may have held it */
    for (control *c = atomic_load(&all); c; c = c->next)
        atomic_store(&c->thread, this_thread());
}

/* --- the state ---------------------------------------------------------------------------------*/

static int forget(lua_State *L)
{
    control *c = *(control **)lua_touserdata(L, 1);
    if (!c)
        return 0;
    atomic_store(&c->L, NULL);
    end_request(c);
    c->p->turn = NULL;
    for (int i = 0; i < HOST_MOST_WAITING; i++)
        c->p->waiting.of[i].L = NULL;
    host_running_stack_close(&c->stack);
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
    control *c = atomic_load(&all);
    while (c && c->is_used)
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c)) != NULL) {
        c->next = atomic_load(&all);
        atomic_store(&all, c);
    }
    if (c) {
        end_request(c);
        c->p = p;
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
    lua_pushlightuserdata(L, &all);
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

bool host_control(lua_State *L, profiler *p, int signal_number, const lua_CFunction *functions,
                  toll_error *err)
{
    lua_State *thread = thread_to_arm(L, p);
    if (!thread) {
        *err = (toll_error){ TOLL_E_UNSUPPORTED,
                             "Lua 5.1 does not show a coroutine the main thread: call it in the "
                             "main thread" };
        return false;
    }
    if (!host_handle_signal(signal_number, on_signal, err))
        return false;
    control *c = control_of(p);
    if (!c)
        c = make(L, p);
    if (!c) {
        *err = (toll_error){ TOLL_E_NOMEM, "out of memory" };
        return false;
    }
    if (!p->jit && !c->stack.now)
        host_running_stack_open(&c->stack, L, &(toll_error){ TOLL_OK, "" });
    c->functions = functions;
    atomic_store(&c->thread, this_thread());
    atomic_store(&c->signal_number, signal_number);
    atomic_store(&c->L, thread);
    host_watch_calls();
    return true;
}
