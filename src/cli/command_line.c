/* command_line.c - reads a command line by the table of options, with getopt_long. */
#include "base/nearest.h"
#include "command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CODE = 256 }; /* getopt_long's code for an option is this plus the option's row */

/* For toll_nearest. Options that the command does not accept have the name "" and are skipped. */
static const char *option_name_at(const void *command, unsigned i)
{
    const toll_command *c = command;
    return toll_command_takes(c, &toll_options[i]) ? toll_options[i].name : "";
}

/* Report an option that getopt refused: it is unknown, or has a value but takes none. */
static int refused_option(const toll_command *c, const char *word)
{
    char name[64];
    const char *near = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if (strncmp(name, "--", 2) == 0) {
        for (unsigned i = 0; i < toll_option_count; i++)
            if (strcmp(option_name_at(c, i), name + 2) == 0)
                return toll_complain(TOLL_EXIT_USAGE, "%s: %s takes no value", c->name, name);
        near = toll_nearest(name + 2, option_name_at, c, toll_option_count);
    }
    if (near)
        return toll_complain(TOLL_EXIT_USAGE, "%s: no option %s; did you mean --%s?", c->name, name,
                             near);
    return toll_complain(TOLL_EXIT_USAGE, "%s: no option %s; see toll %s --help", c->name, name,
                         c->name);
}

/* Fill the tables of the command's options for getopt_long. */
static void fill_tables(const toll_command *c, struct option *longs, char *shorts)
{
    if (c->stops_at_operand)
        *shorts++ = '+';
    *shorts++ = ':';
    for (unsigned i = 0; i < toll_option_count; i++) {
        const toll_option *o = &toll_options[i];
        if (!toll_command_takes(c, o))
            continue;
        int takes = toll_option_may_be_bare(o) ? optional_argument
                    : o->argument              ? required_argument
                                               : no_argument;
        *longs++ = (struct option){ o->name, takes, NULL, FIRST_CODE + (int)i };
        if (o->letter)
            *shorts++ = o->letter;
        if (o->letter && o->argument)
            *shorts++ = ':';
    }
    *longs = (struct option){ 0 };
    *shorts = 0;
}

static const toll_option *option_of_code(int code)
{
    if (code >= FIRST_CODE)
        return &toll_options[code - FIRST_CODE];
    const toll_option *o = toll_options;
    while (o->letter != code)
        o++;
    return o;
}

int toll_parse_options(const toll_command *c, int argc, char **argv, toll_settings *s, int *first)
{
    struct option longs[TOLL_MOST_OPTIONS + 1];
    char shorts[3 * TOLL_MOST_OPTIONS + 3];
    int status = -1;
    fill_tables(c, longs, shorts);
    opterr = 0;
    optind = 1;
    while (status < 0) {
        int code = getopt_long(argc, argv, shorts, longs, NULL);
        if (code == -1)
            break;
        if (code == '?' && optopt && optopt < FIRST_CODE) /* a letter, maybe one of several */
            return refused_option(c, (char[]){ '-', (char)optopt, 0 });
        if (code == '?')
            return refused_option(c, argv[optind - 1]);
        if (code == ':' && strncmp(argv[optind - 1], "--", 2) == 0 && strchr(argv[optind - 1], '='))
            return refused_option(c, argv[optind - 1]); /* as Windows has it */
        if (code == ':')
            return toll_complain(TOLL_EXIT_USAGE, "%s: %s needs a value", c->name,
                                 argv[optind - 1]);
        status = toll_option_set(option_of_code(code), optarg, s);
    }
    *first = optind;
    return status;
}
