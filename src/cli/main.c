/* main.c - finds the subcommand and runs it. */
#include "base/nearest.h"
#include "command.h"
#include "confine.h"
#include "console.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *command_name_at(const void *unused, unsigned i)
{
    (void)unused;
    return toll_commands[i].name;
}

static int unknown_command(const char *name)
{
    const char *near = toll_nearest(name, command_name_at, NULL, TOLL_CMD_COUNT);
    if (near)
        return toll_complain(TOLL_EXIT_USAGE, "no command is called '%s'; did you mean %s?", name,
                             near);
    return toll_complain(TOLL_EXIT_USAGE, "no command is called '%s'; see toll --help", name);
}

static int print_version(void)
{
    printf("toll %s\n", toll_version());
    toll_print_build();
    return TOLL_EXIT_OK;
}

/* toll help --man [COMMAND] */
static int print_man(int argc, char **argv)
{
    const toll_command *c = argc ? toll_command_named(argv[0]) : NULL;
    if (argc && !c)
        return unknown_command(argv[0]);
    toll_print_man(c);
    return TOLL_EXIT_OK;
}

/* toll help [COMMAND | --man [COMMAND] | --completion SHELL | --words WHAT FILE]: man pages and
 * completion are for packagers, words for completion. */
static int help(int argc, char **argv)
{
    const char *what = argc > 0 ? argv[0] : "";
    if (argc == 0) {
        toll_print_help();
        return TOLL_EXIT_OK;
    }
    if (strcmp(what, "--man") == 0 && argc <= 2)
        return print_man(argc - 1, argv + 1);
    if (strcmp(what, "--completion") == 0 && argc == 2)
        return toll_print_completion(argv[1]);
    if (strcmp(what, "--words") == 0 && argc == 3)
        return toll_print_words(argv[1], argv[2]);
    if (*what == '-' || argc > 1)
        return toll_complain(TOLL_EXIT_USAGE,
                             "help: say toll help COMMAND, or --man [COMMAND], --completion SHELL, "
                             "--words WHAT FILE");
    const toll_command *c = toll_command_named(what);
    if (!c)
        return unknown_command(what);
    toll_print_command_help(c);
    return TOLL_EXIT_OK;
}

static int run(const toll_command *c, int argc, char **argv)
{
    toll_settings settings = toll_default_settings();
    int first, status = toll_parse_options(c, argc, argv, &settings, &first);
    if (settings.max_memory > SIZE_MAX)
        settings.max_memory = SIZE_MAX;
    if (status < 0 && settings.help) {
        toll_print_command_help(c);
        status = TOLL_EXIT_OK;
    }
    toll_command_id id = (toll_command_id)(c - toll_commands);
    if (status < 0 && id != TOLL_CMD_VIEW) /* toll view is confined later, after its browser helper
                                            * has started */
        toll_confine(id, &settings, argc - first, argv + first, NULL);
    if (status < 0)
        status = c->run(&settings, argc - first, argv + first);
    toll_settings_free(&settings);
    return status;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        toll_print_overview();
        return TOLL_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return print_version();
    const toll_command *c = toll_command_named(name);
    return c ? run(c, argc - 1, argv + 1) : unknown_command(name);
}

int main(int argc, char **argv)
{
    toll_console_begin(&argc, &argv);
    if (argc < 2 || strcmp(argv[1], "run") != 0) /* not for toll run, whose program inherits
                                                  * SIGPIPE */
        toll_console_end_with_readers();
    int status = dispatch(argc, argv);
    toll_progress_end();
    if ((fflush(stdout) || ferror(stdout)) && status == TOLL_EXIT_OK)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "standard output: %s", strerror(errno));
    return status;
}
