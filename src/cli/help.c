/* help.c - prints the help texts of the command, from its two tables. */
#include "command.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_COLUMN = 30 };

static void print_option(const toll_option *o)
{
    char names[64];
    int n = o->letter ? snprintf(names, sizeof names, "  -%c, --%s", o->letter, o->name)
                      : snprintf(names, sizeof names, "      --%s", o->name);
    if (o->argument)
        snprintf(names + n, sizeof names - (size_t)n, "%s%s", toll_option_may_be_bare(o) ? "" : " ",
                 o->argument);
    printf("%-*s %s\n", OPTION_COLUMN - 1, names, o->help);
}

static void print_formats(void)
{
    printf("\nFormats:\n");
    for (unsigned i = 0; toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        printf("  %-11s%-6s%s\n", f->name,
               f->reads && f->writes ? "rw"
               : f->reads            ? "r"
                                     : "w",
               f->title);
        if (*f->extensions)
            printf("  %-17s", "");
        for (const char *const *e = f->extensions; *e; e++)
            printf("%s%s%s", e == f->extensions ? "" : " ", *e, e[1] ? "" : "\n");
    }
}

void toll_print_command_help(const toll_command *c)
{
    printf("toll %s %s\n\n%s\n\nOptions:\n", c->name, c->usage, c->text);
    bool has_formats = false;
    for (unsigned i = 0; i < toll_option_count; i++) {
        if (!toll_command_takes(c, &toll_options[i]))
            continue;
        print_option(&toll_options[i]);
        has_formats |= toll_option_is_format(&toll_options[i]);
    }
    if (has_formats)
        print_formats();
    if (c->examples)
        printf("\nExamples:\n%s", c->examples);
}

void toll_print_help(void)
{
    printf("toll - exactly what every call costs, in a program that runs inside a virtual machine\n"
           "\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        printf("  toll %-10s %-32s %s\n", toll_commands[i].name, toll_commands[i].usage,
               toll_commands[i].summary);
    printf("\ntoll COMMAND --help: the options of a command. toll --version prints the version.\n");
}
