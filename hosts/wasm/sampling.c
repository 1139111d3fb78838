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

typedef enum sampler { BY_THREAD, BY_ENGINE, IN_SECOND_RUN, AT_EVENTS } sampler;

static struct {
    sampler how;
    bool has_begun;
    host_samples sum;
    uint64_t reading_ns;           /* cost of reading the clock before sampling began */
    uint64_t received_ps, made_ps; /* recording cost of one call, in its callee and in its caller */
    uint64_t calls_ns;             /* subtracted from the profile that was finished last */
    bool keeps_readings;           /* see host_keep_readings */
    uint64_t kept_ns;              /* cost of reading the clock that is still in the time */
} samples;

uint64_t host_sampled_ns(void)
{
    return samples.sum.all_ns;
}

void host_begin_sampling(bool by_engine)
{
    samples.how = by_engine ? BY_ENGINE : BY_THREAD;
}

host_samples *host_begin_sampling_at_events(void)
{
    samples.how = AT_EVENTS;
    return &samples.sum;
}

void host_count_second_run(void)
{
    samples.how = IN_SECOND_RUN;
    samples.sum = (host_samples){ 0 };
    samples.reading_ns = 0;
}

void host_count_samples(uint64_t count, uint64_t all, uint64_t own, uint64_t unseen)
{
    samples.sum.count += count;
    samples.sum.all_ns += all;
    samples.sum.busy_ns += own;
    samples.sum.unseen_ns += unseen;
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
    const bool by_engine = samples.how == BY_ENGINE || samples.how == IN_SECOND_RUN;
    toll_status status = host_deliver_sampled(by_engine);
    samples.has_begun = !status;
    if (!status && samples.keeps_readings) {
        samples.kept_ns = host_clock_overhead();
        return TOLL_OK;
    }
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
    host_count_samples(looks, all, busy, unseen);
}

void host_set_look_costs(uint64_t received, uint64_t made)
{
    samples.received_ps = received;
    samples.made_ps = made;
}

void host_keep_readings(void)
{
    samples.keeps_readings = true;
}

host_costs host_costs_so_far(void)
{
    bool begun = samples.has_begun;
    return (host_costs){ .samples = samples.sum.count,
                         .sampled = samples.sum.all_ns,
                         .overhead = begun ? samples.reading_ns + samples.sum.busy_ns : 0,
                         .unseen = samples.sum.unseen_ns,
                         .clock = begun ? samples.kept_ns : host_clock_overhead() };
}

uint64_t host_overhead(void)
{
    host_costs now = host_costs_so_far();
    return samples.has_begun ? now.overhead + samples.calls_ns : now.clock;
}

toll_status host_finish_sampled(toll_profile *p)
{
    samples.calls_ns = 0;
    return samples.has_begun ? toll_profile_take_call_costs(p, samples.received_ps, samples.made_ps,
                                                            &samples.calls_ns, host_error())
                             : TOLL_OK;
}

/* --- notes -------------------------------------------------------------------------------------*/

/* By sampler. */
static const char *const samples_text[] = { TOLL_NOTE_TIME_LOOKS, TOLL_NOTE_TIME_BY_ENGINE,
                                            TOLL_NOTE_TIME_SECOND_RUN, TOLL_NOTE_TIME_AT_EVENTS };
static const char outside_text[] =
    "nanoseconds in no function of the module (compiling, collecting garbage); not in the time";
static const char *const unseen_text[] = {
    "nanoseconds between looks that came late; not in the time", outside_text, outside_text, ""
};
static const char overhead_text[] = TOLL_NOTE_NOT_IN_TIME;

static toll_status note(toll_profile *p, const char *text, uint64_t now, uint64_t before)
{
    return toll_profile_add_note(p, text, now > before ? now - before : 0, host_error());
}

toll_status host_note_costs(toll_profile *p, const host_costs *before)
{
    host_costs now = host_costs_so_far();
    toll_status status = note(p, samples_text[samples.how], now.samples, before->samples);
    if (!status)
        status = note(p, TOLL_NOTE_TIME_SAMPLED, now.sampled, before->sampled);
    if (!status)
        status = note(p, overhead_text, now.overhead + samples.calls_ns, before->overhead);
    if (!status)
        status = note(p, unseen_text[samples.how], now.unseen, before->unseen);
    return status ? status : note(p, TOLL_NOTE_CLOCK, now.clock, before->clock);
}

host_costs host_noted_costs(const toll_profile *p)
{
    host_costs costs = { 0 };
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        uint64_t *cost = strcmp(text, samples_text[samples.how]) == 0  ? &costs.samples
                         : strcmp(text, TOLL_NOTE_TIME_SAMPLED) == 0   ? &costs.sampled
                         : strcmp(text, overhead_text) == 0            ? &costs.overhead
                         : strcmp(text, unseen_text[samples.how]) == 0 ? &costs.unseen
                         : strcmp(text, TOLL_NOTE_CLOCK) == 0          ? &costs.clock
                                                                       : NULL;
        if (cost)
            *cost = count;
    }
    return costs;
}
