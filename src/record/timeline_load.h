/* timeline_load.h - reads timelines from files, and writes them to files. See docs/timeline.md. */
#ifndef TOLL_RECORD_TIMELINE_LOAD_H
#define TOLL_RECORD_TIMELINE_LOAD_H

#include "base/input.h"

#include <stdbool.h>
#include <toll/timeline.h>

/* Facts about a file, beside its timeline. */
typedef struct toll_timeline_facts {
    bool has_end;       /* false: the program was killed, or the file is cut */
    uint64_t left_open; /* frames that are open at the end */
} toll_timeline_facts;

/* Are these the first bytes of a file with a timeline? */
bool toll_timeline_is_file(const uint8_t *data, size_t size);

/* Read a file, as far as it is complete. Everything is checked, so later reading of the events of
 * *out cannot fail because of their content. The blocks are stored in a temporary file, or in
 * memory if none can be made. Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX, TOLL_E_TRUNCATED,
 * TOLL_E_UNSUPPORTED. */
toll_status toll_timeline_load(toll_input *in, toll_timeline **out, toll_timeline_facts *facts,
                               toll_error *err);

/* Write a complete file: definitions, then the blocks thread by thread. `threads` has the
 * labels. */
toll_status toll_timeline_put(const toll_timeline *timeline, const toll_profile *threads,
                              toll_output *out, toll_error *err);

#endif
