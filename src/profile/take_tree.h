/* take_tree.h - moves a tree that a reader has made into a profile, without a copy. For readers. */
#ifndef TOLL_PROFILE_TAKE_TREE_H
#define TOLL_PROFILE_TAKE_TREE_H

#include "profile/ctx_tree.h"

#include <toll/profile.h>

/* Move the tree into the profile, which must have no nodes except the roots of its threads.
 * roots[i] becomes the root of thread i; frames[j] is the profile's frame for frame j of the tree.
 * The frames must be distinct, and the tree must have a value for each column. *tree is empty
 * afterwards. It cannot fail. */
void toll_profile_take_tree(toll_profile *profile, toll_tree *tree, toll_node *const *roots,
                            const toll_frame_id *frames);

#endif
