/* fold_recursion.h - folds recursion while the guest runs: a call of an open function goes back to
 * that function's node.
 *
 * So the tree does not grow with the depth of recursion. The result is the same as that of
 * toll_profile_fold_recursion on the whole tree. Owns the stack of open functions. */
#ifndef TOLL_HOSTS_WASM_FOLD_RECURSION_H
#define TOLL_HOSTS_WASM_FOLD_RECURSION_H

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins, with folded recursion or without. */
void host_begin_folding(bool folds);
bool host_folds(void);

/* Enter or leave a function, with the counters' values. */
void host_fold_event(bool leaves, toll_frame_id frame, const uint64_t *now);

/* Does the guest have open functions? Always false if recursion is not folded. */
bool host_fold_is_open(void);

/* Leave all functions deeper than `depth`, as host_depth() counts it. */
void host_fold_unwind(uint64_t depth);

/* End the innermost phase that began in a call of the guest, with all functions that are open in
 * it. False: there is no such phase, and now nothing is open. */
bool host_fold_end_phase(const uint64_t *now);

#endif
