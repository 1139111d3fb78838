/* frame_name.c - see frame_name.h. */
#include "profile/frame_name.h"

#include "demangle/demangle.h"

bool toll_frame_demangle(toll_frame *frame, toll_buffer *room)
{
    const char *name = toll_demangled(frame->name, room);
    if (name && name != frame->name)
        frame->system_name = frame->name;
    frame->name = name;
    return name != NULL;
}
