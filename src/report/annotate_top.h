/* annotate_top.h - prints the costliest lines as a table. For report/ only. */
#ifndef TOLL_REPORT_ANNOTATE_TOP_H
#define TOLL_REPORT_ANNOTATE_TOP_H

#include "report/costliest_lines.h"

/* Print a table with a heading and a row for each line. Errors: those of
 * toll_costliest_lines_create. */
toll_status toll_annotate_put_top(const toll_annotation *a, toll_output *out, toll_error *err);

#endif
