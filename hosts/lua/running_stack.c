/* running_stack.c - see running_stack.h. */
#include "running_stack.h"

#include <string.h>
#include <unistd.h>

#include "this_thread.h"

enum { MOST_THREADS = 200 }; /* coroutines that have resumed one another */

lua_State *host_running_stack_read(host_running_stack *r)
{
    const lua_State *entered = host_entered;
    uint64_t at = (uint64_t)(uintptr_t)r->main_thread, found;
    if (entered && toll_lua_walk_global(r->now, (uint64_t)(uintptr_t)entered) == r->global)
        at = (uint64_t)(uintptr_t)entered;
    r->now->pid = r->next->pid = getpid();
    if (!toll_lua_walk_state(r->now, at))
        return NULL;
    found = at;
    for (int n = 0; n < MOST_THREADS; n++) {
        at = toll_lua_walk_resumed(r->now, r->resume, r->wrap);
        if (!at || !toll_lua_walk_state(r->next, at) || !r->next->count)
            break;
        toll_lua_walk *resumer = r->now;
        r->now = r->next;
        r->next = resumer;
        found = at;
    }
    return (lua_State *)(uintptr_t)found;
}

/* --- the opening -------------------------------------------------------------------------------*/

/* Compare a stack that is read from memory with Lua's own answer: this function, which Lua calls.
 */
static int check_layout(lua_State *L)
{
    toll_lua_walk *w = lua_touserdata(L, 1);
    char text[64];
    bool good = toll_lua_walk_state(w, (uint64_t)(uintptr_t)L) && w->count >= 2 &&
                w->frames[0].c_function == (uint64_t)(uintptr_t)check_layout &&
                w->frames[1].first_line == 2 && w->frames[1].last_line == 4 &&
                toll_lua_walk_text(w, w->frames[1].source, text, sizeof text) &&
                strcmp(text, "=toll") == 0;
    lua_pushboolean(L, good);
    return 1;
}

/* Pops check_layout, and raises no error. */
static bool has_layout(lua_State *L, toll_lua_walk *w)
{
    static const char code[] = "local check, walk = ...\n"
                               "local function f()\n"
                               "  local good = check(walk) return good\n"
                               "end\n"
                               "local good = f() return good";
    int top = lua_gettop(L) - 1;
    bool good = false;
    if (sizeof(void *) == 8 && luaL_loadbuffer(L, code, sizeof code - 1, "=toll") == 0) {
        lua_insert(L, -2);
        lua_pushlightuserdata(L, w);
        good = lua_pcall(L, 2, 1, 0) == 0 && lua_toboolean(L, -1);
    }
    lua_settop(L, top);
    return good;
}

bool host_running_stack_open(host_running_stack *r, lua_State *L, toll_error *err)
{
    const toll_lua_layout *layout = toll_lua_layout_of(LUA_VERSION_NUM);
    lua_State *main_thread = host_main_thread(L);
    host_coroutine_functions functions = host_find_coroutine_functions(L);
    *r = (host_running_stack){ .main_thread = main_thread ? main_thread : L,
                               .resume = (uint64_t)(uintptr_t)functions.resume,
                               .wrap = (uint64_t)(uintptr_t)functions.wrap_body };
    lua_pushcfunction(L, check_layout); /* the last call here that may raise an error */
    r->now = toll_lua_walk_new(layout, getpid());
    r->next = toll_lua_walk_new(layout, getpid());
    if (!r->now || !r->next) {
        lua_pop(L, 1);
        *err = (toll_error){ TOLL_E_NOMEM, "out of memory" };
    } else if (!has_layout(L, r->now)) {
        *err = (toll_error){ TOLL_E_UNSUPPORTED,
                             "this Lua keeps its stack in another way than Lua's releases, or the "
                             "system forbids process_vm_readv" };
    } else {
        r->global = toll_lua_walk_global(r->now, (uint64_t)(uintptr_t)L);
        return true;
    }
    host_running_stack_close(r);
    return false;
}

void host_running_stack_close(host_running_stack *r)
{
    toll_lua_walk_free(r->now);
    toll_lua_walk_free(r->next);
    r->now = r->next = NULL;
}
