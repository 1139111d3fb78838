/* rule_subjects.h - finds the subjects of a budget's rules in a profile: functions, outermost
 * functions (roots), threads. Each subject has a list of the rules about it, so that one walk over
 * the profile serves many rules. */
#ifndef TOLL_GATES_RULE_SUBJECTS_H
#define TOLL_GATES_RULE_SUBJECTS_H

#include "gates/rule_labels.h"
#include "gates/rule_names.h"

typedef struct toll_rule_subject {
    size_t subject;
    uint32_t rule;
} toll_rule_subject;

typedef struct toll_rule_subjects {
    const toll_rules *rules;
    const toll_order *order;
    toll_labelled_threads threads; /* if a rule has labels */
    toll_names_found found;        /* for the current rule */
    toll_rule_subject *pairs;      /* in the order of rules */
    size_t count, capacity;
    toll_rule_subject *labelled; /* the same for rules with labels: they are about these subjects
                                  * only in threads that have the labels */
    size_t labelled_count, labelled_capacity;
    size_t *labelled_start; /* by rule: where its part of `labelled` begins; room for one more */
    uint32_t *list;         /* rules, grouped by subject, in the budget's order */
    size_t *start; /* by subject: where its rules begin in the list; they end where the next
                    * subject's begin */
    size_t list_size;
} toll_rule_subjects;

/* Errors: TOLL_E_NOMEM. Free it by toll_rule_subjects_free, also after a failure. */
toll_status toll_rule_subjects_create(toll_rule_subjects *subjects, const toll_rules *rules,
                                      const toll_order *order, toll_error *err);
void toll_rule_subjects_free(toll_rule_subjects *subjects);

/* Is a rule about everything in its roots or threads? Then these are its subjects. */
static inline bool toll_rule_is_of_roots(const toll_rule *rule)
{
    return rule->has_root || rule->names.kind == TOLL_NAMES_ALL;
}

/* Is a rule about everything in the threads that have its labels? Then it has no other subjects. */
static inline bool toll_rule_is_of_labels(const toll_rule *rule)
{
    return rule->has_where && !rule->has_root && rule->names.kind == TOLL_NAMES_ALL;
}

/* Make the lists for rules from number *rule on, and set *rule to the first rule that is not in
 * them.
 *
 * Patterns that match most functions could make lists of rules times functions. So no more rules
 * are added once the lists are longer than the profile has nodes.
 *   is_asked  by rule: the others get no subjects
 * Errors: TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM. */
toll_status toll_rule_subjects_next(toll_rule_subjects *subjects, const bool *is_asked,
                                    uint32_t *rule, toll_error *err);

/* The numbers of subjects: of a function, a root, a thread. */
static inline size_t toll_subject_function(const toll_rule_subjects *s, toll_frame_id frame)
{
    (void)s;
    return frame;
}

static inline size_t toll_subject_outermost(const toll_rule_subjects *s, toll_frame_id frame)
{
    return (size_t)s->order->frame_count + frame;
}

static inline size_t toll_subject_thread(const toll_rule_subjects *s, toll_thread_id thread)
{
    return 2 * (size_t)s->order->frame_count + thread;
}

/* The rules whose labels a thread has. */
static inline size_t toll_subject_labels(const toll_rule_subjects *s, toll_thread_id thread)
{
    return 2 * (size_t)s->order->frame_count + s->order->thread_count + thread;
}

#endif
