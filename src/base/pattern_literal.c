/* pattern_literal.c - patterns that are plain text, where the C library has no regular expressions:
 * Windows. See pattern.h. */
#include "base/pattern.h"

#ifndef TOLL_HAVE_REGEX

#include "base/fail.h"

#include <string.h>

toll_status toll_pattern_parse(toll_pattern *pattern, const char *text, toll_error *err)
{
    static const char special[] = "^$.[]()*+?{}|\\";
    size_t plain = strcspn(text, special);
    if (text[plain])
        return toll_fail(
            err, TOLL_E_UNSUPPORTED,
            "pattern '%.200s': this system has no regular expressions, and '%c' is part "
            "of one; give a piece of the name without any of %s",
            text, text[plain], special);
    *pattern = text;
    return TOLL_OK;
}

bool toll_pattern_matches(const toll_pattern *pattern, const char *name)
{
    return strstr(name, *pattern) != NULL;
}

void toll_pattern_free(toll_pattern *pattern)
{
    *pattern = NULL;
}

#endif
