/* man_page.c - prints the man pages: toll(1), and one for each subcommand. */
#include "command.h"

#include <stdio.h>
#include <string.h>

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

static void print_title(const char *name, const char *summary)
{
    printf(".TH ");
    for (const char *c = name; *c; c++)
        putchar(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    printf(" 1 \"\" \"toll %s\" \"User Commands\"\n.SH NAME\n", toll_version());
    roff(name);
    printf(" \\- ");
    roff(summary);
    printf("\n.SH SYNOPSIS\n");
}

static void print_option(const toll_option *o)
{
    printf(".TP\n");
    if (o->letter)
        printf("\\fB\\-%c\\fR, ", o->letter);
    printf("\\fB\\-\\-");
    roff(o->name);
    printf("\\fR");
    if (o->argument)
        printf("%s\\fI%s\\fR", toll_option_may_be_bare(o) ? "" : " ", o->argument);
    printf("\n");
    roff(o->help);
    printf("\n");
}

static void print_examples(const char *examples)
{
    printf(".SH EXAMPLES\n.nf\n");
    roff(examples);
    printf(".fi\n");
}

/* The page toll-NAME(1). */
static void print_command_page(const toll_command *c)
{
    char name[32];
    snprintf(name, sizeof name, "toll-%s", c->name);
    print_title(name, c->summary);
    printf(".B toll %s\n", c->name);
    roff(c->usage);
    printf("\n.SH DESCRIPTION\n");
    roff(c->text);
    printf("\n.SH OPTIONS\n");
    for (unsigned i = 0; i < toll_option_count; i++)
        if (toll_command_takes(c, &toll_options[i]))
            print_option(&toll_options[i]);
    if (c->examples)
        print_examples(c->examples);
    printf(".SH SEE ALSO\n\\fBtoll\\fR(1): the formats, exit statuses, environment\n");
}

static void print_commands(void)
{
    printf(".SH COMMANDS\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf(".TP\n\\fBtoll %s\\fR ", toll_commands[i].name);
        roff(toll_commands[i].usage);
        printf("\n");
        roff(toll_commands[i].summary);
        printf(": see \\fBtoll\\-%s\\fR(1)\n", toll_commands[i].name);
    }
}

static const char *directions(const toll_format *f)
{
    return f->reads && f->writes ? "reads, writes" : f->reads ? "reads" : "writes";
}

static void print_formats(void)
{
    printf(".SH FORMATS\nThe format comes from the content when reading and from the name of the "
           "file when writing.\n");
    for (unsigned i = 0; toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        printf(".TP\n\\fB%s\\fR (%s)\n", f->name, directions(f));
        roff(f->title);
        printf(*f->extensions ? ". Names:" : ".");
        for (const char *const *e = f->extensions; *e; e++) {
            printf(" ");
            roff(*e);
        }
        printf("\n");
    }
}

/* The page toll(1). */
static void print_main_page(void)
{
    print_title("toll", "exact profiles of programs that run inside a virtual machine");
    printf(".B toll\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGS\\fR]\n");
    printf(".SH DESCRIPTION\nToll sees every call and every return of a program, charges every "
           "unit to the stack that spent it, and the sums come out even. It does not sample.\n"
           ".PP\nA file named \\fB\\-\\fR is standard input or output.\n");
    print_commands();
    print_formats();
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
    print_examples("toll run -o fib.pb.gz fib.lua 30\n"
                   "toll report --tree fib.pb.gz\n"
                   "toll convert fib.pb.gz -o fib.speedscope.json\n"
                   "toll diff before.pb.gz after.pb.gz\n");
}

void toll_print_man(const toll_command *command)
{
    if (command)
        print_command_page(command);
    else
        print_main_page();
}
