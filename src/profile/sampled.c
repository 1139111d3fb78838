/* sampled.c - see sampled.h. */
#include "profile/sampled.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
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

/* --- what samples represent --------------------------------------------------------------------*/

static bool has_negative(const toll_profile *p, uint32_t column)
{
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (toll_profile_self(p, n, column) < 0)
            return true;
    return false;
}

static uint64_t sum_of(const toll_profile *p, uint32_t column)
{
    uint64_t sum = 0;
    for (toll_node_id n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        int64_t self = toll_profile_self(p, n, column);
        sum += self > 0 && sum <= INT64_MAX ? (uint64_t)self : 0;
    }
    return sum;
}

/* Of notes about the column "time", which also has the times of what was not sampled. */
static toll_samples noted(const toll_profile *p)
{
    uint64_t samples = 0, windows = 0, ns = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        if (strcmp(text, TOLL_NOTE_TIME_SAMPLED) == 0)
            ns = count;
        else if (strcmp(text, TOLL_NOTE_TIME_BY_ENGINE) == 0 ||
                 strcmp(text, TOLL_NOTE_TIME_SECOND_RUN) == 0)
            samples += count;
        else if (strcmp(text, TOLL_NOTE_TIME_WINDOWS) == 0)
            windows += count;
    }
    const uint64_t all = samples + windows;
    return (toll_samples){ all, all ? ns / all : 0, windows > 0 };
}

/* Of Lua's samples: one column has all their time, another may have a part of it. */
static toll_samples of_lua(const toll_profile *p)
{
    uint64_t count = sum_of(p, toll_profile_find_column(p, "samples"));
    uint64_t all = sum_of(p, toll_profile_find_column(p, "sampled_cpu"));
    return (toll_samples){ count, count ? all / count : 0, false };
}

/* Does `how` end in " of TYPE"? */
static bool is_of_type(const char *how, const char *type)
{
    size_t size = strlen(how), tail = strlen(type);
    return size > tail + 4 && strcmp(how + size - tail, type) == 0 &&
           strncmp(how + size - tail - 4, " of ", 4) == 0;
}

/* Of other profilers, whose profiles name the period: "every 10000000 nanoseconds of cpu". A sample
 * may represent more: not every period need have one. */
static toll_samples of_period(const toll_profile *p, uint32_t column, const char *how)
{
    uint32_t counted = toll_profile_find_column(p, "samples");
    if (counted == TOLL_NONE)
        counted = toll_profile_find_column(p, "sample");
    uint64_t sum = sum_of(p, column), count = sum_of(p, counted), period = 0;
    if (sscanf(how, "every %" SCNu64, &period) != 1 || !period)
        return (toll_samples){ 0, 0, false };
    uint64_t mean = count ? sum / count : 0, size = mean > period ? mean : period;
    return (toll_samples){ sum / size, size, false };
}

toll_samples toll_samples_of(const toll_profile *p, uint32_t column)
{
    static const toll_samples none = { 0, 0, false };
    toll_value_type v = toll_profile_column(p, column);
    const char *how = toll_sampled_how(p);
    if (has_negative(p, column))
        return none;
    if (strcmp(v.type, "sampled_cpu") == 0 || strcmp(v.type, "compiled_cpu") == 0)
        return of_lua(p);
    if (how && toll_profile_find_column(p, "calls") == TOLL_NONE && is_of_type(how, v.type))
        return of_period(p, column, how);
    return strcmp(v.type, "time") == 0 ? noted(p) : none;
}
