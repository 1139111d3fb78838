/* speedscope_order.c - turns the evented profiles of a speedscope file into a timeline. See
 * speedscope.h.
 *
 * Events are passed on as they are read, which needs no memory. For this, frames and the names of
 * profiles must come before the events. If they do not, or times are negative or in several units,
 * there is no timeline, and a note says why. */
#include "format/speedscope.h"

#include "base/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool give_up(speedscope_reader *r, const char *why)
{
    toll_timeline_free(r->timeline);
    r->timeline = NULL;
    r->no_timeline = why;
    return true;
}

static bool begin_timeline(speedscope_reader *r, const speedscope_part *p)
{
    toll_value_type axis = { p->type ? p->type : toll_speedscope_type(p->unit), p->unit };
    r->timeline_frames = toll_mem_new(&r->mem, r->frame_count + 1, sizeof *r->timeline_frames);
    if (!r->timeline_frames)
        return toll_no_memory(&r->failure);
    r->timeline_frame_count = r->frame_count + 1;
    for (size_t i = 0; i <= r->frame_count; i++)
        r->timeline_frames[i] = TOLL_NONE;
    return toll_ok(&r->failure,
                   toll_timeline_create(&r->mem, axis, 0, &r->timeline, r->failure.err));
}

static bool rename_part(speedscope_reader *r, speedscope_part *p, const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = toll_mem_new(&r->mem, size, 1);
    if (!copy)
        return toll_no_memory(&r->failure);
    memcpy(copy, name, size);
    toll_mem_free(&r->mem, p->own_name, p->own_name_size, 1);
    p->name = p->own_name = copy;
    p->own_name_size = size;
    return true;
}

/* Give the part a thread of its own: if another has its name, "NAME #2". */
static bool name_thread(speedscope_reader *r, speedscope_part *p)
{
    const toll_profile *names = toll_timeline_names(r->timeline);
    const char *plain = p->name ? p->name : "";
    toll_buffer text;
    bool good = true;
    toll_buffer_init(&text, &r->mem);
    for (const char *name = plain; good;) {
        uint32_t before = toll_profile_thread_count(names);
        good = toll_ok(&r->failure, toll_timeline_add_thread(r->timeline, name, &p->timeline_thread,
                                                             r->failure.err));
        if (!good || p->timeline_thread >= before) {
            good = good && (name == plain || rename_part(r, p, name));
            break;
        }
        char number[24];
        snprintf(number, sizeof number, " #%" PRIu64, ++r->same_names + 1);
        toll_buffer_clear(&text);
        toll_buffer_append_text(&text, plain);
        toll_buffer_append_text(&text, number);
        name = toll_buffer_cstr(&text);
        if (!name)
            good = toll_no_memory(&r->failure);
    }
    toll_buffer_free(&text);
    return good;
}

/* The part's thread on the timeline, which is created with the first thread. */
static bool begin_thread(speedscope_reader *r, speedscope_part *p)
{
    if (p->timeline_thread != TOLL_NONE)
        return true;
    if (!p->type)
        p->type = toll_speedscope_split_name(r, p);
    if (!r->timeline && !begin_timeline(r, p))
        return false;
    if (strcmp(toll_timeline_axis(r->timeline).unit, p->unit) != 0)
        return give_up(r, "the order in time is left out: profiles differ in their units");
    return name_thread(r, p);
}

static bool find_frame(speedscope_reader *r, int64_t index, toll_frame_id *out)
{
    *out = r->timeline_frames[index];
    if (*out != TOLL_NONE)
        return true;
    toll_frame frame = toll_profile_frame(r->profile, r->frames[index]);
    bool good =
        toll_ok(&r->failure, toll_timeline_add_frame(r->timeline, &frame, out, r->failure.err));
    r->timeline_frames[index] = *out;
    return good;
}

bool toll_speedscope_open(speedscope_reader *r, speedscope_part *p, int64_t frame, int64_t at)
{
    toll_frame_id id;
    if (!r->job->want_timeline || r->no_timeline || r->has_stacks)
        return true;
    if (at < 0)
        return give_up(r, "the order in time is left out: times are negative");
    if ((uint64_t)frame >= r->frame_count)
        return give_up(r, "the order in time is left out: frames stand behind the profiles");
    if (!begin_thread(r, p))
        return false;
    if (r->no_timeline)
        return true;
    if (!find_frame(r, frame, &id))
        return false;
    toll_timeline_open(r->timeline, p->timeline_thread, id, (uint64_t)at);
    return true;
}

void toll_speedscope_close(speedscope_reader *r, const speedscope_part *p, int64_t at)
{
    if (r->timeline && p->timeline_thread != TOLL_NONE)
        toll_timeline_close(r->timeline, p->timeline_thread, (uint64_t)at);
}
