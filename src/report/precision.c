/* precision.c - see precision.h. */
#include "report/precision.h"

#include "profile/sampled.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    LEAST_SAMPLES = 5,
    BOUND_SAMPLES = 10,
    TOO_FEW = 200 /* shares within 20 points, in tenths, say nothing */
};

/* The least number of one digit and zeros that is not below `value`. */
static int64_t round_up(uint64_t value)
{
    uint64_t power = 1;
    while (value / power >= 10)
        power *= 10;
    return (int64_t)((value + power - 1) / power * power);
}

toll_precision toll_precision_of(const toll_profile *p, uint32_t column, int64_t whole)
{
    toll_precision precision = { .unit = toll_profile_column(p, column).unit };
    uint64_t ns = toll_unit_ns(precision.unit);
    toll_samples all = ns ? toll_samples_of(p, column) : (toll_samples){ 0, 0, false };
    if (!all.size || all.size > INT64_MAX / 100 / ns)
        return precision;
    precision.size = all.size;
    precision.are_windows = all.are_windows;
    precision.least = (int64_t)all.size * LEAST_SAMPLES;
    precision.bound = round_up(all.size * BOUND_SAMPLES);
    /* A part of the run has some of them; and what was not sampled is in the column, too. */
    precision.samples = whole > 0 ? (uint64_t)whole / all.size : 0;
    if (precision.samples > all.count)
        precision.samples = all.count;
    return precision;
}

/* A bound in the largest unit in which it is a whole number: "2 ms", "300 us". */
static void put_bound(const toll_precision *p, char text[TOLL_PRECISE_TEXT_SIZE])
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "\xc2\xb5s" }, { 1, "ns" } };
    uint64_t ns = (uint64_t)p->bound * toll_unit_ns(p->unit);
    size_t i = 0;
    while (ns % units[i].ns)
        i++;
    snprintf(text, TOLL_PRECISE_TEXT_SIZE, "< %" PRIu64 " %s", ns / units[i].ns, units[i].name);
}

static bool is_known(const toll_precision *p, int64_t value)
{
    return value < 0 || value >= p->least;
}

const char *toll_precise_text(const toll_precision *p, int64_t value,
                              char text[TOLL_PRECISE_TEXT_SIZE])
{
    if (is_known(p, value))
        toll_value_text(value, p->unit, text);
    else
        put_bound(p, text);
    return text;
}

const char *toll_precise_share(const toll_precision *p, int64_t part, int64_t whole,
                               char text[TOLL_PRECISE_TEXT_SIZE])
{
    char share[TOLL_SHARE_TEXT_SIZE];
    if (is_known(p, part)) {
        toll_share_text(part, whole, text);
    } else if (p->bound > whole - whole / 1000) {
        snprintf(text, TOLL_PRECISE_TEXT_SIZE, "-");
    } else { /* rounded up: half of a tenth more */
        toll_share_text(p->bound + whole / 2000, whole, share);
        snprintf(text, TOLL_PRECISE_TEXT_SIZE, "< %s", share);
    }
    return text;
}

/* The least integer whose square is at least n. */
static uint64_t root_up(uint64_t n)
{
    uint64_t root = 0;
    while (root * root < n)
        root++;
    return root;
}

void toll_report_put_samples(toll_output *out, const toll_precision *p)
{
    char count[TOLL_VALUE_TEXT_SIZE], size[TOLL_VALUE_TEXT_SIZE];
    if (!p->least)
        return;
    toll_output_printf(out, ", %s %s%s", toll_value_text((int64_t)p->samples, "count", count),
                       p->are_windows ? "window" : "sample", toll_plural(p->samples));
    /* 98 points / sqrt(N), in tenths: the root of 980^2 / N, rounded up. */
    uint64_t tenths = p->samples ? root_up((960400 + p->samples - 1) / p->samples) : TOO_FEW;
    if (tenths >= TOO_FEW)
        toll_output_printf(out, ", too few for shares");
    else if (p->are_windows)
        toll_output_printf(out, " of %s: time in one is divided as ticks are",
                           toll_value_text((int64_t)p->size, p->unit, size));
    else
        toll_output_printf(out, ": shares within %u.%u points", (unsigned)(tenths / 10),
                           (unsigned)(tenths % 10));
}
