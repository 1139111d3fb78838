/* jit_table.h - changes LuaJIT's dispatch table, so that only the next instruction after a C
 * function is seen.
 *
 * LuaJIT calls no hook when a C function returns. So while a C function is innermost, the next
 * instruction that runs must be seen. LuaJIT jumps to the code of each instruction through a table
 * that has one word for each opcode. While a count hook is set, all words are the same: the address
 * of the routine that counts instructions and calls the hook. lua_sethook rewrites that table at
 * each change, and does much more. So we set the count hook once, and from then on only change
 * words: all of them, or, if it is known which instruction runs next, the word of its opcode.
 *
 * That word then does not have the counting routine, which takes most of the time of such an event,
 * but a routine of our own (jit_return.c), if there is one for the processor.
 *
 * Which instruction runs next is known for functions of LuaJIT's own libraries that Lua code has
 * called:
 *   - after a return, the instruction after the call;
 *   - after an error, the one after the innermost active C function (for example pcall);
 *   - after coroutine.yield, the one after the call that resumed this coroutine;
 *   - after a call that resumes a coroutine, the one after that coroutine's yield. Both switches
 *     can fail, too.
 *
 * The compiler, or a hook of the script, may also change the table. Our next change notices that,
 * and from then on lua_sethook is used. */
#ifndef TOLL_LUA_JIT_TABLE_H
#define TOLL_LUA_JIT_TABLE_H

#include "lua_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JIT_INSTRUCTIONS = 128, /* more opcodes than LuaJIT has */
    /* Values in place of an opcode: */
    JIT_OUTSIDE = 0xfd, /* the instruction that runs after an error which leaves the coroutine */
    JIT_NOWHERE = 0xfe, /* no instruction: the host catches the error, and calls again */
    JIT_ANY = 0xff      /* not known */
};

typedef struct jit_table {
    uint64_t *words; /* in LuaJIT's state, one for each opcode; NULL: not to be used */
    size_t count;
    /* A word has one of three values: */
    uint64_t each;                       /* LuaJIT's counting routine: the opcode is seen */
    uint64_t after;                      /* our own routine, in the word of `next` */
    uint64_t original[JIT_INSTRUCTIONS]; /* the opcode's own code: it is not seen */
    /* If `some`, only these three opcodes are seen: */
    bool some;
    uint8_t next;            /* runs after the C function returns */
    uint8_t landing, failed; /* run after an error, and after an error that resume returns */
    struct coroutine *to;    /* `next` runs in this coroutine; NULL: in the current one */
} jit_table;

/* Set `hook` for `mask`, and find the table: the words that lua_sethook changes in LuaJIT's state.
 * Afterwards each instruction is seen. False: not found, and t->words is NULL. */
bool jit_table_find(jit_table *t, lua_State *L, lua_Hook hook, int mask);

/* See each instruction from now on, or none. False: there is no table, or LuaJIT or a hook has
 * changed it. */
bool jit_table_see_each(jit_table *t, bool each);

static inline void jit_table_see(jit_table *t, uint8_t opcode)
{
    if (opcode != JIT_NOWHERE)
        t->words[opcode] = t->each;
}

static inline void jit_table_unsee(jit_table *t, uint8_t opcode)
{
    if (opcode != JIT_NOWHERE && t->words[opcode] == t->each)
        t->words[opcode] = t->original[opcode];
}

/* Is the opcode known, and is its word the original one? */
static inline bool jit_table_may_see(const jit_table *t, uint8_t opcode)
{
    return opcode == JIT_NOWHERE || (opcode < t->count && t->words[opcode] == t->original[opcode]);
}

/* See no instruction any more; before, some were seen. */
static inline void jit_table_see_none(jit_table *t)
{
    if (t->words[t->next] == t->after)
        t->words[t->next] = t->original[t->next];
    jit_table_unsee(t, t->landing);
    jit_table_unsee(t, t->failed);
    t->some = false;
}

/* See these opcodes from now on; before, none was seen. False: an opcode is not known, or LuaJIT or
 * a hook has changed the table; then nothing is changed. */
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
