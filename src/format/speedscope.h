/* speedscope.h - what the parts of the speedscope reader share. The parts are speedscope_read.c
 * (the file and its frames), speedscope_profile.c (one of its profiles), speedscope_order.c (the
 * order in time) and speedscope_join.c (joins the profiles). */
#ifndef TOLL_FORMAT_SPEEDSCOPE_H
#define TOLL_FORMAT_SPEEDSCOPE_H

#include "base/json_read.h"
#include "format/format_row.h"
#include "profile/ctx_tree.h"

enum { SPEEDSCOPE_WEIGHT, SPEEDSCOPE_CALLS, SPEEDSCOPE_WIDTH }; /* values of a part's nodes */

/* One profile of the file. */
typedef struct speedscope_part {
    char *name; /* the name in the file, or own_name */
    char *file_name;
    size_t name_size; /* bytes */
    char *own_name;   /* a name that makes the part unique, or NULL */
    size_t own_name_size;
    char *type;       /* the end of `name`, once it is split; NULL: not yet, or unknown */
    const char *unit; /* Toll's unit */
    int scale;        /* power of ten from the file's unit to ours; -1: unit not known yet */
    bool evented;
    toll_node *root;   /* in the reader's tree; the part's nodes are those from this one to
                        * `end_node` */
    uint32_t end_node; /* the id after the last one */
    /* sampled: the node of each sample, and weights */
    uint32_t *samples;
    int64_t *weights;
    size_t sample_count, sample_capacity, weight_count, weight_capacity;
    /* evented */
    toll_node *current;
    uint32_t depth;
    bool started;
    int64_t last, end;
    bool has_end;
    toll_thread_id timeline_thread; /* TOLL_NONE: not on the timeline yet */
} speedscope_part;

typedef struct speedscope_reader {
    toll_json j;
    toll_failure failure;
    toll_mem mem;
    toll_read_job *job;
    toll_profile *profile;
    toll_frame_id *frames; /* by index in the file */
    size_t frame_count, frame_capacity;
    speedscope_part *parts;
    size_t part_count, part_capacity;
    toll_tree tree;  /* one root for each part: a tree for each would need 25 kB */
    bool ours;       /* Toll wrote the file: exporter "toll" */
    bool has_stacks; /* its events show stacks, not an order in time: exporter
                      * TOLL_SPEEDSCOPE_STACKS */
    bool any_profiles;
    int64_t shown;                     /* index of the part that viewers show first; -1: unknown */
    toll_buffer name, file, demangled; /* of the current frame */
    uint64_t fractions, left_open;
    uint64_t alike;              /* frames whose name, file and line an earlier frame has */
    uint64_t largest_frame;      /* 1 + the largest frame index in use */
    toll_timeline *timeline;     /* of the evented profiles; NULL: not wanted, or none so far */
    uint64_t same_names;         /* threads that were given a number to make their names unique */
    const char *no_timeline;     /* why a timeline is not possible */
    uint32_t *timeline_frames;   /* by index in the file; TOLL_NONE: not on the timeline yet */
    size_t timeline_frame_count; /* how many frames are known */
} speedscope_reader;

/* Read one profile of the file, whose '{' is already read, as a part; `user` is the reader. */
bool toll_speedscope_read_profile(void *user);

/* Split the name "THREAD: TYPE" of a part in a file that Toll wrote: returns the value type and
 * cuts it off the name. NULL: the name contains none. */
char *toll_speedscope_split_name(const speedscope_reader *reader, speedscope_part *part);
const char *toll_speedscope_type(const char *unit); /* the type of a part whose name has none */

/* Add an event of `part` to the timeline. */
bool toll_speedscope_open(speedscope_reader *reader, speedscope_part *part, int64_t frame,
                          int64_t at);
void toll_speedscope_close(speedscope_reader *reader, const speedscope_part *part, int64_t at);

/* Make one profile from all parts. */
bool toll_speedscope_join(speedscope_reader *reader);

#endif
