/* trials.h - what two programs cost in repeated runs: of each value the medians, whether they
 * differ by more than chance, or exactly. For toll compare. */
#ifndef TOLL_GATES_TRIALS_H
#define TOLL_GATES_TRIALS_H

#include "base/buffer.h"
#include "base/strtab.h"
#include "gates/origin.h"
#include "gates/rank_test.h"

#include <toll/profile.h>
#include <toll/report.h>
#include <toll/stream.h>

enum { TOLL_TRIAL_A, TOLL_TRIAL_B, TOLL_TRIAL_SIDES };

/* A value, or a function's self value, in each run. */
typedef struct toll_trial_row {
    const char *name, *unit;
    toll_frame frame; /* of a function; its name is NULL for a value */
    bool of_process;  /* measured from outside, not by the profile */
    bool is_exact;    /* each side's runs all have the same one, and it is no time */
    int64_t *values[TOLL_TRIAL_SIDES]; /* run by run */
    uint32_t counts[TOLL_TRIAL_SIDES]; /* 0: the side does not have this value */
    toll_median medians[TOLL_TRIAL_SIDES];
    double p;         /* of toll_rank_test, if both sides have it; a function's is adjusted */
    toll_ratio ratio; /* A to B */
} toll_trial_row;

typedef struct toll_trial_rows {
    toll_trial_row *items;
    size_t count, capacity;
} toll_trial_rows;

typedef struct toll_trials {
    toll_mem mem;
    uint32_t most; /* runs of each side */
    uint32_t runs[TOLL_TRIAL_SIDES];
    toll_profile **profiles[TOLL_TRIAL_SIDES]; /* of each run its functions, or NULL */
    toll_origin origins[TOLL_TRIAL_SIDES];     /* of each side's first run */
    toll_strtab names;
    toll_trial_rows values, functions;      /* functions: the largest change first */
    toll_buffer notes;                      /* texts, each ended by a NUL */
    const char *titles[TOLL_TRIAL_SIDES];   /* "A" and "B" */
    const char *commands[TOLL_TRIAL_SIDES]; /* what they run; the caller's */
    const char *function_value; /* which value those of functions are; NULL: there are none */
} toll_trials;

/* What a process took. */
typedef struct toll_trial_cost {
    uint64_t wall_ns, cpu_ns;
} toll_trial_cost;

/* Begin, for up to `most` runs of each side. Errors: TOLL_E_NOMEM; free it in any case. */
toll_status toll_trials_init(toll_trials *trials, const toll_mem *mem, uint32_t most,
                             toll_error *err);
void toll_trials_free(toll_trials *trials);

/* Add a run, and take its profile (NULL: it has none), also on failure. Errors: TOLL_E_INVARIANT
 * (its values are not those of the side's first run), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_trials_add(toll_trials *trials, int side, toll_trial_cost cost,
                            toll_profile *profile, toll_error *err);

/* Compare the runs that were added; there is one of each side at least. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, TOLL_E_LIMIT. */
toll_status toll_trials_end(toll_trials *trials, toll_error *err);

/* Do the sides differ? Exactly, or by more than chance would do in 95% of cases. */
bool toll_trial_differs(const toll_trial_row *row);

/* A new row of `rows`, with a value of 0 for each run. NULL: no memory. For trials*.c, as the next.
 */
toll_trial_row *toll_trials_add_row(toll_trials *trials, toll_trial_rows *rows);

/* Note what makes times less sure: too few runs, short ones, a slow first one, outliers, a drift.
 * False: no memory. */
bool toll_trials_judge(toll_trials *trials);

/* The row's texts in a table. */
typedef struct toll_trial_cells {
    char sides[TOLL_TRIAL_SIDES][TOLL_VALUE_TEXT_SIZE + 16]; /* "12.3 ms ± 2%" */
    char change[TOLL_VALUE_TEXT_SIZE + 40], p[16], n[24];
} toll_trial_cells;
void toll_trial_cells_of(const toll_trial_row *row, toll_trial_cells *cells);

/* Put "wall time: B is 1.08 times as fast as A (95%: 1.05 to 1.11)", for a time of both sides. */
void toll_trial_put_sentence(const toll_trials *trials, const toll_trial_row *row,
                             toll_output *out);

/* Add a text to the notes. */
void toll_trials_note(toll_trials *trials, const char *format, ...) TOLL_PRINTF(2, 3);

/* Write what was found as text, as Markdown and as JSON, with at most `rows` functions (0: all). */
void toll_trials_put(const toll_trials *trials, uint32_t rows, toll_output *out);
void toll_trials_markdown(const toll_trials *trials, uint32_t rows, toll_output *out);
void toll_trials_json(const toll_trials *trials, uint32_t rows, toll_output *out);

#endif
