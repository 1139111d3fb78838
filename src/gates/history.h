/* history.h - the profiles of many commits in one, and what changed in each.
 *
 * A history is a profile. For each commit it has what changed since the commit before: threads with
 * the label commit=ID, whose values may be negative. So all commits up to one add up to that
 * commit's profile, and the whole to the last commit's; the file grows with changes, not with
 * commits. A comment, "history: ID ID ...", has the commits in their order, also those in which
 * nothing changed; comments "history runs: 3 {test=a} interpreter=Lua 5.4.6" say of which runs the
 * last one is. */
#ifndef TOLL_GATES_HISTORY_H
#define TOLL_GATES_HISTORY_H

#include "base/strtab.h"
#include "gates/origin.h"

#include <toll/profile.h>
#include <toll/stream.h>

#define TOLL_HISTORY_KEY "commit"

typedef struct toll_history {
    toll_mem mem;
    toll_profile *profile;
    toll_strtab ids;     /* of the commits: number i has the id i + 1 */
    uint32_t *of_thread; /* by thread of the profile: its commit's number; TOLL_NONE: it
                            is empty */
    size_t thread_room;
    toll_origin made; /* the last commit's runs, if they are known */
} toll_history;

/* What a function cost at a commit, and how that changed there. */
typedef struct toll_history_row {
    uint32_t commit;
    int64_t self, total, calls;          /* at that commit; calls: 0 if there is no such column */
    int64_t self_by, total_by, calls_by; /* since the commit before */
} toll_history_row;

typedef struct toll_history_rows {
    toll_mem mem;
    toll_history_row *items;
    size_t count, room;
} toll_history_rows;

/* Make an empty history. Call toll_history_free in any case. */
toll_status toll_history_create(toll_history *history, const toll_allocator *allocator,
                                toll_error *err);

/* Open a profile as a history, which owns it from then on, also after a failure. Call
 * toll_history_free in any case. Errors: TOLL_E_UNSUPPORTED (it is no history), TOLL_E_NOMEM. */
toll_status toll_history_open(toll_history *history, toll_profile *profile, toll_error *err);
void toll_history_free(toll_history *history);

static inline uint32_t toll_history_count(const toll_history *history) /* of commits */
{
    return history->ids.count ? (uint32_t)history->ids.count - 1 : 0; /* id 0 is "" */
}

const char *toll_history_id(const toll_history *history, uint32_t commit); /* 0: the first */
uint32_t toll_history_find(const toll_history *history, const char *id);   /* TOLL_NONE: none */

/* Is it the id of a commit: not "", without blanks and control characters? */
bool toll_history_is_id(const char *id);

/* Append the profile of the next commit, which keeps its labels but "commit", and no times, lines
 * and notes. Functions that have moved since the last commit are the same (toll_profile_align).
 * Errors: TOLL_E_ARGUMENT (no id; the history has that commit; there are only times), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, TOLL_E_LIMIT; the history may then only be freed. */
toll_status toll_history_add(toll_history *history, const toll_profile *profile, const char *id,
                             toll_error *err);

/* Append why the profile cannot be compared with the last commit, as toll_origins_differ does:
 * another interpreter, table of costs or number of runs; nothing, if it can. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_history_unlike(const toll_history *history, const toll_profile *profile,
                                toll_buffer *text, toll_error *err);

/* The profile of a commit, the caller's to free, as it was added. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_history_at(const toll_history *history, uint32_t commit, toll_profile **out,
                            toll_error *err);

/* Say of the last commit's profile of which runs it is, as far as that is known: it is then not
 * compared with one that another interpreter has made. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_history_tell_made(const toll_history *history, toll_profile *profile,
                                   toll_error *err);

/* List the commits at which a function's cost changed, the first one first. Call
 * toll_history_rows_free in any case.
 *   name   the function's; NULL: the whole profile
 *   value  the type of the column; NULL: the one that toll report shows
 *   type   gets the column's type, whose texts belong to the history
 * Errors: TOLL_E_NOT_FOUND (no such function, no such value), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_history_blame(const toll_history *history, const char *name, const char *value,
                               toll_history_rows *rows, toll_value_type *type, toll_error *err);
void toll_history_rows_free(toll_history_rows *rows);

/* Which commits changed the value anywhere: changed[commits]. Errors: TOLL_E_NOT_FOUND,
 * TOLL_E_NOMEM. */
toll_status toll_history_changed(const toll_history *history, const char *value, bool *changed,
                                 toll_error *err);

/* Print the rows as a table, at most the last `most` (0: all); or all as one JSON object. */
void toll_history_put(const toll_history *history, const char *name, const toll_history_rows *rows,
                      toll_value_type type, uint32_t most, toll_output *out);
void toll_history_json(const toll_history *history, const char *name, const toll_history_rows *rows,
                       toll_value_type type, toll_output *out);

/* Keep the last `keep` commits, one at least: what came before is added up, as the first of them.
 * Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW; the history may then only be freed. */
toll_status toll_history_prune(toll_history *history, uint32_t keep, toll_error *err);

/* --- history_at.c; for history.c ---------------------------------------------------------------*/

/* Add to `to` what the threads for which `keep` is true have. */
toll_status toll_history_add_threads(const toll_history *history, const bool *keep,
                                     toll_profile *to, toll_error *err);

/* A copy without the label of the commit: threads that become equal add up. */
toll_status toll_history_without_commit(const toll_profile *profile, toll_profile **out,
                                        toll_error *err);

/* --- history_made.c; for history.c -------------------------------------------------------------*/

toll_status toll_history_read_made(toll_history *history, toll_error *err);
toll_status toll_history_write_made(toll_history *history, toll_error *err); /* as comments */

/* The last commit is of the profile's runs, unless these are not known. */
toll_status toll_history_set_made(toll_history *history, const toll_profile *profile,
                                  toll_error *err);

#endif
