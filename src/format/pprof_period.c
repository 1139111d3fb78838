/* pprof_period.c - the period type of a pprof file. See pprof.h. */
#include "format/pprof.h"

#include <stdbool.h>
#include <string.h>

static bool is_heap(const char *type)
{
    static const char *const types[] = { "inuse_space", "inuse_objects", "alloc_space",
                                         "alloc_objects" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

toll_value_type toll_pprof_period_type(const toll_profile *p)
{
    uint32_t column = toll_profile_default_column(p);
    if (column == TOLL_NONE)
        return (toll_value_type){ NULL, NULL };
    toll_value_type v = toll_profile_column(p, column);
    return is_heap(v.type) ? (toll_value_type){ "space", "bytes" } : v;
}
