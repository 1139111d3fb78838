/* jit_frame.h - LuaJIT: keeps in the frame of a C function which instructions can run after it.
 *
 * An instruction is identified by its opcode, or by JIT_OUTSIDE, JIT_NOWHERE or JIT_ANY
 * (jit_table.h). The two opcodes are in the flags of the frame_ref, bits 8 to 23. */
#ifndef TOLL_LUA_JIT_FRAME_H
#define TOLL_LUA_JIT_FRAME_H

#include "lua_api.h"
#include "object_map.h"

#if IS_51

/* Add the two opcodes to `f`. `next` is the instruction after the call. `landing` is the one that
 * runs if the function fails: the one after the innermost C function that was active at the call
 * (for example pcall). */
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
