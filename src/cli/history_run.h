/* history_run.h - one run of toll history, for cmd_history.c and history_page.c. */
#ifndef TOLL_CLI_HISTORY_RUN_H
#define TOLL_CLI_HISTORY_RUN_H

#include "command.h"
#include "job.h"

#include "base/os.h"
#include "gates/history.h"

typedef struct toll_history_run {
    toll_job job;
    const char *path;
    bool is_there;     /* the file existed when it was read */
    toll_os_info file; /* it, at that time */
    toll_history history;
} toll_history_run;

/* toll history page HISTORY -o FILE: returns the exit status. There are no operands after HISTORY.
 */
int toll_history_page(toll_history_run *run, int argc, char **argv);

#endif
