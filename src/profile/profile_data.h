/* profile_data.h - declares the parts of a profile. For profile/ and record/ only. */
#ifndef TOLL_PROFILE_DATA_H
#define TOLL_PROFILE_DATA_H

#include "base/id_index.h"
#include "base/strtab.h"
#include "profile/ctx_tree.h"

#include <toll/profile.h>

/* The key by which frames are distinguished: the function, and the place within it. Strings are ids
 * of the profile's string table; module and build_id are those of "" unless there is an address,
 * and at_file is unless there is a line in another file than `file`. Compared as bytes: it has no
 * padding. */
typedef struct toll_frame_key {
    uint32_t name, file, line, kind;
    uint32_t at_line, at_file, module, build_id;
    uint64_t at_address;
} toll_frame_key;

/* Facts about a function, which do not distinguish frames. */
typedef struct toll_frame_facts {
    uint32_t system_name, module, build_id;
    uint64_t address;
} toll_frame_facts;

typedef struct toll_frame_data {
    toll_frame_key key;
    toll_frame_facts facts;
} toll_frame_data;

/* Labels are sorted by the texts of key and value, each kept once: equal lists are equal ids. */
typedef struct toll_label_data {
    uint32_t key, value;
} toll_label_data;

typedef struct toll_thread_data {
    uint32_t name, title;
    uint32_t label_count;
    size_t first_label; /* in toll_profile.labels */
    toll_node *root;
} toll_thread_data;

typedef struct toll_note_data {
    uint32_t text;
    uint64_t count;
} toll_note_data;

typedef struct toll_column_data {
    uint32_t type, unit;
} toll_column_data;

struct toll_profile {
    toll_mem mem;
    toll_strtab strings;
    toll_column_data columns[TOLL_MAX_COLUMNS];
    uint32_t column_count;
    uint32_t default_column; /* TOLL_NONE: not set */
    toll_frame_data *frames;
    size_t frame_count, frame_capacity;
    toll_id_index frame_index; /* by key */
    toll_thread_data *threads;
    size_t thread_count, thread_capacity;
    toll_id_index thread_index; /* by name and labels */
    toll_label_data *labels;    /* of all threads, in the order of threads */
    size_t label_count, label_capacity;
    toll_tree tree;
    toll_note_data *notes;
    size_t note_count, note_capacity;
    uint32_t *comments;
    size_t comment_count, comment_capacity;
    toll_note_data *runs; /* by kind, in the order of texts: see runs.h */
    size_t run_count, run_capacity;
    bool has_unknown_runs;
    int64_t start_ns, duration_ns;
};

/* Give a frame another name. Two frames may be equal after that; a graft merges them. */
toll_status toll_profile_rename_frame(toll_profile *profile, toll_frame_id frame, const char *name,
                                      toll_error *err);

/* Add frame `id` of another profile, as toll_profile_add_frame does. But a frame that exists keeps
 * its facts until toll_profile_agree_on_facts_of, which cannot fail, is called for both: until then
 * merge can be undone. strings[i] is the id here of that profile's string i; TOLL_NONE until it is
 * first needed. */
toll_status toll_profile_place_frame_of(toll_profile *profile, const toll_profile *from,
                                        toll_frame_id id, uint32_t *strings, toll_frame_id *out,
                                        toll_error *err);
void toll_profile_agree_on_facts_of(toll_profile *profile, toll_frame_id id,
                                    const toll_profile *from, toll_frame_id other,
                                    const uint32_t *strings);

/* Are these frames of one function? It may be inlined in one of them. */
static inline bool toll_profile_same_function(const toll_profile *profile, toll_frame_id a,
                                              toll_frame_id b)
{
    const toll_frame_key *x = &profile->frames[a].key, *y = &profile->frames[b].key;
    bool same_kind = x->kind == y->kind || (x->kind == TOLL_KIND_INLINED && !y->kind) ||
                     (y->kind == TOLL_KIND_INLINED && !x->kind);
    return x->name == y->name && x->file == y->file && x->line == y->line && same_kind;
}

/* frames.c: rebuild the index of frames from the present frames. */
void toll_profile_index_frames(toll_profile *profile);

/* thread_list.c: remove the threads beyond the first `count`. */
void toll_profile_truncate_threads(toll_profile *profile, size_t count);

/* Undo: remove the frames, threads and nodes beyond these counts (strings stay: nothing shows
 * them).
 */
void toll_profile_truncate(toll_profile *profile, size_t frame_count, size_t thread_count,
                           uint32_t node_count);

/* Has the stack that ends here a value that is not 0, in any column? */
static inline bool toll_profile_has_value(const toll_profile *profile, const toll_node *node)
{
    for (uint32_t c = 0; c < profile->column_count; c++)
        if (node->values[c])
            return true;
    return false;
}

static inline const char *toll_profile_text(const toll_profile *profile, uint32_t string)
{
    return toll_strtab_text(&profile->strings, string);
}

#endif
