/* jit_table.h - LuaJIT's dispatch table: the way to see the next instruction, and only that.
 *
 * LuaJIT tells no return of C functions, so while one is innermost the next instruction has to tell
 * (see arm in hook.c). LuaJIT jumps to each instruction through a table with a word for each kind,
 * which are all the same, the routine that counts, while a count hook is set. lua_sethook writes
 * that table anew at each change, and far more. So the count hook is set once, and from then on
 * only the words are changed: all of them, or, where it is known which instruction comes next,
 * that one.
 *
 * That word then leads not to the routine that counts, which takes most of the time of such an
 * event, but to one of ours (jit_return.c) where there is one for the machine.
 *
 * It is known for the functions of LuaJIT's own libraries called from Lua: they go on after the
 * call, or fail, and then what goes on is what comes after the innermost C function that stands
 * (pcall, say). After coroutine.yield it is what comes after the resuming call, after that one what
 * comes after the yield, if the coroutine stands in one; and it too may fail.
 *
 * Whatever else changes the table (the compiler, a hook of the script's) is seen at the next
 * change of ours, and lua_sethook is used from there on. */
#ifndef TOLL_LUA_JIT_TABLE_H
#define TOLL_LUA_JIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JIT_INSTRUCTIONS = 128, /* at most */
    JIT_OUTSIDE = 0xfd,     /* where the coroutine's errors land that it does not catch itself */
    JIT_NOWHERE = 0xfe,     /* no instruction: whoever catches an error there calls anew */
    JIT_ANY = 0xff          /* not known */
};

typedef struct jit_table {
    uint64_t *words; /* in LuaJIT's state, one for each kind; NULL: not to be used */
    size_t count;
    uint64_t each;                    /* what a word is while such instructions are to be seen */
    uint64_t after;                   /* the same, of `next` below */
    uint64_t plain[JIT_INSTRUCTIONS]; /* else */
    bool some;                        /* only the words of these are not plain: */
    uint8_t next;                     /* after the call, in the coroutine */
    uint8_t landing, failed;          /* after an error; or where it is returned; or JIT_NOWHERE */
    struct coroutine *to;             /* whose `next` is; NULL: the current one's */
} jit_table;

/* `kind` is to be seen by the routine that counts, or not any more. */
static inline void jit_table_see(jit_table *t, uint8_t kind)
{
    if (kind != JIT_NOWHERE)
        t->words[kind] = t->each;
}

static inline void jit_table_unsee(jit_table *t, uint8_t kind)
{
    if (kind != JIT_NOWHERE && t->words[kind] == t->each)
        t->words[kind] = t->plain[kind];
}

/* Known, and its word as we left it? */
static inline bool jit_table_may_see(const jit_table *t, uint8_t kind)
{
    return kind == JIT_NOWHERE || (kind < t->count && t->words[kind] == t->plain[kind]);
}

/* Back from some words to none. */
static inline void jit_table_see_none(jit_table *t)
{
    if (t->words[t->next] == t->after)
        t->words[t->next] = t->plain[t->next];
    jit_table_unsee(t, t->landing);
    jit_table_unsee(t, t->failed);
    t->some = false;
}

/* From none to some. False, and nothing done: it is not known which, or the table is not as we
 * left it. */
static inline bool jit_table_see_some(jit_table *t, uint8_t next, uint8_t landing, uint8_t failed,
                                      struct coroutine *to)
{
    if (!t->words || t->some || next == JIT_NOWHERE || !jit_table_may_see(t, next) ||
        !jit_table_may_see(t, landing) || !jit_table_may_see(t, failed))
        return false;
    jit_table_see(t, landing);
    jit_table_see(t, failed);
    t->words[next] = t->after;
    t->next = next;
    t->landing = landing;
    t->failed = failed;
    t->to = to;
    t->some = true;
    return true;
}

#endif
