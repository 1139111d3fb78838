/* graft.h - adds nodes of one profile to another: copy, merge, diff, filter and fold are grafts.
 * For profile/ only.
 *
 * A graft maps frames and nodes of the source to those of the target. Its user visits the source's
 * nodes in order of id, so that parents come before their children, and places each one. */
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
    bool facts_later;  /* toll_graft_agree_on_facts merges the facts of frames that the target
                        * already has */
} toll_graft;

/* The target must have all of the source's columns. Errors: TOLL_E_NOMEM, TOLL_E_NOT_FOUND. */
toll_status toll_graft_begin(toll_graft *graft, toll_profile *target, const toll_profile *source,
                             toll_error *err);
void toll_graft_end(toll_graft *graft);

/* Place all threads' roots (those for which `keep`, by thread id, is true; NULL: all). */
toll_status toll_graft_roots(toll_graft *graft, const bool *keep, toll_error *err);

/* Place node `id` under the target node of its parent, or under `parent` if that is not NULL. */
toll_status toll_graft_place(toll_graft *graft, uint32_t id, toll_node *parent, toll_error *err);

/* Merge the facts of all placed frames, if facts_later is set. It cannot fail. */
void toll_graft_agree_on_facts(const toll_graft *graft);

/* Add the values of node `id` to its target node; sign -1 subtracts.
 * Errors: TOLL_E_OVERFLOW; the values before that one are added already. */
toll_status toll_graft_add(const toll_graft *graft, uint32_t id, int sign, toll_error *err);

/* Add a value of the source's column to *to (sign -1: subtract it). Errors: TOLL_E_OVERFLOW. */
toll_status toll_graft_add_value(const toll_profile *source, uint32_t column, int64_t *to,
                                 int64_t value, int sign, toll_error *err);

/* Add everything of the source to the target, multiplied by sign. */
toll_status toll_graft_all(toll_profile *target, const toll_profile *source, int sign,
                           toll_error *err);

/* Place everything without values, and add all values, as two steps. */
toll_status toll_graft_place_all(toll_graft *graft, toll_error *err);
toll_status toll_graft_add_all(const toll_graft *graft, int sign, toll_error *err);

/* Add the source's notes, comments, runs and times to the target: counts and durations add up. The
 * second one leaves runs out. */
toll_status toll_graft_notes(toll_profile *target, const toll_profile *source, toll_error *err);
toll_status toll_graft_notes_alone(toll_profile *target, const toll_profile *source,
                                   toll_error *err);

/* Copy the profile, with memory from `mem`. */
toll_status toll_profile_copy_to(const toll_mem *mem, const toll_profile *profile,
                                 toll_profile **out, toll_error *err);

/* --- columns.c ---------------------------------------------------------------------------------*/

/* Make a profile with the source's columns and default column. */
toll_status toll_profile_like(const toll_mem *mem, const toll_profile *source, toll_profile **out,
                              toll_error *err);

/* Make a profile with the columns of both: the common list if they are the same, else the union,
 * sorted by type and unit. */
toll_status toll_profile_like_both(const toll_profile *a, const toll_profile *b, toll_profile **out,
                                   toll_error *err);
bool toll_profile_same_columns(const toll_profile *a, const toll_profile *b);

/* Would toll_profile_like_both give the columns of a: are they sorted, and does b have no others?
 * */
bool toll_profile_covers_columns(const toll_profile *a, const toll_profile *b);

/* The default column of a profile made of two: that of both if they agree, else the first by name,
 * so that the choice does not depend on their order. */
void toll_profile_choose_default(toll_profile *profile, const toll_profile *a,
                                 const toll_profile *b);

#endif
