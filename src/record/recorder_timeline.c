/* recorder_timeline.c - passes the recorder's events on to a timeline; fast_timeline.h has the fast
 * path. The frames of a suspended track are closed in the timeline when another track becomes
 * current, and opened again when the track is resumed. So each thread's events nest, and no frame
 * contains the time of the suspension. They are opened again only with the track's next event, or
 * after time has passed: a resumed coroutine usually first returns from the call that suspended it
 * (coroutine.yield). */
#include "base/array.h"
#include "record/fast_timeline.h"

static bool is_same(toll_moment a, toll_moment b)
{
    return a.at == b.at && a.second == b.second;
}

/* Find the timeline's thread for the current track, once. */
static bool timeline_thread(toll_recorder *r)
{
    toll_track *t = r->track;
    return t->timeline_thread != TOLL_NONE ||
           !toll_timeline_add_thread(r->timeline, toll_profile_thread_name(r->profile, t->thread),
                                     &t->timeline_thread, NULL);
}

/* The timeline's frame for `frame`, which is looked up once; TOLL_NONE: no memory. */
static toll_frame_id timeline_frame(toll_recorder *r, toll_frame_id frame)
{
    if (frame == TOLL_NONE || frame >= r->timeline_code_count)
        return TOLL_NONE;
    toll_open_code *code = &r->timeline_codes[frame];
    if (code->frame == TOLL_NONE) {
        toll_frame f = toll_profile_frame(r->profile, frame);
        f.at_line = 0;
        f.at_address = 0;
        if (toll_timeline_add_frame(r->timeline, &f, &code->frame, NULL))
            return TOLL_NONE;
        code->word = toll_code_word_of(TOLL_EVENT_OPEN + (uint64_t)code->frame);
    }
    return code->frame;
}

/* Mark the frames from `first` on as unknown to the timeline. */
static void forget_frames(toll_recorder *r, size_t first)
{
    for (size_t i = first; i < r->timeline_code_count; i++)
        r->timeline_codes[i] = (toll_open_code){ TOLL_NONE, 0 };
}

bool toll_recorder_timeline_reserve(toll_recorder *r, toll_frame_id frame)
{
    size_t old = r->timeline_code_count;
    if (!toll_array_grow(&r->mem, &r->timeline_codes, &r->timeline_code_count, frame, 1))
        return false;
    forget_frames(r, old);
    return true;
}

void toll_recorder_timeline_reset(toll_recorder *r)
{
    toll_timeline_clear(r->timeline);
    forget_frames(r, 0);
}

toll_status toll_recorder_timeline_rename(toll_recorder *r, toll_frame_id frame, const char *name,
                                          toll_error *err)
{
    if (frame >= r->timeline_code_count || r->timeline_codes[frame].frame == TOLL_NONE)
        return TOLL_OK; /* the timeline gets the frame later, with the name that it has then */
    return toll_timeline_rename_frame(r->timeline, r->timeline_codes[frame].frame, name, err);
}

static void out_of_memory(toll_recorder *r)
{
    toll_timeline_keep_failure(r->timeline, TOLL_E_NOMEM, "out of memory");
}

/* Write an event of the current track, whose thread is known. The fast path uses `word`; the
 * general one uses `code` and `goes_on`. */
static void put_event(toll_recorder *r, toll_code_word word, uint64_t code, bool goes_on,
                      toll_moment now)
{
    toll_thread_id id = r->track->timeline_thread;
    toll_timeline_thread *thread = r->timeline->threads[id];
    if (!(r->timeline->has_second ? toll_fast_event_of_two(thread, word, now.at, now.second)
                                  : toll_fast_event(thread, word, now.at)))
        toll_timeline_add_event(r->timeline, id, code, goes_on, now.at, now.second);
    else if (code == TOLL_EVENT_CLOSE)
        thread->closed++;
    else
        thread->opened++;
}

/* Open a frame; `frame` is TOLL_NONE if there was no memory to find it. */
static void open_frame(toll_recorder *r, toll_frame_id frame, bool is_call, toll_moment now)
{
    toll_track *t = r->track;
    toll_frame_id id = timeline_thread(r) ? timeline_frame(r, frame) : TOLL_NONE;
    t->timeline_depth++;
    if (id == TOLL_NONE) {
        out_of_memory(r);
        return;
    }
    toll_code_word word = r->timeline_codes[frame].word;
    put_event(r, is_call ? word : toll_goes_on_word(word), TOLL_EVENT_OPEN + (uint64_t)id, !is_call,
              now);
}

/* Close the innermost `count` frames that are open in the timeline. */
static void close_frames(toll_recorder *r, uint64_t count)
{
    toll_moment now = toll_recorder_moment(r);
    r->track->timeline_depth -= count;
    if (count && !timeline_thread(r)) {
        out_of_memory(r);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        put_event(r, TOLL_CLOSE_WORD, TOLL_EVENT_CLOSE, false, now);
}

/* After a track was resumed: open its frames in the timeline that are still closed there, except
 * the innermost `except` frames. */
static void catch_up(toll_recorder *r, uint64_t except)
{
    toll_track *t = r->track;
    if (t->timeline_depth >= t->place.depth - except)
        return;
    bool known = toll_track_frames(r, t);
    for (uint64_t i = t->timeline_depth; i < t->place.depth - except; i++)
        open_frame(r, known ? r->scratch[i] : TOLL_NONE, false, t->back_at);
}

/* Allow the fast path: all frames of the track are open in the timeline. */
static void all_open(toll_recorder *r)
{
    toll_track *t = r->track;
    if (t->timeline_thread != TOLL_NONE)
        t->events = r->timeline->threads[t->timeline_thread];
}

/* Set timeline_depth, which the fast path does not count. */
static void set_depth(toll_recorder *r, uint64_t depth)
{
    toll_track *t = r->track;
    if (t->events != &r->no_events)
        t->timeline_depth = depth;
}

void toll_recorder_timeline_open(toll_recorder *r, toll_frame_id frame, bool is_call)
{
    if (is_call && toll_fast_of_two(r, r->timeline_codes[frame].word)) {
        r->track->events->opened++;
        return;
    }
    set_depth(r, r->track->place.depth - 1);
    catch_up(r, 1);
    open_frame(r, frame, is_call, toll_recorder_moment(r));
    all_open(r);
}

void toll_recorder_timeline_close(toll_recorder *r, toll_frame_id frame)
{
    toll_track *t = r->track;
    if (toll_fast_of_two(r, TOLL_CLOSE_WORD)) {
        t->events->closed++;
        return;
    }
    set_depth(r, t->place.depth + 1);
    if (t->timeline_depth <= t->place.depth) {
        if (is_same(toll_recorder_moment(r), t->back_at))
            return; /* left at the moment when the track was resumed: nothing to show */
        catch_up(r, 0);
        open_frame(r, frame, false, t->back_at);
    }
    close_frames(r, 1);
    all_open(r);
}

void toll_recorder_timeline_suspend(toll_recorder *r)
{
    toll_track *t = r->track;
    set_depth(r, t->place.depth);
    if (!is_same(toll_recorder_moment(r), t->back_at))
        catch_up(r, 0);
    close_frames(r, t->timeline_depth);
    t->events = &r->no_events;
}

void toll_recorder_timeline_go_on(toll_recorder *r)
{
    r->track->back_at = toll_recorder_moment(r);
}
