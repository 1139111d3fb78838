/* profile_data.h - the parts of a profile. For profile/ and record/ only. */
#ifndef TOLL_PROFILE_DATA_H
#define TOLL_PROFILE_DATA_H

#include "base/strtab.h"
#include "profile/ctx_tree.h"

#include <toll/profile.h>

/* Strings are ids of the profile's string table. */
typedef struct toll_frame_data {
    uint32_t name, file, line, kind;
} toll_frame_data;

typedef struct toll_thread_data {
    uint32_t name;
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
    toll_id_index frame_index; /* by the four numbers of a frame */
    toll_thread_data *threads;
    size_t thread_count, thread_capacity;
    toll_id_index thread_index; /* by name */
    toll_tree tree;
    toll_note_data *notes;
    size_t note_count, note_capacity;
    uint32_t *comments;
    size_t comment_count, comment_capacity;
    int64_t start_ns, duration_ns;
};

/* The id of `text` with invalid UTF-8 replaced; TOLL_NONE: no memory. */
uint32_t toll_profile_string(toll_profile *profile, const char *text);

/* Give a frame another name. Two frames may then be equal: a graft makes one of them. */
toll_status toll_profile_rename_frame(toll_profile *profile, toll_frame_id frame, const char *name,
                                      toll_error *err);

/* Undo: remove the frames, threads and nodes beyond these counts (strings stay: nothing shows
 * them).
 */
void toll_profile_truncate(toll_profile *profile, size_t frame_count, size_t thread_count,
                           uint32_t node_count);

static inline const char *toll_profile_text(const toll_profile *profile, uint32_t string)
{
    return toll_strtab_text(&profile->strings, string);
}

#endif
