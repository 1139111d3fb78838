/* timeline_load.h - timelines out of files, and into them. See docs/timeline.md. */
#ifndef TOLL_RECORD_TIMELINE_LOAD_H
#define TOLL_RECORD_TIMELINE_LOAD_H

#include "base/input.h"

#include <stdbool.h>
#include <toll/timeline.h>

/* What is known of a file beside its timeline. */
typedef struct toll_timeline_facts {
    bool has_end;       /* false: the program was killed, or the file is cut */
    uint64_t left_open; /* frames that are open at the end */
} toll_timeline_facts;

/* Do these bytes begin such a file? */
bool toll_timeline_is_file(const uint8_t *data, size_t size);

/* Read a file as far as it goes. All of it is checked: reading the events of *out does not fail for
 * what is in them. Its blocks are in a temporary file, or in memory where there is none.
 * Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX, TOLL_E_TRUNCATED, TOLL_E_UNSUPPORTED. */
toll_status toll_timeline_load(toll_input *in, toll_timeline **out, toll_timeline_facts *facts,
                               toll_error *err);

/* Write a whole file: definitions, then the blocks thread by thread. `threads` has the labels. */
toll_status toll_timeline_put(const toll_timeline *timeline, const toll_profile *threads,
                              toll_output *out, toll_error *err);

#endif
