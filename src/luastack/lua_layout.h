/* lua_layout.h - where Lua 5.1 to 5.4 keep what a sampler reads, on 64-bit machines.
 *
 * The layouts are those of the releases (lstate.h, lobject.h). They are not in Lua's public
 * headers, so whoever uses them first compares them with a stack that is known. */
#ifndef TOLL_LUA_LAYOUT_TABLE_H
#define TOLL_LUA_LAYOUT_TABLE_H

#include <stdint.h>

/* Offsets and sizes are in bytes. */
typedef struct toll_lua_layout {
    uint16_t version; /* LUA_VERSION_NUM */
    /* lua_State: its part that is read, and the pointers in it. `stack_last` and `stack` are the
     * bounds of the slots; `base_ci` is 0 where CallInfo is a linked list. */
    uint8_t state_size, status, global, ci, stack_last, stack, base_ci;
    uint8_t ci_size, ci_func, ci_previous; /* CallInfo */
    uint8_t closure_size, closure_is_c;    /* a function; is_c is 0 where the type says it */
    uint8_t upvalue;                       /* the first one of a C function */
    uint8_t proto_size, source, first_line, last_line;
    uint8_t string_text; /* the characters of a string, which end in a NUL */
    uint8_t is_short;    /* type of a string that has another pointer where others have the size */
    uint8_t is_lua, is_c, is_light_c, is_thread; /* types of a slot; 0: there is none */
} toll_lua_layout;

/* NULL: none of that version. */
const toll_lua_layout *toll_lua_layout_of(int version);

#endif
