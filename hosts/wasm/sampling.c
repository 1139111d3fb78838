/* sampling.c - see sampling.h.
 *
 * The memory of this module is shared with that thread. The thread reads two words of it: whether
 * an event is being delivered (then the time is the profiler's own), and the node of the innermost
 * frame. It writes only the table that the embedder passes to host_looked. */
#include "sampling.h"

#include "delivery.h"
#include "event_clock.h"
#include "guest_events.h"
#include "tools.h"

#include <string.h>
#include <toll/embedder.h>

static struct {
    uint64_t count;
    uint64_t all_ns, busy_ns, unseen_ns;
    uint64_t reading_ns;           /* cost of reading the clock before sampling began */
    uint64_t received_ps, made_ps; /* recording cost of one call, in its callee and in its caller */
    uint64_t overhead_ns;          /* in the last profile that was made */
} samples;

uint64_t host_sampled_ns(void)
{
    return samples.all_ns;
}

static bool has_begun(void)
{
    return host_delivery_state() >= HOST_LAST_TIMED;
}

/* The four cells of toll/embedder.h. The innermost frame's node is always in the last place here.
 * So the place that cells[1] names always has the value of cells[2], which says so: 0. */
const void *host_look_cells(void)
{
    static const void *const nothing;
    static const void *cells[4];
    cells[0] = (const void *)(uintptr_t)host_busy_word();
    cells[1] = &nothing;
    cells[2] = nothing;
    cells[3] = &host_recorder()->main_track->place.node;
    return cells;
}

int host_begin_looking(uint64_t each_ps)
{
    toll_recorder *r = host_recorder();
    toll_status status = host_deliver_sampled();
    return status ? status
                  : toll_profile_take_call_costs(r->profile, each_ps, each_ps, &samples.reading_ns,
                                                 host_error());
}

void host_looked(const host_look *seen, uint32_t count, uint64_t looks, uint64_t all, uint64_t busy,
                 uint64_t unseen)
{
    uint32_t column = 1u + host_has_ticks();
    for (uint32_t i = 0; i < count; i++)
        ((toll_node *)(uintptr_t)seen[i].node)->values[column] += seen[i].ns;
    samples.count += looks;
    samples.all_ns += all;
    samples.busy_ns += busy;
    samples.unseen_ns += unseen;
}

void host_set_look_costs(uint64_t received, uint64_t made)
{
    samples.received_ps = received;
    samples.made_ps = made;
}

uint64_t host_overhead(void)
{
    return samples.overhead_ns;
}

toll_status host_finish_sampled(toll_profile *p)
{
    uint64_t calls_ns = 0;
    if (!has_begun())
        return TOLL_OK;
    toll_status status = toll_profile_take_call_costs(p, samples.received_ps, samples.made_ps,
                                                      &calls_ns, host_error());
    samples.overhead_ns = samples.reading_ns + samples.busy_ns + calls_ns;
    return status;
}

/* --- notes -------------------------------------------------------------------------------------*/

static const char samples_text[] =
    "looks at the stack: time was sampled every 100 us at exact stacks",
                  overhead_text[] = "nanoseconds that the profiler took, about; not in the time",
                  unseen_text[] = "nanoseconds between looks that came late; not in the time";

static toll_status note(toll_profile *p, const char *text, uint64_t now, uint64_t before)
{
    return toll_profile_add_note(p, text, now > before ? now - before : 0, host_error());
}

toll_status host_note_costs(toll_profile *p, const host_costs *before)
{
    uint64_t clock = has_begun() ? 0 : host_clock_overhead();
    if (!has_begun())
        samples.overhead_ns = clock;
    uint64_t overhead = has_begun() ? samples.overhead_ns : 0;
    toll_status status = note(p, samples_text, samples.count, before->samples);
    if (!status)
        status = note(p, overhead_text, overhead, before->overhead);
    if (!status)
        status = note(p, unseen_text, samples.unseen_ns, before->unseen);
    return status ? status : note(p, TOLL_NOTE_CLOCK, clock, before->clock);
}

host_costs host_noted_costs(const toll_profile *p)
{
    host_costs costs = { 0, 0, 0, 0 };
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        uint64_t *cost = strcmp(text, samples_text) == 0      ? &costs.samples
                         : strcmp(text, overhead_text) == 0   ? &costs.overhead
                         : strcmp(text, unseen_text) == 0     ? &costs.unseen
                         : strcmp(text, TOLL_NOTE_CLOCK) == 0 ? &costs.clock
                                                              : NULL;
        if (cost)
            *cost = count;
    }
    return costs;
}
