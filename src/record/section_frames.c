/* section_frames.c - sections as frames of a track's stack. See recorder.h.
 *
 * The stack is a path in the tree, so to take a frame out of its middle is to walk up to it and
 * down again without it. */
#include "base/fail.h"
#include "record/recorder_inline.h"

#include <stdio.h>
#include <string.h>

void toll_track_leave(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_node *left = t->current;
    toll_track_stand_at(t, t->caller);
    t->depth--;
    if (r->timeline)
        toll_recorder_timeline_close(r, left->frame);
}

bool toll_track_enter_again(toll_recorder *r, toll_frame_id frame)
{
    toll_track *t = r->track;
    toll_node *node = t->depth < t->limit ? toll_recorder_find_child(r, t->current, frame) : NULL;
    if (!node)
        return false;
    toll_track_stand_at(t, node);
    t->depth++;
    if (r->timeline)
        toll_recorder_timeline_open(r, frame);
    return true;
}

static void find_floor(toll_track *t)
{
    t->floor = 0;
    for (uint32_t i = t->sections.count; i-- > 0 && !t->floor;)
        t->floor = t->sections.list[i].depth;
}

/* Section `i` gets a node innermost on the stack, or none. */
static void stand_innermost(toll_recorder *r, toll_open_section *s, int calls)
{
    toll_track *t = r->track;
    s->depth = 0;
    if (t->folded || !toll_track_enter_again(r, s->frame)) {
        r->counts[TOLL_COUNT_SECTION_HIDDEN]++;
        return;
    }
    t->current->values[0] += calls;
    s->depth = t->floor = t->depth;
    t->sections.standing++;
}

toll_status toll_recorder_section_begin(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                        toll_error *err)
{
    if (!toll_recorder_begin(r, now))
        return TOLL_OK;
    toll_open_sections *open = &r->track->sections;
    if (open->count == TOLL_MAX_OPEN_SECTIONS)
        return toll_fail(err, TOLL_E_LIMIT, "%d sections are open already; end them",
                         TOLL_MAX_OPEN_SECTIONS);
    if (!open->list)
        open->list = toll_mem_new(&r->mem, TOLL_MAX_OPEN_SECTIONS, sizeof *open->list);
    if (!open->list)
        return toll_fail_nomem(err);
    toll_open_section *s = &open->list[open->count++];
    s->frame = frame;
    stand_innermost(r, s, 1);
    return TOLL_OK;
}

toll_node *toll_recorder_begun_section(toll_recorder *r)
{
    const toll_open_sections *open = &r->track->sections;
    return open->count && open->list[open->count - 1].depth ? r->track->current : NULL;
}

/* --- ends --------------------------------------------------------------------------------------*/

static void forget(toll_track *t, uint32_t i)
{
    toll_open_sections *open = &t->sections;
    open->standing -= open->list[i].depth != 0;
    memmove(&open->list[i], &open->list[i + 1], (open->count - i - 1) * sizeof *open->list);
    open->count--;
    find_floor(t);
}

/* The frames above `depth` could not all be entered again: those that could stand, functions among
 * the others are folded and sections have no node. */
static void fold_rest(toll_recorder *r, uint64_t wanted_depth)
{
    toll_track *t = r->track;
    uint64_t functions = wanted_depth - t->depth;
    for (uint32_t i = 0; i < t->sections.count; i++) {
        toll_open_section *s = &t->sections.list[i];
        if (s->depth > t->depth) {
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

/* Take the frame at `depth` out of the stack. False: no memory to remember what stands above. */
static bool take_out(toll_recorder *r, uint64_t depth)
{
    toll_track *t = r->track;
    uint64_t top = t->depth;
    if (!toll_track_frames(r, t))
        return false;
    while (t->depth >= depth)
        toll_track_leave(r);
    if (t->folded)
        t->limit = r->max_depth;
    while (t->depth < top - 1 && toll_track_enter_again(r, r->scratch[t->depth + 1]))
        ;
    for (uint32_t i = 0; i < t->sections.count; i++)
        t->sections.list[i].depth -= t->sections.list[i].depth > depth;
    if (t->depth < top - 1)
        fold_rest(r, top - 1);
    if (t->folded)
        t->limit = t->depth;
    return true;
}

static void end_section(toll_recorder *r, uint32_t i)
{
    toll_track *t = r->track;
    uint64_t depth = t->sections.list[i].depth;
    if (depth && depth == t->depth && !t->folded)
        toll_track_leave(r);
    else if (depth && !take_out(r, depth))
        r->counts[TOLL_COUNT_NOMEM]++; /* its frame stays, as a function's that returns later */
    forget(t, i);
}

toll_status toll_recorder_section_end(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                      toll_error *err)
{
    if (!toll_recorder_begin(r, now))
        return TOLL_OK;
    const toll_open_sections *open = &r->track->sections;
    for (uint32_t i = open->count; i-- > 0;) {
        if (open->list[i].frame == frame) {
            end_section(r, i);
            return TOLL_OK;
        }
    }
    return toll_fail(err, TOLL_E_NOT_FOUND, "no such section is open");
}

/* The sections that stand innermost go over to the caller. */
void toll_recorder_leave_below_sections(toll_recorder *r)
{
    toll_track *t = r->track;
    toll_open_sections *open = &t->sections;
    uint32_t first = open->count;
    while (first > 0 && (open->list[first - 1].depth == t->depth || !open->list[first - 1].depth)) {
        if (open->list[--first].depth) {
            toll_track_leave(r);
            open->standing--;
        }
    }
    toll_track_leave(r); /* the function */
    for (uint32_t i = first; i < open->count; i++)
        if (open->list[i].depth)
            stand_innermost(r, &open->list[i], 0);
    find_floor(t);
}

void toll_track_forget_sections(toll_recorder *r, toll_track *t)
{
    for (uint32_t i = 0; i < t->sections.count; i++) {
        char text[160];
        snprintf(text, sizeof text, "section left open: %.120s",
                 toll_profile_frame(r->profile, t->sections.list[i].frame).name);
        toll_profile_add_note(r->profile, text, 1, NULL);
    }
    t->sections.count = t->sections.standing = 0;
    t->floor = 0;
}
