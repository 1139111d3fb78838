/* sample_walk.c - see sample_walk.h. */
#include "sample_walk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua_names.h"
#include "process_end.h"
#include "profile/sampled.h"
#include "running_stack.h"
#include "sample_stack.h"

enum {
    MOST_FUNCTIONS = 8192,   /* different ones; a power of two */
    TEXT_ROOM = 1024 * 1024, /* names of chunks, in bytes */
    KEPT_ROOM = 128 * 1024,  /* kept samples, in words of 32 bits */
    MOST_TRIES = 16,         /* how often a function's name is looked up */
    HEADER = 4               /* words of a kept sample, before its functions */
};

/* A function that was on a sampled stack. */
typedef struct seen_function {
    uint64_t c_function, source, name_hash; /* as in toll_lua_frame */
    int32_t first_line, last_line;
    uint32_t text; /* the chunk's name, in the texts */
    uint32_t tries;
    toll_frame_id frame; /* TOLL_NONE: not named yet */
} seen_function;

/* A kept sample: the nanoseconds in two words, how many samples it stands for, the number of its
 * functions and two flags, and its functions by index, the innermost first. */
enum { FLAG_MAIN = 1u << 16, FLAG_CUT = 1u << 17, COUNT_MASK = 0xffff };

typedef struct host_walk {
    host_running_stack stack;
    uint64_t kept_ns; /* of all kept samples */
    uint64_t torn, lost, unknown;
    seen_function *functions; /* [0] stands for those for which there is no room */
    uint32_t function_count;
    uint32_t slots[2 * MOST_FUNCTIONS]; /* indexes into functions, by hash; 0: free */
    char *texts;
    uint32_t text_size;
    uint32_t *kept, *last; /* last: the sample that was kept last; NULL: none */
    uint32_t kept_size;
    bool is_hooked;
} host_walk;

static uint64_t cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- in the signal's handler -------------------------------------------------------------------*/

static uint32_t hash_of(const toll_lua_frame *f)
{
    uint64_t h = (f->c_function ^ f->source) * 0x9e3779b97f4a7c15u;
    h ^= (uint64_t)(uint32_t)f->first_line << 20 ^ (uint64_t)(uint32_t)f->last_line;
    return (uint32_t)((h * 0x9e3779b97f4a7c15u) >> 40) & (2 * MOST_FUNCTIONS - 1);
}

static uint32_t add_function(host_walk *w, const toll_lua_frame *f, uint32_t *slot)
{
    char *text = w->texts + w->text_size;
    size_t room = TEXT_ROOM - w->text_size;
    if (w->function_count == MOST_FUNCTIONS || room < 256) {
        w->unknown++;
        return 0;
    }
    *text = 0;
    if (!f->c_function &&
        !toll_lua_walk_text(w->stack.now, f->source, text, room < 1024 ? room : 1024))
        return 0;
    w->functions[w->function_count] = (seen_function){ .c_function = f->c_function,
                                                       .source = f->source,
                                                       .name_hash = f->name_hash,
                                                       .first_line = f->first_line,
                                                       .last_line = f->last_line,
                                                       .text = w->text_size,
                                                       .frame = TOLL_NONE };
    w->text_size += (uint32_t)strlen(text) + 1;
    *slot = w->function_count;
    return w->function_count++;
}

static uint32_t find_function(host_walk *w, const toll_lua_frame *f)
{
    for (uint32_t i = hash_of(f);; i = (i + 1) & (2 * MOST_FUNCTIONS - 1)) {
        const seen_function *s = &w->functions[w->slots[i]];
        if (!w->slots[i])
            return add_function(w, f, &w->slots[i]);
        if (s->c_function == f->c_function && s->source == f->source &&
            s->first_line == f->first_line && s->last_line == f->last_line &&
            s->name_hash == f->name_hash)
            return w->slots[i];
    }
}

/* Is it time to charge what is kept? */
static bool is_half_full(const host_walk *w)
{
    return w->kept_size > KEPT_ROOM / 2 || w->function_count > MOST_FUNCTIONS / 2 ||
           w->text_size > TEXT_ROOM / 2;
}

/* Ask for the names of the sample's functions that have none. Returns without a hook of ours if the
 * program has one. */
static void ask_names(host_walk *w, lua_State *L, const uint32_t *indexes, uint32_t count,
                      lua_Hook hook)
{
    bool wanted = false;
    for (uint32_t i = 0; i < count; i++) {
        seen_function *s = &w->functions[indexes[i]];
        if (s->frame == TOLL_NONE && !s->c_function && s->tries < MOST_TRIES) {
            s->tries++;
            wanted = true;
        }
    }
    if (wanted && !w->is_hooked && !lua_gethook(L)) {
        w->is_hooked = true;
        lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    }
}

static void keep(host_walk *w, uint64_t ns, uint32_t flags)
{
    uint32_t count = w->stack.now->count, *sample = w->kept + w->kept_size;
    if (w->kept_size + HEADER + count > KEPT_ROOM) {
        w->lost++; /* the time is the next sample's */
        return;
    }
    w->kept_ns += ns;
    for (uint32_t i = 0; i < count; i++)
        sample[HEADER + i] = find_function(w, &w->stack.now->frames[i]);
    sample[3] = count | flags;
    if (w->last && w->last[3] == sample[3] &&
        memcmp(w->last + HEADER, sample + HEADER, count * sizeof *sample) == 0) {
        uint64_t sum = w->last[0] + ((uint64_t)w->last[1] << 32) + ns;
        w->last[0] = (uint32_t)sum;
        w->last[1] = (uint32_t)(sum >> 32);
        w->last[2]++;
        return;
    }
    sample[0] = (uint32_t)ns;
    sample[1] = (uint32_t)(ns >> 32);
    sample[2] = 1;
    w->last = sample;
    w->kept_size += HEADER + count;
}

static void name_functions(lua_State *L, lua_Debug *ar);

static void tick(void *user)
{
    profiler *p = user;
    host_walk *w = p->samples.walk;
    if (!p->active || atomic_load_explicit(&p->busy, memory_order_relaxed))
        return; /* what is kept changes; the time is the next sample's */
    uint64_t now = cpu_time() + p->cpu_time.ahead, charged = p->now[0] + w->kept_ns;
    if (now <= charged)
        return;
    uint64_t ns = now - charged;
    lua_State *L = host_running_stack_read(&w->stack);
    if (!L) {
        w->torn++; /* the time is the next sample's */
        return;
    }
    uint32_t before = w->kept_size;
    keep(w, ns,
         (L == w->stack.main_thread ? FLAG_MAIN : 0) | (w->stack.now->is_cut ? FLAG_CUT : 0));
    if (w->kept_size > before || w->last)
        ask_names(w, L, w->last + HEADER, w->last[3] & COUNT_MASK, name_functions);
    if (is_half_full(w) && !w->is_hooked && !lua_gethook(L)) {
        w->is_hooked = true;
        lua_sethook(L, name_functions, LUA_MASKCOUNT, 1);
    }
}

/* --- at points where Lua's functions may be called ---------------------------------------------*/

static toll_frame_id frame_of(profiler *p, lua_State *L, uint32_t index)
{
    seen_function *s = &p->samples.walk->functions[index];
    lua_Debug ar = { .linedefined = s->first_line, .lastlinedefined = s->last_line };
    if (s->frame != TOLL_NONE || !index)
        return index ? s->frame : 0;
    if (s->c_function) {
        toll_frame_id frame =
            host_frame_of_c_function(p, L, (lua_CFunction)(uintptr_t)s->c_function);
        s->frame = L ? frame : TOLL_NONE;
        return frame;
    }
    _Static_assert(sizeof ar.short_src >= TOLL_LUA_SHORT_SIZE, "there is room for it");
    ar.source = p->samples.walk->texts + s->text;
    toll_lua_short_source(LUA_VERSION_NUM, ar.source, ar.short_src);
    return s->frame = host_frame_of_place(p, &ar);
}

static void charge_one(profiler *p, lua_State *L, const uint32_t *kept)
{
    uint32_t count = kept[3] & COUNT_MASK;
    host_sample s = { .is_main = kept[3] & FLAG_MAIN, .is_cut = kept[3] & FLAG_CUT };
    for (uint32_t i = 0; i < count; i++) {
        toll_frame_id frame = frame_of(p, L, kept[HEADER + i]);
        bool is_outermost = i + 1 == count && !s.is_cut && s.is_main;
        if (is_outermost && p->samples.walk->functions[kept[HEADER + i]].c_function)
            frame = host_pseudo_frame(p, "(lua)"); /* the interpreter itself */
        if (frame != TOLL_NONE)
            host_add_sampled(&s, frame, 0);
    }
    host_enter_sample(p, &s);
    p->now[0] += kept[0] + ((uint64_t)kept[1] << 32);
    p->now[HOST_SAMPLES] += kept[2];
    toll_recorder_charge(p->recorder, p->now);
}

/* A program may make functions without end. Their frames are remembered elsewhere. */
static void forget_functions(host_walk *w)
{
    memset(w->slots, 0, sizeof w->slots);
    w->function_count = 1;
    w->text_size = 0;
}

void host_walk_charge(profiler *p, lua_State *L)
{
    host_walk *w = p->samples.walk;
    for (uint32_t at = 0; at < w->kept_size; at += HEADER + (w->kept[at + 3] & COUNT_MASK))
        charge_one(p, L, w->kept + at);
    w->kept_size = 0;
    w->kept_ns = 0;
    w->last = NULL;
    if (w->function_count > MOST_FUNCTIONS / 2 || w->text_size > TEXT_ROOM / 2)
        forget_functions(w);
    const struct {
        uint64_t *count;
        const char *text;
    } notes[] = {
        { &w->torn, TOLL_NOTE_SAMPLES_TORN },
        { &w->lost, "samples for which there was no room: their time is the next sample's" },
        { &w->unknown, "functions on samples for which there was no room: (unknown)" },
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (*notes[i].count)
            toll_recorder_note(p->recorder, notes[i].text, *notes[i].count, NULL);
        *notes[i].count = 0;
    }
}

/* Our hook: names the functions that are on the stack, and charges what is kept if that is much. */
static void name_functions(lua_State *L, lua_Debug *ar)
{
    profiler *p = host_find(L);
    lua_Debug level;
    bool is_native;
    (void)ar;
    lua_sethook(L, NULL, 0, 0);
    if (!p || !p->samples.walk)
        return;
    int was_busy = host_begin_change(p);
    if (p->active && lua_checkstack(L, LUA_MINSTACK)) {
        for (int n = 0; n < HOST_MOST_SAMPLED && lua_getstack(L, n, &level); n++)
            host_frame_of_level(p, L, &level, &is_native);
        if (is_half_full(p->samples.walk))
            host_walk_charge(p, L);
    }
    p->samples.walk->is_hooked = false;
    host_end_change(p, was_busy);
}

/* --- start and stop ----------------------------------------------------------------------------*/

static void free_walk(host_walk *w)
{
    if (!w)
        return;
    host_running_stack_close(&w->stack);
    free(w->functions);
    free(w->texts);
    free(w->kept);
    free(w);
}

/* The stack is the walk's, or closed. */
static host_walk *new_walk(host_running_stack *stack)
{
    host_walk *w = calloc(1, sizeof *w);
    if (!w) {
        host_running_stack_close(stack);
        return NULL;
    }
    w->stack = *stack;
    w->functions = calloc(MOST_FUNCTIONS, sizeof *w->functions);
    w->texts = malloc(TEXT_ROOM);
    w->kept = malloc(KEPT_ROOM * sizeof *w->kept);
    if (!w->functions || !w->texts || !w->kept) {
        free_walk(w);
        return NULL;
    }
    w->function_count = 1;
    return w;
}

static bool fail(profiler *p, toll_error *err, toll_status status, const char *text)
{
    char why[TOLL_ERROR_SIZE];
    snprintf(why, sizeof why, "%s", text);
    free_walk(p->samples.walk);
    p->samples.walk = NULL;
    p->samples.charge = NULL;
    *err = (toll_error){ status, "" };
    snprintf(err->text, sizeof err->text, "cannot sample: %.200s", why);
    return false;
}

bool host_walk_start(profiler *p, lua_State *L, toll_error *err)
{
    if (p->options.lines)
        return fail(p, err, TOLL_E_UNSUPPORTED, "lines of samples are for LuaJIT alone");
    host_running_stack stack;
    if (!host_running_stack_open(&stack, L, err))
        return fail(p, err, err->status, err->text);
    p->samples.walk = new_walk(&stack);
    if (!p->samples.walk)
        return fail(p, err, TOLL_E_NOMEM, "out of memory");
    p->samples.charge = host_walk_charge;
    p->samples.timer = sample_timer_start(p->options.sample_hz, tick, p);
    return p->samples.timer || fail(p, err, TOLL_E_UNSUPPORTED, "the system has no timer for it");
}

void host_walk_stop(profiler *p, lua_State *L)
{
    p->samples.charge = NULL;
    sample_timer_stop(p->samples.timer);
    p->samples.timer = NULL;
    if (p->samples.walk->is_hooked && lua_gethook(L) == name_functions)
        lua_sethook(L, NULL, 0, 0);
    free_walk(p->samples.walk);
    p->samples.walk = NULL;
}
