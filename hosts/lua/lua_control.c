/* lua_control.c - see lua_control.h. */
#define _GNU_SOURCE /* syscall */
#include "lua_control.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host_calls.h"
#include "user_hook.h"

/* Of a state. None is freed, since the handler may read it at any time. That of a closed state is
 * used for another one. */
typedef struct control {
    struct control *next;
    _Atomic(lua_State *) L; /* see thread_to_arm; NULL: the state is closed */
    profiler *p;            /* kept when the state closes: another thread's handler may read it */
    bool is_used;
    lua_CFunction turn;
    _Atomic int signal_number;
    pid_t process, thread; /* of the kernel */
    atomic_bool requested, on;
    lua_State *armed; /* has our hook in place of this one */
    user_hook former;
} control;

static _Atomic(control *) all;
static _Atomic int requests; /* controls with `requested` */

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

/* Give L its hook back. */
static void disarm(control *c, lua_State *L)
{
    user_hook former = c->armed ? c->former : (user_hook){ 0 }; /* or it has inherited our hook */
    if (c->armed == L)
        c->armed = NULL;
    if (c->p->active && !c->p->options.sample_hz)
        host_set_hook(c->p, L);
    else
        lua_sethook(L, former.hook, former.mask, former.count);
}

static void before_call(lua_State *L);

/* There is one request less. Another thread may make one at the same time. */
static void end_request(void)
{
    if (atomic_fetch_sub(&requests, 1) > 1)
        return;
    host_before_call = NULL;
    if (atomic_load(&requests))
        host_before_call = before_call;
}

static void take_request(control *c, lua_State *L)
{
    if (!atomic_exchange(&c->requested, false))
        return;
    c->p->turn = NULL;
    end_request();
    if (!lua_checkstack(L, LUA_MINSTACK))
        return;
    lua_pushcfunction(L, c->turn);
    if (lua_pcall(L, 0, 0, 0)) {
        const char *message = lua_tostring(L, -1);
        fprintf(stderr, "%s\n", message ? message : "toll: out of memory");
        lua_pop(L, 1);
    }
}

static void on_next_instruction(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    control *c = control_of(host_find(L));
    if (!c) {
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    disarm(c, L);
    take_request(c, L);
}

/* Have the next instruction of L call us. */
static void arm(control *c, lua_State *L)
{
    lua_Hook hook = lua_gethook(L);
    if (hook == on_next_instruction)
        return;
    c->former = (user_hook){ .hook = hook };
    if (hook) {
        c->former.mask = lua_gethookmask(L);
        c->former.count = lua_gethookcount(L);
    }
    c->armed = L;
    lua_sethook(L, on_next_instruction, LUA_MASKCOUNT, 1);
}

static void before_call(lua_State *L)
{
    control *c = control_of(host_find(L));
    if (!c || !atomic_load(&c->requested))
        return;
    c->thread = this_thread(); /* a server may have made the state in another one */
    if (c->armed && c->armed == atomic_load(&c->L))
        disarm(c, c->armed); /* another coroutine may be gone */
    arm(c, L);
}

static void after_event(profiler *p, lua_State *L)
{
    control *c = control_of(p);
    if (c)
        take_request(c, L);
}

/* --- the signal --------------------------------------------------------------------------------*/

/* A forked process has one thread: that of the states. */
static void follow_fork(control *c)
{
    if (c->process == getpid())
        return;
    c->process = getpid();
    c->thread = this_thread();
}

static void request(control *c)
{
    profiler *p = c->p;
    p->turn = after_event;
    atomic_store_explicit(&p->fast_for, NULL, memory_order_relaxed);
    if (atomic_load(&p->busy))
        return; /* the event that it is in ends with after_event */
    coroutine *co = p->active ? p->co : NULL;
    arm(c, co && co->L ? co->L : atomic_load(&c->L));
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
        follow_fork(c);
        atomic_store(&c->on, on);
        if (!atomic_exchange(&c->requested, true))
            atomic_fetch_add(&requests, 1);
        host_before_call = before_call;
        if (c->thread != this_thread())
            syscall(SYS_tgkill, getpid(), c->thread, signal_number);
    }
}

/* Sent by request_all in another thread, or from elsewhere? */
static bool is_passed_on(const siginfo_t *info)
{
    if (info->si_code != SI_TKILL || info->si_pid != getpid())
        return false;
    for (control *c = atomic_load(&all); c; c = c->next)
        if (atomic_load(&c->L) && atomic_load(&c->requested) && c->thread == this_thread())
            return true;
    return false;
}

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    if (!is_passed_on(info))
        request_all(signal_number);
    for (control *c = atomic_load(&all); c; c = c->next)
        if (atomic_load(&c->L) && c->signal_number == signal_number && c->thread == this_thread() &&
            atomic_load(&c->requested))
            request(c);
    errno = saved;
}

static bool watch(int signal_number, toll_error *err)
{
    struct sigaction ours = { .sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO }, now;
    sigfillset(&ours.sa_mask);
    if (sigaction(signal_number, NULL, &now)) {
        *err = (toll_error){ TOLL_E_ARGUMENT, "there is no such signal" };
        return false;
    }
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal)
        return true;
    if (now.sa_flags & SA_SIGINFO || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)) {
        *err = (toll_error){ TOLL_E_UNSUPPORTED, "" };
        snprintf(err->text, sizeof err->text,
                 "the program itself handles signal %d (%s); choose another one", signal_number,
                 strsignal(signal_number));
        return false;
    }
    sigaction(signal_number, &ours, NULL);
    return true;
}

int host_control_signal(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = { { "USR1", SIGUSR1 },
                    { "USR2", SIGUSR2 },
                    { "URG", SIGURG },
                    { "WINCH", SIGWINCH },
                    { "IO", SIGIO } };
    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(name, signals[i].name) == 0)
            return signals[i].number;
    char *end;
    long number = strtol(name, &end, 10);
    return *name && !*end && number >= SIGRTMIN && number <= SIGRTMAX ? (int)number : 0;
}

/* --- the state ---------------------------------------------------------------------------------*/

static int forget(lua_State *L)
{
    control *c = *(control **)lua_touserdata(L, 1);
    if (!c)
        return 0;
    atomic_store(&c->L, NULL);
    if (atomic_exchange(&c->requested, false))
        end_request();
    c->p->turn = NULL;
    c->armed = NULL;
    c->is_used = false;
    return 0;
}

/* One that no other state uses. NULL: no memory. */
static control *reserve(profiler *p)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    control *c = atomic_load(&all);
    while (c && c->is_used)
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c)) != NULL) {
        c->next = atomic_load(&all);
        atomic_store(&all, c);
    }
    if (c) {
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

/* The thread whose next instruction the signal waits for: the state's main thread; in Lua 5.1,
 * which does not show it, the one that runs now. It is kept from being collected. */
static lua_State *thread_to_arm(lua_State *L)
{
    static char key;
    lua_State *found;
    lua_pushlightuserdata(L, &key);
#ifdef LUA_RIDX_MAINTHREAD
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
#else
    lua_pushthread(L);
#endif
    found = lua_tothread(L, -1);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return found;
}

bool host_control(lua_State *L, profiler *p, int signal_number, lua_CFunction turn, toll_error *err)
{
    if (!watch(signal_number, err))
        return false;
    control *c = control_of(p);
    lua_State *thread = thread_to_arm(L);
    if (!c)
        c = make(L, p);
    if (!c || !thread) {
        *err = (toll_error){ TOLL_E_NOMEM, "out of memory" };
        return false;
    }
    c->turn = turn;
    c->process = getpid();
    c->thread = this_thread();
    atomic_store(&c->signal_number, signal_number);
    atomic_store(&c->L, thread);
    host_watch_calls();
    return true;
}
