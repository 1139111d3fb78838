/* tables_data.h - the parts of toll_tables. */
#ifndef TOLL_TABLES_TABLES_DATA_H
#define TOLL_TABLES_TABLES_DATA_H

#include "tables/known_stacks.h"
#include "tables/table_labels.h"
#include "tables/table_types.h"

/* The rows of a table that wait to be taken. */
typedef struct toll_waiting_rows {
    toll_arrow_column *rows; /* a struct of the columns */
    size_t bytes;            /* of texts, about: batches of long texts have fewer rows */
} toll_waiting_rows;

struct toll_tables {
    toll_mem mem;
    toll_tables_options options;
    toll_waiting_rows waiting[TOLL_TABLE_COUNT];
    toll_known_stacks known;
    toll_table_labels labels; /* of the profile that is being added */
    bool is_over;             /* finished, or failed */
};

/* table_rows.c: pass the rows that wait to the caller. Errors: those of toll_tables_add. */
toll_status toll_tables_pass_on(toll_tables *tables, toll_table table, toll_error *err);

/* table_rows.c: complete a row. `bytes`: of its texts, about. Errors: those of toll_tables_add. */
toll_status toll_tables_end_row(toll_tables *tables, toll_table table, size_t bytes,
                                toll_error *err);

/* table_rows.c: put a list of labels. Returns the bytes of its texts. */
size_t toll_tables_put_labels(const toll_tables *tables, toll_arrow_column *column,
                              toll_table_label_list list);

/* table_stacks.c: make a stack a row, unless it is one. Errors: those of toll_tables_add. */
toll_status toll_tables_use_stack(toll_tables *tables, toll_node_id stack, toll_error *err);

/* table_stacks.c: put the columns of a function. Returns the bytes of its texts. */
size_t toll_tables_put_function(const toll_tables *tables, toll_arrow_column *row,
                                toll_frame_id function);

/* table_samples.c: add the samples of a profile whose labels have been found, and which has no
 * lines. Errors: those of toll_tables_add. */
toll_status toll_tables_add_samples(toll_tables *tables, const char *name,
                                    const toll_profile *profile, toll_error *err);

#endif
