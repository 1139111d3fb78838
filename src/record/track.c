/* track.c - creates, switches and frees tracks: each has its own stack, and one is current. See
 * toll/recorder.h. */
#include "base/fail.h"
#include "record/recorder_data.h"

toll_status toll_recorder_new_track(toll_recorder *r, const char *thread_name, toll_track **out,
                                    toll_error *err)
{
    toll_thread_id thread;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!r)
        return toll_recorder_fail_null(err);
    toll_status status = toll_profile_add_thread(r->profile, thread_name, &thread, err);
    if (status)
        return status;
    toll_track *t = toll_mem_new(&r->mem, 1, sizeof *t);
    if (!t)
        return toll_fail_nomem(err);
    if (r->execution_column && !toll_track_reserve_frame(r, t)) {
        toll_mem_free(&r->mem, t, 1, sizeof *t);
        return toll_fail_nomem(err);
    }
    t->base = r->profile->threads[thread].root;
    toll_track_clear(r, t);
    t->thread = thread;
    t->timeline_thread = TOLL_NONE;
    t->events = &r->no_events;
    t->next = r->tracks;
    if (r->tracks)
        r->tracks->previous = t;
    r->tracks = t;
    *out = t;
    return TOLL_OK;
}

toll_track *toll_recorder_main_track(toll_recorder *r)
{
    return r ? r->main_track : NULL;
}

toll_track *toll_recorder_current_track(toll_recorder *r)
{
    return r ? r->track : NULL;
}

static void make_current(toll_recorder *r, toll_track *t)
{
    if (t == r->track)
        return;
    if (r->timeline)
        toll_recorder_timeline_suspend(r);
    r->track = t;
    if (r->timeline)
        toll_recorder_timeline_go_on(r);
}

/* Handle an event with track NULL, for example because the track could not be made. What was spent
 * until now is still charged. */
static void count_no_track(toll_recorder *r, const uint64_t *now)
{
    if (toll_recorder_begin(r, now))
        r->counts[TOLL_COUNT_NO_TRACK]++;
}

void toll_recorder_switch(toll_recorder *r, toll_track *t, const uint64_t *now)
{
    if (!t)
        count_no_track(r, now);
    else if (toll_recorder_begin(r, now))
        make_current(r, t);
}

void toll_recorder_hand_over(toll_recorder *r, toll_track *t)
{
    if (toll_recorder_is_recording(r))
        make_current(r, t);
}

/* Find or make the node for the track's innermost frame in the same stack under `base`. NULL: no
 * memory. */
static toll_node *find_under(toll_recorder *r, toll_track *t, toll_node *base)
{
    toll_node *node = base;
    if (t->frames)
        return toll_track_hang_frames(r, t, base) ? t->frames[t->place.depth].at : NULL;
    if (!toll_track_frames(r, t))
        return NULL;
    for (uint64_t i = 0; node && i < t->place.depth; i++)
        node = toll_tree_child(&r->profile->tree, node, r->scratch[i]);
    return node;
}

/* Move the track's stack under `base`: the same frames, with other nodes. If there is no memory for
 * these, the stack keeps its old nodes under its former base, so no cost is lost. */
static void hang_under(toll_recorder *r, toll_track *t, toll_node *base)
{
    toll_node *node = t->base == base ? NULL : find_under(r, t, base);
    if (!node)
        return;
    t->base = base;
    toll_track_stand_at(t, node, t->place.depth);
}

void toll_recorder_resume(toll_recorder *r, toll_track *t, const uint64_t *now)
{
    if (!t) {
        count_no_track(r, now);
        return;
    }
    if (!toll_recorder_begin(r, now))
        return;
    if (r->join_threads && t != r->track && t != r->main_track)
        hang_under(r, t, toll_track_caller(r, r->track));
    make_current(r, t);
}

void toll_recorder_drop_track(toll_recorder *r, toll_track *t)
{
    if (t->previous)
        t->previous->next = t->next;
    else
        r->tracks = t->next;
    if (t->next)
        t->next->previous = t->previous;
    toll_mem_free(&r->mem, t->sections.list, TOLL_MAX_OPEN_SECTIONS, sizeof *t->sections.list);
    toll_mem_free(&r->mem, t->frames, t->frame_capacity, sizeof *t->frames);
    toll_mem_free(&r->mem, t, 1, sizeof *t);
}

void toll_recorder_end_track(toll_recorder *r, toll_track *t, const uint64_t *now)
{
    if (!r || !t) {
        count_no_track(r, now);
        return;
    }
    if (t == r->track)
        toll_recorder_switch(r, r->main_track, now);
    if (t == r->track && r->timeline && toll_recorder_is_recording(r))
        toll_recorder_timeline_suspend(r); /* the main track: its frames close */
    if (r->track == t)
        r->track = r->main_track;
    toll_track_clear(r, t);
    if (t != r->main_track)
        toll_recorder_drop_track(r, t);
}
