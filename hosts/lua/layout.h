/* layout.h - the layout of CallInfo, which is in every release of Lua but not in its public
 * headers.
 *
 * lua_getinfo and lua_getstack, which return the function, the caller and the kind of a call, take
 * more time than everything else in a hook. So the hook reads CallInfo directly. The layouts below
 * are those of the releases on 64-bit machines. At the start host_probe compares them with the
 * results of the public functions in the running interpreter. They are used only if everything
 * agrees; otherwise profiler.reads_callinfo is false. Tests run both ways. */
#ifndef TOLL_LUA_LAYOUT_H
#define TOLL_LUA_LAYOUT_H

#include "lua_api.h"
#include "luajit/jit_table.h"

/* Calls its first argument with the other arguments. The probe uses this and not pcall, which the
 * script may have replaced. */
int host_probe_call(lua_State *L);

/* May the layouts be used? Runs a few calls under a hook of its own. Pops host_probe_call, which
 * the caller has pushed, since that may raise an error; this raises none. */
bool host_probe(lua_State *L, bool jit);

/* The frame at an event, as struct entry identifies it. */
static inline uintptr_t layout_ci(bool jit, const lua_Debug *ar)
{
#if IS_51
    return (uintptr_t)(jit ? ar->i_ci & 0xffff : ar->i_ci);
#else
    (void)jit;
    return (uintptr_t)ar->i_ci;
#endif
}

#if IS_51

enum {
    JIT_BASE = 32,    /* of LuaJIT with GC64: lua_State.base; two slots below it lies the function,
                         then the link, */
    JIT_STACK = 56,   /* lua_State.stack: from there on slots are numbered, */
    JIT_ID = 10,      /* GCfunc.ffid: which function of its own libraries, or */
    JIT_ID_C = 1,     /* one of another library */
    JIT_UPVALUE = 48, /* GCfuncC.upvalue, the first, */
    JIT_POINTER_BITS = 47, /* which like each value is a pointer and above it a type */
    CI_51 = 40,            /* lua_State.ci of Lua 5.1, and the size of its CallInfo: */
    CI_51_FUNC = 8,        /* { base, func, top, savedpc, nresults, tailcalls } */
    CI_51_SAVEDPC = 24,
    OP_51_TAILCALL = 29
};

static inline const char *layout_51_ci(lua_State *L)
{
    return *(const char *const *)(const void *)((const char *)L + CI_51);
}

/* Is a call from a Lua function of 5.1 a tail call? The calling instruction is the one before the
 * caller's savedpc. */
static inline bool layout_51_is_tail(lua_State *L)
{
    const uint32_t *pc =
        *(const uint32_t *const *)(const void *)(layout_51_ci(L) - CI_51 + CI_51_SAVEDPC);
    return (pc[-1] & 63) == OP_51_TAILCALL;
}

static inline const uint64_t *layout_jit_base(lua_State *L)
{
    return *(const uint64_t *const *)(const void *)((const char *)L + JIT_BASE);
}

static inline const void *layout_jit_pointer(uint64_t value)
{
    return (const void *)(uintptr_t)(value & (((uint64_t)1 << JIT_POINTER_BITS) - 1));
}

/* What the first upvalue of a C function that has one points to. */
static inline const void *layout_jit_upvalue(const void *function)
{
    return layout_jit_pointer(
        *(const uint64_t *)(const void *)((const char *)function + JIT_UPVALUE));
}

/* What the current function's first argument points to; anything if there is none. */
static inline const void *layout_jit_argument(lua_State *L)
{
    return layout_jit_pointer(layout_jit_base(L)[0]);
}

/* The frame whose slots begin at `base`, as layout_ci has it. */
static inline uintptr_t layout_jit_ci(lua_State *L, const uint64_t *base)
{
    const uint64_t *stack = *(const uint64_t *const *)(const void *)((const char *)L + JIT_STACK);
    return (uintptr_t)(base - 1 - stack);
}

/* The opcode of the instruction after the call of the current function. If Lua code has called it,
 * the link in its frame points to that instruction, and the link's two low bits are 0. Otherwise
 * JIT_ANY. */
static inline uint8_t layout_jit_next(lua_State *L)
{
    uint64_t link = layout_jit_base(L)[-1];
    return link & 3 ? JIT_ANY : *(const uint8_t *)(uintptr_t)link;
}

static inline uint8_t layout_jit_id(const void *function)
{
    return ((const uint8_t *)function)[JIT_ID];
}

static inline const void *layout_function(bool jit, lua_State *L, const lua_Debug *ar)
{
    (void)ar;
    if (jit)
        return layout_jit_pointer(layout_jit_base(L)[-2]);
    return **(const void *const *const *)(const void *)(layout_51_ci(L) + CI_51_FUNC);
}

#else

struct layout_ci {
    const void *func, *top;
    const struct layout_ci *previous, *next;
};

static inline uintptr_t layout_previous(uintptr_t ci)
{
    return (uintptr_t)((const struct layout_ci *)ci)->previous;
}

/* The caller's CallInfo; 0 for the outermost frame. */
static inline uintptr_t layout_caller_of(uintptr_t ci)
{
    const struct layout_ci *caller = ((const struct layout_ci *)ci)->previous;
    return caller && caller->previous ? (uintptr_t)caller : 0;
}

static inline const void *layout_function(bool jit, lua_State *L, const lua_Debug *ar)
{
    (void)jit;
    (void)L;
    return *(const void *const *)((const struct layout_ci *)(const void *)ar->i_ci)->func;
}

#endif
#endif
