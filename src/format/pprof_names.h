/* pprof_names.h - chooses the names for the functions of a pprof file.
 *
 * Each function of a file is a frame, known by its name, file, start line and kind; where all of
 * these are equal, each is called NAME#ID by its id in the file. Symbols of Rust are demangled:
 * instances of a generic function, which differ in a hash alone, are one frame, as in every other
 * format. A name that Toll made unique on writing is replaced by the original one. */
#ifndef TOLL_FORMAT_PPROF_NAMES_H
#define TOLL_FORMAT_PPROF_NAMES_H

#include "format/pprof_read.h"

/* A name and its place as in the file; strings are ids in reader->text. */
typedef struct pprof_given {
    uint32_t name, file, line, kind;
} pprof_given;

/* What was found for a function, of the kind of the location that came last. */
typedef struct pprof_found {
    pprof_given given;
    uint32_t id_plus_1; /* in pprof_names.given; 0: nothing was looked for yet */
} pprof_found;

typedef struct pprof_names {
    pprof_reader *reader;
    pprof_found *found; /* by function; NULL: there are no functions */
    toll_strtab given;  /* names with their places, as bytes */
    uint32_t *function; /* by id in `given`: its function, or a mark for several */
    size_t capacity;
    toll_buffer demangled, text;
    uint64_t numbered; /* frames that were called NAME#ID */
} pprof_names;

/* False: no memory; it is to be freed all the same. */
bool toll_pprof_names_init(pprof_names *names, pprof_reader *reader);
void toll_pprof_names_free(pprof_names *names);

/* First call this for each function and kind that a location has. */
bool toll_pprof_names_add(pprof_names *names, uint32_t function, int kind);

/* Then get each one's frame, whose strings are valid until the next call. False: the file has an
 * impossible string or line, or there is no memory. */
bool toll_pprof_names_frame(pprof_names *names, uint32_t function, int kind, toll_frame *frame);

#endif
