/* pattern_regex.c - patterns by the regular expressions of the C library. See pattern.h. */
#include "base/pattern.h"

#ifdef TOLL_HAVE_REGEX

#include "base/fail.h"

toll_status toll_pattern_parse(toll_pattern *pattern, const char *text, toll_error *err)
{
    char why[128];
    int code = regcomp(pattern, text, REG_EXTENDED | REG_NOSUB);
    if (code == 0)
        return TOLL_OK;
    regerror(code, pattern, why, sizeof why);
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "bad pattern '%.200s': %s; patterns are POSIX extended regular expressions",
                     text, why);
}

bool toll_pattern_matches(const toll_pattern *pattern, const char *name)
{
    return regexec(pattern, name, 0, NULL, 0) == 0;
}

void toll_pattern_free(toll_pattern *pattern)
{
    regfree(pattern);
}

#endif
