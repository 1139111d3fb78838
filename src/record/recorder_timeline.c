/* recorder_timeline.c - passes the recorder's events on to a timeline. A suspended track shows no
 * frames: they close when another track becomes current, and open again when the track is resumed,
 * so that each thread's events nest and no frame has the time of the suspension. They open again
 * only with the track's next event, or once time has passed: in most cases the first thing that a
 * resumed coroutine does is to return from the call that suspended it (coroutine.yield). */
#include "base/array.h"
#include "record/recorder_data.h"
#include "record/timeline_data.h"

static toll_moment moment_of(const toll_recorder *r)
{
    bool has_second = r->timeline->has_second;
    return (toll_moment){ toll_recorder_elapsed(r, r->timeline_counter),
                          has_second ? toll_recorder_elapsed(r, r->timeline_second) : 0 };
}

static bool is_same(toll_moment a, toll_moment b)
{
    return a.at == b.at && a.second == b.second;
}

/* The timeline's thread for the current track, looked up once. */
static bool timeline_thread(toll_recorder *r, toll_thread_id *thread)
{
    toll_track *t = r->track;
    if (t->timeline_thread == TOLL_NONE &&
        toll_timeline_add_thread(r->timeline, toll_profile_thread_name(r->profile, t->thread),
                                 &t->timeline_thread, NULL))
        return false;
    *thread = t->timeline_thread;
    return true;
}

/* The timeline's id of a frame, looked up once. */
static bool timeline_frame(toll_recorder *r, toll_frame_id frame, toll_frame_id *out)
{
    if (frame == TOLL_NONE)
        return false;
    if (frame >= r->timeline_frame_capacity) {
        size_t old = r->timeline_frame_capacity;
        if (!toll_array_grow(&r->mem, &r->timeline_frames, &r->timeline_frame_capacity, frame, 1))
            return false;
        for (size_t i = old; i < r->timeline_frame_capacity; i++)
            r->timeline_frames[i] = TOLL_NONE;
    }
    if (r->timeline_frames[frame] == TOLL_NONE) {
        toll_frame f = toll_profile_frame(r->profile, frame);
        if (toll_timeline_add_frame(r->timeline, &f, &r->timeline_frames[frame], NULL))
            return false;
    }
    *out = r->timeline_frames[frame];
    return true;
}

void toll_recorder_timeline_reset(toll_recorder *r)
{
    toll_timeline_clear(r->timeline);
    for (size_t i = 0; i < r->timeline_frame_capacity; i++)
        r->timeline_frames[i] = TOLL_NONE;
}

toll_status toll_recorder_timeline_rename(toll_recorder *r, toll_frame_id frame, const char *name,
                                          toll_error *err)
{
    if (frame >= r->timeline_frame_capacity || r->timeline_frames[frame] == TOLL_NONE)
        return TOLL_OK; /* the timeline gets the frame later, with the name that it has then */
    return toll_timeline_rename_frame(r->timeline, r->timeline_frames[frame], name, err);
}

/* `frame` is TOLL_NONE where there was no memory to find it. */
static void open_frame(toll_recorder *r, toll_frame_id frame, toll_moment now)
{
    toll_thread_id thread;
    toll_frame_id id;
    r->track->timeline_depth++;
    if (!timeline_thread(r, &thread) || !timeline_frame(r, frame, &id)) {
        toll_timeline_out_of_memory(r->timeline);
        return;
    }
    toll_timeline_set_second(r->timeline, now.second);
    toll_timeline_open(r->timeline, thread, id, now.at);
}

static void close_frame(toll_recorder *r)
{
    toll_thread_id thread;
    toll_moment now = moment_of(r);
    r->track->timeline_depth--;
    if (!timeline_thread(r, &thread)) {
        toll_timeline_out_of_memory(r->timeline);
        return;
    }
    toll_timeline_set_second(r->timeline, now.second);
    toll_timeline_close(r->timeline, thread, now.at);
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
        open_frame(r, known ? r->scratch[i] : TOLL_NONE, t->back_at);
}

void toll_recorder_timeline_open(toll_recorder *r, toll_frame_id frame)
{
    catch_up(r, 1);
    open_frame(r, frame, moment_of(r));
}

void toll_recorder_timeline_close(toll_recorder *r, toll_frame_id frame)
{
    toll_track *t = r->track;
    if (t->timeline_depth <= t->place.depth) {
        if (is_same(moment_of(r), t->back_at))
            return; /* left at the moment of the resumption: nothing to show */
        catch_up(r, 0);
        open_frame(r, frame, t->back_at);
    }
    close_frame(r);
}

void toll_recorder_timeline_suspend(toll_recorder *r)
{
    if (!is_same(moment_of(r), r->track->back_at))
        catch_up(r, 0);
    while (r->track->timeline_depth > 0)
        close_frame(r);
}

void toll_recorder_timeline_go_on(toll_recorder *r)
{
    r->track->back_at = moment_of(r);
}
