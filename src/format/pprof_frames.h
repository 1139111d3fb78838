/* pprof_frames.h - turns the locations of a pprof file into frames. A location with several lines
 * is several frames, of which the first line is the innermost. A location of kind PPROF_OUTSIDE is
 * no frame. */
#ifndef TOLL_FORMAT_PPROF_FRAMES_H
#define TOLL_FORMAT_PPROF_FRAMES_H

#include "format/pprof_names.h"

typedef struct pprof_frames {
    pprof_reader *r;
    toll_profile *profile;
    toll_frame_id *ids; /* frames of all locations, outermost first */
    size_t count, capacity;
    size_t *first;      /* by location number: its first index in `ids`; one more at the end */
    uint64_t addresses; /* number of addresses that are omitted */
    pprof_names names;
} pprof_frames;

/* False: no memory. Free it in either case. */
bool toll_pprof_frames_init(pprof_frames *frames, pprof_reader *reader, toll_profile *profile);
void toll_pprof_frames_free(pprof_frames *frames);

/* Add all frames to the profile. False: the reader's failure says why. */
bool toll_pprof_frames_add(pprof_frames *frames);

#endif
