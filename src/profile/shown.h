/* shown.h - chooses the column to show: the one rule for reports, differences and formats of one
 * value.
 * */
#ifndef TOLL_PROFILE_SHOWN_H
#define TOLL_PROFILE_SHOWN_H

#include <toll/profile.h>

typedef struct toll_shown {
    uint32_t column;  /* TOLL_NONE: the profile has none */
    uint32_t instead; /* the default column that it replaces, because every value there is 0;
                       * TOLL_NONE: none */
} toll_shown;

/* Choose the column of type `value`; with NULL, the default column. But if every value in the
 * default column is 0, choose the first column with other values, "calls" last. Values are looked
 * up in `a` and `b` (which may be NULL), matched by type and unit. For a difference these are its
 * two sides, since equal sides differ by 0; otherwise a is p itself. Errors: TOLL_E_NOT_FOUND. */
toll_status toll_choose_shown(const toll_profile *p, const toll_profile *a, const toll_profile *b,
                              const char *value, toll_shown *shown, toll_error *err);

/* Write "every value of ticks is 0; calls is shown instead" to text[size]. Only if `instead` is not
 * TOLL_NONE.
 * */
const char *toll_shown_text(const toll_profile *p, const toll_shown *shown, char *text,
                            size_t size);

#endif
