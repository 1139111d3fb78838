/* graft.h - adds nodes of one profile to another: copy, merge, diff, filter and fold are grafts.
 * For profile/ only.
 *
 * A graft maps frames and nodes of the source to those of the target. Its user goes over the
 * source's nodes in order of id, so that parents come before their children, and places each. */
#ifndef TOLL_PROFILE_GRAFT_H
#define TOLL_PROFILE_GRAFT_H

#include "profile/profile_data.h"

typedef struct toll_graft {
    toll_profile *target;
    const toll_profile *source;
    uint32_t columns[TOLL_MAX_COLUMNS]; /* source column -> target column */
    uint32_t *frames;                   /* source frame -> target frame; TOLL_NONE: not yet */
    uint32_t *strings;                  /* source string -> target string; TOLL_NONE: not yet */
    size_t string_count;
    toll_node **nodes; /* source node -> target node; NULL: not placed */
    bool facts_later;  /* facts of frames that the target has are for toll_graft_agree_on_facts */
} toll_graft;

/* The target must have all of the source's columns. Errors: TOLL_E_NOMEM, TOLL_E_NOT_FOUND. */
toll_status toll_graft_begin(toll_graft *graft, toll_profile *target, const toll_profile *source,
                             toll_error *err);
void toll_graft_end(toll_graft *graft);

/* Place all threads' roots (those for which `keep`, by thread id, is true; NULL: all). */
toll_status toll_graft_roots(toll_graft *graft, const bool *keep, toll_error *err);

/* Place node `id` under the target node of its parent, or under `parent` if that is not NULL. */
toll_status toll_graft_place(toll_graft *graft, uint32_t id, toll_node *parent, toll_error *err);

/* The facts of all frames that were placed, where facts_later is set; it cannot fail. */
void toll_graft_agree_on_facts(const toll_graft *graft);

/* Add the values of node `id` to its target node; sign -1 subtracts.
 * Errors: TOLL_E_OVERFLOW; the values before that one are added already. */
toll_status toll_graft_add(const toll_graft *graft, uint32_t id, int sign, toll_error *err);

/* *to plus (sign -1: minus) a value of the source's column. Errors: TOLL_E_OVERFLOW. */
toll_status toll_graft_add_value(const toll_profile *source, uint32_t column, int64_t *to,
                                 int64_t value, int sign, toll_error *err);

/* Everything of the source into the target, times sign. */
toll_status toll_graft_all(toll_profile *target, const toll_profile *source, int sign,
                           toll_error *err);

/* Place everything, without values; and add all values. */
toll_status toll_graft_place_all(toll_graft *graft, toll_error *err);
toll_status toll_graft_add_all(const toll_graft *graft, int sign, toll_error *err);

/* Notes, comments and times of the source into the target: counts and durations add up. */
toll_status toll_graft_notes(toll_profile *target, const toll_profile *source, toll_error *err);

/* A copy that lives in `mem`. */
toll_status toll_profile_copy_to(const toll_mem *mem, const toll_profile *profile,
                                 toll_profile **out, toll_error *err);

/* --- columns.c ---------------------------------------------------------------------------------*/

/* A new profile with the source's columns and default column. */
toll_status toll_profile_like(const toll_mem *mem, const toll_profile *source, toll_profile **out,
                              toll_error *err);

/* A new profile with the columns of both: the common list if they have the same, else the union,
 * sorted by type and unit. */
toll_status toll_profile_like_both(const toll_profile *a, const toll_profile *b, toll_profile **out,
                                   toll_error *err);
bool toll_profile_same_columns(const toll_profile *a, const toll_profile *b);

/* Are the columns of a those that toll_profile_like_both would give: sorted, and b has no others?
 */
bool toll_profile_covers_columns(const toll_profile *a, const toll_profile *b);

/* The default column of a profile made of two: that of both if they agree, else the first by name,
 * so that the choice does not depend on their order. */
void toll_profile_choose_default(toll_profile *profile, const toll_profile *a,
                                 const toll_profile *b);

#endif
