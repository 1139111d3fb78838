/* timeline_stream.c - see timeline_stream.h. */
#include "timeline_stream.h"

#include "base/mem.h"
#include "event_clock.h"
#include "record/recorder_data.h"
#include "tools.h"

#include <toll/embedder.h>

enum {
    TIMELINE_FD = 4,
    FLUSH_NS = 10 * 1000 * 1000,
    LOOK_TICKS = 1 << 16 /* read the clock once in so many: some tens of microseconds */
};

static struct {
    toll_timeline *timeline; /* NULL: none */
    bool is_in_file;
    double flush_at;  /* by the clock */
    uint64_t look_at; /* without time: the ticks at which the clock is read again */
} stream;

static toll_status create(uint32_t flags, toll_value_type axis)
{
    const toll_mem mem = toll_mem_from(NULL);
    const char *path =
        flags & TOLL_RECORD_TIMELINE_TEMPORARY ? NULL : "timeline"; /* only the embedder knows */
    stream.is_in_file = flags & TOLL_RECORD_TIMELINE_FILE;
    return stream.is_in_file ? toll_timeline_create_in(&mem, axis, TIMELINE_FD, path,
                                                       &stream.timeline, host_error())
                             : toll_timeline_create(NULL, axis, 1, &stream.timeline, host_error());
}

toll_status host_begin_timeline(uint32_t flags, const toll_value_type *axis,
                                const toll_value_type *second, const char *labels)
{
    toll_status status = create(flags, *axis);
    if (!status && labels)
        status = toll_timeline_set_labels(stream.timeline, labels, host_error());
    if (!status && second)
        status = toll_timeline_add_second_axis(stream.timeline, *second, host_error());
    return status;
}

toll_timeline *host_timeline(void)
{
    return stream.timeline;
}

bool host_timeline_streams(void)
{
    return stream.is_in_file;
}

/* Is it time to check whether the file must be written? Then *now is the clock's time. */
static bool is_due(uint64_t ticks, uint64_t time_ns, double *now)
{
    if (time_ns != UINT64_MAX) {
        *now = (double)time_ns;
        return true;
    }
    if (ticks < stream.look_at)
        return false;
    stream.look_at = ticks + LOOK_TICKS;
    *now = host_clock();
    return true;
}

void host_stream(uint64_t ticks, uint64_t time_ns)
{
    double now;
    if (!is_due(ticks, time_ns, &now) || now < stream.flush_at)
        return;
    stream.flush_at = now + FLUSH_NS;
    toll_timeline_flush(stream.timeline);
}

uint64_t host_stream_due(void)
{
    return stream.is_in_file ? stream.look_at : UINT64_MAX;
}

void host_stream_next_instance(void)
{
    stream.look_at = 0;
}
