/* cost_table.c - see cost_table.h. */
#include "cost_table.h"

#include <stdio.h>
#include <string.h>

static toll_status read_costs(toll_job *job, toll_wasm_costs **costs, toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_open(&job->allocator, job->settings->costs, &in, err);
    if (status) {
        size_t end = strlen(err->text);
        snprintf(err->text + end, sizeof err->text - end,
                 "; name a file, or a table: instructions or fuel");
        return status;
    }
    status = toll_wasm_costs_read(&job->allocator, in, costs, err);
    toll_input_free(in);
    return status;
}

toll_status toll_choose_costs(toll_job *job, toll_wasm_costs **costs, toll_error *err)
{
    const char *table = job->settings->costs;
    *costs = NULL;
    if (!table)
        return TOLL_OK;
    toll_status status = toll_wasm_costs_named(&job->allocator, table, costs, err);
    return status == TOLL_E_ARGUMENT ? read_costs(job, costs, err) : status;
}
