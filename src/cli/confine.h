/* confine.h - before the command reads what others wrote, it gives up what it does not need: a
 * defect in a reader is then worth little to whoever made the file. */
#ifndef TOLL_CLI_CONFINE_H
#define TOLL_CLI_CONFINE_H

#include "options.h"

/* Confine this process to what the command line names: its inputs may be read, the folders of its
 * outputs written, and `folder`, unless that is NULL. Nothing happens with --no-confine, nor to a
 * command that starts programs. Which files these are, and what else is lost: SECURITY.md. */
void toll_confine(toll_command_id command, const toll_settings *settings, int count,
                  char **operands, const char *folder);

/* Confine this process to its terminal, and say by what: a text for --version, good for ever. */
const char *toll_confine_text(void);

#endif
