/* confine.h - confines the command before it reads files from others. It gives up the rights that
 * it does not need, so that a defect in a reader is of little use to the author of a file. */
#ifndef TOLL_CLI_CONFINE_H
#define TOLL_CLI_CONFINE_H

#include "options.h"

/* Confine this process to what the command line names: its inputs may be read, the folders of its
 * outputs written, and `folder`, unless that is NULL. Does nothing with --no-confine, or for a
 * command that starts programs or reads no files of others. SECURITY.md lists the files, and what
 * else is given up. */
void toll_confine(toll_command_id command, const toll_settings *settings, int count,
                  char **operands, const char *folder);

/* Confine this process to its terminal. Returns a static text for --version that says by which
 * means. */
const char *toll_confine_text(void);

#endif
