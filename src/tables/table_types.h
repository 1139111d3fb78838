/* table_types.h - the columns of each table. */
#ifndef TOLL_TABLES_TABLE_TYPES_H
#define TOLL_TABLES_TABLE_TYPES_H

#include "tables/arrow_column.h"

/* Columns by their places. */
enum {
    TOLL_PROFILES_NAME,
    TOLL_PROFILES_LABELS,
    TOLL_PROFILES_START,
    TOLL_PROFILES_DURATION,
    TOLL_PROFILES_NOTES
};
enum {
    TOLL_SAMPLES_PROFILE,
    TOLL_SAMPLES_LABELS,
    TOLL_SAMPLES_STACK,
    TOLL_SAMPLES_THREAD,
    TOLL_SAMPLES_COLUMN,
    TOLL_SAMPLES_UNIT,
    TOLL_SAMPLES_VALUE
};
enum { TOLL_STACKS_ID, TOLL_STACKS_FRAMES };
enum {
    TOLL_FUNCTIONS_ID,
    TOLL_FUNCTIONS_NAME,
    TOLL_FUNCTIONS_FILE,
    TOLL_FUNCTIONS_LINE,
    TOLL_FUNCTIONS_KIND
};

const toll_arrow_type *toll_table_type(toll_table table);

#endif
