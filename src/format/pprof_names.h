/* pprof_names.h - what a function of a pprof file is called in a profile.
 *
 * Two functions of a file are two frames. What tells them apart is their name, file, start line and
 * kind; where all of these are alike, each is called NAME#ID by its id in the file. Symbols of Rust
 * are demangled: instances of a generic function, which differ in a hash alone, are one frame, as
 * in every other format. The name that Toll made unique on writing is taken back. */
#ifndef TOLL_FORMAT_PPROF_NAMES_H
#define TOLL_FORMAT_PPROF_NAMES_H

#include "format/pprof_read.h"

typedef struct pprof_names {
    const pprof_reader *reader;
    toll_strtab given;  /* names with their places, as bytes */
    uint32_t *function; /* by number in `given`: the function's, or that several have it */
    size_t capacity;
    toll_buffer demangled, text;
    uint64_t numbered; /* frames that were called NAME#ID */
} pprof_names;

void toll_pprof_names_init(pprof_names *names, const pprof_reader *reader);
void toll_pprof_names_free(pprof_names *names);

/* First, for each function and kind that a location has: */
toll_status toll_pprof_names_add(pprof_names *names, uint32_t function, int kind, toll_error *err);

/* Then its frame, whose strings are good until the next call. Errors: TOLL_E_SYNTAX for a string or
 * a line that cannot be, TOLL_E_NOMEM. */
toll_status toll_pprof_names_frame(pprof_names *names, uint32_t function, int kind,
                                   toll_frame *frame, toll_error *err);

#endif
