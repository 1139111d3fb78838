/* equal.h - finds which values of a program are the same each time it runs, stack by stack. */
#ifndef TOLL_GATES_EQUAL_H
#define TOLL_GATES_EQUAL_H

#include "gates/findings.h"

typedef struct toll_equal_column {
    int64_t least, most; /* the totals of the runs */
    uint32_t stacks;     /* stacks that differ from the first run; the largest number of any run */
    uint64_t worst_by;   /* largest difference of any stack, in any run */
    toll_buffer worst;   /* that stack, and its difference */
} toll_equal_column;

typedef struct toll_equal {
    toll_mem mem;
    toll_profile *first;        /* the first run, without places */
    toll_equal_column *columns; /* of `first` */
    uint32_t column_count, runs;
} toll_equal;

void toll_equal_init(toll_equal *equal, const toll_mem *mem);
void toll_equal_free(toll_equal *equal);

/* Compare another run. Keeps the first run (and then owns it); the caller keeps the others. Errors:
 * TOLL_E_INVARIANT (its columns differ from the first run's), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_equal_add(toll_equal *equal, toll_profile *run, toll_error *err);

/* Were the column's values the same in all stacks of all runs? */
bool toll_equal_is(const toll_equal *equal, uint32_t column);

/* Print a table of the values. */
void toll_equal_put(const toll_equal *equal, toll_output *out);

/* Add a finding for each value that differed: of the value of type `value`, or with NULL of all but
 * time. Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_ARGUMENT (it is time). */
toll_status toll_equal_check(const toll_equal *equal, const char *value, toll_findings *findings,
                             toll_error *err);

#endif
