/* pprof_names.h - what a function of a pprof file is called in a profile.
 *
 * Two functions of a file are two frames. They differ by their name, file, start line and kind;
 * where all of these are alike, each is called NAME#ID by its id in the file. Symbols of Rust are
 * demangled: instances of a generic function, which differ in a hash alone, are one frame, as in
 * every other format. Where Toll made a name unique on writing, the original one is restored. */
#ifndef TOLL_FORMAT_PPROF_NAMES_H
#define TOLL_FORMAT_PPROF_NAMES_H

#include "format/pprof_read.h"

typedef struct pprof_names {
    pprof_reader *reader;
    toll_strtab given;  /* names with their places, as bytes */
    uint32_t *function; /* by number in `given`: its function, or a mark that several have it */
    size_t capacity;
    toll_buffer demangled, text;
    uint64_t numbered; /* frames that were called NAME#ID */
} pprof_names;

void toll_pprof_names_init(pprof_names *names, pprof_reader *reader);
void toll_pprof_names_free(pprof_names *names);

/* First call this for each function and kind that a location has. */
bool toll_pprof_names_add(pprof_names *names, uint32_t function, int kind);

/* Then get each one's frame, whose strings are good until the next call. False: a string or a line
 * of the file cannot be, or there is no memory. */
bool toll_pprof_names_frame(pprof_names *names, uint32_t function, int kind, toll_frame *frame);

#endif
