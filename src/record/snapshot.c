/* snapshot.c - the end of a recording, and the profile out of it. See recorder.h. */
#include "base/fail.h"
#include "profile/graft.h"
#include "record/recorder_data.h"

/* How the counts are called in the profile's notes. */
static const char *const count_texts[] = {
    [TOLL_COUNT_ORPHANS] = "returns without a call",
    [TOLL_COUNT_FOLDED] = "calls below the depth limit, folded",
    [TOLL_COUNT_NOMEM] = "calls folded because memory ran out",
    [TOLL_COUNT_UNKNOWN] = "calls of frames that were never registered, folded",
    [TOLL_COUNT_BACKWARD] = "steps of a counter in the wrong direction, charged as 0",
    [TOLL_COUNT_AFTER_STOP] = "events after the stop, ignored",
    [TOLL_COUNT_NO_TRACK] = "events of a track that is not there, ignored",
    [TOLL_COUNT_LIVE_ALLOC] = "allocations at an address that was in use",
    [TOLL_COUNT_UNKNOWN_FREE] = "frees of an unknown address",
    [TOLL_COUNT_HEAP_NOMEM] = "allocations not followed because memory ran out",
    [TOLL_COUNT_HEAP_HUGE] = "allocations not followed because of their size",
    [TOLL_COUNT_SECTION_HIDDEN] = "sections that no stack shows: the depth limit, or no memory",
};
_Static_assert(sizeof count_texts / sizeof *count_texts == TOLL_COUNT_KINDS, "a text for each");

void toll_recorder_stop(toll_recorder *r, const uint64_t *now)
{
    if (!toll_recorder_begin_event(r, now))
        return;
    if (r->timeline)
        toll_recorder_timeline_suspend(r);
    r->state = TOLL_RECORDER_STOPPED;
    for (toll_track *t = r->tracks; t; t = t->next)
        toll_track_clear(r, t);
}

static toll_status check_movement(const toll_recorder *r, toll_error *err)
{
    for (uint32_t i = 0; i < r->counter_count; i++)
        if (r->overflowed || toll_recorder_elapsed(r, i) > INT64_MAX)
            return toll_fail(err, TOLL_E_OVERFLOW, "counter '%.100s' moved by more than 2^63",
                             toll_profile_column(r->profile, 1 + i).type);
    return TOLL_OK;
}

toll_status toll_recorder_snapshot(const toll_recorder *r, const toll_allocator *allocator,
                                   toll_profile **out, toll_error *err)
{
    toll_mem mem = allocator ? *allocator : r->mem;
    toll_profile *p;
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = check_movement(r, err);
    *out = NULL;
    if (status)
        return status;
    status = toll_profile_copy_to(&mem, r->profile, &p, err);
    if (status)
        return status;
    for (int i = 0; !status && i < TOLL_COUNT_KINDS; i++)
        status = toll_profile_add_note(p, count_texts[i], r->counts[i], err);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    *out = p;
    return TOLL_OK;
}
