/* exact.c - see exact.h. */
#include "gates/exact.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

static bool is_in(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool toll_is_time(toll_value_type v)
{
    static const char *const units[] = { "nanoseconds", "microseconds", "milliseconds", "seconds",
                                         "ns",          "us",           "ms",           "s",
                                         NULL };
    static const char *const names[] = { "time", "wall", "cpu", NULL };
    return v.unit ? is_in(units, v.unit) : is_in(names, v.type);
}

/* "ticks, calls": the columns that are not time. */
static const char *exact_columns(const toll_profile *p, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (uint32_t i = 0; i < toll_profile_column_count(p) && used < size; i++) {
        toll_value_type v = toll_profile_column(p, i);
        if (!toll_is_time(v))
            used += (size_t)snprintf(text + used, size - used, "%s%.40s", used ? ", " : "", v.type);
    }
    return text;
}

toll_status toll_refuse_time(const toll_profile *p, const char *where, const char *type,
                             toll_error *err)
{
    char columns[200];
    if (*exact_columns(p, columns, sizeof columns))
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "%s%.60s differs from run to run and has no exact budget; of this "
                         "profile %s would do (toll run --ticks counts instructions of Lua, "
                         "--heap bytes)",
                         where, type, columns);
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "%s%.60s differs from run to run and has no exact budget, and the profile "
                     "has nothing else; record ticks, compute units, calls or bytes",
                     where, type);
}
