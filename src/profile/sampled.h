/* sampled.h - is a profile one of samples, or is every call in it? */
#ifndef TOLL_PROFILE_SAMPLED_H
#define TOLL_PROFILE_SAMPLED_H

#include <stdbool.h>
#include <toll/profile.h>

/* The beginning of a comment of profiles that are samples; the rest says how they were taken. */
#define TOLL_SAMPLED_PREFIX "sampled: "

/* Samples of a second: the default, and the most. */
enum { TOLL_SAMPLE_HZ = 250, TOLL_MOST_SAMPLE_HZ = 10000 };

/* Notes of those that take samples. */
#define TOLL_NOTE_SAMPLES_CUT "samples of stacks that are cut off at 200 frames"
#define TOLL_NOTE_SAMPLES_TORN                                                                     \
    "samples at moments when the stack could not be read: their time is the next sample's"

/* How its samples were taken: "every 10000000 nanoseconds of cpu". NULL: it says nothing of
 * samples. */
const char *toll_sampled_how(const toll_profile *profile);

/* Is every call in it? Only tools that see them all count calls. A profile may be neither: its file
 * does not say how it was made. */
int toll_has_every_call(const toll_profile *profile);

/* The column that says how often functions were called; TOLL_NONE: that is not known. */
uint32_t toll_calls_column(const toll_profile *profile);

/* So many samples, of which each represents so much of a column, in the mean. size 0: the values
 * of the column are not made of samples, or nothing is known. */
typedef struct toll_samples {
    uint64_t count, size;
    bool are_windows; /* of time whose parts are not known (TOLL_NOTE_TIME_WINDOWS) */
} toll_samples;

/* The samples of a column, which must be one of time. Not of a column with negative values, which
 * are differences. */
toll_samples toll_samples_of(const toll_profile *profile, uint32_t column);

#endif
