/* stack_text.c - see stack_text.h. */
#include "gates/stack_text.h"

#include "profile/order.h"

#include <inttypes.h>

enum { MOST_FRAMES = 12 };

void toll_stack_append(const toll_profile *p, toll_node_id node, toll_buffer *text)
{
    toll_frame_id frames[MOST_FRAMES], frame;
    uint32_t count = 0, left = 0;
    while ((frame = toll_profile_node_frame(p, node)) != TOLL_NONE) {
        if (count < MOST_FRAMES)
            frames[count++] = frame;
        else
            left++;
        node = toll_profile_parent(p, node);
    }
    if (left)
        toll_buffer_append_format(text, "(%" PRIu32 " more);", left);
    if (count == 0)
        toll_buffer_append_text(text, "(outside)");
    while (count-- > 0) {
        toll_buffer_append_text(text, toll_profile_frame(p, frames[count]).name);
        toll_buffer_append_text(text, count ? ";" : "");
    }
}

void toll_stack_append_titled(const toll_profile *p, toll_node_id node, toll_buffer *text)
{
    toll_node_id root = node;
    while (toll_profile_parent(p, root) != TOLL_NONE)
        root = toll_profile_parent(p, root);
    const char *title = toll_profile_thread_title(p, toll_profile_thread_of(p, root));
    if (toll_profile_thread_count(p) > 1 && *title)
        toll_buffer_append_format(text, "[%s] ", title);
    toll_stack_append(p, node, text);
}
