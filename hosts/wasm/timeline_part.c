/* timeline_part.c - see timeline_part.h. */
#include "timeline_part.h"

#include "base/array.h"
#include "base/fail.h"
#include "record/timeline_position.h"
#include "timeline_stream.h"
#include "tools.h"

#include <stdlib.h>
#include <toll/embedder.h>

static struct {
    uint64_t from, to; /* both 0: all */
} part;

/* Where the numbers of events that were asked for are, in order: a part begins at one of them. */
static struct {
    const toll_timeline *of;
    toll_timeline_position *list;
    size_t count, capacity;
} asked;

static bool has_thread(const toll_timeline *t)
{
    return t && toll_profile_thread_count(toll_timeline_names(t)) > 0;
}

uint64_t host_timeline_events(void)
{
    const toll_mem mem = toll_mem_from(NULL);
    const toll_timeline *t = host_timeline();
    if (asked.of != t)
        asked.count = 0;
    asked.of = t;
    if (has_thread(t) && toll_array_grow(&mem, &asked.list, &asked.capacity, asked.count, 1))
        asked.list[asked.count++] = toll_timeline_end(t, 0);
    return t ? toll_timeline_event_count(t) : 0;
}

void host_set_timeline_part(uint64_t from, uint64_t to)
{
    part.from = from;
    part.to = to;
}

/* --- the part ----------------------------------------------------------------------------------*/

typedef struct cut {
    const toll_timeline *whole;
    toll_timeline *part;
    toll_frame_id *ids; /* by frame of the whole: that of the part, or TOLL_NONE */
    toll_thread_id thread;
    uint64_t depth; /* open frames of the part */
} cut;

static toll_status begin(cut *c)
{
    const toll_profile *names = toll_timeline_names(c->whole);
    uint32_t count = toll_profile_frame_count(names);
    toll_value_type second;
    toll_status status =
        toll_timeline_create(NULL, toll_timeline_axis(c->whole), 1, &c->part, host_error());
    c->ids = malloc((count + 1) * sizeof *c->ids);
    if (!status && !c->ids)
        status = toll_fail_nomem(host_error());
    for (uint32_t i = 0; !status && i < count; i++)
        c->ids[i] = TOLL_NONE;
    if (!status && toll_timeline_second_axis(c->whole, &second))
        status = toll_timeline_add_second_axis(c->part, second, host_error());
    if (!status)
        toll_timeline_set_start(c->part, toll_timeline_start(c->whole));
    return status ? status
                  : toll_timeline_add_thread(c->part, toll_profile_thread_name(names, 0),
                                             &c->thread, host_error());
}

static toll_status copy(cut *c, const toll_timeline_event *e)
{
    toll_timeline_set_second(c->part, e->second);
    if (!e->is_open) {
        if (c->depth > 0)
            toll_timeline_close(c->part, c->thread, e->at);
        c->depth -= c->depth > 0;
        return TOLL_OK;
    }
    toll_frame_id *id = &c->ids[e->frame];
    if (*id == TOLL_NONE) {
        const toll_frame frame = toll_profile_frame(toll_timeline_names(c->whole), e->frame);
        toll_status status = toll_timeline_add_frame(c->part, &frame, id, host_error());
        if (status)
            return status;
    }
    toll_timeline_open(c->part, c->thread, *id, e->at);
    c->depth++;
    return TOLL_OK;
}

/* The last position that was asked for and is not behind the part's first event; or the beginning.
 */
static toll_timeline_position find_begin(void)
{
    toll_timeline_position begin = { .events = 0 };
    size_t low = 0, high = asked.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (asked.list[middle].events <= part.from) {
            begin = asked.list[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return begin;
}

static toll_status copy_events(cut *c)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more = 0;
    toll_timeline_position first = find_begin();
    toll_status status = toll_timeline_read_from(c->whole, 0, &first, &r, host_error());
    if (status)
        return status;
    for (uint64_t i = first.events; !status && i < part.to; i++) {
        more = toll_timeline_next(r, &e, host_error());
        if (more != 1)
            break;
        if (i >= part.from)
            status = copy(c, &e);
    }
    toll_timeline_reader_free(r);
    return more < 0 ? host_error()->status : status;
}

/* Make a timeline of the events from number part.from on, and before number part.to, of the only
 * thread. Frames that are open at its end are closed there; one that is open at its beginning is
 * not in it. Times stay. */
static toll_status make_part(const toll_timeline *whole, toll_timeline **out)
{
    cut c = { .whole = whole };
    toll_status status = begin(&c);
    if (!status)
        status = copy_events(&c);
    if (!status)
        status = toll_timeline_status(c.part, host_error());
    free(c.ids);
    if (status)
        toll_timeline_free(c.part);
    else
        *out = c.part;
    return status;
}

toll_status host_write_part(const toll_profile *p, const char *format,
                            const toll_format_options *options, toll_output *out)
{
    toll_timeline *whole = host_timeline(), *some;
    if (!part.to || !has_thread(whole))
        return toll_profile_write(p, whole, format, options, out, host_error());
    toll_status status = make_part(whole, &some);
    if (status)
        return status;
    status = toll_profile_write(p, some, format, options, out, host_error());
    toll_timeline_free(some);
    return status;
}
