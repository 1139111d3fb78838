/* frame_place.h - the place of a frame within its function, for all rooms that read profiles. */
#ifndef TOLL_PROFILE_FRAME_PLACE_H
#define TOLL_PROFILE_FRAME_PLACE_H

#include <toll/profile.h>

/* The file of the frame's line; without a line that of its function. The frame is one that
 * toll_profile_frame returned. */
static inline const char *toll_frame_place_file(const toll_frame *frame)
{
    return *frame->at_file ? frame->at_file : frame->file;
}

#endif
