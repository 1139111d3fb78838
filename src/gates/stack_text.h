/* stack_text.h - prints a call stack on one line, for messages. */
#ifndef TOLL_GATES_STACK_TEXT_H
#define TOLL_GATES_STACK_TEXT_H

#include "base/buffer.h"

#include <toll/profile.h>

/* Append "main;f;g": functions from the outermost in. For a deep stack, only the inner functions
 * and how many are omitted. Names are not escaped. Places are omitted. */
void toll_stack_append(const toll_profile *profile, toll_node_id node, toll_buffer *text);

/* The same after the thread and its labels, "[worker {test=checkout}] main;f;g", if the profile has
 * several threads. */
void toll_stack_append_titled(const toll_profile *profile, toll_node_id node, toll_buffer *text);

#endif
