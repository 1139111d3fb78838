/* table_unit.h - the units in which tables have values: of bytes and of time only one each, so that
 * values of many profiles can be added up. */
#ifndef TOLL_TABLES_TABLE_UNIT_H
#define TOLL_TABLES_TABLE_UNIT_H

#include <stdint.h>

/* The unit of a table for values in `unit`, which may be the same; *times is how many of it one
 * `unit` is. A unit of which there are several meanings, such as kilobytes, stays as it is. */
const char *toll_table_unit(const char *unit, int64_t *times);

#endif
