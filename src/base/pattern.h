/* pattern.h - matches names against a user's pattern: a regular expression, found anywhere in the
 * name. docs/semantics.md, "Patterns", defines the dialect.
 *
 * Patterns may be hostile. A pattern is turned into an automaton, which reads each character of a
 * name once: time and memory are bounded whatever the pattern is, and there is no recursion at
 * match time. The page of `toll view` implements the same dialect (src/page/web/pattern.mjs). */
#ifndef TOLL_BASE_PATTERN_H
#define TOLL_BASE_PATTERN_H

#include "base/mem.h"

#include <toll/error.h>

typedef struct toll_pattern toll_pattern;

/* Parse a pattern. Not thread-safe: matching changes it. Errors: TOLL_E_ARGUMENT (not a pattern;
 * the message has the reason), TOLL_E_LIMIT (too large), TOLL_E_NOMEM. *out is NULL then. */
toll_status toll_pattern_parse(toll_pattern **out, const toll_mem *mem, const char *text,
                               toll_error *err);

/* Does the pattern match? Always false once its limit of work is reached: see
 * toll_pattern_check. */
bool toll_pattern_matches(toll_pattern *pattern, const char *name);

/* Call this after the last name: were all names matched? TOLL_E_LIMIT: the pattern took more than
 * PATTERN_WORK steps (pattern_match.c), and later names were not matched. */
toll_status toll_pattern_check(const toll_pattern *pattern, toll_error *err);

void toll_pattern_free(toll_pattern *pattern); /* NULL is fine */

#endif
