/* snapshot.c - stops a recorder, and copies its profile. See toll/recorder.h. */
#include "base/fail.h"
#include "profile/graft.h"
#include "record/recorder_data.h"

void toll_recorder_stop(toll_recorder *r, const uint64_t *now)
{
    if (!toll_recorder_begin(r, now))
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

/* Add the notes of what was counted. If that fails, *p is freed. */
static toll_status complete(const toll_recorder *r, toll_profile **p, toll_error *err)
{
    toll_status status = toll_recorder_note_counts(r, *p, err);
    if (status) {
        toll_profile_free(*p);
        *p = NULL;
    }
    return status;
}

toll_status toll_recorder_snapshot_most(const toll_recorder *r, uint32_t most, uint32_t column,
                                        toll_profile **out, toll_small_stacks *small,
                                        toll_error *err)
{
    toll_status status = check_movement(r, err);
    *out = NULL;
    if (!status)
        status = toll_fold_small_stacks(r->profile, most, column, out, small, err);
    return status ? status : complete(r, out, err);
}

toll_status toll_recorder_snapshot(const toll_recorder *r, const toll_allocator *allocator,
                                   toll_profile **out, toll_error *err)
{
    toll_profile *p;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!r)
        return toll_recorder_fail_null(err);
    toll_mem mem = allocator ? *allocator : r->mem;
    toll_status status = check_movement(r, err);
    if (status)
        return status;
    status = toll_profile_copy_to(&mem, r->profile, &p, err);
    if (status)
        return status;
    status = complete(r, &p, err);
    *out = p;
    return status;
}
