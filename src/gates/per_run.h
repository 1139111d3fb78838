/* per_run.h - divides two profiles by the numbers of their runs, for a comparison of one run with
 * one. Exact: nothing is rounded but time. */
#ifndef TOLL_GATES_PER_RUN_H
#define TOLL_GATES_PER_RUN_H

#include "gates/origin.h"

/* Divide the values of both profiles by the numbers of their runs: those of all runs, or with
 * `by_labels` those of each thread's labels. Quotients that are no integers are multiplied by the
 * smallest number with which all of them are integers, which becomes *runs: values are then those
 * of so many runs. Times are rounded. Errors: TOLL_E_NOT_FOUND (the number of runs is not known),
 * TOLL_E_OVERFLOW (there is no such number below 2^31, or a product does not fit), TOLL_E_NOMEM;
 * the profiles may have changed then. */
toll_status toll_divide_by_runs(toll_profile *before, toll_profile *after, bool by_labels,
                                int64_t *runs, toll_error *err);

#endif
