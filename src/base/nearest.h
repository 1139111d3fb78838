/* nearest.h - the known name that is nearest to a misspelled one. */
#ifndef TOLL_BASE_NEAREST_H
#define TOLL_BASE_NEAREST_H

/* The nearest of the known names (name_at(user, 0) to count - 1; NULL: skip this index), for
 * "did you mean": at most two letters off; or NULL. */
const char *toll_nearest(const char *word, const char *(*name_at)(const void *user, unsigned i),
                         const void *user, unsigned count);

#endif
