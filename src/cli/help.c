/* help.c - prints help texts, the man page and shell completion, all from the two tables. */
#include "command.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_COLUMN = 30 };

static bool is_format(const toll_option *o)
{
    return o->kind == TOLL_READ_FORMAT || o->kind == TOLL_WRITE_FORMAT;
}

/* --- --help ------------------------------------------------------------------------------------*/

static void print_option(const toll_option *o)
{
    char names[64];
    int n = o->letter ? snprintf(names, sizeof names, "  -%c, --%s", o->letter, o->name)
                      : snprintf(names, sizeof names, "      --%s", o->name);
    if (o->argument)
        snprintf(names + n, sizeof names - (size_t)n, " %s", o->argument);
    printf("%-*s%s\n", OPTION_COLUMN, names, o->help);
}

static const char *directions(const toll_format *f, const char *both, const char *reads,
                              const char *writes)
{
    return f->reads && f->writes ? both : f->reads ? reads : writes;
}

static void print_formats(void)
{
    printf("\nFormats:\n");
    for (unsigned i = 0; toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        printf("  %-11s%-6s%s\n", f->name, directions(f, "rw", "r", "w"), f->title);
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
        has_formats |= is_format(&toll_options[i]);
    }
    if (has_formats)
        print_formats();
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

/* --- the man page ------------------------------------------------------------------------------*/

/* Print text for roff: backslashes and dashes are escaped, no line begins with a dot or quote. */
static void roff(const char *text)
{
    for (bool start = true; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        start = *text == '\n';
    }
}

static void man_command(const toll_command *c)
{
    printf(".SS toll %s ", c->name);
    roff(c->usage);
    printf("\n");
    roff(c->text);
    printf("\n");
    for (unsigned i = 0; i < toll_option_count; i++) {
        const toll_option *o = &toll_options[i];
        if (!toll_command_takes(c, o))
            continue;
        printf(".TP\n");
        if (o->letter)
            printf("\\fB\\-%c\\fR, ", o->letter);
        printf("\\fB\\-\\-");
        roff(o->name);
        printf("\\fR");
        if (o->argument)
            printf(" \\fI%s\\fR", o->argument);
        printf("\n");
        roff(o->help);
        printf("\n");
    }
}

static void man_formats(void)
{
    printf(".SH FORMATS\nThe format comes from the content when reading and from the name of the "
           "file when writing.\n");
    for (unsigned i = 0; toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        printf(".TP\n\\fB%s\\fR (%s)\n", f->name,
               directions(f, "reads, writes", "reads", "writes"));
        roff(f->title);
        printf(*f->extensions ? ". Names:" : ".");
        for (const char *const *e = f->extensions; *e; e++) {
            printf(" ");
            roff(*e);
        }
        printf("\n");
    }
}

int toll_print_man(void)
{
    printf(".TH TOLL 1 \"\" \"toll %s\" \"User Commands\"\n", toll_version());
    printf(".SH NAME\ntoll \\- exact profiles of programs that run inside a virtual machine\n");
    printf(".SH SYNOPSIS\n.B toll\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGS\\fR]\n");
    printf(".SH DESCRIPTION\nToll sees every call and every return of a program, charges every "
           "unit to the stack that spent it, and the sums come out even. It does not sample.\n"
           ".PP\nA file named \\fB\\-\\fR is standard input or output.\n");
    printf(".SH COMMANDS\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        man_command(&toll_commands[i]);
    man_formats();
    printf(".SH EXIT STATUS\n0: done. 1: the input or the run was bad. 2: the command line was. 3: "
           "a profile "
           "is over its budget, or grew by more than it may. "
           "If the reader closes the output before its end, SIGPIPE ends the command, without a "
           "message. "
           "With \\fBtoll run\\fR the program's own status passes through; it is 1 where that is 0 "
           "and "
           "the profile or timeline was not written.\n");
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty: no colours.\n.TP\n"
           ".B GITHUB_ACTIONS\nIf \"true\": what is over a limit is printed as annotations, "
           "too.\n.TP\n"
           ".B TMPDIR\nWhere the events of a timeline wait while a program runs.\n");
    printf(".SH EXAMPLES\n.nf\ntoll run \\-o fib.pb.gz fib.lua 30\ntoll report \\-\\-tree "
           "fib.pb.gz\ntoll convert fib.pb.gz \\-o fib.speedscope.json\n"
           "toll diff before.pb.gz after.pb.gz\n.fi\n");
    return TOLL_EXIT_OK;
}

/* --- shell completion --------------------------------------------------------------------------*/

/* Print the words that a shell offers for the option's value, unless the value is a file. */
static void print_choices(const toll_option *o)
{
    if (o->words)
        printf("%s", o->words);
    for (unsigned i = 0; is_format(o) && toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        if (o->kind == TOLL_READ_FORMAT ? f->reads : f->writes)
            printf("%s%s", i ? " " : "", f->name);
    }
}

static void bash_completion(void)
{
    printf("# bash completion for toll; written by: toll help --completion bash\n"
           "_toll() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        printf("%s ", toll_commands[i].name);
    printf("help --help --version\" -- \"$cur\"))\n        return\n    fi\n    case $prev in\n");
    for (unsigned i = 0; i < toll_option_count; i++) {
        const toll_option *o = &toll_options[i];
        if (!o->argument || o->file)
            continue;
        printf("    --%s) COMPREPLY=($(compgen -W \"", o->name);
        print_choices(o);
        printf("\" -- \"$cur\")); return ;;\n");
    }
    printf("    esac\n    case ${COMP_WORDS[1]} in\n    help) COMPREPLY=($(compgen -W \"");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        printf("%s ", toll_commands[i].name);
    printf("\" -- \"$cur\")); return ;;\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("    %s) options=\"", toll_commands[i].name);
        for (unsigned o = 0; o < toll_option_count; o++)
            if (toll_command_takes(&toll_commands[i], &toll_options[o]))
                printf("--%s ", toll_options[o].name);
        printf("\" ;;\n");
    }
    printf("    esac\n"
           "    case $cur in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _toll toll\n");
}

/* Print text inside a zsh argument specification in single quotes. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void zsh_option(const toll_option *o)
{
    printf(" \\\n            '");
    printf("--%s%s[", o->name, o->argument ? "=" : "");
    zsh_text(o->help);
    printf("]");
    if (o->argument) {
        printf(":%s:", o->argument);
        if (o->file) {
            printf("_files");
        } else {
            printf("(");
            print_choices(o);
            printf(")");
        }
    }
    printf("'");
}

static void zsh_completion(void)
{
    printf("#compdef toll\n# zsh completion for toll; written by: toll help --completion zsh\n"
           "_toll() {\n    local -a commands=(\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("        '%s:", toll_commands[i].name);
        zsh_text(toll_commands[i].summary);
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
           "        return\n    fi\n    local command=${words[2]}\n    shift words\n"
           "    (( CURRENT-- ))\n    case $command in\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("    %s)\n        _arguments", toll_commands[i].name);
        for (unsigned o = 0; o < toll_option_count; o++)
            if (toll_command_takes(&toll_commands[i], &toll_options[o]))
                zsh_option(&toll_options[o]);
        printf(" \\\n            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_toll \"$@\"\n");
}

int toll_print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        bash_completion();
    else if (strcmp(shell, "zsh") == 0)
        zsh_completion();
    else
        return toll_complain(TOLL_EXIT_USAGE, "completion for bash and zsh, not '%s'", shell);
    return TOLL_EXIT_OK;
}
