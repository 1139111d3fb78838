/* frame_match.h - decides which functions a pattern matches: the one rule for filters and
 * budgets. */
#ifndef TOLL_PROFILE_FRAME_MATCH_H
#define TOLL_PROFILE_FRAME_MATCH_H

#include "base/pattern.h"

#include <toll/profile.h>

/* Does the pattern match the frame's name, or "FILE:LINE"? */
bool toll_frame_matches(toll_pattern *pattern, toll_frame frame);

#endif
