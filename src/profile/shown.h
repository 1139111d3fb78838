/* shown.h - which column is shown: the one rule for reports, differences and formats of one value.
 */
#ifndef TOLL_PROFILE_SHOWN_H
#define TOLL_PROFILE_SHOWN_H

#include <toll/profile.h>

typedef struct toll_shown {
    uint32_t column;  /* TOLL_NONE: the profile has none */
    uint32_t instead; /* of this default one, in which every value is 0; TOLL_NONE: of none */
} toll_shown;

/* The column of type `value`; with NULL the default column, unless every value in it is 0 and
 * another column has others: then the first of those, "calls" last. The values that count are those
 * of `a` and `b` (which may be NULL), matched by type and unit: of a difference its two sides,
 * since equal sides differ by 0; else a is p itself. Errors: TOLL_E_NOT_FOUND. */
toll_status toll_choose_shown(const toll_profile *p, const toll_profile *a, const toll_profile *b,
                              const char *value, toll_shown *shown, toll_error *err);

/* "every value of ticks is 0; calls is shown instead", into text[size]; only if there is an
 * `instead`.
 */
const char *toll_shown_text(const toll_profile *p, const toll_shown *shown, char *text,
                            size_t size);

#endif
