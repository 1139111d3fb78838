/* cost_table.h - the table of costs of --costs. */
#ifndef TOLL_CLI_COST_TABLE_H
#define TOLL_CLI_COST_TABLE_H

#include "job.h"

/* The table that --costs names: a built-in one, else a file. NULL: the default one, also where the
 * file prices system calls instead. The caller's to free. */
toll_status toll_choose_costs(toll_job *job, toll_wasm_costs **costs, toll_error *err);

#endif
