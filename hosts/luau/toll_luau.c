/* toll_luau.c - see toll_luau.h. C that is C++, too. */
#include "toll_luau.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <toll/format.h>
#include <toll/recorder.h>

enum { DEFAULT_HZ = 250, MOST_HZ = 10000, MOST_FRAMES = 200, SAMPLED = 0, SAMPLES = 1, COUNTERS };

typedef void (*interrupt_function)(lua_State *L, int gc);

/* Coroutines that begin with the same function share a track: a sample has a whole stack. */
typedef struct coroutine_track {
    toll_frame_id outermost;
    toll_track *track;
} coroutine_track;

struct toll_luau {
    struct toll_luau *next;
    lua_Callbacks *callbacks;    /* of the machine */
    interrupt_function programs; /* the program's own interrupt; NULL: none */
    toll_recorder *recorder;
    uint64_t now[COUNTERS];
    uint64_t clock;     /* CPU time of `thread` when it was last read */
    pthread_t thread;   /* ran the machine then */
    uint64_t unsampled; /* CPU time of scripts since the last sample, up to toll_luau_leave */
    uint32_t entered;   /* toll_luau_enter without toll_luau_leave */
    int64_t start;      /* time of day, in nanoseconds */
    coroutine_track *tracks;
    size_t track_count;
    uint32_t hz;
    int lines;
    pthread_t timer;
    int ends; /* the timer's thread is to end */
};

/* All recordings: an interrupt knows only its machine. */
static toll_luau *recordings;
static pthread_mutex_t recordings_lock = PTHREAD_MUTEX_INITIALIZER;

static toll_status fail(toll_error *err, toll_status status, const char *text)
{
    if (err) {
        err->status = status;
        snprintf(err->text, sizeof err->text, "%s", text);
    }
    return status;
}

static toll_luau *recording_of(const lua_Callbacks *machine)
{
    pthread_mutex_lock(&recordings_lock);
    toll_luau *t = recordings;
    while (t && t->callbacks != machine)
        t = t->next;
    pthread_mutex_unlock(&recordings_lock);
    return t;
}

/* --- the time ----------------------------------------------------------------------------------*/

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The CPU time since the last reading. */
static uint64_t passed(toll_luau *t)
{
    uint64_t cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    uint64_t since =
        pthread_equal(t->thread, pthread_self()) && cpu > t->clock ? cpu - t->clock : 0;
    t->thread = pthread_self();
    t->clock = cpu;
    return since;
}

/* Charge the current stack with the scripts' time since the last sample. */
static void charge_scripts(toll_luau *t)
{
    t->now[SAMPLED] += t->unsampled + passed(t);
    t->unsampled = 0;
    toll_recorder_charge(t->recorder, t->now);
}

/* --- a sample's stack --------------------------------------------------------------------------*/

static toll_frame_id add_frame(toll_luau *t, const char *name, const char *file, int line,
                               toll_frame_kind kind, int at)
{
    toll_frame frame;
    toll_frame_id id;
    memset(&frame, 0, sizeof frame);
    frame.name = name;
    frame.file = file;
    frame.line = line > 0 ? (uint32_t)line : 0;
    frame.kind = kind;
    frame.at_line = at > 0 ? (uint32_t)at : 0;
    return toll_recorder_add_frame(t->recorder, &frame, &id, NULL) ? TOLL_NONE : id;
}

static void enter(toll_luau *t, toll_frame_id frame)
{
    toll_recorder_adopt(t->recorder, &frame, 1, t->now);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The frame of the function at a level, or its place at a line. */
static toll_frame_id frame_of(toll_luau *t, const lua_Debug *ar, int at)
{
    char made[200];
    int is_native = strcmp(ar->what, "C") == 0;
    const char *name = ar->name && *ar->name ? ar->name : NULL;
    const char *source = ar->source ? ar->source : "";
    const char *file = *source == '@' || *source == '=' ? source + 1 : ar->short_src;
    if (is_native)
        return add_frame(t, name ? name : "(C function)", "", 0, TOLL_KIND_NATIVE, 0);
    if (!name) /* so has the main chunk: FILE:1 */
        snprintf(made, sizeof made, "%.100s:%d", base_name(file), ar->linedefined);
    return add_frame(t, name ? name : made, file, ar->linedefined, TOLL_KIND_FUNCTION, at);
}

static toll_track *track_of(toll_luau *t, lua_State *L, toll_frame_id outermost)
{
    toll_track *track = toll_recorder_main_track(t->recorder);
    if (lua_mainthread(L) == L || outermost == TOLL_NONE)
        return track;
    for (size_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].outermost == outermost)
            return t->tracks[i].track;
    coroutine_track *tracks =
        (coroutine_track *)realloc(t->tracks, (t->track_count + 1) * sizeof *tracks);
    if (!tracks)
        return track;
    t->tracks = tracks;
    char name[256];
    snprintf(name, sizeof name, "coroutine %s", toll_recorder_frame(t->recorder, outermost).name);
    if (toll_recorder_new_track(t->recorder, name, &track, NULL) == TOLL_OK) {
        tracks[t->track_count].outermost = outermost;
        tracks[t->track_count++].track = track;
    }
    return track;
}

/* Make the stack that L has now the current one. */
static void enter_stack(toll_luau *t, lua_State *L)
{
    toll_frame_id frames[MOST_FRAMES + 1], lines[MOST_FRAMES + 1];
    uint32_t count = 0;
    lua_Debug ar;
    for (; count < MOST_FRAMES && lua_getinfo(L, (int)count, "sln", &ar); count++) {
        frames[count] = frame_of(t, &ar, 0);
        lines[count] =
            t->lines && ar.currentline > 0 ? frame_of(t, &ar, ar.currentline) : TOLL_NONE;
    }
    if (count == MOST_FRAMES && lua_getinfo(L, MOST_FRAMES, "s", &ar)) {
        toll_recorder_note(t->recorder, "samples of stacks that are cut off at 200 frames", 1,
                           NULL);
        lines[count] = TOLL_NONE;
        frames[count++] = add_frame(t, "(frames cut off)", "", 0, TOLL_KIND_NATIVE, 0);
    }
    toll_track *track = track_of(t, L, count ? frames[count - 1] : TOLL_NONE);
    toll_recorder_switch(t->recorder, track, t->now);
    toll_recorder_unwind(t->recorder, 0, t->now);
    while (count-- > 0) {
        enter(t, frames[count]);
        if (lines[count] != TOLL_NONE)
            toll_recorder_adopt_line(t->recorder, lines[count], t->now);
    }
}

/* --- when samples are taken --------------------------------------------------------------------*/

static void take_sample(lua_State *L, int gc);

/* Put `to` in the place of `from`, unless the program has set another interrupt. */
static int replace_interrupt(toll_luau *t, interrupt_function from, interrupt_function to)
{
    return __atomic_compare_exchange_n(&t->callbacks->interrupt, &from, to, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* Request a sample at the next safe point. The program may have set another interrupt since. */
static void request_sample(toll_luau *t)
{
    interrupt_function is = __atomic_load_n(&t->callbacks->interrupt, __ATOMIC_ACQUIRE);
    if (is == &take_sample)
        return;
    __atomic_store_n(&t->programs, is, __ATOMIC_RELAXED);
    replace_interrupt(t, is, &take_sample);
}

/* Cancel that request. False: there was none. */
static int cancel_request(toll_luau *t)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* Luau reads the pointer without one */
    return replace_interrupt(t, &take_sample, __atomic_load_n(&t->programs, __ATOMIC_RELAXED));
}

/* `gc` is negative between instructions, 0 before a step of the garbage collector, and its state
 * after one. */
static void take_sample(lua_State *L, int gc)
{
    toll_luau *t = recording_of(lua_callbacks(L));
    if (!t) { /* the program had kept it, and has put it back after toll_luau_stop */
        lua_callbacks(L)->interrupt = NULL;
        return;
    }
    if (!cancel_request(t)) /* the program had kept it, and calls it from its own */
        return;
    interrupt_function programs = __atomic_load_n(&t->programs, __ATOMIC_RELAXED);
    enter_stack(t, L);
    if (gc > 0)
        enter(t, add_frame(t, "(garbage collector)", "", 0, TOLL_KIND_NATIVE, 0));
    t->now[SAMPLES]++;
    charge_scripts(t);
    if (programs) /* it may throw, or yield */
        programs(L, gc);
}

static void *run_timer(void *user)
{
    toll_luau *t = (toll_luau *)user;
    const uint64_t interval = 1000000000 / t->hz;
    while (!__atomic_load_n(&t->ends, __ATOMIC_ACQUIRE)) {
        struct timespec pause;
        pause.tv_sec = (time_t)(interval / 1000000000);
        pause.tv_nsec = (long)(interval % 1000000000);
        nanosleep(&pause, NULL);
        request_sample(t);
    }
    return NULL;
}

/* --- start and stop ----------------------------------------------------------------------------*/

static toll_status make_recorder(toll_luau *t, toll_error *err)
{
    toll_counter counters[COUNTERS];
    memset(counters, 0, sizeof counters);
    counters[SAMPLED].type = "sampled_cpu";
    counters[SAMPLED].unit = "nanoseconds";
    counters[SAMPLES].type = "samples";
    counters[SAMPLES].unit = "count";
    toll_recorder_options o = TOLL_RECORDER_OPTIONS_INIT;
    o.counters = counters;
    o.counter_count = COUNTERS;
    o.lines = t->lines;
    return toll_recorder_create(&o, &t->recorder, err);
}

/* Start the timer's thread. The program's signals are not for it. */
static int start_timer(toll_luau *t)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&t->timer, NULL, run_timer, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void add_recording(toll_luau *t)
{
    pthread_mutex_lock(&recordings_lock);
    t->next = recordings;
    recordings = t;
    pthread_mutex_unlock(&recordings_lock);
}

static void remove_recording(toll_luau *t)
{
    pthread_mutex_lock(&recordings_lock);
    toll_luau **at = &recordings;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    pthread_mutex_unlock(&recordings_lock);
}

static void free_recording(toll_luau *t)
{
    toll_recorder_free(t->recorder);
    free(t->tracks);
    free(t);
}

toll_status toll_luau_start(lua_State *L, const toll_luau_options *options, toll_luau **out,
                            toll_error *err)
{
    uint32_t hz = options && options->hz ? options->hz : (uint32_t)DEFAULT_HZ;
    *out = NULL;
    if (hz > MOST_HZ)
        return fail(err, TOLL_E_ARGUMENT, "Luau can be sampled 1 to 10000 times a second");
    if (recording_of(lua_callbacks(L)))
        return fail(err, TOLL_E_ARGUMENT,
                    "this Luau machine is sampled already: call toll_luau_stop first");
    toll_luau *t = (toll_luau *)calloc(1, sizeof *t);
    if (!t)
        return fail(err, TOLL_E_NOMEM, "no memory for samples of Luau");
    t->callbacks = lua_callbacks(L);
    t->hz = hz;
    t->lines = !options || !options->no_lines;
    t->thread = pthread_self();
    t->clock = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    toll_status status = toll_start_time(&t->start, err);
    if (!status)
        status = make_recorder(t, err);
    if (!status && !t->clock)
        status = fail(err, TOLL_E_UNSUPPORTED, "the system has no clock of a thread's CPU time");
    if (!status) {
        toll_recorder_rebase(t->recorder, t->now);
        add_recording(t);
        if (start_timer(t)) {
            remove_recording(t);
            status = fail(err, TOLL_E_UNSUPPORTED, "no thread can be started to sample Luau");
        }
    }
    if (status)
        free_recording(t);
    else
        *out = t;
    return status;
}

void toll_luau_enter(toll_luau *luau)
{
    if (!luau || luau->entered++)
        return;
    cancel_request(luau); /* of a sample in what ran between scripts */
    toll_recorder_switch(luau->recorder, toll_recorder_main_track(luau->recorder), luau->now);
    toll_recorder_unwind(luau->recorder, 0, luau->now);
    luau->now[SAMPLED] += passed(luau);
    toll_recorder_charge(luau->recorder, luau->now);
}

void toll_luau_leave(toll_luau *luau)
{
    if (luau && luau->entered && --luau->entered == 0)
        luau->unsampled += passed(luau);
}

toll_status toll_luau_save(toll_luau *luau, lua_State *L, const char *path, toll_error *err)
{
    char how[80];
    toll_profile *profile;
    enter_stack(luau, L);
    charge_scripts(luau);
    toll_status status = toll_recorder_snapshot(luau->recorder, NULL, &profile, err);
    if (status)
        return status;
    snprintf(how, sizeof how, "sampled: every %u nanoseconds", 1000000000u / (unsigned)luau->hz);
    toll_profile_set_time(profile, luau->start, 0);
    status = toll_profile_add_comment(profile, how, err);
    if (!status)
        status = toll_profile_save(profile, path, err);
    toll_profile_free(profile);
    return status;
}

toll_status toll_luau_stop(toll_luau *luau, lua_State *L, const char *path, toll_error *err)
{
    if (!luau)
        return TOLL_OK;
    __atomic_store_n(&luau->ends, 1, __ATOMIC_RELEASE);
    pthread_join(luau->timer, NULL);
    cancel_request(luau);
    remove_recording(luau);
    toll_status status = path ? toll_luau_save(luau, L, path, err) : TOLL_OK;
    free_recording(luau);
    return status;
}
