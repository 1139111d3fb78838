/* sampling.c - see sampling.h. */
#include "sampling.h"

#include "delivery.h"
#include "event_clock.h"
#include "tools.h"

#include <string.h>
#include <toll/embedder.h>

typedef enum sampler { BY_ENGINE, IN_SECOND_RUN, BY_WINDOWS } sampler;

static struct {
    sampler how;
    bool has_begun;
    host_samples sum;
    uint64_t reading_ns; /* cost of reading the clock before sampling began */
    bool keeps_readings; /* see host_keep_readings */
    uint64_t kept_ns;    /* cost of reading the clock that is still in the time */
} samples;

uint64_t host_sampled_ns(void)
{
    return samples.sum.all_ns;
}

host_samples *host_begin_windows(void)
{
    samples.how = BY_WINDOWS;
    samples.has_begun = true;
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

int host_begin_sampling(uint64_t each_ps)
{
    toll_recorder *r = host_recorder();
    toll_status status = host_deliver_sampled();
    samples.has_begun = !status;
    if (!status && samples.keeps_readings) {
        samples.kept_ns = host_clock_overhead();
        return TOLL_OK;
    }
    return status ? status
                  : toll_profile_take_call_costs(r->profile, each_ps, each_ps, &samples.reading_ns,
                                                 host_error());
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
    return samples.has_begun ? now.overhead : now.clock;
}

/* --- notes -------------------------------------------------------------------------------------*/

/* By sampler. */
static const char *const samples_text[] = { TOLL_NOTE_TIME_BY_ENGINE, TOLL_NOTE_TIME_SECOND_RUN,
                                            TOLL_NOTE_TIME_WINDOWS };
static const char outside_text[] =
    "nanoseconds in no function of the module (compiling, collecting garbage); not in the time";
static const char *const unseen_text[] = { outside_text, outside_text, "" };
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
        status = note(p, overhead_text, now.overhead, before->overhead);
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
