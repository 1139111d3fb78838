/* embed_events.c - the events of toll/embed.h. Each reads the counter and calls the recorder, so
 * that no signal handler sees an event half done. */
#include "embed/embed_data.h"
#include "record/recorder_data.h"

/* The most frames that toll_embed_sync makes at once, so that a wrong depth does not use up
 * memory. */
enum { MOST_NOT_SEEN = 1 << 20 };

static bool begin(toll_embed *e)
{
    if (!toll_embed_enter(e))
        return false;
    toll_embed_read_counters(e);
    return true;
}

/* The frame of an id. TOLL_NONE if the id is from another recording, or there was no memory for the
 * function; the recorder then charges the caller. */
static toll_frame_id frame_of(toll_embed *e, toll_embed_id id)
{
    if (id >> 32 == e->number)
        return (toll_frame_id)id - 1;
    e->stale_ids++;
    return TOLL_NONE;
}

/* --- calls -------------------------------------------------------------------------------------*/

void toll_embed_call(toll_embed *e, toll_embed_id id)
{
    if (!begin(e))
        return;
    toll_recorder_call(e->recorder, frame_of(e, id), e->now);
    toll_embed_leave(e);
}

void toll_embed_return(toll_embed *e)
{
    if (!begin(e))
        return;
    toll_recorder_return(e->recorder, e->now);
    toll_embed_leave(e);
}

void toll_embed_tail_call(toll_embed *e, toll_embed_id id)
{
    if (!begin(e))
        return;
    toll_recorder_tail_call(e->recorder, frame_of(e, id), e->now);
    toll_embed_leave(e);
}

void toll_embed_adopt(toll_embed *e, toll_embed_id id)
{
    if (!begin(e))
        return;
    toll_recorder_adopt(e->recorder, &(toll_frame_id){ frame_of(e, id) }, 1, e->now);
    toll_embed_leave(e);
}

void toll_embed_unwind(toll_embed *e, uint64_t depth)
{
    if (!begin(e))
        return;
    toll_recorder_unwind(e->recorder, depth, e->now);
    toll_embed_leave(e);
}

/* --- sync --------------------------------------------------------------------------------------*/

static toll_frame_id not_seen(toll_embed *e)
{
    const toll_frame frame = { .name = "(not seen)" };
    if (e->not_seen == TOLL_NONE)
        toll_recorder_add_frame(e->recorder, &frame, &e->not_seen, NULL);
    return e->not_seen;
}

/* Enter `count` unknown frames between the open ones and the innermost one. */
static void enter_not_seen(toll_embed *e, uint64_t count)
{
    toll_frame_id frame = not_seen(e);
    e->frames_not_seen += count;
    for (uint64_t i = 0; i < count && i < MOST_NOT_SEEN; i++)
        toll_recorder_adopt(e->recorder, &frame, 1, e->now);
}

/* Is `frame` the innermost open function, as far as the recorder knows? Folded frames have no node,
 * and a section is not a frame of the VM. */
static bool is_innermost(const toll_recorder *r, toll_frame_id frame)
{
    const toll_track *t = r->track;
    return t->folded || t->sections.standing || toll_track_frame(t) == frame;
}

void toll_embed_sync(toll_embed *e, uint64_t depth, toll_embed_id id)
{
    if (!begin(e))
        return;
    toll_recorder *r = e->recorder;
    uint64_t open = toll_recorder_depth(r);
    toll_frame_id frame = depth ? frame_of(e, id) : TOLL_NONE;
    if (depth < open)
        toll_recorder_unwind(r, depth, e->now);
    if (depth > open + 1)
        enter_not_seen(e, depth - open - 1);
    if (depth > open)
        toll_recorder_call(r, frame, e->now);
    else if (depth && !is_innermost(r, frame))
        toll_recorder_tail_call(r, frame, e->now);
    toll_embed_leave(e);
}

/* --- budgets, coroutines -----------------------------------------------------------------------*/

void toll_embed_budget(toll_embed *e, uint64_t last, const uint64_t *counter)
{
    if (!toll_embed_enter(e))
        return;
    if (!e->counter || !counter) {
        e->odd_budgets++;
    } else {
        toll_recorder_charge(e->recorder, &last);
        e->counter = counter;
        toll_embed_read_counters(e);
        toll_recorder_rebase(e->recorder, e->now);
    }
    toll_embed_leave(e);
}

void toll_embed_switch(toll_embed *e, toll_embed_track *track, const char *name)
{
    if (!begin(e))
        return;
    toll_track *to = toll_recorder_main_track(e->recorder);
    if (track && track->recording == e->number)
        to = track->track;
    else if (track &&
             toll_recorder_new_track(e->recorder, name ? name : "coroutine", &to, NULL) == TOLL_OK)
        *track = (toll_embed_track){ e->number, to };
    toll_recorder_switch(e->recorder, to, e->now); /* NULL is counted */
    toll_embed_leave(e);
}

void toll_embed_end_track(toll_embed *e, toll_embed_track *track)
{
    if (!begin(e))
        return;
    if (track->recording == e->number) {
        toll_recorder_end_track(e->recorder, track->track, e->now);
        *track = (toll_embed_track)TOLL_EMBED_TRACK_INIT;
    }
    toll_embed_leave(e);
}

/* --- all else ----------------------------------------------------------------------------------*/

toll_recorder *toll_embed_hold(toll_embed *e, const uint64_t **now)
{
    static const uint64_t none;
    if (now)
        *now = &none;
    if (!begin(e))
        return NULL;
    if (now)
        *now = e->now;
    return e->recorder;
}

void toll_embed_release(toll_embed *e)
{
    if (e)
        toll_embed_leave(e);
}
