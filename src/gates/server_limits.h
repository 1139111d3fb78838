/* server_limits.h - what servers that keep profiles take by default, and what of a profile would be
 * lost there. The limits are rows of one table, in server_limits.c: a limit more, or another
 * server, is a row more.
 *
 * What a server would get is measured: the bytes of the profile as pprof, uncompressed, as
 * toll_profile_write writes them. */
#ifndef TOLL_GATES_SERVER_LIMITS_H
#define TOLL_GATES_SERVER_LIMITS_H

#include "gates/findings.h"

/* What a limit is about. Those up to TOLL_MEASURE_AGE are about the profile as a whole, the others
 * about a stack: the largest of its frames, of its labels. */
typedef enum toll_measure {
    TOLL_MEASURE_SIZE,        /* bytes of pprof, uncompressed */
    TOLL_MEASURE_STACKS,      /* samples */
    TOLL_MEASURE_DASHES,      /* columns with a '-' in their names */
    TOLL_MEASURE_AGE,         /* seconds since the profile began; 0 if that is not known */
    TOLL_MEASURE_DEPTH,       /* locations: frames, inlined functions not counted */
    TOLL_MEASURE_NAME,        /* bytes of a function's name or file */
    TOLL_MEASURE_NEGATIVE,    /* values below 0 */
    TOLL_MEASURE_LABELS,      /* labels */
    TOLL_MEASURE_LABEL_NAME,  /* bytes of a label's name */
    TOLL_MEASURE_LABEL_VALUE, /* bytes of a label's value */
    TOLL_MEASURE_COUNT
} toll_measure;

typedef struct toll_server_limit {
    const char *server, *version; /* the version whose source has the limit */
    toll_measure measure;
    uint64_t most;      /* what is taken */
    const char *what;   /* what is measured */
    const char *loss;   /* what becomes of more */
    const char *remedy; /* the server's option that lifts or raises it; NULL: none does */
} toll_server_limit;

/* The limits of a server: rows that follow each other. NULL: no server has that name, and *err says
 * which ones there are. */
const toll_server_limit *toll_server_limits(const char *server, size_t *count, toll_error *err);

/* What came of a limit. */
typedef struct toll_limit_result {
    uint64_t met;    /* the most that was met */
    uint64_t stacks; /* that are over it */
    int64_t *sums;   /* of their values, by column */
} toll_limit_result;

typedef struct toll_limits {
    toll_mem mem;
    const toll_server_limit *rows;
    toll_limit_result *results; /* of each row; then of all stacks, as if all were over it */
    size_t count;
    int64_t *sums; /* those of the results */
    uint32_t columns;
} toll_limits;

/* Measure a profile. Nothing is copied of `pprof`. `age_s` is TOLL_MEASURE_AGE. Free *out by
 * toll_limits_free, also after a failure.
 * Errors: TOLL_E_NOMEM, TOLL_E_SYNTAX (not pprof as Toll writes it), TOLL_E_OVERFLOW. */
toll_status toll_limits_measure(toll_limits *out, const toll_mem *mem,
                                const toll_server_limit *rows, size_t count, const void *pprof,
                                size_t size, uint64_t age_s, toll_error *err);
void toll_limits_free(toll_limits *limits);

/* Print a table of them: state, what was met, the limit, what it is about. */
void toll_limits_put(const toll_limits *limits, toll_output *out);

/* A finding for each limit that the profile, which was read from `path`, exceeds: by how much, what
 * is lost, of how many stacks and of which share of each value. */
void toll_limits_find(const toll_limits *limits, const toll_profile *profile, const char *path,
                      toll_findings *findings);

#endif
