/* renamed.h - finds functions of a comparison that may only have another name. For report/. */
#ifndef TOLL_REPORT_RENAMED_H
#define TOLL_REPORT_RENAMED_H

#include "report/changes.h"

typedef struct toll_renamed {
    const toll_change *was, *is; /* a function that is gone, and a new one */
} toll_renamed;

enum { TOLL_MOST_RENAMED = 20 };

/* Find pairs of a function that is gone and a new one, with the same cost, file and kind, and where
 * several are alike the same line. What is alike in all of that is not guessed. Returns their
 * number. O(functions). */
uint32_t toll_find_renamed(const toll_changes *changes, toll_renamed found[TOLL_MOST_RENAMED]);

#endif
