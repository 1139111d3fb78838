/* fold_recursion.h - recursion is folded while the guest runs: a call of a function that is open
 * goes back to that function's node, so that a tree has no more nodes than it has without
 * recursion, however deep that is. It gives what toll_profile_fold_recursion makes of the whole
 * tree. Owns the stack of functions that are open then. */
#ifndef TOLL_HOSTS_WASM_FOLD_RECURSION_H
#define TOLL_HOSTS_WASM_FOLD_RECURSION_H

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins, with folded recursion or without. */
void host_begin_folding(bool folds);
bool host_folds(void);

/* A function is entered or left, and the counters at that. */
void host_fold_event(bool leaves, toll_frame_id frame, const uint64_t *now);

/* Does the guest have functions open? Always false where recursion is not folded. */
bool host_fold_is_open(void);

/* Leave what is open at a depth above `depth`, as host_depth() counts. */
void host_fold_unwind(uint64_t depth);

/* End the innermost phase that began in a call of the guest, with all that is open in it. False:
 * there is none, and nothing is open now. */
bool host_fold_end_phase(const uint64_t *now);

#endif
