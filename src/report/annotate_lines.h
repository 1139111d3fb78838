/* annotate_lines.h - prints the rows of a listing: lines beside their source, the instructions of a
 * line, and folded rows. For report/ only.
 *
 * Rows under the threshold are folded, and so are lines that cost nothing, except a few around each
 * shown row. A folded row shows the sum of its lines: the column of self values sums up to the
 * listing's. */
#ifndef TOLL_REPORT_ANNOTATE_LINES_H
#define TOLL_REPORT_ANNOTATE_LINES_H

#include "report/annotation.h"

/* Write the lines of a listing with the heads of their columns, file by file, the listing's own
 * first. Errors: those of `source` and of `instructions`. */
toll_status toll_annotate_put_lines(toll_annotation *a, const toll_listing *listing,
                                    toll_output *out, toll_error *err);

#endif
