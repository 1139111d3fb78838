/* random_profiles.c FIRST COUNT - random profiles through every pair of formats that can be read
 * and written.
 *
 * Profile number `seed` is written in format A and read, and what comes out is written in format B
 * and read: after each step the profile must be sound and hold exactly what the format says that it
 * keeps (toll_format.keeps), to the unit. And three profiles merged in any order are the same to
 * the byte. Each seed stands for one profile, so a failure can be repeated. */
#include "random_profile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a profile fits a format at all: 64 bits are not enough for every sum. */
static toll_status through(const toll_profile *p, const toll_format *format, toll_profile **out,
                           toll_error *err)
{
    toll_output *file;
    toll_input *in;
    size_t size;
    *out = NULL;
    toll_status status = toll_output_to_memory(NULL, 0, &file, err);
    if (!status)
        status = toll_profile_write(p, NULL, format->name, NULL, file, err);
    if (!status)
        status = toll_output_commit(file, err);
    const void *data = status ? NULL : toll_output_data(file, &size);
    if (!status)
        status = toll_input_from_memory(NULL, data, size, "random", &in, err);
    if (!status) {
        status = toll_profile_read(in, format->name, NULL, NULL, out, err);
        toll_input_free(in);
    }
    toll_output_free(file);
    return status;
}

static bool step(unsigned seed, const char *way, const toll_profile *p, const toll_format *format,
                 toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    toll_status status = through(p, format, out, &err);
    if (!status)
        status = toll_profile_check(*out, 1, &err);
    if (status) {
        printf("FAILED: seed %u, %s: %s: %s\n", seed, way, toll_status_name(status), err.text);
        return false;
    }
    char *wanted = kept_of(p, format), *got = kept_of(*out, format);
    bool same = strcmp(wanted, got) == 0;
    if (!same)
        print_difference(seed, way, wanted, got);
    free(wanted);
    free(got);
    return same;
}

static const toll_format *next_format(unsigned *i)
{
    const toll_format *format;
    while ((format = toll_format_at((*i)++)) != NULL)
        if (format->reads && format->writes && !format->needs_timeline)
            return format;
    return NULL;
}

static bool all_pairs(unsigned seed)
{
    toll_profile *p = random_profile(seed), *first, *second;
    const toll_format *a, *b;
    bool good = true;
    for (unsigned i = 0; (a = next_format(&i)) != NULL;) {
        bool is_good = step(seed, a->name, p, a, &first);
        for (unsigned j = 0; is_good && (b = next_format(&j)) != NULL;) {
            char way[64];
            snprintf(way, sizeof way, "%s -> %s", a->name, b->name);
            is_good = step(seed, way, first, b, &second);
            toll_profile_free(second);
        }
        toll_profile_free(first);
        good &= is_good;
    }
    toll_profile_free(p);
    return good;
}

/* The sum of three profiles as a file; 0: (a + b) + c, 1: a + (c + b), 2: c + (b + a). */
static toll_output *sum_of(toll_profile *const *parts, int order)
{
    static const int orders[3][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 } };
    toll_profile *sum, *last;
    toll_output *file = NULL;
    toll_status status = toll_profile_copy(parts[orders[order][0]], &sum, NULL);
    status = status ? status : toll_profile_merge(sum, parts[orders[order][1]], NULL);
    status = status ? status : toll_profile_copy(parts[orders[order][2]], &last, NULL);
    status = status ? status : toll_profile_merge(order ? last : sum, order ? sum : last, NULL);
    status = status ? status : toll_profile_check(order ? last : sum, 1, NULL);
    status = status ? status : toll_output_to_memory(NULL, 0, &file, NULL);
    status =
        status ? status : toll_profile_write(order ? last : sum, NULL, "pprof", NULL, file, NULL);
    status = status ? status : toll_output_commit(file, NULL);
    if (status) {
        printf("cannot merge: %s\n", toll_status_name(status));
        exit(2);
    }
    toll_profile_free(last);
    toll_profile_free(sum);
    return file;
}

static bool merges_in_any_order(unsigned seed)
{
    toll_profile *parts[3];
    size_t first_size, size;
    for (unsigned i = 0; i < 3; i++)
        parts[i] = random_profile(seed + i);
    toll_output *first = sum_of(parts, 0);
    const void *wanted = toll_output_data(first, &first_size);
    bool same = true;
    for (int order = 1; order < 3; order++) {
        toll_output *other = sum_of(parts, order);
        const void *got = toll_output_data(other, &size);
        same &= size == first_size && memcmp(got, wanted, size) == 0;
        toll_output_free(other);
    }
    if (!same)
        printf("FAILED: seed %u and the next two: the order of merging shows\n", seed);
    toll_output_free(first);
    for (unsigned i = 0; i < 3; i++)
        toll_profile_free(parts[i]);
    return same;
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100, failed = 0;
    for (unsigned seed = first; seed - first < count && failed < 5; seed++)
        failed += !all_pairs(seed) || !merges_in_any_order(seed);
    printf("profiles %u to %u through all pairs of formats: %u failed\n", first, first + count - 1,
           failed);
    return failed > 0;
}
