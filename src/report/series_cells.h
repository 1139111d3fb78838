/* series_cells.h - the texts in the tables of a series, for text and Markdown.
 *
 * A row has these cells: the change; that of the other value; of how many ages it has blocks; how
 * much it grew in each step (or what it has of each age), of which the last few are shown; what it
 * has at the end. */
#ifndef TOLL_REPORT_SERIES_CELLS_H
#define TOLL_REPORT_SERIES_CELLS_H

#include "report/report_text.h"
#include "report/series.h"

enum { TOLL_SERIES_STEPS = 6, TOLL_SERIES_CELLS = TOLL_SERIES_STEPS + 4 };
enum { TOLL_SERIES_CELL_SIZE = 2 * TOLL_SIGNED_TEXT_SIZE + 4 };
enum { TOLL_SERIES_FRAMES = 64 }; /* of a stack: more are cut */

typedef struct toll_series_cells {
    const toll_series *series;
    size_t first, steps; /* the steps that are shown: `steps` of them, from `first` on */
    size_t count;        /* cells of a row */
} toll_series_cells;

toll_series_cells toll_series_cells_of(const toll_series *series);

/* Write the head of a cell, or its text in a row. Returns text. */
const char *toll_series_head(const toll_series_cells *cells, size_t cell,
                             char text[TOLL_SERIES_CELL_SIZE]);
const char *toll_series_cell(const toll_series_cells *cells, const toll_series_row *row,
                             size_t cell, char text[TOLL_SERIES_CELL_SIZE]);

/* What one profile has in all: the value, its change since the one before, the same of the other
 * value. "" where there is none. */
enum { TOLL_SERIES_SUMS = 4 };
void toll_series_sums(const toll_series *series, size_t profile,
                      char texts[TOLL_SERIES_SUMS][TOLL_SIGNED_TEXT_SIZE]);

/* What rows have in common, such as "grew in each of 3 steps". */
const char *toll_series_group(const toll_series *series, bool are_leaks,
                              char text[TOLL_SERIES_CELL_SIZE]);

/* The number of rows that are shown. */
uint32_t toll_series_shown(const toll_series *series, const toll_series_rows *rows);

/* The frames of a stack, the innermost first. *left is how many outer ones were left out. */
uint32_t toll_series_stack(const toll_series *series, const toll_series_row *row,
                           toll_frame_id frames[TOLL_SERIES_FRAMES], uint32_t *left);

#endif
