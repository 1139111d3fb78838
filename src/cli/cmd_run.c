/* cmd_run.c - toll run: a program profiled from its first call to its end. See run.h. */
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where the profile goes: from the root, since the program may change its folder. An exit status,
 * or -1: go on. */
static int choose_output(const toll_settings *s, char *output)
{
    char folder[PATH_MAX / 2];
    const char *target = s->output ? s->output : "toll.pb.gz";
    const toll_format *format = s->to ? toll_format_named(s->to) : toll_format_for_path(target);
    if (strcmp(target, "-") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: standard output is the program's; name a file with -o");
    if (!format)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: the name '%s' tells no format; end it in .pb.gz, "
                             ".speedscope.json or .folded, or say --to",
                             target);
    if (s->flamechart && !(format->keeps & TOLL_KEEPS_ORDER) && strcmp(format->name, "folded") != 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: %s keeps no order in time; end the name in .speedscope.json, "
                             ".trace.json or .folded",
                             format->name);
    if (*target != '/' && getcwd(folder, sizeof folder))
        snprintf(output, PATH_MAX, "%s/%s", folder, target);
    else
        snprintf(output, PATH_MAX, "%s", target);
    return -1;
}

int toll_cmd_run(toll_settings *s, int argc, char **argv)
{
    toll_run run = { .settings = s, .argc = argc, .argv = argv };
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: which program? toll run script.lua, toll run app.wasm");
    int status = choose_output(s, run.output);
    if (status >= 0)
        return status;
    return toll_run_is_wasm(argv[0]) ? toll_run_wasm(&run) : toll_run_lua(&run);
}
