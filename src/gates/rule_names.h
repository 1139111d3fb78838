/* rule_names.h - finds the functions, threads and roots that the names in a rule mean. */
#ifndef TOLL_GATES_RULE_NAMES_H
#define TOLL_GATES_RULE_NAMES_H

#include "gates/rules.h"
#include "profile/order.h"

/* Ids of frames, or of threads. Free them by toll_mem_free(mem, ids, capacity, sizeof *ids). */
typedef struct toll_names_found {
    uint32_t *ids;
    size_t count, capacity;
} toll_names_found;

/* Find the frames, or the threads, that `names` mean; they replace the previous result. A literal
 * name is found by binary search; patterns are tested on every name. Errors: TOLL_E_SYNTAX (a bad
 * pattern, with its place), TOLL_E_LIMIT (a pattern that is too large, or needs too many steps),
 * TOLL_E_NOMEM. */
toll_status toll_names_find_frames(const toll_rules *rules, const toll_rule *rule,
                                   const toll_names *names, const toll_order *order,
                                   toll_names_found *out, toll_error *err);
toll_status toll_names_find_threads(const toll_rules *rules, const toll_rule *rule,
                                    const toll_names *names, const toll_order *order,
                                    toll_names_found *out, toll_error *err);

/* Does a name match a glob, in which * matches any text, also none? */
bool toll_glob_matches(const char *glob, const char *name);

/* Suggest a name for names that match nothing: the nearest one, or the first that contains the
 * text. NULL: there is none. */
const char *toll_names_suggest(const toll_rules *rules, const toll_names *names,
                               const toll_profile *profile);

#endif
