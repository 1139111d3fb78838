/* label_list.h - parses, joins and writes lists of labels. */
#ifndef TOLL_PROFILE_LABEL_LIST_H
#define TOLL_PROFILE_LABEL_LIST_H

#include "base/buffer.h"

#include <toll/profile.h>

/* A parsed list: "KEY=VALUE,KEY=VALUE", or one label a line. */
typedef struct toll_label_list {
    toll_mem mem;
    char *text; /* a copy, with a NUL after each key and value */
    size_t text_size;
    toll_thread_label *items;
    size_t count, capacity;
} toll_label_list;

/* Parse a list. Call toll_label_list_free in any case. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. */
toll_status toll_label_list_parse(toll_label_list *list, const toll_mem *mem, const char *text,
                                  toll_error *err);

/* The same for labels that are to be set: the key "thread" is not allowed. */
toll_status toll_label_list_parse_set(toll_label_list *list, const toll_mem *mem, const char *text,
                                      toll_error *err);
void toll_label_list_free(toll_label_list *list);

bool toll_label_list_has(const toll_label_list *list, const char *key);

/* Does `of` have, for each key of the list, one of the list's values for that key? */
bool toll_label_list_matches(const toll_label_list *list,
                             bool (*has)(const void *of, toll_thread_label label), const void *of);

/* Append the labels, one a line. */
void toll_label_list_put(const toll_label_list *list, toll_buffer *lines);

/* Append `labels` without those whose key is in `added`, then `added`, one a line, and a NUL.
 * Errors: TOLL_E_ARGUMENT (one of them is not a list of labels that can be set), TOLL_E_NOMEM. */
toll_status toll_label_lists_join(const char *labels, const char *added, toll_buffer *lines,
                                  toll_error *err);

#endif
