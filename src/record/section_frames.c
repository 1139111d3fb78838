/* section_frames.c - sections as frames of a track's stack. See recorder.h.
 *
 * The stack is a path in the tree. So removing a frame from its middle means: leave all frames from
 * the innermost to this one, then enter the deeper ones again without it. */
#include "base/fail.h"
#include "record/recorder_data.h"

#include <inttypes.h>
#include <string.h>

/* Enter the section's frame as the innermost one. If there is no room for it, the section has no
 * node. */
static void enter_section(toll_recorder *r, toll_open_section *s, int calls)
{
    toll_track *t = r->track;
    s->depth = 0;
    if (!toll_track_enter(r, s->frame, calls)) {
        r->counts[TOLL_COUNT_SECTION_HIDDEN]++;
        return;
    }
    s->depth = t->floor = t->place.depth;
    t->sections.standing++;
}

/* Add an open section without a frame to the current track's list. */
static toll_status add_section(toll_recorder *r, toll_frame_id frame, toll_error *err)
{
    toll_open_sections *open = &r->track->sections;
    if (frame >= r->profile->frame_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "there is no frame %" PRIu32 "; register it first",
                         frame);
    if (open->count == TOLL_MAX_OPEN_SECTIONS)
        return toll_fail(err, TOLL_E_LIMIT, "%d sections are open already; end them",
                         TOLL_MAX_OPEN_SECTIONS);
    if (!open->list)
        open->list = toll_mem_new(&r->mem, TOLL_MAX_OPEN_SECTIONS, sizeof *open->list);
    if (!open->list)
        return toll_fail_nomem(err);
    open->list[open->count++] = (toll_open_section){ frame, 0 };
    return TOLL_OK;
}

toll_status toll_recorder_section_begin(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                        toll_error *err)
{
    if (!r)
        return toll_recorder_fail_null(err);
    if (!toll_recorder_begin(r, now))
        return TOLL_OK;
    toll_status status = add_section(r, frame, err);
    if (!status)
        enter_section(r, &r->track->sections.list[r->track->sections.count - 1], 1);
    return status;
}

/* --- late sections: see recorder_data.h --------------------------------------------------------*/

static void enter_late_section(toll_recorder *r)
{
    toll_track *t = r->track;
    t->sections.enter_late = NULL;
    toll_track_set_bounds(r, t);
    enter_section(r, &t->sections.list[t->sections.count - 1], 1);
}

toll_status toll_recorder_section_begin_late(toll_recorder *r, toll_frame_id frame,
                                             const uint64_t *now, toll_error *err)
{
    if (!toll_recorder_begin(r, now))
        return TOLL_OK;
    toll_track *t = r->track;
    toll_status status = add_section(r, frame, err);
    t->sections.enter_late = status ? NULL : enter_late_section;
    toll_track_set_bounds(r, t);
    return status;
}

toll_node *toll_recorder_begun_section(toll_recorder *r)
{
    const toll_open_sections *open = &r->track->sections;
    return open->count && open->list[open->count - 1].depth ? r->track->place.node : NULL;
}

/* --- ends --------------------------------------------------------------------------------------*/

/* Fold the frames between the current depth and the wanted one, which could not be entered again:
 * functions become folded frames, and sections lose their node. */
static void fold_rest(toll_recorder *r, uint64_t wanted_depth)
{
    toll_track *t = r->track;
    uint64_t functions = wanted_depth - t->place.depth;
    for (uint32_t i = 0; i < t->sections.count; i++) {
        toll_open_section *s = &t->sections.list[i];
        if (s->depth > t->place.depth) {
            s->depth = 0;
            t->sections.standing--;
            r->counts[TOLL_COUNT_SECTION_HIDDEN]++;
            functions--;
        }
    }
    if (functions && !t->folded)
        t->why_folded = TOLL_COUNT_NOMEM;
    t->folded += functions;
}

/* With lines: return the innermost frame to the place that it had before its stack lost a frame.
 * The entry at its former depth (one deeper) still has that place. */
static void go_to_former_place(toll_recorder *r)
{
    toll_track *t = r->track;
    if (!t->frames)
        return;
    toll_open_frame *f = &t->frames[t->place.depth];
    toll_frame_id frame = f[1].at->frame;
    if (frame != f->at->frame)
        f->at = t->place.node = toll_recorder_place_node(r, f->function, frame);
}

/* Remove the frame at `depth`, of a section that has ended, from the stack: leave it and the deeper
 * frames, then enter the deeper ones again without it. If there is no memory for this, they are
 * folded. */
static void remove_frame(toll_recorder *r, uint64_t depth)
{
    toll_track *t = r->track;
    uint64_t wanted = t->place.depth - 1;
    bool known = toll_track_frames(r, t);
    while (t->place.depth >= depth)
        toll_track_leave(r);
    for (uint32_t i = 0; i < t->sections.count; i++)
        t->sections.list[i].depth -= t->sections.list[i].depth > depth;
    t->limit = r->max_depth;
    while (known && t->place.depth < wanted &&
           toll_track_enter(r, r->scratch[t->place.depth + 1], 0))
        go_to_former_place(r);
    fold_rest(r, wanted);
}

static void end_section(toll_recorder *r, uint32_t i)
{
    toll_track *t = r->track;
    toll_open_sections *open = &t->sections;
    uint64_t depth = open->list[i].depth;
    open->standing -= depth != 0;
    open->count--;
    memmove(&open->list[i], &open->list[i + 1], (open->count - i) * sizeof *open->list);
    if (depth && depth == t->place.depth && !t->folded)
        toll_track_leave(r);
    else if (depth)
        remove_frame(r, depth);
    toll_track_set_bounds(r, t);
}

static toll_status end_last_of(toll_recorder *r, toll_frame_id frame, toll_error *err)
{
    const toll_open_sections *open = &r->track->sections;
    for (uint32_t i = open->count; i-- > 0;) {
        if (open->list[i].frame == frame) {
            end_section(r, i);
            return TOLL_OK;
        }
    }
    return toll_fail(err, TOLL_E_NOT_FOUND, "no such section is open");
}

toll_status toll_recorder_section_end(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                      toll_error *err)
{
    if (!r)
        return toll_recorder_fail_null(err);
    return toll_recorder_begin(r, now) ? end_last_of(r, frame, err) : TOLL_OK;
}

toll_status toll_recorder_section_drop(toll_recorder *r, toll_frame_id frame, toll_error *err)
{
    if (r->track->sections.enter_late)
        enter_late_section(r);
    return end_last_of(r, frame, err);
}

/* Leave the innermost sections, then the function; then enter the sections again under its
 * caller. */
void toll_recorder_leave_below_sections(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_open_sections *open = &t->sections;
    uint32_t first = open->count;
    while (first > 0 &&
           (open->list[first - 1].depth == t->place.depth || !open->list[first - 1].depth)) {
        if (open->list[--first].depth) {
            toll_track_leave(r);
            open->standing--;
        }
    }
    toll_track_leave(r); /* the function */
    for (uint32_t i = first; i < open->count; i++)
        if (open->list[i].depth)
            enter_section(r, &open->list[i], 0);
    toll_track_set_bounds(r, t);
}

/* Name the open sections in the notes and remove them: the track ends, or all its frames are left.
 * */
static void forget_sections(toll_recorder *r, toll_track *t)
{
    for (uint32_t i = 0; i < t->sections.count; i++)
        toll_recorder_note_open_section(
            r, toll_profile_frame(r->profile, t->sections.list[i].frame).name);
    t->sections.count = t->sections.standing = 0;
    t->sections.enter_late = NULL;
}

void toll_track_clear(toll_recorder *r, toll_track *t)
{
    forget_sections(r, t);
    toll_track_stand_at(t, t->base, 0);
    if (t->frames)
        t->frames[0] = (toll_open_frame){ t->base, t->base };
    t->folded = 0;
    toll_track_set_bounds(r, t);
}
