/* pprof_names.h - chooses the names for the functions of a pprof file.
 *
 * Each function of a file is a frame, known by its name, file, start line and kind; where all of
 * these are equal, each is called NAME#ID by its id in the file. Symbols of Rust are demangled:
 * instances of a generic function, which differ in a hash alone, are one frame, as in every other
 * format. A name that Toll made unique on writing is replaced by the original one. */
#ifndef TOLL_FORMAT_PPROF_NAMES_H
#define TOLL_FORMAT_PPROF_NAMES_H

#include "format/pprof_read.h"

/* A name and its place as the file gives them; strings are ids in reader->text. */
typedef struct pprof_given {
    uint32_t name, file, line, kind;
} pprof_given;

/* The name found for a function; its kind is that of the last location that names it. */
typedef struct pprof_found {
    pprof_given given;
    uint32_t id_plus_1; /* 1 + id in pprof_names.given; 0: not searched yet */
} pprof_found;

typedef struct pprof_names {
    pprof_reader *reader;
    pprof_found *found; /* by function; NULL: there are no functions */
    toll_strtab given;  /* names with their places, as bytes */
    uint32_t *function; /* by id in `given`: its function, or a mark if it has several */
    size_t capacity;
    toll_buffer demangled, text;
    uint64_t numbered; /* number of frames named NAME#ID */
} pprof_names;

/* False: no memory. Free it in either case. */
bool toll_pprof_names_init(pprof_names *names, pprof_reader *reader);
void toll_pprof_names_free(pprof_names *names);

/* First call this for each function and kind that a location has. */
bool toll_pprof_names_add(pprof_names *names, uint32_t function, int kind);

/* Then get the frame of each. Its strings are valid until the next call. False: the file has an
 * impossible string or line, or no memory. */
bool toll_pprof_names_frame(pprof_names *names, uint32_t function, int kind, toll_frame *frame);

#endif
