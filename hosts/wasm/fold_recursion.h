/* fold_recursion.h - folds recursion while the guest runs: a call of an open function goes back to
 * that function's node.
 *
 * So the tree does not grow with the depth of recursion. The result is the same as that of
 * toll_profile_fold_recursion on the whole tree. Owns the stack of open functions. */
#ifndef TOLL_HOSTS_WASM_FOLD_RECURSION_H
#define TOLL_HOSTS_WASM_FOLD_RECURSION_H

#include "record/recorder_data.h"

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins, with folded recursion or without. */
void host_begin_folding(bool folds);
bool host_folds(void);

/* Enter or leave a function, with the counters' values. */
void host_fold_event(bool leaves, toll_frame_id frame, const uint64_t *now);

/* The same for most events, and faster: of a function whose frame is known, above the depth limit
 * and without a frame limit. `counters`: 1, the guest's ticks, or 0. False: it is another event,
 * and nothing has changed but what was charged; pass it to host_fold_event. */
bool host_fold_fast(toll_recorder *recorder, bool leaves, toll_frame_id frame, uint64_t ticks,
                    uint32_t counters);

/* A call of a function at `then`, and its return at `ticks`, without an event between: as two calls
 * of host_fold_fast, and faster. */
bool host_fold_leaf(toll_recorder *recorder, toll_frame_id frame, uint64_t then, uint64_t ticks,
                    uint32_t counters);

/* Does the guest have open functions? Always false if recursion is not folded. */
bool host_fold_is_open(void);

/* Leave all functions deeper than `depth`, as host_depth() counts it. */
void host_fold_unwind(uint64_t depth);

/* End the innermost phase that began in a call of the guest, with all functions that are open in
 * it. False: there is no such phase, and now nothing is open. */
bool host_fold_end_phase(const uint64_t *now);

#endif
