/* delivery.c - see delivery.h. */
#include "delivery.h"

#include "base/fail.h"
#include "event_clock.h"
#include "timeline_stream.h"
#include "tools.h"

#include <toll/embedder.h>

enum { LOOK_EACH = 65536 };

static struct {
    host_delivery state;
    bool has_ticks, has_time;
    bool settles;    /* the embedder delivers events that stay pending */
    uint32_t events; /* on the general path, while the engine samples */
    bool by_engine;  /* the engine samples time */
    uint64_t now[2]; /* ticks and time, in this order; only those that are counters */
    toll_recorder *recorder;
} delivery;

static host_fast fast;

host_delivery host_delivery_state(void)
{
    return delivery.state;
}

static host_delivery untimed(void)
{
    return delivery.settles ? HOST_PAIRED : HOST_ONE_BY_ONE;
}

void host_set_settles(int settles)
{
    delivery.settles = settles;
    if (delivery.state <= HOST_PAIRED)
        delivery.state = untimed();
}

toll_status host_deliver_sampled(void)
{
    if (delivery.state < HOST_TIMED)
        return toll_fail(host_error(), TOLL_E_STATE,
                         "time is not recorded, so it cannot be sampled; begin with "
                         "TOLL_RECORD_TIME and TOLL_RECORD_SAMPLES");
    delivery.by_engine = true;
    if (delivery.state == HOST_TIMED)
        delivery.state = HOST_LAST_TIMED;
    return TOLL_OK;
}

void host_deliver_by_windows(void)
{
    delivery.state = untimed();
}

toll_status host_make_recorder(const toll_recorder_options *options, bool has_ticks, bool has_time)
{
    delivery.has_ticks = has_ticks;
    delivery.has_time = has_time;
    if (has_time || delivery.state > HOST_PAIRED)
        delivery.state = has_time ? HOST_TIMED : HOST_ONE_BY_ONE;
    return toll_recorder_create(options, &delivery.recorder, host_error());
}

bool host_has_recorder(void)
{
    return delivery.recorder != NULL;
}

toll_recorder *host_recorder(void)
{
    if (!delivery.recorder)
        __builtin_trap(); /* begin was not called */
    if (fast.capacity) {
        toll_track_stand_at(delivery.recorder->track, fast.node, fast.depth);
        if (delivery.has_ticks)
            delivery.recorder->counters[0].last = fast.ticks;
        fast.capacity = 0;
    }
    return delivery.recorder;
}

host_fast *host_fast_path(void)
{
    return &fast;
}

void host_open_fast_path(uint32_t capacity)
{
    const toll_recorder *r = host_recorder();
    const toll_place *place = &r->track->place;
    uint64_t ticks = delivery.has_ticks ? r->counters[0].last : 0;
    fast = (host_fast){ capacity, place->node, place->depth, ticks };
}

bool host_has_ticks(void)
{
    return delivery.has_ticks;
}

bool host_has_time(void)
{
    return delivery.has_time;
}

const uint64_t *host_counters(uint64_t ticks)
{
    bool is_timed = host_delivery_is_timed();
    if (delivery.has_ticks)
        delivery.now[0] = ticks;
    if (is_timed)
        delivery.now[delivery.has_ticks] = host_read_clock();
    if (delivery.by_engine && delivery.state <= HOST_PAIRED && ++delivery.events % LOOK_EACH == 0)
        host_now(); /* the embedder may end a slice of samples, which grow with their stacks */
    if (delivery.state == HOST_LAST_TIMED)
        delivery.state = untimed();
    if (host_timeline_streams())
        host_stream(delivery.now[0], is_timed ? host_last_time() : UINT64_MAX);
    return delivery.now;
}

uint64_t host_last_ticks(void)
{
    return delivery.has_ticks ? host_recorder()->counters[0].last : 0;
}

uint64_t host_last_time(void)
{
    return delivery.has_time ? delivery.now[delivery.has_ticks] : 0;
}

void host_note_unmatched(bool is_open)
{
    toll_recorder_note(host_recorder(),
                       is_open ? "returns that also left deeper functions, whose ends were not seen"
                               : "returns of functions that were not open",
                       1, NULL);
}
