/* notes.c - stores a profile's notes, which have counts, and comments. Both are kept sorted by
 * text. See toll/profile.h. */
#include "base/array.h"
#include "base/fail.h"
#include "profile/profile_data.h"

#include <string.h>

enum { MAX_NOTES = 4096 };

/* Make room for more notes and comments, so that adding them cannot fail. */
static toll_status reserve(toll_profile *p, size_t notes, size_t comments, toll_error *err)
{
    if (!toll_array_grow(&p->mem, &p->notes, &p->note_capacity, p->note_count, notes) ||
        !toll_array_grow(&p->mem, &p->comments, &p->comment_capacity, p->comment_count, comments))
        return toll_fail_nomem(err);
    return TOLL_OK;
}

/* The position of `text` among the sorted notes (or comments); *there: it is already in the list.
 * `text_at` returns the string id of the ith one. */
static size_t sorted_place(const toll_profile *p, size_t count,
                           uint32_t (*text_at)(const toll_profile *, size_t), uint32_t id,
                           bool *there)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(toll_profile_text(p, text_at(p, middle)), toll_profile_text(p, id)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low < count && text_at(p, low) == id;
    return low;
}

static uint32_t note_text(const toll_profile *p, size_t i)
{
    return p->notes[i].text;
}

static uint32_t comment_text(const toll_profile *p, size_t i)
{
    return p->comments[i];
}

toll_status toll_profile_add_note(toll_profile *p, const char *text, uint64_t count,
                                  toll_error *err)
{
    bool there;
    if (!text)
        return toll_fail_null(err, "text");
    if (count == 0)
        return TOLL_OK;
    uint32_t id = toll_strtab_add_clean(&p->strings, text);
    if (id == TOLL_NONE)
        return toll_fail_nomem(err);
    size_t at = sorted_place(p, p->note_count, note_text, id, &there);
    if (there) {
        if (count > UINT64_MAX - p->notes[at].count)
            return toll_fail(err, TOLL_E_OVERFLOW, "the counts of '%.200s' do not fit 64 bits",
                             text);
        p->notes[at].count += count;
        return TOLL_OK;
    }
    if (p->note_count >= MAX_NOTES)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d different notes", MAX_NOTES);
    toll_status status = reserve(p, 1, 0, err);
    if (status)
        return status;
    memmove(p->notes + at + 1, p->notes + at, (p->note_count - at) * sizeof *p->notes);
    p->notes[at] = (toll_note_data){ id, count };
    p->note_count++;
    return TOLL_OK;
}

void toll_profile_clear_notes(toll_profile *p)
{
    if (p) {
        p->note_count = p->comment_count = p->run_count = 0;
        p->has_unknown_runs = false;
    }
}

uint32_t toll_profile_note_count(const toll_profile *p)
{
    return (uint32_t)p->note_count;
}

const char *toll_profile_note(const toll_profile *p, uint32_t i, uint64_t *count)
{
    toll_note_data none = { 0, 0 }, note = i < p->note_count ? p->notes[i] : none;
    if (count)
        *count = note.count;
    return toll_profile_text(p, note.text);
}

toll_status toll_profile_add_comment(toll_profile *p, const char *text, toll_error *err)
{
    bool there;
    if (!text)
        return toll_fail_null(err, "text");
    uint32_t id = toll_strtab_add_clean(&p->strings, text);
    if (id == TOLL_NONE)
        return toll_fail_nomem(err);
    size_t at = sorted_place(p, p->comment_count, comment_text, id, &there);
    if (there)
        return TOLL_OK;
    if (p->comment_count >= MAX_NOTES)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d different comments", MAX_NOTES);
    toll_status status = reserve(p, 0, 1, err);
    if (status)
        return status;
    memmove(p->comments + at + 1, p->comments + at, (p->comment_count - at) * sizeof *p->comments);
    p->comments[at] = id;
    p->comment_count++;
    return TOLL_OK;
}

uint32_t toll_profile_comment_count(const toll_profile *p)
{
    return (uint32_t)p->comment_count;
}

const char *toll_profile_comment(const toll_profile *p, uint32_t i)
{
    return i < p->comment_count ? toll_profile_text(p, p->comments[i]) : "";
}
