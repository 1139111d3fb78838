/* jit_table.c - see jit_table.h. */
#define _GNU_SOURCE
#include "jit_table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if IS_51

enum {
    JIT_GLOBAL = 16, /* lua_State.glref of LuaJIT with GC64: the global state */
    /* The table ends some 590 words after the start of the global state. The memory after the state
     * is not LuaJIT's. */
    SEARCHED_WORDS = 640,
    LEAST_INSTRUCTIONS = 64
};

/* How many words from there can be read. write(2) answers this: it fails with an error for memory
 * that is not mapped, where a direct read would be a fault. */
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

/* The longest run of changed words that are all equal. */
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

bool jit_table_find(jit_table *t, lua_State *L, lua_Hook hook, int mask)
{
    const uint64_t *state;
    size_t start = 0;
    *t = (jit_table){ 0 };
    memcpy(&state, (const char *)L + JIT_GLOBAL, sizeof state);
    size_t words = readable_words(state);
    uint64_t *before = malloc(words * sizeof *before + 1);
    if (!before)
        return false;
    lua_sethook(L, hook, mask, 0);
    memcpy(before, state, words * sizeof *before);
    lua_sethook(L, hook, mask | LUA_MASKCOUNT, 1);
    size_t count = find_run(state, before, words, &start);
    if (count >= LEAST_INSTRUCTIONS && count <= JIT_INSTRUCTIONS) {
        t->words = (uint64_t *)(uintptr_t)(state + start);
        t->count = count;
        t->each = t->after = state[start];
        memcpy(t->original, before + start, count * sizeof *before);
    }
    free(before);
    return t->words != NULL;
}

static void fill(uint64_t *words, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++)
        words[i] = value;
}

bool jit_table_see_each(jit_table *t, bool each)
{
    if (!t->words)
        return false;
    if (t->some)
        jit_table_see_none(t);
    if (t->words[0] != t->original[0] && t->words[0] != t->each)
        return false;
    if (each)
        fill(t->words, t->count, t->each);
    else if (t->words[0] == t->each)
        memcpy(t->words, t->original, t->count * sizeof *t->words);
    return true;
}

#endif
