/* rule_names.h - which functions, threads and roots the names in a rule mean. */
#ifndef TOLL_GATES_RULE_NAMES_H
#define TOLL_GATES_RULE_NAMES_H

#include "gates/rules.h"
#include "profile/order.h"

/* Ids of frames, or of threads. Free them by toll_mem_free(mem, ids, capacity, sizeof *ids). */
typedef struct toll_names_found {
    uint32_t *ids;
    size_t count, capacity;
} toll_names_found;

/* Find the frames, or the threads, that are meant, in place of what was found before. A name itself
 * is looked up in the order of names; patterns are tried on every name.
 * Errors: TOLL_E_SYNTAX (a bad pattern, with its place), TOLL_E_LIMIT (one that is too large, or
 * takes too many steps), TOLL_E_NOMEM. */
toll_status toll_names_find_frames(const toll_rules *rules, const toll_rule *rule,
                                   const toll_names *names, const toll_order *order,
                                   toll_names_found *out, toll_error *err);
toll_status toll_names_find_threads(const toll_rules *rules, const toll_rule *rule,
                                    const toll_names *names, const toll_order *order,
                                    toll_names_found *out, toll_error *err);

/* Does a name match a text in which * stands for any text, or none? */
bool toll_glob_matches(const char *glob, const char *name);

/* A name that somebody may have meant who wrote these names, which match nothing: the nearest one,
 * or the first that has the text in it; NULL: none. */
const char *toll_names_suggest(const toll_rules *rules, const toll_names *names,
                               const toll_profile *profile);

#endif
