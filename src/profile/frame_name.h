/* frame_name.h - demangles the names of frames for readers of all formats. */
#ifndef TOLL_PROFILE_FRAME_NAME_H
#define TOLL_PROFILE_FRAME_NAME_H

#include "base/buffer.h"

#include <stdbool.h>
#include <toll/profile.h>

/* If the frame's name is a linker's symbol, it becomes the system_name, and the name becomes the
 * demangled text in *room, which is cleared first. False: no memory. */
bool toll_frame_demangle(toll_frame *frame, toll_buffer *room);

#endif
