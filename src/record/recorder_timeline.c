/* recorder_timeline.c - passes the recorder's events on to a timeline; fast_timeline.h has the fast
 * path. A suspended track shows no frames: they close when another track becomes current, and open
 * again when the track is resumed, so that each thread's events nest and no frame has the time of
 * the suspension. They open again only with the track's next event, or once time has passed: in
 * most cases the first thing that a resumed coroutine does is to return from the call that
 * suspended it (coroutine.yield). */
#include "base/array.h"
#include "record/fast_timeline.h"

static bool is_same(toll_moment a, toll_moment b)
{
    return a.at == b.at && a.second == b.second;
}

/* The timeline's thread for the current track, looked up once. */
static bool timeline_thread(toll_recorder *r)
{
    toll_track *t = r->track;
    return t->timeline_thread != TOLL_NONE ||
           !toll_timeline_add_thread(r->timeline, toll_profile_thread_name(r->profile, t->thread),
                                     &t->timeline_thread, NULL);
}

/* How an event opens the frame, looked up once; 0: no memory. */
static uint64_t open_code(toll_recorder *r, toll_frame_id frame)
{
    toll_frame_id id;
    if (frame == TOLL_NONE || frame >= r->timeline_code_count)
        return 0;
    if (!r->timeline_codes[frame]) {
        toll_frame f = toll_profile_frame(r->profile, frame);
        f.at_line = 0;
        f.at_address = 0;
        if (toll_timeline_add_frame(r->timeline, &f, &id, NULL))
            return 0;
        r->timeline_codes[frame] = TOLL_EVENT_OPEN + (uint64_t)id;
    }
    return r->timeline_codes[frame];
}

bool toll_recorder_timeline_reserve(toll_recorder *r, toll_frame_id frame)
{
    size_t old = r->timeline_code_count;
    if (!toll_array_grow(&r->mem, &r->timeline_codes, &r->timeline_code_count, frame, 1))
        return false;
    for (size_t i = old; i < r->timeline_code_count; i++)
        r->timeline_codes[i] = 0;
    return true;
}

void toll_recorder_timeline_reset(toll_recorder *r)
{
    toll_timeline_clear(r->timeline);
    for (size_t i = 0; i < r->timeline_code_count; i++)
        r->timeline_codes[i] = 0;
}

toll_status toll_recorder_timeline_rename(toll_recorder *r, toll_frame_id frame, const char *name,
                                          toll_error *err)
{
    if (frame >= r->timeline_code_count || !r->timeline_codes[frame])
        return TOLL_OK; /* the timeline gets the frame later, with the name that it has then */
    return toll_timeline_rename_frame(
        r->timeline, (toll_frame_id)(r->timeline_codes[frame] - TOLL_EVENT_OPEN), name, err);
}

static void out_of_memory(toll_recorder *r)
{
    toll_timeline_keep_failure(r->timeline, TOLL_E_NOMEM, "out of memory");
}

/* `frame` is TOLL_NONE where there was no memory to find it. */
static void open_frame(toll_recorder *r, toll_frame_id frame, bool is_call, toll_moment now)
{
    toll_track *t = r->track;
    uint64_t code = timeline_thread(r) ? open_code(r, frame) : 0;
    t->timeline_depth++;
    if (code)
        toll_timeline_add_event(r->timeline, t->timeline_thread, code, !is_call, now.at,
                                now.second);
    else
        out_of_memory(r);
}

static void close_frame(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_moment now = toll_recorder_moment(r);
    t->timeline_depth--;
    if (timeline_thread(r))
        toll_timeline_add_event(r->timeline, t->timeline_thread, TOLL_EVENT_CLOSE, false, now.at,
                                now.second);
    else
        out_of_memory(r);
}

/* Open in the timeline the frames that are still closed there since the track was resumed, except
 * for the innermost `except`. */
static void catch_up(toll_recorder *r, uint64_t except)
{
    toll_track *t = r->track;
    if (t->timeline_depth >= t->place.depth - except)
        return;
    bool known = toll_track_frames(r, t);
    for (uint64_t i = t->timeline_depth; i < t->place.depth - except; i++)
        open_frame(r, known ? r->scratch[i] : TOLL_NONE, false, t->back_at);
}

/* All frames of the track are open in the timeline: the fast path may be taken. */
static void all_open(toll_recorder *r)
{
    toll_track *t = r->track;
    if (t->timeline_thread != TOLL_NONE)
        t->events = r->timeline->threads[t->timeline_thread];
}

/* What the fast path did not count. */
static void settle_depth(toll_recorder *r, uint64_t depth)
{
    toll_track *t = r->track;
    if (t->events != &r->no_events)
        t->timeline_depth = depth;
}

void toll_recorder_timeline_open(toll_recorder *r, toll_frame_id frame, bool is_call)
{
    settle_depth(r, r->track->place.depth - 1);
    catch_up(r, 1);
    open_frame(r, frame, is_call, toll_recorder_moment(r));
    all_open(r);
}

void toll_recorder_timeline_close(toll_recorder *r, toll_frame_id frame)
{
    toll_track *t = r->track;
    settle_depth(r, t->place.depth + 1);
    if (t->timeline_depth <= t->place.depth) {
        if (is_same(toll_recorder_moment(r), t->back_at))
            return; /* left at the moment of the resumption: nothing to show */
        catch_up(r, 0);
        open_frame(r, frame, false, t->back_at);
    }
    close_frame(r);
    all_open(r);
}

void toll_recorder_timeline_suspend(toll_recorder *r)
{
    toll_track *t = r->track;
    settle_depth(r, t->place.depth);
    if (!is_same(toll_recorder_moment(r), t->back_at))
        catch_up(r, 0);
    while (t->timeline_depth > 0)
        close_frame(r);
    t->events = &r->no_events;
}

void toll_recorder_timeline_go_on(toll_recorder *r)
{
    r->track->back_at = toll_recorder_moment(r);
}
