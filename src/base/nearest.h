/* nearest.h - finds the known name that is nearest to a misspelled one. */
#ifndef TOLL_BASE_NEAREST_H
#define TOLL_BASE_NEAREST_H

/* The known name that is nearest to `word`, for "did you mean"; NULL if none differs by at most two
 * letters. Names are name_at(user, 0) to name_at(user, count - 1); NULL and "" are skipped. */
const char *toll_nearest(const char *word, const char *(*name_at)(const void *user, unsigned i),
                         const void *user, unsigned count);

#endif
