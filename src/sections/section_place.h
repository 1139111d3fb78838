/* section_place.h - the place in the source that an id of a section may name after its name:
 *
 *     parse src/lib.rs:12
 *
 * The macro `profile` of Light Protocol makes such ids, with a line end and blanks between the two,
 * and blanks at the end. */
#ifndef TOLL_SECTIONS_SECTION_PLACE_H
#define TOLL_SECTIONS_SECTION_PLACE_H

#include "base/buffer.h"

#include <toll/profile.h>

/* The parts of an id; they point into it. */
typedef struct toll_section_place {
    size_t name_size; /* the id begins with the name */
    const char *file;
    size_t file_size; /* 0: the id names no place, and all of it is the name */
    uint32_t line;
} toll_section_place;

/* Split an id. A place is the last word: a file with an extension, a colon, the number of a line.
 */
toll_section_place toll_section_split(const char *id, size_t size);

/* Make the section's frame, whose texts are in `room` until that changes. False: no memory. */
bool toll_section_frame(toll_buffer *room, const char *id, size_t size, toll_frame *out);

#endif
