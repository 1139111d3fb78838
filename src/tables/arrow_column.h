/* arrow_column.h - builds columns in the layout of Apache Arrow, and hands them out by its C data
 * interface. Columns have no nulls.
 *
 * A column that has failed (no memory, or more than fits its offsets of 32 bits) takes nothing
 * more; toll_arrow_give reports it. */
#ifndef TOLL_TABLES_ARROW_COLUMN_H
#define TOLL_TABLES_ARROW_COLUMN_H

#include "base/buffer.h"

#include <toll/tables.h>

enum { TOLL_ARROW_CHILDREN = 8 }; /* of a column, at most */

/* What a column is: "l" (int64), "L" (uint64), "I" (uint32), "u" (text), "+s" (struct), "+l"
 * (list),
 * "+m" (map), as Arrow has it. A list has one child; that of a map is a struct of two. */
typedef struct toll_arrow_type {
    const char *format, *name;
    const struct toll_arrow_type *children[TOLL_ARROW_CHILDREN]; /* NULL after the last */
} toll_arrow_type;

typedef struct toll_arrow_column {
    toll_mem mem;
    const toll_arrow_type *type;
    toll_buffer data, offsets;        /* data: numbers, or the bytes of texts */
    size_t usual_data, usual_offsets; /* the bytes of the last batch */
    size_t length;
    bool is_too_large;
    struct toll_arrow_column *children[TOLL_ARROW_CHILDREN];
} toll_arrow_column;

/* An empty column, and those in it. NULL: no memory. */
toll_arrow_column *toll_arrow_new(const toll_arrow_type *type, const toll_mem *mem);
void toll_arrow_free(toll_arrow_column *column);

void toll_arrow_put_i64(toll_arrow_column *column, int64_t value);
void toll_arrow_put_u64(toll_arrow_column *column, uint64_t value);
void toll_arrow_put_u32(toll_arrow_column *column, uint32_t value);
void toll_arrow_put_text(toll_arrow_column *column, const void *text, size_t size);

/* The next value of a struct, list or map: what was put to its children since the last one. */
void toll_arrow_end(toll_arrow_column *column);

/* Move everything into an array of Arrow's; the column is empty afterwards. Errors: TOLL_E_NOMEM,
 * TOLL_E_LIMIT; nothing is to be released then. */
toll_status toll_arrow_give(toll_arrow_column *column, struct ArrowArray *out, toll_error *err);

/* Describe a type. Errors: TOLL_E_NOMEM. */
toll_status toll_arrow_describe(const toll_arrow_type *type, const toll_mem *mem,
                                struct ArrowSchema *out, toll_error *err);

#endif
