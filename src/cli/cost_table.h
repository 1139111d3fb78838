/* cost_table.h - chooses the table of costs that --costs names, and reads it from a file. */
#ifndef TOLL_CLI_COST_TABLE_H
#define TOLL_CLI_COST_TABLE_H

#include "job.h"

/* Get the table that --costs names: a built-in one, else a file. NULL: the default one; also for a
 * file that prices system calls instead. The caller frees it. */
toll_status toll_choose_costs(toll_job *job, toll_wasm_costs **costs, toll_error *err);

#endif
