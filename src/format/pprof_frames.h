/* pprof_frames.h - the frames that the locations of a pprof file stand for. A location with several
 * lines is that many frames, of which the first line is the innermost; a location of kind
 * PPROF_OUTSIDE is no frame. */
#ifndef TOLL_FORMAT_PPROF_FRAMES_H
#define TOLL_FORMAT_PPROF_FRAMES_H

#include "format/pprof_names.h"

typedef struct pprof_frames {
    pprof_reader *r;
    toll_profile *profile;
    toll_frame_id *ids; /* of all locations, outermost first */
    size_t count, capacity;
    size_t *first;      /* in `ids`, by location number; one more at the end */
    uint64_t addresses; /* how many are omitted */
    pprof_names names;
} pprof_frames;

/* False: no memory; it is to be freed all the same. */
bool toll_pprof_frames_init(pprof_frames *frames, pprof_reader *reader, toll_profile *profile);
void toll_pprof_frames_free(pprof_frames *frames);

/* Add all to the profile. False: the reader's failure says why. */
bool toll_pprof_frames_add(pprof_frames *frames);

#endif
