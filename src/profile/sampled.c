/* sampled.c - see sampled.h. */
#include "profile/sampled.h"

#include <stddef.h>
#include <string.h>

const char *toll_sampled_how(const toll_profile *p)
{
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++) {
        const char *text = toll_profile_comment(p, i);
        if (strncmp(text, TOLL_SAMPLED_PREFIX, strlen(TOLL_SAMPLED_PREFIX)) == 0)
            return text + strlen(TOLL_SAMPLED_PREFIX);
    }
    return NULL;
}

int toll_has_every_call(const toll_profile *p)
{
    return !toll_sampled_how(p) && toll_profile_find_column(p, "calls") != TOLL_NONE;
}

uint32_t toll_calls_column(const toll_profile *p)
{
    return toll_sampled_how(p) ? TOLL_NONE : toll_profile_find_column(p, "calls");
}

static uint64_t sum_of(const toll_profile *p, uint32_t column)
{
    uint64_t sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++) {
        int64_t self = toll_profile_self(p, n, column);
        sum += self > 0 && sum <= INT64_MAX ? (uint64_t)self : 0;
    }
    return sum;
}

/* Of notes about the column "time". */
static toll_samples noted(const toll_profile *p)
{
    toll_samples samples = { 0, 0 };
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        if (strcmp(text, TOLL_NOTE_TIME_SAMPLED) == 0)
            samples.ns = count;
        else if (strcmp(text, TOLL_NOTE_TIME_LOOKS) == 0 ||
                 strcmp(text, TOLL_NOTE_TIME_SAMPLES) == 0 ||
                 strcmp(text, TOLL_NOTE_TIME_SECOND_RUN) == 0)
            samples.count += count;
    }
    return samples;
}

toll_samples toll_samples_of(const toll_profile *p, uint32_t column)
{
    toll_value_type v = toll_profile_column(p, column);
    uint32_t counted = toll_profile_find_column(p, "samples");
    uint32_t all = toll_profile_find_column(p, "sampled_cpu"); /* compiled_cpu is a part of it */
    if (strcmp(v.unit, "nanoseconds") != 0)
        return (toll_samples){ 0, 0 };
    if (toll_sampled_how(p) && counted != TOLL_NONE)
        return (toll_samples){ sum_of(p, counted), sum_of(p, all == TOLL_NONE ? column : all) };
    return strcmp(v.type, "time") == 0 ? noted(p) : (toll_samples){ 0, 0 };
}
