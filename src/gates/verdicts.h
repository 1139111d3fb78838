/* verdicts.h - lists what a gate held to a limit: an item for each rule, test or function, also for
 * those that hold. The reports for CI systems are written from it (ci_reports.h). */
#ifndef TOLL_GATES_VERDICTS_H
#define TOLL_GATES_VERDICTS_H

#include "base/strtab.h"
#include "gates/findings.h"

typedef enum toll_verdict_state {
    TOLL_VERDICT_HOLDS,
    TOLL_VERDICT_FAILS,
    TOLL_VERDICT_SKIPPED, /* there was nothing to hold to the limit, which is no failure */
    TOLL_VERDICT_ERROR    /* nothing was compared */
} toll_verdict_state;

#define TOLL_NO_FINDING SIZE_MAX

typedef struct toll_verdict {
    const char *name; /* in the list; the same from run to run, and no other verdict has it */
    toll_verdict_state state;
    size_t finding; /* index in findings: why it fails; TOLL_NO_FINDING: it does not */
    uint32_t line;  /* of the rule in the budget, from 1; 0: there is no rule */
    toll_value_type type;
    bool has_value, has_before;
    int64_t value, before;
    int64_t least, most; /* what is allowed; INT64_MIN, INT64_MAX: any */
} toll_verdict;

typedef struct toll_verdicts {
    toll_mem mem;
    const char *suite; /* the budget, or the profile that was compared: a file's name */
    const toll_findings *findings;
    toll_strtab names;
    uint32_t *uses; /* by id of the name, how many verdicts have asked for it */
    size_t use_count, use_room;
    toll_verdict *items;
    size_t count, capacity;
    int exit_status; /* of the command, if nothing was compared */
    bool failed;     /* no memory */
} toll_verdicts;

/* `suite` and `findings` are the caller's, and remain until the list is freed. */
void toll_verdicts_init(toll_verdicts *verdicts, const toll_mem *mem, const char *suite,
                        const toll_findings *findings);
void toll_verdicts_free(toll_verdicts *verdicts);

/* Add a copy of `item` with that name. If there is one of that name, the new one is called
 * "NAME (2)", the next one "NAME (3)". The strings of `type` are the profile's. NULL: no list, so
 * nothing is added. */
void toll_verdicts_add(toll_verdicts *verdicts, const char *name, const toll_verdict *item);

/* Add an error: nothing was compared, as that finding says. */
void toll_verdicts_add_error(toll_verdicts *verdicts, size_t finding);

/* The number of items in a state. */
size_t toll_verdicts_count(const toll_verdicts *verdicts, toll_verdict_state state);

#endif
