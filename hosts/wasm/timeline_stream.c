/* timeline_stream.c - the events of a timeline go to its file while the guest runs. See
 * wasm_host.h. */
#include "wasm_host.h"

/* Without time, ticks say when it may be worth to look at the clock: some tens of microseconds. */
enum { FLUSH_NS = 10 * 1000 * 1000, LOOK_TICKS = 1 << 16 };

/* Is it time to read the clock, into *now? */
static bool look(double *now)
{
    uint64_t ticks = host.now[0];
    if (host.has_time) {
        *now = (double)host.now[host.has_ticks];
        return true;
    }
    if (ticks < host.look_at)
        return false;
    host.look_at = ticks + LOOK_TICKS;
    *now = host_clock();
    return true;
}

void host_stream(void)
{
    double now;
    if (!look(&now) || now < host.flush_at)
        return;
    host.flush_at = now + FLUSH_NS;
    toll_timeline_flush(host.timeline);
}
