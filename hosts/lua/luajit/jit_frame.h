/* jit_frame.h - LuaJIT: what the frame of a C function knows of the instructions that can run after
 * it. An instruction is known by its opcode; JIT_OUTSIDE, JIT_NOWHERE and JIT_ANY (jit_table.h)
 * stand for more. */
#ifndef TOLL_LUA_JIT_FRAME_H
#define TOLL_LUA_JIT_FRAME_H

#include "lua_api.h"
#include "object_map.h"

#if IS_51

/* `next` is the instruction after the call; `landing` is the one that runs next if the function
 * fails: the one after the innermost C function that was active at the call (pcall, say). */
static inline frame_ref host_native(frame_ref f, uint8_t next, uint8_t landing)
{
    f.flags |= (uint32_t)next << 8 | (uint32_t)landing << 16;
    return f;
}

static inline uint8_t host_native_next(frame_ref f)
{
    return (uint8_t)(f.flags >> 8);
}

static inline uint8_t host_native_landing(frame_ref f)
{
    return (uint8_t)(f.flags >> 16);
}

#endif
#endif
