/* jit_table.c - the table found, and switched as a whole. It is found by looking for what
 * lua_sethook changes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jit_return.h"

#if IS_51

enum {
    /* From the global state on: the table ends some 590 words in. What comes behind the state
     * is other people's memory. */
    SEARCHED_WORDS = 640,
    LEAST_INSTRUCTIONS = 64
};

/* How many words can be read: the kernel is asked, for a pipe takes nothing from where nothing is
 * mapped. */
static size_t readable_words(const uint64_t *from)
{
    int ends[2];
    char sink;
    size_t words = 0, step = 64;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    while (words < SEARCHED_WORDS && write(ends[1], from + words + step - 1, 1) == 1 &&
           read(ends[0], &sink, 1) == 1)
        words += step;
    close(ends[0]);
    close(ends[1]);
    return words;
}

/* The longest run of words that have all become the same. */
static size_t find_run(const uint64_t *now, const uint64_t *before, size_t words, size_t *start)
{
    size_t best = 0;
    for (size_t i = 0, end; i < words; i = end) {
        for (end = i; end < words && now[end] == now[i] && now[end] != before[end]; end++)
            ;
        if (end - i > best) {
            best = end - i;
            *start = i;
        }
        end += end == i;
    }
    return best;
}

void host_find_jit_table(profiler *p, lua_State *L)
{
    const uint64_t *state;
    size_t start = 0;
    p->table = (jit_table){ 0 };
    memcpy(&state, (const char *)L + JIT_GLOBAL, sizeof state);
    size_t words = readable_words(state);
    uint64_t *before = malloc(words * sizeof *before + 1);
    if (!before)
        return;
    lua_sethook(L, host_hook_of(p), p->mask, 0);
    memcpy(before, state, words * sizeof *before);
    lua_sethook(L, host_hook_of(p), p->mask | LUA_MASKCOUNT, 1);
    size_t count = find_run(state, before, words, &start);
    if (count >= LEAST_INSTRUCTIONS && count <= JIT_INSTRUCTIONS) {
        p->table.words = (uint64_t *)(uintptr_t)(state + start);
        p->table.count = count;
        p->table.each = state[start];
        p->table.after = host_return_routine(p->table.each);
        memcpy(p->table.plain, before + start, count * sizeof *before);
        if (!p->armed)
            host_see_each(p, false);
    } else {
        host_set_hook(p, L);
    }
    free(before);
}

static void fill(uint64_t *words, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++)
        words[i] = value;
}

/* False: there is no table, or somebody else has been at it. */
bool host_see_each(profiler *p, bool each)
{
    jit_table *t = &p->table;
    if (!t->words)
        return false;
    if (t->some)
        jit_table_see_none(t);
    if (t->words[0] != t->plain[0] && t->words[0] != t->each)
        return false;
    if (each)
        fill(t->words, t->count, t->each);
    else if (t->words[0] == t->each)
        memcpy(t->words, t->plain, t->count * sizeof *t->words);
    return true;
}

/* --- which functions go on after the call ------------------------------------------------------*/

static uint8_t library_id(lua_State *L, int index)
{
    return lua_iscfunction(L, index) ? layout_jit_id(lua_topointer(L, index)) : 0;
}

static int nothing(lua_State *L)
{
    (void)L;
    return 0;
}

/* Does what coroutine.wrap has made, on top of the stack, have its coroutine where we look? */
static bool wraps_as_expected(lua_State *L)
{
    const void *expected = layout_jit_upvalue(lua_topointer(L, -1));
    if (!lua_getupvalue(L, -1, 1))
        return false;
    bool same = lua_tothread(L, -1) == expected;
    lua_pop(L, 1);
    return same;
}

/* Those of coroutine that do not. */
void host_find_jit_switches(profiler *p, lua_State *L)
{
    static const char *const names[] = { "yield", "resume" };
    lua_pushcfunction(L, nothing);
    bool found = library_id(L, -1) == JIT_ID_C;
    lua_pop(L, 1);
    for (size_t i = 0; i < 2; i++) {
        host_push_library_function(L, "coroutine", names[i]);
        p->jit_switches[i] = library_id(L, -1);
        found = found && p->jit_switches[i] > JIT_ID_C;
        lua_pop(L, 1);
    }
    host_push_library_function(L, "coroutine", "wrap");
    if (lua_iscfunction(L, -1) && luaL_loadstring(L, "") == 0 && lua_pcall(L, 1, 1, 0) == 0)
        p->jit_switches[2] = wraps_as_expected(L) ? library_id(L, -1) : 0;
    else
        p->jit_switches[2] = 0;
    lua_pop(L, 1);
    if (!found || p->jit_switches[2] <= JIT_ID_C)
        p->jit_switches[0] = 0;
}

/* What there is to know of a C function. */
uint32_t host_jit_flags(const profiler *p, const void *function)
{
    uint8_t id = layout_jit_id(function);
    const uint8_t *switches = p->jit_switches;
    if (id <= JIT_ID_C || !switches[0])
        return 0;
    return id == switches[0]   ? OBJECT_YIELD
           : id == switches[1] ? OBJECT_RESUME
           : id == switches[2] ? OBJECT_WRAP
                               : OBJECT_GOES_ON;
}

/* Where an error lands that a coroutine lets out which the innermost frame of `resumer` resumes:
 * coroutine.resume returns it, what wrap makes lets it out too. */
uint8_t host_landing_outside(const coroutine *resumer)
{
    frame_ref f = resumer->top->f;
    if (f.flags & OBJECT_RESUME)
        return host_native_next(f);
    if (f.flags & OBJECT_WRAP)
        return host_landing(resumer, host_native_landing(f));
    return JIT_ANY;
}

/* What will be seen after coroutine.yield: whoever resumed the current coroutine goes on. */
static bool watch_yield(profiler *p, uint8_t landing)
{
    coroutine *to = p->co->resumer;
    if (!to || !(to->top->f.flags & (OBJECT_RESUME | OBJECT_WRAP)))
        return false;
    return jit_table_see_some(&p->table, host_native_next(to->top->f), landing, JIT_NOWHERE, to);
}

/* And after the call of `f`, which resumes the coroutine `thread`, if it stands in a yield. */
static bool watch_resume(profiler *p, frame_ref f, const void *thread, uint8_t landing)
{
    const object *o = objects_find(&p->map, thread);
    coroutine *to = o && o->f.flags & OBJECT_COROUTINE ? o->co : NULL;
    if (!to || to == p->co || to->resumer || !to->track || !(to->top->f.flags & OBJECT_YIELD))
        return false;
    uint8_t failed = f.flags & OBJECT_RESUME ? host_native_next(f) : JIT_NOWHERE;
    return jit_table_see_some(&p->table, host_native_next(to->top->f), landing, failed, to);
}

/* host_watch_return where the current function, known as `f`, is one of coroutine. */
bool host_watch_switch(profiler *p, lua_State *L, frame_ref f)
{
    uint8_t landing = host_landing(p->co, host_native_landing(f));
    if (f.flags & OBJECT_YIELD)
        return watch_yield(p, landing);
    if (f.flags & OBJECT_WRAP)
        return watch_resume(p, f, layout_jit_upvalue(layout_function(true, L, NULL)), landing);
    return f.flags & OBJECT_RESUME && watch_resume(p, f, layout_jit_argument(L), landing);
}

#endif
