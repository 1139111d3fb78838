/* charge.c - charges the current node with the amount that each counter moved since the last event.
 * See toll/recorder.h, and docs/semantics.md for the meaning of every event. */
#include "record/fast_path.h"

/* End the counter's segment: what it moved so far is added to `moved`. The next segment begins at
 * `value`. */
static void new_segment(toll_recorder *r, uint32_t counter, uint64_t value)
{
    toll_counter_state *c = &r->counters[counter];
    uint64_t moved = toll_recorder_elapsed(r, counter);
    if (moved < c->moved)
        r->overflowed = true;
    c->moved = moved;
    c->segment_start = c->last = value;
}

/* Handle an event before the start or after the stop. False: the recorder has stopped, so ignore
 * the event. */
static bool start(toll_recorder *r, const uint64_t *now)
{
    if (r->state == TOLL_RECORDER_STOPPED) {
        r->counts[TOLL_COUNT_AFTER_STOP]++;
        return false;
    }
    for (uint32_t i = 0; i < r->counter_count; i++) {
        toll_counter_state *c = &r->counters[i];
        c->segment_start = c->last = toll_counter_value(c, now[i]);
    }
    r->state = r->execution_column ? TOLL_RECORDER_RUNNING_LINES : TOLL_RECORDER_RUNNING;
    return true;
}

bool toll_recorder_begin(toll_recorder *r, const uint64_t *now)
{
    if (!r)
        return false;
    if (!toll_recorder_is_recording(r) && !start(r, now))
        return false;
    if (r->track->sections.enter_late)
        r->track->sections.enter_late(r);
    toll_node *node = r->track->place.node;
    for (uint32_t i = 0; i < r->counter_count; i++)
        if (!toll_charge_counter(&r->counters[i], node, i, now[i])) {
            r->counts[TOLL_COUNT_BACKWARD]++;
            new_segment(r, i, toll_counter_value(&r->counters[i], now[i]));
        }
    return true;
}

void toll_recorder_charge(toll_recorder *r, const uint64_t *now)
{
    toll_recorder_begin(r, now);
}

void toll_recorder_rebase(toll_recorder *r, const uint64_t *now)
{
    if (!r || (!toll_recorder_is_recording(r) && !start(r, now)))
        return;
    for (uint32_t i = 0; i < r->counter_count; i++)
        new_segment(r, i, toll_counter_value(&r->counters[i], now[i]));
}
