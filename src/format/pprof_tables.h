/* pprof_tables.h - the tables of locations, functions and mappings of a pprof file being written.
 *
 * A location is a frame, or an inlined function with the frames around it up to the function whose
 * code it was put into. Each gets its id when the first sample names it, and functions and mappings
 * likewise, so that the bytes follow from what the profile holds. */
#ifndef TOLL_FORMAT_PPROF_TABLES_H
#define TOLL_FORMAT_PPROF_TABLES_H

#include "base/id_index.h"
#include "base/u64map.h"
#include "format/pprof.h"
#include "profile/order.h"

/* Locations are numbered from 0 here; their ids in the file are one higher. */
typedef struct pprof_met_location {
    toll_frame_id frame; /* TOLL_NONE: what is outside of any */
    uint32_t outer;      /* the location of the frame around an inlined one; TOLL_NONE: none */
    uint32_t function;
    uint32_t mapping; /* its id; 0: none */
} pprof_met_location;

typedef struct pprof_met_mapping {
    const char *file, *build_id;
    bool lines, addresses; /* lines, or addresses, of its locations are places */
} pprof_met_mapping;

/* A function, or what of it is in another file. */
typedef struct pprof_met_function {
    toll_frame_id first; /* its first frame; TOLL_NONE: outside */
    uint32_t part_of; /* the function, if this is what is in `file`; TOLL_NONE: it is one itself */
    const char *file;
} pprof_met_function;

typedef struct pprof_tables {
    const toll_order *order;
    toll_mem mem;
    bool inlined;         /* there are inlined functions */
    uint32_t *by_frame;   /* the location of a frame that has no outer one; TOLL_NONE: none yet */
    uint32_t outside;     /* the location of what is outside of any frame */
    toll_u64map by_outer; /* outer location, frame -> location of an inlined function */
    pprof_met_location *locations;
    size_t location_count, location_capacity;
    uint32_t
        *function_of; /* by rank of a function's first frame: its number, TOLL_NONE: none yet */
    pprof_met_function *functions;
    size_t function_count, function_capacity;
    toll_u64map file_ids;        /* address of a file's name -> its number */
    toll_u64map parts;           /* function, file -> function that is what is in that file */
    pprof_met_mapping *mappings; /* their ids are one higher */
    size_t mapping_count, mapping_capacity;
    toll_id_index mapping_index; /* by all that a mapping says */
} pprof_tables;

/* pprof_tables_free is due also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_pprof_tables_create(pprof_tables *tables, const toll_order *order,
                                     toll_error *err);
void toll_pprof_tables_free(pprof_tables *tables);

/* The location of a frame (TOLL_NONE: outside) that is called, or inlined, by the one of location
 * `caller` (TOLL_NONE: none). TOLL_NONE: no memory. */
uint32_t toll_pprof_location_of(pprof_tables *tables, uint32_t caller, toll_frame_id frame);

/* The frame of a location, or of a function. */
toll_frame toll_pprof_met_frame(const pprof_tables *tables, toll_frame_id frame);

#endif
