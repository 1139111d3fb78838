/* frame_name.h - names of frames as readers find them, for all rooms that read. */
#ifndef TOLL_PROFILE_FRAME_NAME_H
#define TOLL_PROFILE_FRAME_NAME_H

#include "base/buffer.h"

#include <stdbool.h>
#include <toll/profile.h>

/* Where the frame's name is a symbol of the linker, it becomes the system_name, and the name is
 * what it encodes, a text in *room, which is cleared first. False: no memory. */
bool toll_frame_demangle(toll_frame *frame, toll_buffer *room);

#endif
