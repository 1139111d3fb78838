/* sampled.c - see sampled.h. */
#include "profile/sampled.h"

#include <stddef.h>
#include <string.h>

const char *toll_sampled_how(const toll_profile *p)
{
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++) {
        const char *text = toll_profile_comment(p, i);
        if (strncmp(text, TOLL_SAMPLED_PREFIX, strlen(TOLL_SAMPLED_PREFIX)) == 0)
            return text + strlen(TOLL_SAMPLED_PREFIX);
    }
    return NULL;
}

int toll_has_every_call(const toll_profile *p)
{
    return !toll_sampled_how(p) && toll_profile_find_column(p, "calls") != TOLL_NONE;
}

uint32_t toll_calls_column(const toll_profile *p)
{
    return toll_sampled_how(p) ? TOLL_NONE : toll_profile_find_column(p, "calls");
}
