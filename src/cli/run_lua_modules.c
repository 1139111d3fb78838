/* run_lua_modules.c - see run_lua_modules.h. */
#include "run_lua_modules.h"

#include "file_version.h"
#include "run.h"

#include "base/os.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const versions[] = { "5.1", "5.2", "5.3", "5.4" };
enum { VERSIONS = sizeof versions / sizeof *versions };

const char toll_lua_modules_none[] = "no Lua modules beside this command (../lib/lua/5.X/toll.so), "
                                     "nor in /usr/local/lib and /usr/lib";
const char toll_lua_modules_get[] =
    "build and install Toll from source with Debian's package liblua5.4-dev, or set TOLL_LUA_DIR "
    "to the folder that contains 5.X/toll.so";

/* In ../lib beside the command, both in a build and in an installation, or where multiarch systems
 * install it; then where the system has its libraries, for a command that was copied somewhere
 * alone. */
bool toll_lua_modules_find(char folder[PATH_MAX])
{
    static const char *const places[] = { "../lib/lua",
                                          "../lib64/lua",
                                          "../lib/x86_64-linux-gnu/lua",
                                          "../lib/aarch64-linux-gnu/lua",
                                          "/usr/local/lib/lua",
                                          "/usr/local/lib64/lua",
                                          "/usr/local/lib/x86_64-linux-gnu/lua",
                                          "/usr/local/lib/aarch64-linux-gnu/lua",
                                          "/usr/lib/lua",
                                          "/usr/lib64/lua",
                                          "/usr/lib/x86_64-linux-gnu/lua",
                                          "/usr/lib/aarch64-linux-gnu/lua",
                                          NULL };
    const char *set = getenv("TOLL_LUA_DIR");
    char file[32];
    if (set) {
        snprintf(folder, PATH_MAX, "%s", set);
        return true;
    }
    for (size_t v = 0; v < VERSIONS; v++) {
        snprintf(file, sizeof file, "%s/toll.so", versions[v]);
        if (toll_run_find_beside(places, file, folder))
            return true;
    }
    return false;
}

bool toll_lua_modules_look(toll_lua_modules *found)
{
    char folder[PATH_MAX], file[PATH_MAX + 32];
    size_t used = 0;
    *found = (toll_lua_modules){ .get = toll_lua_modules_get };
    if (!toll_lua_modules_find(folder)) {
        snprintf(found->why, sizeof found->why, "%s", toll_lua_modules_none);
        return false;
    }
    toll_printable(folder, found->folder, sizeof found->folder);
    snprintf(found->why, sizeof found->why, "no 5.X/toll.so in %.*s, which TOLL_LUA_DIR names",
             PATH_MAX - 200, found->folder);
    for (size_t v = 0; v < VERSIONS; v++) {
        snprintf(file, sizeof file, "%s/%s/toll.so", folder, versions[v]);
        if (!toll_os_is_file(file))
            continue;
        /* The words are in hosts/lua/lua_run.c. */
        if (!toll_file_version_fits(file, "Lua module of Toll ", found->why, sizeof found->why))
            found->get = TOLL_LUA_MODULES_SAME;
        else
            used += (size_t)snprintf(found->usable + used, sizeof found->usable - used, "%s%s",
                                     used ? " " : "", versions[v]);
    }
    return used > 0;
}
