/* stored_names.c - see stored_names.h.
 *
 * A function may be stored in several places. The name with the fewest dots is chosen, and of those
 * the first in alphabetical order, since tables are traversed in an order that differs from run to
 * run. For the same reason a table with too many fields, which holds data, is skipped as a whole.
 */
#include "stored_names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_FIELDS = 2000,     /* of one table */
    MOST_SEARCHED = 100000, /* in all, for one function */
    STACK_SLOTS = 16
};

/* Names of fields that a search looks up. */
typedef enum field_name { FIELD_INDEX, FIELD_GLOBALS, FIELD_COUNT } field_name;
static const char *const field_names[FIELD_COUNT] = { "__index", "_G" };

typedef struct search {
    lua_State *L;
    int function;    /* its index on the stack */
    lua_CFunction c; /* or the C function that is looked for, whatever Lua function it is in */
    int budget;      /* how many more fields may be examined */
    char best[HOST_NAME_SIZE];
} search;

void host_keep_field_names(lua_State *L)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)&field_names[i]);
        lua_pushstring(L, field_names[i]);
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
}

/* Push a field of the table on top of the stack. */
static void push_field(lua_State *L, field_name name)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&field_names[name]);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_rawget(L, -2);
}

static size_t dots_of(const char *name)
{
    size_t dots = 0;
    for (; *name; name++)
        dots += *name == '.';
    return dots;
}

static void offer(char *best, const char *name)
{
    size_t dots = dots_of(name), best_dots = dots_of(best);
    if (!*best || dots < best_dots || (dots == best_dots && strcmp(name, best) < 0))
        strcpy(best, name);
}

/* Is the function on top of the stack the one that is looked for? */
static bool is_found(const search *s)
{
    return s->c ? lua_tocfunction(s->L, -1) == s->c : lua_rawequal(s->L, -1, s->function);
}

/* Search the table on top of the stack, and the tables in its fields, `deeper` levels down.
 * `prefix` precedes a field's name. Without `functions` the functions in the table itself are
 * ignored. */
static void search_table(search *s, const char *prefix, bool functions, int deeper)
{
    lua_State *L = s->L;
    char found[HOST_NAME_SIZE], name[HOST_NAME_SIZE];
    int count = 0;
    strcpy(found, s->best);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        bool named = lua_type(L, -2) == LUA_TSTRING;
        const char *field = named ? lua_tostring(L, -2) : "";
        if (functions && named && is_found(s)) {
            snprintf(name, sizeof name, "%s%s", prefix, field);
            offer(s->best, name);
        } else if (deeper > 0 && named && lua_istable(L, -1) && strcmp(field, "_G") != 0) {
            snprintf(name, sizeof name, "%s%s.", prefix, field);
            search_table(s, name, true, deeper - 1);
        }
        lua_pop(L, 1);
        if (++count > MOST_FIELDS || --s->budget <= 0) {
            strcpy(s->best, found);
            lua_pop(L, 1);
            return;
        }
    }
}

/* Search the methods of userdata types: luaL_newmetatable stores each type's metatable in the
 * registry under its name. */
static void search_metatables(search *s)
{
    static const char *const others[] = { "_LOADED", "_PRELOAD", "_CLIBS" };
    lua_State *L = s->L;
    char name[HOST_NAME_SIZE];
    lua_pushvalue(L, LUA_REGISTRYINDEX);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        bool wanted = lua_type(L, -2) == LUA_TSTRING && lua_istable(L, -1);
        for (int i = 0; wanted && i < 3; i++)
            wanted = strcmp(lua_tostring(L, -2), others[i]) != 0;
        if (wanted) {
            snprintf(name, sizeof name, "%s:", lua_tostring(L, -2));
            search_table(s, name, true, 0);
            push_field(L, FIELD_INDEX);
            if (lua_istable(L, -1))
                search_table(s, name, true, 0);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Search the loaded modules and the globals; if the function is in neither, the global tables.
 * Search `deeper` more levels of each. */
static void search_modules(search *s, int deeper)
{
    lua_State *L = s->L;
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (lua_istable(L, -1)) {
        search_table(s, "", true, 1 + deeper);
        push_field(L, FIELD_GLOBALS);
        if (lua_istable(L, -1)) {
            search_table(s, "", true, 0);
            if (!*s->best)
                search_table(s, "", false, 1 + deeper);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void find(lua_State *L, lua_CFunction c, bool native, char name[HOST_NAME_SIZE])
{
    search s = { L, lua_gettop(L), c, MOST_SEARCHED, "" };
    *name = 0;
    if (!lua_checkstack(L, STACK_SLOTS))
        return;
    search_modules(&s, 0);
    if (!*s.best && native)
        search_metatables(&s);
    if (!*s.best && native)
        search_modules(&s, 1);
    if (s.budget > 0)
        strcpy(name, s.best);
    lua_settop(L, s.function);
}

void host_stored_name(lua_State *L, bool native, char name[HOST_NAME_SIZE])
{
    find(L, NULL, native, name);
}

void host_stored_c_name(lua_State *L, lua_CFunction c, char name[HOST_NAME_SIZE])
{
    find(L, c, true, name);
}
