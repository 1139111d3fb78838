/* equal.h - which values of a program are the same each time it runs, stack by stack. */
#ifndef TOLL_GATES_EQUAL_H
#define TOLL_GATES_EQUAL_H

#include "gates/findings.h"

typedef struct toll_equal_column {
    int64_t least, most; /* the totals of the runs */
    uint32_t stacks;     /* that differ from the first run, in the run where most do */
    uint64_t worst_by;   /* by how much the stack differs that differs most in any run */
    toll_buffer worst;   /* this stack, and its difference */
} toll_equal_column;

typedef struct toll_equal {
    toll_mem mem;
    toll_profile *first;        /* of the first run, without places */
    toll_equal_column *columns; /* of `first` */
    uint32_t column_count, runs;
} toll_equal;

void toll_equal_init(toll_equal *equal, const toll_mem *mem);
void toll_equal_free(toll_equal *equal);

/* Compare another run; the first one is kept (it is taken, others are not).
 * Errors: TOLL_E_INVARIANT (it has other values than the first), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_equal_add(toll_equal *equal, toll_profile *run, toll_error *err);

/* Were the column's values the same in all stacks of all runs? */
bool toll_equal_is(const toll_equal *equal, uint32_t column);

/* Print a table of the values. */
void toll_equal_put(const toll_equal *equal, toll_output *out);

/* Add a finding for each value that differed, of those asked for: the one of type `value`; with
 * NULL all but time. Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_ARGUMENT (it is time). */
toll_status toll_equal_check(const toll_equal *equal, const char *value, toll_findings *findings,
                             toll_error *err);

#endif
