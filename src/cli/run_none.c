/* run_none.c - reports that toll run needs Linux, for the guest's process and what is loaded into
 * it. Replaces cmd_run.c and the other run_*.c on other systems (src/CMakeLists.txt), and is empty
 * on Linux, and where run_asked.c has the process started. */
#include "command.h"
#include "repeat.h"
#include "run.h"

#if !defined(__linux__) && !TOLL_RUN_IS_ASKED

#include <stdio.h>
#include <stdlib.h>

int toll_cmd_run(toll_settings *s, int argc, char **argv)
{
    (void)s;
    (void)argc;
    (void)argv;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "run: profiles programs on Linux only; run the program there (on Windows "
                         "in WSL), and read its profile here");
}

int toll_cmd_compare(toll_settings *s, int argc, char **argv)
{
    (void)s;
    (void)argc;
    (void)argv;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "compare: runs programs on Linux only; record "
                                              "profiles there, and compare them by toll diff");
}

int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out)
{
    (void)job;
    (void)argc;
    (void)argv;
    *out = NULL;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "check: --repeat runs programs on Linux only");
}

void toll_run_find_lua(toll_run_need *need)
{
    *need = (toll_run_need){ .found = "no toll run: it needs Linux",
                             .get = "run the program there; on Windows in WSL" };
}

void toll_run_find_wasm(toll_run_need *need)
{
    toll_run_find_lua(need);
}

const char *toll_run_find_recorder(char path[PATH_MAX])
{
    const char *folder = getenv("TOLL_WASM_DIR");
    if (!folder || !*folder)
        return "where is toll.wasm? set TOLL_WASM_DIR to its folder";
    if (snprintf(path, PATH_MAX, "%s/toll.wasm", folder) >= PATH_MAX)
        return "the path of toll.wasm is too long";
    return NULL;
}

#endif
