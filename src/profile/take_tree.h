/* take_tree.h - a tree that a reader has made becomes that of a profile, without a copy. For
 * readers. */
#ifndef TOLL_PROFILE_TAKE_TREE_H
#define TOLL_PROFILE_TAKE_TREE_H

#include "profile/ctx_tree.h"

#include <toll/profile.h>

/* The tree becomes that of the profile, which has no nodes but the roots of its threads: roots[i]
 * is that of thread i from now on, and frames[j] the frame for j of the tree. These are distinct,
 * and the tree has a value for each column. *tree is empty then. It cannot fail. */
void toll_profile_take_tree(toll_profile *profile, toll_tree *tree, toll_node *const *roots,
                            const toll_frame_id *frames);

#endif
