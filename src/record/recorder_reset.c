/* recorder_reset.c - clears a recorder: everything, or in a forked child what belongs to the
 * parent. See toll/recorder.h. */
#include "record/recorder_data.h"

#include <string.h>

/* Clear the sums that are kept beside the values of nodes. */
static void forget_sums(toll_recorder *r)
{
    memset(r->counts, 0, sizeof r->counts);
    r->profile->note_count = 0;
    r->overflowed = false;
    r->section_heap = 0;
    r->open_sections_noted = 0;
}

void toll_recorder_start_over(toll_recorder *r)
{
    enum {
        HEAP_FLOWS = 2
    }; /* alloc_objects and alloc_space; the two columns after them are what
        * is in use */
    if (!r)
        return;
    uint32_t columns = r->heap_column ? r->heap_column + HEAP_FLOWS : r->profile->column_count;
    for (uint32_t id = 0; id < r->profile->tree.count; id++)
        memset(toll_tree_node(&r->profile->tree, id)->values, 0, columns * sizeof(int64_t));
    for (uint32_t i = 0; i < r->counter_count; i++) {
        r->counters[i].moved = 0;
        r->counters[i].segment_start = r->counters[i].last;
    }
    forget_sums(r);
    r->timeline = NULL;
}

/* Free all tracks except the main track, which becomes as it was when new. */
static void forget_tracks(toll_recorder *r)
{
    toll_track *t = r->main_track;
    while (r->tracks != t) /* the main track was made first, so it is the last of the list */
        toll_recorder_drop_track(r, r->tracks);
    *t = (toll_track){ .base = t->base,
                       .thread = t->thread,
                       .timeline_thread = TOLL_NONE,
                       .events = &r->no_events,
                       .sections.list = t->sections.list,
                       .frames = t->frames,
                       .frame_capacity = t->frame_capacity };
    toll_track_clear(r, t);
    r->track = t;
}

/* Remove all stacks: only the frames remain, and the main track's thread with its root. */
static void forget_stacks(toll_recorder *r)
{
    toll_node *root = r->main_track->base;
    toll_profile_truncate(r->profile, r->profile->frame_count, 1, 1);
    memset(root->values, 0, r->profile->column_count * sizeof *root->values);
}

void toll_recorder_reset(toll_recorder *r)
{
    if (!r)
        return;
    forget_tracks(r);
    forget_stacks(r);
    forget_sums(r);
    toll_heap_map_clear(&r->heap);
    r->heap_bytes = 0;
    for (uint32_t i = 0; i < r->counter_count; i++)
        r->counters[i] = (toll_counter_state){ .flip = r->counters[i].flip };
    if (r->timeline)
        toll_recorder_timeline_reset(r);
    r->state = TOLL_RECORDER_NEW;
}
