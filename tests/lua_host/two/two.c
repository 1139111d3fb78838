/* two.c LIBRARY VERSION - a program with one Lua loads a library with another one (other.c). While
 * the first is recorded, the second works as before, no matter whether it has run before. */
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const char *version_function(void);

static int record(version_function *other, const char *version, int runs_before)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (runs_before)
        other();
    if (luaL_dostring(L, "package.cpath = '" HOST_MODULES "/?.so' toll = require 'toll' "
                         "toll.start()")) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        return 1;
    }
    const char *seen = other();
    lua_close(L);
    return !seen || strcmp(seen, version) != 0;
}

static bool runs_alone(version_function *other, const char *version)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        const char *seen = other();
        _exit(!seen || strcmp(seen, version) != 0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    void *library = argc == 3 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "other_version") : NULL;
    version_function *other;
    memcpy(&other, &symbol, sizeof other);
    if (!symbol) {
        fprintf(stderr, "two LIBRARY VERSION: %s\n", argc == 3 ? dlerror() : "two arguments");
        return 2;
    }
    if (!runs_alone(other, argv[2])) {
        printf("skipped: here two Luas in one process meddle with one another by themselves\n");
        return 77;
    }
    for (int runs_before = 0; runs_before < 2; runs_before++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            _exit(record(other, argv[2], runs_before));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "the other Lua, which %s before: status %#x\n",
                    runs_before ? "ran" : "had not run", (unsigned)status);
            return 1;
        }
    }
    return 0;
}
