/* run_lua_modules.c - see run_lua_modules.h. */
#include "run_lua_modules.h"

#include "run.h"

#include "base/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- their version -----------------------------------------------------------------------------*/

enum { VERSION_SIZE = 16 };

/* The words are in hosts/lua/lua_run.c. Keeps the version that follows them, if it is one. */
static bool match_version(const char *words, const char *end, char version[VERSION_SIZE])
{
    static const char before[] = "Lua module of Toll ";
    size_t size = sizeof before - 1;
    if ((size_t)(end - words) < size + VERSION_SIZE || memcmp(words, before, size) != 0)
        return false;
    memcpy(version, words + size, VERSION_SIZE);
    if (!memchr(version, 0, VERSION_SIZE))
        return false;
    size_t digits = strspn(version, "0123456789.");
    return digits > 0 && version[digits] == 0;
}

/* Read which version of Toll a module is of. False: the file does not contain that. */
static bool read_version(const char *path, char version[VERSION_SIZE])
{
    enum { MOST = 64 << 20 }; /* bytes; a module has less than one million */
    toll_os_info info;
    int fd = toll_os_open_to_read(path, &info);
    if (fd < 0)
        return false;
    size_t size = info.kind == TOLL_OS_REGULAR && info.size < MOST ? (size_t)info.size : 0;
    char *data = size ? malloc(size + VERSION_SIZE) : NULL;
    bool found = false;
    if (data && toll_os_read_at(fd, data, size, 0)) {
        const char *end = data + size + VERSION_SIZE, *at = data;
        memset(data + size, 0, VERSION_SIZE); /* the version may be at the file's end */
        while (!found && (at = memchr(at, 'L', (size_t)(end - at))) != NULL)
            found = match_version(at++, end, version);
    }
    free(data);
    toll_os_close(fd);
    return found;
}

static void complain_of(toll_lua_modules *found, const char *lua, const char *version)
{
    found->get = TOLL_LUA_MODULES_SAME;
    snprintf(found->why, sizeof found->why,
             "%s/toll.so in %.*s is of %s%s, and this command of Toll " TOLL_VERSION_STRING, lua,
             PATH_MAX - 200, found->folder, version ? "Toll " : "another version of Toll",
             version ? version : "");
}

bool toll_lua_modules_look(toll_lua_modules *found)
{
    char folder[PATH_MAX], file[PATH_MAX + 32], version[VERSION_SIZE];
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
        bool is_known = read_version(file, version);
        if (!is_known || strcmp(version, TOLL_VERSION_STRING) != 0)
            complain_of(found, versions[v], is_known ? version : NULL);
        else
            used += (size_t)snprintf(found->usable + used, sizeof found->usable - used, "%s%s",
                                     used ? " " : "", versions[v]);
    }
    return used > 0;
}
