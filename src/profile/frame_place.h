/* frame_place.h - finds the file of a frame's line, for all rooms that read profiles. */
#ifndef TOLL_PROFILE_FRAME_PLACE_H
#define TOLL_PROFILE_FRAME_PLACE_H

#include <toll/profile.h>

/* The file of the frame's line; without a line, its function's file. The frame must come from
 * toll_profile_frame. */
static inline const char *toll_frame_place_file(const toll_frame *frame)
{
    return *frame->at_file ? frame->at_file : frame->file;
}

#endif
