/* timeline_part.c - see timeline_part.h. */
#include "timeline_part.h"

#include "base/fail.h"
#include "timeline_stream.h"
#include "tools.h"

#include <stdlib.h>
#include <toll/embedder.h>

static struct {
    uint64_t from, to; /* both 0: all */
} part;

uint64_t host_timeline_events(void)
{
    return host_timeline() ? toll_timeline_event_count(host_timeline()) : 0;
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

static toll_status copy_events(cut *c)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more = 0;
    toll_status status = toll_timeline_read_thread(c->whole, 0, &r, host_error());
    if (status)
        return status;
    for (uint64_t i = 0; !status && i < part.to; i++) {
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
    bool is_part = whole && part.to && toll_profile_thread_count(toll_timeline_names(whole)) > 0;
    if (!is_part)
        return toll_profile_write(p, whole, format, options, out, host_error());
    toll_status status = make_part(whole, &some);
    if (status)
        return status;
    status = toll_profile_write(p, some, format, options, out, host_error());
    toll_timeline_free(some);
    return status;
}
