/* table_unit.c - see table_unit.h. */
#include "tables/table_unit.h"

#include <stddef.h>
#include <string.h>

#define BYTES "bytes"
#define TIME "nanoseconds"

/* Prefixes are those of budgets (src/gates/amount.c): k is 1,000, Ki 1,024. */
static const struct {
    const char *name, *base;
    int64_t times;
} units[] = {
    { "B", BYTES, 1 },
    { "kB", BYTES, 1000 },
    { "MB", BYTES, 1000000 },
    { "GB", BYTES, 1000000000 },
    { "KiB", BYTES, INT64_C(1) << 10 },
    { "MiB", BYTES, INT64_C(1) << 20 },
    { "GiB", BYTES, INT64_C(1) << 30 },
    { "ns", TIME, 1 },
    { "us", TIME, 1000 },
    { "\xc2\xb5s", TIME, 1000 },
    { "microseconds", TIME, 1000 },
    { "ms", TIME, 1000000 },
    { "milliseconds", TIME, 1000000 },
    { "s", TIME, 1000000000 },
    { "seconds", TIME, 1000000000 },
};

const char *toll_table_unit(const char *unit, int64_t *times)
{
    *times = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0) {
            *times = units[i].times;
            return units[i].base;
        }
    return unit;
}
