/* jit_table.h - changes LuaJIT's dispatch table, so that the next instruction is seen and no other.
 *
 * LuaJIT calls no hook when a C function returns, so while one is innermost the next instruction
 * that runs must be seen. LuaJIT jumps to the code of each instruction through a table with one
 * word for each opcode. While a count hook is set all words are the same: the address of the
 * routine that counts instructions and calls the hook. lua_sethook rewrites that table, and much
 * more, at each change. So the count hook is set once, and from then on only words are changed: all
 * of them, or, where it is known which instruction runs next, that one's.
 *
 * That one word then holds not the counting routine, which takes most of the time of such an event,
 * but a routine of our own (jit_return.c), where there is one for the machine.
 *
 * The next instruction is known for the functions of LuaJIT's own libraries that Lua code calls. On
 * return, the instruction after the call runs next; on error, the one after the innermost active C
 * function (pcall, say). After coroutine.yield the instruction after the call that resumed this
 * coroutine runs next; after that call the one after the yield, if the coroutine has yielded. Both
 * can fail, too.
 *
 * The compiler, or a hook of the script's, may change the table as well. That is noticed at our
 * next change, and from there on lua_sethook is used. */
#ifndef TOLL_LUA_JIT_TABLE_H
#define TOLL_LUA_JIT_TABLE_H

#include "lua_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JIT_INSTRUCTIONS = 128, /* more opcodes than LuaJIT has */
    /* In place of an opcode: */
    JIT_OUTSIDE = 0xfd, /* what runs after an error that leaves the coroutine */
    JIT_NOWHERE = 0xfe, /* no instruction: the host catches the error, and calls again */
    JIT_ANY = 0xff      /* not known */
};

typedef struct jit_table {
    uint64_t *words; /* in LuaJIT's state, one for each opcode; NULL: not to be used */
    size_t count;
    uint64_t each;  /* the counting routine: in the words of opcodes whose next one is seen, */
    uint64_t after; /* or our own routine, in the word of `next`; */
    uint64_t original[JIT_INSTRUCTIONS]; /* LuaJIT's own words, in those of the others */
    bool some;                           /* only these three are seen: */
    uint8_t next;                        /* the opcode that runs after the call, */
    uint8_t landing, failed; /* after an error, and after an error that resume returns */
    struct coroutine *to;    /* `next` runs in this coroutine; NULL: in the current one */
} jit_table;

/* Sets `hook` for `mask`, finds the table by what lua_sethook changes in LuaJIT's state, and leaves
 * it so that each instruction is seen. False: not found, t->words is NULL. */
bool jit_table_find(jit_table *t, lua_State *L, lua_Hook hook, int mask);

/* From now on each instruction is seen, or none. False: there is no table, or LuaJIT or a hook has
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

/* Is the opcode known, and its word as we left it? */
static inline bool jit_table_may_see(const jit_table *t, uint8_t opcode)
{
    return opcode == JIT_NOWHERE || (opcode < t->count && t->words[opcode] == t->original[opcode]);
}

/* From some hooked opcodes to none. */
static inline void jit_table_see_none(jit_table *t)
{
    if (t->words[t->next] == t->after)
        t->words[t->next] = t->original[t->next];
    jit_table_unsee(t, t->landing);
    jit_table_unsee(t, t->failed);
    t->some = false;
}

/* From none to some. False, and nothing is changed: an opcode is not known, or LuaJIT or a hook has
 * changed the table. */
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
