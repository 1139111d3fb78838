/* run_lua_modules.h - finds the Lua modules that toll run loads into interpreters, and their
 * version. */
#ifndef TOLL_CLI_RUN_LUA_MODULES_H
#define TOLL_CLI_RUN_LUA_MODULES_H

#include <toll/version.h>

#include <limits.h>
#include <stdbool.h>

/* Find the folder that contains 5.X/toll.so: the one that TOLL_LUA_DIR names, whatever it contains;
 * or beside the command, or where the system has its libraries. */
bool toll_lua_modules_find(char folder[PATH_MAX]);

/* What toll run has to load. The texts are printable. */
typedef struct toll_lua_modules {
    char folder[PATH_MAX]; /* that contains the modules */
    char usable[32];       /* for which versions of Lua they are: "5.1 5.4" */
    char why[PATH_MAX];    /* if there are none for any version: what is wrong */
    const char *get;       /* and what is to be done */
} toll_lua_modules;

/* False: there is no module that this command can use. */
bool toll_lua_modules_look(toll_lua_modules *found);

extern const char toll_lua_modules_none[], toll_lua_modules_get[];

/* What is to be done about modules of another version of Toll. */
#define TOLL_LUA_MODULES_SAME                                                                      \
    "install the Lua modules of Toll " TOLL_VERSION_STRING                                         \
    ", or set TOLL_LUA_DIR to the folder that contains their 5.X/toll.so"

#endif
