/* pattern.h - whether a name matches a pattern that somebody wrote: a POSIX extended regular
 * expression, found anywhere in the name. pattern_regex.c leaves it to <regex.h>. Where the system
 * has none, pattern_literal.c finds text as it is, and refuses patterns that mean more than that.
 */
#ifndef TOLL_BASE_PATTERN_H
#define TOLL_BASE_PATTERN_H

#include <stdbool.h>
#include <toll/error.h>

#if defined __has_include
#if __has_include(<regex.h>)
#define TOLL_HAVE_REGEX 1
#endif
#endif

#ifdef TOLL_HAVE_REGEX
#include <regex.h>
typedef regex_t toll_pattern;
#else
typedef const char *toll_pattern; /* the text to find */
#endif

/* Parse a pattern, which must stay as it is until toll_pattern_free. TOLL_E_ARGUMENT: it is none;
 * TOLL_E_UNSUPPORTED: this system cannot tell what matches it. */
toll_status toll_pattern_parse(toll_pattern *pattern, const char *text, toll_error *err);
bool toll_pattern_matches(const toll_pattern *pattern, const char *name);
void toll_pattern_free(toll_pattern *pattern);

#endif
