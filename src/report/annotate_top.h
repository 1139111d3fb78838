/* annotate_top.h - the costliest lines as a table. For report/ only. */
#ifndef TOLL_REPORT_ANNOTATE_TOP_H
#define TOLL_REPORT_ANNOTATE_TOP_H

#include "report/costliest_lines.h"

/* A table with a row for each line, and its heading. Errors: those of
 * toll_costliest_lines_create. */
toll_status toll_annotate_put_top(const toll_annotation *a, toll_output *out, toll_error *err);

#endif
