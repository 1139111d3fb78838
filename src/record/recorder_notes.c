/* recorder_notes.c - writes what was dropped, folded or guessed as notes of the profile. See
 * toll/recorder.h. */
#include "base/fail.h"
#include "record/recorder_data.h"

#include <stdio.h>

enum {
    MOST_NOTES = 4000, /* different notes: a profile has room for 4096, and the recorder needs some
                        * itself */
    MOST_NAMED = 256   /* names of sections that never ended */
};

static const char *const count_texts[] = {
    [TOLL_COUNT_ORPHANS] = "returns without a call",
    [TOLL_COUNT_FOLDED] = "calls below the depth limit, folded",
    [TOLL_COUNT_NOMEM] = "calls folded because memory ran out",
    [TOLL_COUNT_UNKNOWN] = "calls of frames that were never registered, folded",
    [TOLL_COUNT_BACKWARD] = "steps of a counter in the wrong direction, charged as 0",
    [TOLL_COUNT_AFTER_STOP] = "events after the stop, ignored",
    [TOLL_COUNT_NO_TRACK] = "events of a track that is not there, ignored",
    [TOLL_COUNT_LIVE_ALLOC] = "allocations at an address that was in use",
    [TOLL_COUNT_UNKNOWN_FREE] = "frees of an unknown address",
    [TOLL_COUNT_HEAP_NOMEM] = "allocations not followed because memory ran out",
    [TOLL_COUNT_HEAP_HUGE] = "allocations not followed because of their size",
    [TOLL_COUNT_SECTION_HIDDEN] = "sections that no stack shows: the depth limit, or no memory",
    [TOLL_COUNT_LINE_ORPHAN] = "lines without a call",
    [TOLL_COUNT_LINE_FOLDED] = "executions of lines in folded calls, not counted",
    [TOLL_COUNT_LINE_UNKNOWN] = "lines that were never registered, charged to their function",
    [TOLL_COUNT_LINE_NOMEM] = "lines charged to their function because memory ran out",
};
_Static_assert(sizeof count_texts / sizeof *count_texts == TOLL_COUNT_KINDS, "a text for each");

toll_status toll_recorder_note(toll_recorder *r, const char *text, uint64_t count, toll_error *err)
{
    if (!r)
        return toll_recorder_fail_null(err);
    if (!text)
        return toll_fail_null(err, "text");
    if (toll_profile_note_count(r->profile) >= MOST_NOTES)
        text = "notes of other kinds";
    return toll_profile_add_note(r->profile, text, count, err);
}

/* Guests may invent any number of names: the first ones are named, the others only counted. */
void toll_recorder_note_open_section(toll_recorder *r, const char *name)
{
    char text[160] = "sections left open, others";
    if (r->open_sections_noted < MOST_NAMED)
        snprintf(text, sizeof text, "section left open: %.120s", name);
    r->open_sections_noted++;
    toll_recorder_note(r, text, 1, NULL);
}

toll_status toll_recorder_note_counts(const toll_recorder *r, toll_profile *p, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (int i = 0; !status && i < TOLL_COUNT_KINDS; i++)
        status = toll_profile_add_note(p, count_texts[i], r->counts[i], err);
    return status;
}
