/* table_labels.h - the labels of a profile's threads as tables have them: sorted by key, one value
 * for each key (several are joined by commas), and labels of the caller instead of those of the
 * same key. */
#ifndef TOLL_TABLES_TABLE_LABELS_H
#define TOLL_TABLES_TABLE_LABELS_H

#include "base/buffer.h"

#include <toll/profile.h>

typedef struct toll_table_label {
    const char *key;
    size_t value, value_size; /* where the value begins in toll_table_labels.values */
} toll_table_label;

typedef struct toll_table_label_list {
    size_t first, count;
} toll_table_label_list;

typedef struct toll_table_labels {
    toll_mem mem;
    toll_buffer values;
    toll_thread_label *given; /* the caller's, sorted by key */
    size_t given_count, given_capacity;
    toll_table_label *labels; /* of all lists */
    size_t count, capacity;
    toll_table_label_list *threads; /* of each thread; at least one, also without threads */
    size_t thread_count, thread_capacity;
    toll_table_label_list common; /* the labels that all threads have */
} toll_table_labels;

void toll_table_labels_init(toll_table_labels *l, const toll_mem *mem);
void toll_table_labels_free(toll_table_labels *l);

/* Find the lists for a profile, instead of those for the profile before; `profile` may be NULL: one
 * thread without labels. Keys are texts of the profile and the caller. Errors: TOLL_E_ARGUMENT,
 * TOLL_E_NOMEM. */
toll_status toll_table_labels_find(toll_table_labels *l, const toll_profile *profile,
                                   const toll_thread_label *given, uint32_t count, toll_error *err);

#endif
