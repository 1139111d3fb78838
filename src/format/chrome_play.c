/* chrome_play.c - the events of a Chrome trace as calls and returns. See chrome.h. */
#include "format/chrome.h"

#include "base/array.h"
#include "base/text.h"
#include "profile/frame_name.h"

#include <stdlib.h>
#include <string.h>

/* Order: by track, then time. At the same time ends come before beginnings, and a longer X before a
 * shorter one. Equal events stay in the order of the file. */
static int compare_events(const void *a, const void *b)
{
    const chrome_event *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->length >= 0 && y->length >= 0 && x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void close_frame(chrome_reader *r, toll_thread_id thread, int64_t at)
{
    r->depth--;
    toll_recorder_return(r->recorder, &(uint64_t){ (uint64_t)at });
    if (r->timeline)
        toll_timeline_close(r->timeline, thread, (uint64_t)at);
}

/* Close every X that ended by `at`. */
static void close_ended(chrome_reader *r, toll_thread_id thread, int64_t at)
{
    while (r->depth && r->open[r->depth - 1] <= at)
        close_frame(r, thread, r->open[r->depth - 1]);
}

/* "src/a.c:12" -> "src/a.c" and 12. Without a number all of it is the file. */
static toll_frame where(const char *name, char *category)
{
    toll_frame f = { .name = name, .file = category };
    char *colon = strrchr(category, ':'), *end = NULL;
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return f;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || line > UINT32_MAX)
        return f;
    *colon = 0;
    f.line = (uint32_t)line;
    return f;
}

static bool register_frame(chrome_reader *r, chrome_function *f, const toll_frame *frame)
{
    if (!toll_ok(&r->failure,
                 toll_recorder_add_frame(r->recorder, frame, &f->frame, r->failure.err)) ||
        (r->timeline &&
         !toll_ok(&r->failure,
                  toll_timeline_add_frame(r->timeline, frame, &f->on_timeline, r->failure.err))))
        return false;
    return f->is_registered = true;
}

static bool add_frame(chrome_reader *r, chrome_function *f, toll_frame *frame)
{
    toll_buffer room;
    toll_buffer_init(&room, &r->mem);
    bool good = toll_frame_demangle(frame, &room) ? register_frame(r, f, frame)
                                                  : toll_no_memory(&r->failure);
    toll_buffer_free(&room);
    return good;
}

/* Register a function as a frame when it is called for the first time. */
static bool register_function(chrome_reader *r, chrome_function *f)
{
    const char *name = toll_strtab_text(&r->strings, f->name);
    toll_frame frame = { .name = *name ? name : "(unknown)" };
    if (!r->ours || !f->category)
        return add_frame(r, f, &frame);
    const char *category = toll_strtab_text(&r->strings, f->category);
    size_t size = strlen(category) + 1;
    char *copy = toll_mem_new(&r->mem, size, 1);
    if (!copy)
        return toll_no_memory(&r->failure);
    frame = where(frame.name, memcpy(copy, category, size));
    bool good = add_frame(r, f, &frame);
    toll_mem_free(&r->mem, copy, size, 1);
    return good;
}

/* When the event ends. An X that ends after the X around it is cut at that one's end. */
static bool end_of(chrome_reader *r, const chrome_event *e, int64_t *end)
{
    int64_t limit = r->depth ? r->open[r->depth - 1] : INT64_MAX;
    *end = INT64_MAX;
    if (e->length >= 0 && !toll_i64_add(e->at, e->length, end))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "a time does not fit 64 bits");
    if (*end > limit) {
        r->cut += e->length >= 0;
        *end = limit;
    }
    return true;
}

static bool open_event(chrome_reader *r, toll_thread_id thread, const chrome_event *e)
{
    chrome_function *f = &r->functions[e->function];
    uint64_t now = (uint64_t)e->at;
    int64_t end;
    if (!end_of(r, e, &end) || (!f->is_registered && !register_function(r, f)))
        return false;
    if (!toll_array_grow(&r->mem, &r->open, &r->open_capacity, r->depth, 1))
        return toll_no_memory(&r->failure);
    if (r->depth == 0) /* without an open frame a thread is idle: no frame is charged */
        toll_recorder_rebase(r->recorder, &now);
    r->open[r->depth++] = end;
    toll_recorder_call(r->recorder, f->frame, &now);
    if (r->timeline)
        toll_timeline_open(r->timeline, thread, f->on_timeline, now);
    return true;
}

/* An E closes the innermost B; X events inside that B are cut there. */
static void end_event(chrome_reader *r, toll_thread_id thread, int64_t at)
{
    size_t depth = r->depth;
    while (depth && r->open[depth - 1] != INT64_MAX)
        depth--;
    if (depth == 0) {
        r->unmatched++;
        return;
    }
    r->cut += r->depth - depth;
    while (r->depth >= depth)
        close_frame(r, thread, at);
}

/* The name of a track. If an earlier track has the same name, "PID/TID" is added: "main (2/1)". */
static const char *track_name(chrome_reader *r, uint32_t track, toll_buffer *text)
{
    uint32_t name = r->tracks[track].name;
    uint32_t first = toll_u64map_find(&r->name_index, name);
    if (first == UINT32_MAX)
        return toll_u64map_add(&r->name_index, name, track) ? toll_strtab_text(&r->strings, name)
                                                            : NULL;
    toll_buffer_append_text(text, toll_strtab_text(&r->strings, name));
    toll_buffer_append_text(text, " (");
    toll_buffer_append_text(text, toll_strtab_text(&r->strings, r->tracks[track].numbers));
    toll_buffer_append_text(text, ")");
    return toll_buffer_cstr(text);
}

static bool begin_track_as(chrome_reader *r, const char *name, const chrome_event *e,
                           toll_thread_id *thread)
{
    toll_track *track;
    uint64_t now = (uint64_t)e->at;
    *thread = 0;
    if (!name)
        return toll_no_memory(&r->failure);
    if (!toll_ok(&r->failure, toll_recorder_new_track(r->recorder, name, &track, r->failure.err)) ||
        (r->timeline && !toll_ok(&r->failure, toll_timeline_add_thread(r->timeline, name, thread,
                                                                       r->failure.err))))
        return false;
    toll_recorder_rebase(r->recorder, &now);
    toll_recorder_switch(r->recorder, track, &now);
    return true;
}

static bool begin_track(chrome_reader *r, const chrome_event *e, toll_thread_id *thread)
{
    toll_buffer text;
    toll_buffer_init(&text, &r->mem);
    bool good = begin_track_as(r, track_name(r, e->track, &text), e, thread);
    toll_buffer_free(&text);
    return good;
}

bool toll_chrome_play(chrome_reader *r)
{
    toll_thread_id thread = 0;
    if (r->count)
        qsort(r->events, r->count, sizeof *r->events, compare_events);
    for (size_t i = 0; i < r->count; i++) {
        const chrome_event *e = &r->events[i];
        bool last = i + 1 == r->count || r->events[i + 1].track != e->track;
        if ((i == 0 || r->events[i - 1].track != e->track) && !begin_track(r, e, &thread))
            return false;
        close_ended(r, thread, e->at);
        if (e->length == CHROME_END)
            end_event(r, thread, e->at);
        else if (!open_event(r, thread, e))
            return false;
        if (last) {
            close_ended(r, thread, INT64_MAX - 1);
            r->left_open += r->depth;
            while (r->depth) /* a B without an E lasts up to the last event */
                close_frame(r, thread, e->at);
        }
    }
    return true;
}
