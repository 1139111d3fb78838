/* nearest.h - what somebody may have meant who wrote a name wrong. */
#ifndef TOLL_BASE_NEAREST_H
#define TOLL_BASE_NEAREST_H

/* The nearest of the known names (name_at(user, 0) to count - 1; NULL: none of that number), for
 * "did you mean": at most two letters off; or NULL. */
const char *toll_nearest(const char *word, const char *(*name_at)(const void *user, unsigned i),
                         const void *user, unsigned count);

#endif
