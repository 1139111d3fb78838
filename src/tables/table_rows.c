/* table_rows.c - labels, and batches of rows. See tables_data.h. */
#include "tables/tables_data.h"

#include "base/fail.h"

#include <string.h>

enum { MOST_BYTES = 64 << 20 }; /* of texts in a batch, reached by its last row */

size_t toll_tables_put_labels(const toll_tables *t, toll_arrow_column *column,
                              toll_table_label_list list)
{
    toll_arrow_column *pair = column->children[0];
    size_t bytes = 0;
    for (size_t i = list.first; i < list.first + list.count; i++) {
        const toll_table_label *label = &t->labels.labels[i];
        size_t key = strlen(label->key);
        toll_arrow_put_text(pair->children[0], label->key, key);
        toll_arrow_put_text(pair->children[1],
                            label->value_size ? t->labels.values.data + label->value : NULL,
                            label->value_size);
        toll_arrow_end(pair);
        bytes += key + label->value_size;
    }
    toll_arrow_end(column);
    return bytes;
}

toll_status toll_tables_pass_on(toll_tables *t, toll_table table, toll_error *err)
{
    struct ArrowArray rows;
    t->waiting[table].bytes = 0;
    toll_status status = toll_arrow_give(t->waiting[table].rows, &rows, err);
    if (!status && t->options.take_rows(t->options.user, table, &rows))
        status = toll_fail(err, TOLL_E_STATE, "the rows of a table were not taken");
    return status;
}

static bool is_full(const toll_tables *t, toll_table table)
{
    const toll_waiting_rows *w = &t->waiting[table];
    if (w->rows->length >= t->options.most_rows || w->bytes >= MOST_BYTES)
        return true;
    return table == TOLL_TABLE_STACKS &&
           w->rows->children[TOLL_STACKS_FRAMES]->children[0]->length >= t->options.most_frames;
}

toll_status toll_tables_end_row(toll_tables *t, toll_table table, size_t bytes, toll_error *err)
{
    toll_arrow_end(t->waiting[table].rows);
    t->waiting[table].bytes += bytes;
    return is_full(t, table) ? toll_tables_pass_on(t, table, err) : TOLL_OK;
}
