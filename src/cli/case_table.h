/* case_table.h - prints what each case of a suite spent, for --each and toll bench, and holds each
 * to the limits of --fail-over. */
#ifndef TOLL_CLI_CASE_TABLE_H
#define TOLL_CLI_CASE_TABLE_H

#include "gate.h"
#include "program_sizes.h"

#include "gates/cases.h"
#include "gates/transactions.h"

/* List the cases as the settings say; `before` may be NULL. Call toll_cases_free in any case.
 * Returns an exit status, after a message if it failed. */
int toll_case_table_make(toll_job *job, const toll_profile *before, const toll_profile *after,
                         toll_cases_sort sort, toll_cases *cases);

/* What toll bench prints below the table. */
typedef struct toll_case_table_more {
    toll_transactions transactions;
    toll_program_sizes sizes;
} toll_case_table_more;

/* Print them as text, or as JSON with --json; and as Markdown with --markdown or --summary, with
 * the names of the files above it (`before` may be NULL). `more` may be NULL. */
int toll_case_table_print(toll_job *job, const toll_cases *cases, const toll_case_table_more *more,
                          const char *before, const char *after);

#endif
