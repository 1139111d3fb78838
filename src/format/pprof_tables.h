/* pprof_tables.h - the tables of locations, functions and mappings of a pprof file being written.
 *
 * A location is a frame, or an inlined function with the frames around it up to the function that
 * contains its code. Each gets its id when the first sample names it, and so do functions and
 * mappings. So the bytes depend only on what the profile contains. */
#ifndef TOLL_FORMAT_PPROF_TABLES_H
#define TOLL_FORMAT_PPROF_TABLES_H

#include "base/id_index.h"
#include "base/u64map.h"
#include "format/pprof.h"
#include "profile/order.h"

/* Locations are numbered from 0 here; their ids in the file are one higher. */
typedef struct pprof_met_location {
    toll_frame_id frame; /* TOLL_NONE: outside of any frame */
    uint32_t outer;      /* the location of the frame around an inlined one; TOLL_NONE: none */
    uint32_t function;
    uint32_t mapping; /* its id; 0: none */
} pprof_met_location;

typedef struct pprof_met_mapping {
    const char *file, *build_id;
    bool lines, addresses; /* the lines, or the addresses, of its locations are places */
} pprof_met_mapping;

/* A function, or the part of it that is in another file. */
typedef struct pprof_met_function {
    toll_frame_id first; /* its first frame; TOLL_NONE: outside */
    uint32_t part_of;    /* the function, if this is its part in `file`; TOLL_NONE: this is a
                          * function */
    const char *file;
} pprof_met_function;

typedef struct pprof_tables {
    const toll_order *order;
    toll_mem mem;
    bool inlined;         /* the profile has inlined functions */
    uint32_t *by_frame;   /* the location of a frame that has no outer one; TOLL_NONE: none yet */
    uint32_t outside;     /* the location for what was spent outside of any frame */
    toll_u64map by_outer; /* outer location, frame -> location of an inlined function */
    pprof_met_location *locations;
    size_t location_count, location_capacity;
    uint32_t
        *function_of; /* by rank of a function's first frame: its number, TOLL_NONE: none yet */
    pprof_met_function *functions;
    size_t function_count, function_capacity;
    toll_u64map file_ids;        /* address of a file's name -> its number */
    toll_u64map parts;           /* function, file -> function for the part in that file */
    pprof_met_mapping *mappings; /* the id of a mapping is its index plus 1 */
    size_t mapping_count, mapping_capacity;
    toll_id_index mapping_index; /* mappings, by their content */
} pprof_tables;

/* Call toll_pprof_tables_free also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_pprof_tables_create(pprof_tables *tables, const toll_order *order,
                                     toll_error *err);
void toll_pprof_tables_free(pprof_tables *tables);

/* The location of a frame (TOLL_NONE: outside of any) that the frame of location `caller` calls or
 * inlines (TOLL_NONE: no caller). TOLL_NONE: no memory. */
uint32_t toll_pprof_location_of(pprof_tables *tables, uint32_t caller, toll_frame_id frame);

/* The frame of a location, or of a function. */
toll_frame toll_pprof_met_frame(const pprof_tables *tables, toll_frame_id frame);

#endif
