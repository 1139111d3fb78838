/* server_limits.h - compares a profile with the default limits of servers that store profiles, and
 * finds what would be lost there. The limits are rows of one table, in server_limits.c: a new
 * limit, or a new server, is a new row.
 *
 * The measured size is what a server would get: the bytes of the profile as pprof, uncompressed, as
 * toll_profile_write writes them. */
#ifndef TOLL_GATES_SERVER_LIMITS_H
#define TOLL_GATES_SERVER_LIMITS_H

#include "gates/findings.h"

/* What a limit is about. Those up to TOLL_MEASURE_AGE are about the whole profile. The others are
 * about a stack, and are the largest of its frames or labels. */
typedef enum toll_measure {
    TOLL_MEASURE_SIZE,        /* bytes of pprof, uncompressed */
    TOLL_MEASURE_STACKS,      /* samples */
    TOLL_MEASURE_DASHES,      /* columns with a '-' in their names */
    TOLL_MEASURE_NO_METRICS,  /* types and units, of columns and the period, with other characters
                               * than names of metrics have in Prometheus: A-Z a-z 0-9 _ : */
    TOLL_MEASURE_AGE,         /* seconds since the profile began; 0: not known */
    TOLL_MEASURE_DEPTH,       /* locations: frames, inlined functions not counted */
    TOLL_MEASURE_NAME,        /* bytes of a function's name or file */
    TOLL_MEASURE_NEGATIVE,    /* values below 0 */
    TOLL_MEASURE_LABELS,      /* labels */
    TOLL_MEASURE_LABEL_NAME,  /* bytes of a label's name */
    TOLL_MEASURE_LABEL_VALUE, /* bytes of a label's value */
    TOLL_MEASURE_NO_NAMES,    /* labels whose name has other characters than A-Z a-z 0-9 _ */
    TOLL_MEASURE_REPEATED,    /* labels with the name of an earlier one, if other characters than
                               * A-Z a-z 0-9 _ are taken for _ */
    TOLL_MEASURE_COUNT
} toll_measure;

typedef struct toll_server_limit {
    const char *server, *version; /* the version whose source has the limit */
    toll_measure measure;
    uint64_t most;      /* the largest value that is accepted */
    const char *what;   /* what is measured */
    const char *loss;   /* what happens beyond the limit */
    const char *remedy; /* the server's option that lifts or raises it; NULL: there is none */
} toll_server_limit;

/* The limits of a server: consecutive rows. NULL: no server has that name, and *err lists the known
 * ones. */
const toll_server_limit *toll_server_limits(const char *server, size_t *count, toll_error *err);

/* The result for a limit. */
typedef struct toll_limit_result {
    uint64_t met;    /* the largest value found */
    uint64_t stacks; /* stacks over the limit */
    int64_t *sums;   /* of their values, by column */
} toll_limit_result;

typedef struct toll_limits {
    toll_mem mem;
    const toll_server_limit *rows;
    toll_limit_result *results; /* one for each row; the last is for all stacks, as if all were over
                                 * a limit */
    size_t count;
    int64_t *sums; /* those of the results */
    uint32_t columns;
} toll_limits;

/* Measure a profile. Copies nothing from `pprof`. `age_s` is TOLL_MEASURE_AGE. Call
 * toll_limits_free on *out, also after a failure. Errors: TOLL_E_NOMEM, TOLL_E_SYNTAX (not pprof as
 * Toll writes it), TOLL_E_OVERFLOW. */
toll_status toll_limits_measure(toll_limits *out, const toll_mem *mem,
                                const toll_server_limit *rows, size_t count, const void *pprof,
                                size_t size, uint64_t age_s, toll_error *err);
void toll_limits_free(toll_limits *limits);

/* Print a table of the results: state, largest value found, limit, what it is about. */
void toll_limits_put(const toll_limits *limits, toll_output *out);

/* Add a finding for each limit that the profile, read from `path`, exceeds: by how much, what is
 * lost, for how many stacks and which share of each value. */
void toll_limits_find(const toll_limits *limits, const toll_profile *profile, const char *path,
                      toll_findings *findings);

#endif
