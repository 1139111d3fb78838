/* cost_table.c - see cost_table.h. */
#include "cost_table.h"

#include "base/input.h"

#include <stdio.h>
#include <string.h>

/* Is the table JSON? Then it is for register traces: it prices system calls, and every instruction
 * costs 1. */
static bool is_of_syscalls(toll_input *in)
{
    size_t got, i = 0;
    const uint8_t *text = toll_input_peek(in, 4096, &got);
    while (i < got && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
        i++;
    return i < got && text[i] == '{';
}

static toll_status read_costs(toll_job *job, toll_wasm_costs **costs, toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_open(&job->allocator, job->settings->costs, &in, err);
    if (status) {
        size_t end = strlen(err->text);
        snprintf(err->text + end, sizeof err->text - end,
                 "; name a file, or a table: instructions, fuel, pvm or cosmwasm");
        return status;
    }
    if (!is_of_syscalls(in))
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
