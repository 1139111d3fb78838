/* run_kind.h - the labels and facts of a kind of runs, and its text: see toll_profile_run_kind. */
#ifndef TOLL_PROFILE_RUN_KIND_H
#define TOLL_PROFILE_RUN_KIND_H

#include "base/buffer.h"

#include <toll/profile.h>

typedef struct toll_run_list {
    toll_thread_label *items;
    size_t count, capacity;
} toll_run_list;

typedef struct toll_run_kind {
    toll_mem mem;
    char *text; /* what a parsed one's keys and values are in */
    size_t text_size;
    toll_run_list labels, facts;
} toll_run_kind;

/* Make one without labels and facts. */
void toll_run_kind_init(toll_run_kind *kind, const toll_mem *mem);
void toll_run_kind_free(toll_run_kind *kind);

/* Parse a text. Call toll_run_kind_free in any case. Errors: TOLL_E_SYNTAX, TOLL_E_NOMEM. */
toll_status toll_run_kind_parse(toll_run_kind *kind, const toll_mem *mem, const char *text,
                                toll_error *err);

/* Add a label or a fact, whose texts the caller keeps; one without a value is none. False: there
 * is no memory. */
bool toll_run_list_add(toll_run_kind *kind, toll_run_list *list, toll_thread_label item);

/* The value of a fact; "": it has none. */
const char *toll_run_kind_fact(const toll_run_kind *kind, const char *key);

/* Sort labels and facts, leave out those that are there twice, and append the text. */
void toll_run_kind_put(toll_run_kind *kind, toll_buffer *out);

#endif
