/* thread_labels.h - checks, compares and changes labels of threads, and adds threads of another
 * profile. */
#ifndef TOLL_PROFILE_THREAD_LABELS_H
#define TOLL_PROFILE_THREAD_LABELS_H

#include "profile/label_list.h"

/* The key for a thread's name where it is listed among labels, outside of profiles. */
#define TOLL_THREAD_KEY "thread"

/* The key by which toll_profile_group_by divides stacks by their outermost function. */
#define TOLL_ROOT_KEY "root"

/* The key that says which snapshot of a heap was the first to have a thread's blocks: "1", ... */
#define TOLL_SNAPSHOT_KEY "snapshot"

/* Is it one of the keys in "test,host"? Commas separate these, with or without blanks after them.
 */
bool toll_is_key_of(const char *keys, const char *key);

/* Does the thread have, for each key of the list, one of the list's values for that key? */
bool toll_thread_is_labelled(const toll_profile *profile, toll_thread_id thread,
                             const toll_label_list *list);

/* toll_profile_with_labels with such a list. */
toll_status toll_profile_with_label_list(const toll_profile *profile, const toll_label_list *list,
                                         toll_profile **out, toll_error *err);

/* --- thread_list.c -----------------------------------------------------------------------------*/

/* Can a thread have this label? Errors: TOLL_E_ARGUMENT. */
toll_status toll_thread_label_check(const toll_thread_label *label, toll_error *err);

/* The part of toll_profile_check for threads: their labels are sorted, and no two threads are the
 * same. */
toll_status toll_threads_check(const toll_profile *profile, toll_error *err);

/* Has any thread a label? */
bool toll_profile_has_labels(const toll_profile *profile);

/* Find or add the thread of `profile` with the name and labels of thread `id` of another
 * profile. */
toll_status toll_profile_add_thread_of(toll_profile *profile, const toll_profile *from,
                                       toll_thread_id id, toll_thread_id *out, toll_error *err);

#endif
