/* attach_sample.c - see attach_sample.h.
 *
 * The weight of a sample is the CPU time that the process has used since the last one, so that
 * waiting costs nothing. If several states have frames at that moment, it is not known which of
 * them have used it: it is divided among them. */
#include "attach_sample.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "attach_names.h"
#include "base/fail.h"
#include "luastack/lua_running.h"
#include "luastack/process_pause.h"
#include "profile/sampled.h"

enum { CPU, SAMPLES, TRIES = 4 };

typedef struct state {
    toll_lua_state found;
    toll_lua_running running;
    toll_thread_id main_thread;
} state;

typedef struct sampler {
    toll_profile *profile;
    toll_attach_names names;
    state states[TOLL_MOST_LUA_STATES];
    uint32_t state_count;
    toll_mappings mappings;
    struct toll_lua_stacks *stacks;
    clockid_t clock;
    uint64_t torn, shared, cut;
    uint64_t moving; /* samples during which a thread could not be stopped */
    bool is_gone;
} sampler;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? UINT64_MAX
                                    : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- the stacks --------------------------------------------------------------------------------*/

static toll_status add_named(sampler *s, toll_node_id *node, const char *name, toll_error *err)
{
    toll_frame_id frame;
    const toll_frame f = { .name = name, .kind = TOLL_KIND_NATIVE };
    toll_status status = toll_profile_add_frame(s->profile, &f, &frame, err);
    return status ? status : toll_profile_add_child(s->profile, *node, frame, node, err);
}

static bool is_main(const state *st)
{
    return st->running.coroutine == st->running.main_thread;
}

/* The root of the thread: of a coroutine, one for all that begin with the same function. */
static toll_status root_of(sampler *s, const state *st, toll_node_id *node, toll_error *err)
{
    char name[300];
    toll_frame_id frame;
    toll_thread_id thread = st->main_thread;
    const toll_lua_walk *now = st->running.now;
    toll_status status = TOLL_OK;
    if (!is_main(st)) {
        status = toll_attach_frame(&s->names, now, &now->frames[now->count - 1], &frame, err);
        if (status)
            return status;
        snprintf(name, sizeof name, "coroutine %.250s", toll_profile_frame(s->profile, frame).name);
        status = toll_profile_add_thread(s->profile, name, &thread, err);
    }
    *node = toll_profile_root(s->profile, thread);
    return status;
}

static toll_status charge(sampler *s, state *st, uint64_t ns, toll_error *err)
{
    toll_node_id node;
    const toll_lua_walk *now = st->running.now;
    toll_status status = root_of(s, st, &node, err);
    if (!status && now->is_cut)
        status = add_named(s, &node, "(frames cut off)", err);
    s->cut += now->is_cut;
    for (uint32_t i = now->count; !status && i-- > 0;) {
        const toll_lua_frame *f = &now->frames[i];
        toll_frame_id frame;
        bool is_program = i + 1 == now->count && is_main(st) && f->c_function;
        if (is_program) { /* the interpreter itself */
            status = add_named(s, &node, "(lua)", err);
            continue;
        }
        status = toll_attach_frame(&s->names, now, f, &frame, err);
        if (!status)
            status = toll_profile_add_child(s->profile, node, frame, &node, err);
    }
    if (!status)
        status = toll_profile_add_self(s->profile, node, CPU, (int64_t)ns, err);
    return status ? status : toll_profile_add_self(s->profile, node, SAMPLES, 1, err);
}

/* Charge time to no function. */
static toll_status charge_outside(sampler *s, uint64_t ns, toll_error *err)
{
    return toll_profile_add_self(
        s->profile, toll_profile_root(s->profile, s->states[0].main_thread), CPU, (int64_t)ns, err);
}

/* Read the stack of each state, and list those in which functions run. The threads are stopped, but
 * for some that have just begun to run. False: a stack changes at this moment. */
static bool read_stacks(sampler *s, state *inside[TOLL_MOST_LUA_STATES], uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < s->state_count; i++) {
        bool good = false;
        for (int n = 0; n < TRIES && !good; n++)
            good = toll_lua_running_read(&s->states[i].running, &s->mappings, s->stacks);
        if (!good && toll_lua_is_state(s->mappings.pid, &s->states[i].found))
            return false;
        if (good && s->states[i].running.now->count) /* else it was closed */
            inside[(*count)++] = &s->states[i];
    }
    return true;
}

/* Take a sample of all states. *left is time that could not be charged yet: a thread that has used
 * it, but waits now, is not where it has used it. */
static toll_status take(sampler *s, uint64_t ns, uint64_t *left, toll_error *err)
{
    state *inside[TOLL_MOST_LUA_STATES];
    toll_pause pause;
    uint32_t count = 0;
    toll_process_pause(&pause, s->mappings.pid);
    bool good = pause.running > 0;
    s->is_gone = pause.has_ended;
    *left = ns;
    if (good) {
        s->moving += pause.running > pause.count;
        good = read_stacks(s, inside, &count);
        s->torn += !good;
    }
    toll_process_resume(&pause);
    if (!good)
        return TOLL_OK;
    *left = 0;
    if (!count) /* outside of Lua */
        return charge_outside(s, ns, err);
    toll_status status = TOLL_OK;
    s->shared += count > 1;
    for (uint32_t i = 0; !status && i < count; i++)
        status = charge(s, inside[i], ns / count + (i < ns % count), err);
    return status;
}

/* Memory that the process has got since, and libraries that it has loaded. */
static void read_mappings_again(sampler *s)
{
    toll_mappings fresh;
    if (toll_mappings_read(&fresh, s->mappings.pid) && fresh.count) {
        toll_mappings_free(&s->mappings);
        s->mappings = fresh;
    } else {
        toll_mappings_free(&fresh);
    }
}

static toll_status sample_until(sampler *s, uint64_t end, uint32_t hz, toll_error *err)
{
    struct timespec next;
    uint64_t last = read_clock(s->clock), left = 0, interval = 1000000000u / hz, ticks = 0;
    toll_status status = TOLL_OK;
    clock_gettime(CLOCK_MONOTONIC, &next);
    while (!status && !interrupted && !s->is_gone && read_clock(CLOCK_MONOTONIC) < end) {
        uint64_t at = (uint64_t)next.tv_nsec + interval;
        next.tv_sec += (time_t)(at / 1000000000u);
        next.tv_nsec = (long)(at % 1000000000u);
        if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == 0 &&
            read_clock(CLOCK_MONOTONIC) >
                (uint64_t)next.tv_sec * 1000000000u + (uint64_t)next.tv_nsec + interval)
            clock_gettime(CLOCK_MONOTONIC, &next); /* late: the process must run meanwhile */
        toll_process_let_go();
        uint64_t now = read_clock(s->clock);
        s->is_gone = now == UINT64_MAX;
        if (s->is_gone)
            break;
        uint64_t ns = now - last + left;
        last = now;
        if (ns)
            status = take(s, ns, &left, err);
        if (++ticks % hz == 0)
            read_mappings_again(s);
    }
    return status || !left ? status : charge_outside(s, left, err);
}

/* --- the profile -------------------------------------------------------------------------------*/

static toll_status begin(sampler *s, const toll_mappings *mappings, const toll_lua_states *states,
                         const toll_allocator *allocator, toll_error *err)
{
    char name[40];
    toll_status status = toll_profile_create(allocator, &s->profile, err);
    s->mappings.pid = mappings->pid;
    read_mappings_again(s);
    s->stacks = toll_lua_stacks_new();
    if (!status && !s->stacks)
        status = toll_fail_nomem(err);
    if (!status)
        status = toll_profile_add_column(s->profile, "sampled_cpu", "nanoseconds", NULL, err);
    if (!status)
        status = toll_profile_add_column(s->profile, "samples", "count", NULL, err);
    for (uint32_t i = 0; !status && i < states->count; i++) {
        state *st = &s->states[s->state_count];
        snprintf(name, sizeof name, states->count > 1 ? "main %" PRIu32 : "main", i + 1);
        s->state_count++;
        st->found = states->list[i];
        status = toll_lua_running_open(&st->running, &states->list[i], mappings->pid)
                     ? toll_profile_add_thread(s->profile, name, &st->main_thread, err)
                     : toll_fail_nomem(err);
    }
    return status;
}

static toll_status add_notes(sampler *s, uint32_t hz, toll_error *err)
{
    char text[80];
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { TOLL_NOTE_SAMPLES_CUT, s->cut },
        { TOLL_NOTE_SAMPLES_TORN, s->torn },
        { "samples at which several Lua states had functions open: the CPU time is divided "
          "equally among them",
          s->shared },
        { "samples while a thread ran that could not be stopped: short calls are rarely in them",
          s->moving },
        { "the process ended before its samples did", s->is_gone },
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof notes / sizeof *notes; i++)
        if (notes[i].count)
            status = toll_profile_add_note(s->profile, notes[i].text, notes[i].count, err);
    snprintf(text, sizeof text, TOLL_SAMPLED_PREFIX "every %u nanoseconds", 1000000000u / hz);
    return status ? status : toll_profile_add_comment(s->profile, text, err);
}

toll_status toll_attach_sample(const toll_mappings *mappings, const toll_lua_states *states,
                               const toll_attach_options *o, const toll_allocator *allocator,
                               toll_profile **out, toll_error *err)
{
    struct sigaction ours = { .sa_handler = on_signal };
    const toll_mem mem = toll_mem_from(allocator);
    int64_t start;
    toll_status status = toll_start_time(&start, err);
    if (status)
        return status;
    sampler *s = calloc(1, sizeof *s);
    if (!s)
        return toll_fail_nomem(err);
    uint64_t end = read_clock(CLOCK_MONOTONIC) + (uint64_t)o->seconds * 1000000000u;
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
    status = begin(s, mappings, states, allocator, err);
    toll_attach_names_begin(&s->names, s->profile, &s->mappings, &mem);
    if (!status && clock_getcpuclockid(mappings->pid, &s->clock))
        status = toll_fail(err, TOLL_E_NOT_FOUND, "process %ld has ended", (long)mappings->pid);
    if (!status)
        status = sample_until(s, end, o->hz, err);
    if (!status)
        status = add_notes(s, o->hz, err);
    if (!status)
        toll_profile_set_time(s->profile, start, 0);
    toll_attach_names_end(&s->names);
    for (uint32_t i = 0; i < s->state_count; i++)
        toll_lua_running_close(&s->states[i].running);
    toll_lua_stacks_free(s->stacks);
    toll_mappings_free(&s->mappings);
    *out = s->profile;
    free(s);
    return status;
}
