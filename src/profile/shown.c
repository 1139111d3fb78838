/* shown.c - see shown.h. */
#include "profile/shown.h"

#include "base/fail.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool has_values(const toll_profile *p, toll_value_type type)
{
    uint32_t column = p ? toll_profile_find_value_type(p, type) : TOLL_NONE;
    for (uint32_t n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++)
        if (toll_profile_self(p, n, column))
            return true;
    return false;
}

static bool is_calls(toll_value_type v)
{
    return strcmp(v.type, "calls") == 0;
}

static toll_status not_found(const toll_profile *p, const char *value, toll_error *err)
{
    char types[300] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < toll_profile_column_count(p) && used < sizeof types; i++)
        used += (size_t)snprintf(types + used, sizeof types - used, "%s%s", used ? ", " : "",
                                 toll_profile_column(p, i).type);
    return toll_fail(err, TOLL_E_NOT_FOUND, "no value type is called '%.100s'; there are %s", value,
                     *types ? types : "none");
}

/* The first column with values, "calls" last; TOLL_NONE if there is none. */
static uint32_t first_with_values(const toll_profile *p, const toll_profile *a,
                                  const toll_profile *b)
{
    uint32_t found = TOLL_NONE;
    for (uint32_t i = toll_profile_column_count(p); i-- > 0;) {
        toll_value_type v = toll_profile_column(p, i);
        if ((found == TOLL_NONE || !is_calls(v)) && (has_values(a, v) || has_values(b, v)))
            found = i;
    }
    return found;
}

toll_status toll_choose_shown(const toll_profile *p, const toll_profile *a, const toll_profile *b,
                              const char *value, toll_shown *shown, toll_error *err)
{
    *shown = (toll_shown){ TOLL_NONE, TOLL_NONE };
    shown->column = value ? toll_profile_find_column(p, value) : toll_profile_default_column(p);
    if (value)
        return shown->column == TOLL_NONE ? not_found(p, value, err) : TOLL_OK;
    if (shown->column == TOLL_NONE)
        return TOLL_OK;
    toll_value_type v = toll_profile_column(p, shown->column);
    if (has_values(a, v) || has_values(b, v))
        return TOLL_OK;
    uint32_t other = first_with_values(p, a, b);
    if (other != TOLL_NONE) {
        shown->instead = shown->column;
        shown->column = other;
    }
    return TOLL_OK;
}

const char *toll_shown_text(const toll_profile *p, const toll_shown *shown, char *text, size_t size)
{
    snprintf(text, size, "every value of %.60s is 0; %.60s is shown instead",
             toll_profile_column(p, shown->instead).type,
             toll_profile_column(p, shown->column).type);
    return text;
}
