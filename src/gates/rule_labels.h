/* rule_labels.h - finds the threads that a rule's labels choose: `where test=swap`. */
#ifndef TOLL_GATES_RULE_LABELS_H
#define TOLL_GATES_RULE_LABELS_H

#include "base/strtab.h"
#include "gates/rule_names.h"

typedef struct toll_labelled_thread {
    uint32_t label; /* in `labels` */
    toll_thread_id thread;
} toll_labelled_thread;

/* The threads of a profile by label. */
typedef struct toll_labelled_threads {
    toll_mem mem;
    const toll_profile *profile;
    toll_strtab labels;          /* "KEY=VALUE" */
    toll_labelled_thread *items; /* sorted by label, then thread */
    size_t count, capacity;
} toll_labelled_threads;

/* Free it by toll_labelled_threads_free, also after a failure. Errors: TOLL_E_NOMEM. */
toll_status toll_labelled_threads_create(toll_labelled_threads *threads,
                                         const toll_profile *profile, toll_error *err);
void toll_labelled_threads_free(toll_labelled_threads *threads);

/* Find the threads that have, for each key of the rule's labels, one of the values; they replace
 * the previous result. Cost: in proportion to the labels of the rule and the threads that have one
 * of them. Errors: TOLL_E_NOMEM. */
toll_status toll_labelled_threads_find(const toll_labelled_threads *threads,
                                       const toll_rules *rules, const toll_rule *rule,
                                       toll_names_found *out, toll_error *err);

/* The order of two toll_thread_label: by key, then value. */
int toll_compare_labels(const void *a, const void *b);

/* Set rules->keys. Errors: TOLL_E_NOMEM. */
toll_status toll_rules_find_keys(toll_rules *rules, toll_error *err);

#endif
