/* command.h - the toll command: one table of subcommands, one table of options (options.h).
 *
 * A subcommand is one file, cmd_NAME.c, with one function, and one row in commands.c. */
#ifndef TOLL_CLI_COMMAND_H
#define TOLL_CLI_COMMAND_H

#include "complain.h"
#include "options.h"

typedef struct toll_command {
    const char *name;
    const char *summary;   /* one line for the list of commands */
    const char *usage;     /* the text after `toll NAME` */
    const char *text;      /* more lines for --help and the man page */
    const char *examples;  /* command lines, each ended by \n; NULL: none */
    bool stops_at_operand; /* options end at the first operand, which has options of its own */
    int (*run)(toll_settings *settings, int argc, char **argv); /* operands only */
} toll_command;

extern const toll_command toll_commands[TOLL_CMD_COUNT];

static inline bool toll_command_takes(const toll_command *command, const toll_option *option)
{
    return option->commands >> (command - toll_commands) & 1;
}

/* The command of that name, or NULL. */
const toll_command *toll_command_named(const char *name);

/* Read the options in argv[1..]; the operands begin at argv[*first]. Returns an exit status, after
 * a message, if the command line is wrong; or -1: continue. */
int toll_parse_options(const toll_command *command, int argc, char **argv, toll_settings *settings,
                       int *first);

void toll_print_command_help(const toll_command *command);
void toll_print_help(void);
/* Print, in five lines, what toll is for and which guests work here. */
void toll_print_overview(void);
/* Print what this build has, a line for each part that a build can lack. */
void toll_print_build(void);
/* Print the man page of a command; NULL: that of toll. */
void toll_print_man(const toll_command *command);
/* Print the completion script of a shell. Returns an exit status. */
int toll_print_completion(const char *shell);
/* Print words of the profile at `path` for completion: `what` is one of toll_offer_names. Returns
 * an exit status; a file that cannot be read has no words. */
int toll_print_words(const char *what, char *path);
extern const char *const toll_offer_names[]; /* indexes are toll_offer */

/* --- the subcommands ---------------------------------------------------------------------------*/

int toll_cmd_run(toll_settings *settings, int argc, char **argv);
int toll_cmd_attach(toll_settings *settings, int argc, char **argv);
int toll_cmd_control(toll_settings *settings, int argc, char **argv);
int toll_cmd_convert(toll_settings *settings, int argc, char **argv);
int toll_cmd_report(toll_settings *settings, int argc, char **argv);
int toll_cmd_view(toll_settings *settings, int argc, char **argv);
int toll_cmd_annotate(toll_settings *settings, int argc, char **argv);
int toll_cmd_diff(toll_settings *settings, int argc, char **argv);
int toll_cmd_merge(toll_settings *settings, int argc, char **argv);
int toll_cmd_check(toll_settings *settings, int argc, char **argv);
int toll_cmd_history(toll_settings *settings, int argc, char **argv);
int toll_cmd_compare(toll_settings *settings, int argc, char **argv);
int toll_cmd_bench(toll_settings *settings, int argc, char **argv);
int toll_cmd_instrument(toll_settings *settings, int argc, char **argv);
int toll_cmd_doctor(toll_settings *settings, int argc, char **argv);

#endif
