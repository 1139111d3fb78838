/* annotate_text.h - what the tables of toll annotate share: the figures of lines in columns, and
 * sentences with sums. For report/ only. */
#ifndef TOLL_REPORT_ANNOTATE_TEXT_H
#define TOLL_REPORT_ANNOTATE_TEXT_H

#include "report/annotation.h"
#include "report/report_text.h"

#define TOLL_BOLD "\x1b[1m"
#define TOLL_DIM "\x1b[2m"
#define TOLL_PLAIN "\x1b[0m"

enum { TOLL_FIGURES = 4, TOLL_CELL_SIZE = TOLL_PRECISE_TEXT_SIZE };

/* The figures of one row as text; "" for 0. */
typedef struct toll_cells {
    char text[TOLL_FIGURES][TOLL_CELL_SIZE];
} toll_cells;

typedef struct toll_figure_columns {
    const toll_listings *listings;
    size_t widths[TOLL_FIGURES]; /* 0: not shown */
} toll_figure_columns;

/* Set the columns' widths to their heads'; then widen them for a row. */
void toll_figures_begin(toll_figure_columns *columns, const toll_listings *listings,
                        bool has_totals);
void toll_figures_widen(toll_figure_columns *columns, const toll_line *row);

void toll_figures_put(const toll_figure_columns *columns, const toll_line *row, toll_output *out);
void toll_figures_put_heads(const toll_figure_columns *columns, toll_output *out);
void toll_figures_put_blank(const toll_figure_columns *columns, toll_output *out);

/* Print a value; a change of a value; or either one, a value with its share. */
void toll_annotate_put_value(const toll_annotation *a, int64_t value, toll_output *out);
void toll_annotate_put_change(const toll_annotation *a, int64_t by, toll_output *out);
void toll_annotate_put_sum(const toll_annotation *a, int64_t sum, toll_output *out);

/* "ticks: 8,877 in 4 functions" */
void toll_annotate_put_heading(const toll_annotation *a, size_t count, const char *what,
                               toll_output *out);

/* "... and 3 more functions: 4,757 (53.6%) (--rows)" */
void toll_annotate_put_more(const toll_annotation *a, size_t count, const char *what, int64_t sum,
                            const char *option, toll_output *out);

#endif
