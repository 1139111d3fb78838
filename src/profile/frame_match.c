/* frame_match.c - see frame_match.h. */
#include "profile/frame_match.h"

#include <stdio.h>

bool toll_frame_matches(toll_pattern *pattern, toll_frame f)
{
    if (toll_pattern_matches(pattern, f.name))
        return true;
    char where[1024];
    snprintf(where, sizeof where, "%s:%u", f.file, f.line);
    return *f.file && toll_pattern_matches(pattern, where);
}
