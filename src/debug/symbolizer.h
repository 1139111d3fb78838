/* symbolizer.h - the state of toll_profile_symbolize: symbolize.c goes over the profile's nodes,
 * symbolize_frames.c makes frames of debug information,
 * symbolize_stretches.c reads the instructions of stretches. For src/debug only. */
#ifndef TOLL_DEBUG_SYMBOLIZER_H
#define TOLL_DEBUG_SYMBOLIZER_H

#include "base/fail.h"
#include "debug/debug_data.h"
#include "wasm/stretches.h"

/* A stretch that the profile has executions of. */
typedef struct toll_symbolizer_stretch {
    uint64_t address;
    size_t file;
    toll_frame_id frame; /* that has its address */
    size_t first, count; /* its instructions, in `steps`; none: there is no such stretch */
} toll_symbolizer_stretch;

typedef struct toll_symbolizer {
    toll_mem mem;
    const toll_profile *in;
    toll_profile *out;
    const toll_debug *const *debugs;
    size_t debug_count;
    const toll_wasm_costs *costs;
    bool inlines;
    toll_error *err;
    uint32_t executions;      /* the column, or TOLL_NONE */
    uint32_t blocks;          /* the column for executions of stretches, or TOLL_NONE */
    size_t *files;            /* by frame: its debug file; SIZE_MAX: none */
    toll_node_id *nodes;      /* by node: the one in `out` */
    toll_debug_place *places; /* of an address */
    size_t place_capacity;
    toll_symbolizer_stretch *stretches; /* by file and address */
    size_t stretch_count, stretch_capacity;
    uint32_t *stretch_of;  /* by frame: in `stretches`; TOLL_NONE: none */
    toll_wasm_step *steps; /* of all stretches */
    size_t step_count, step_capacity;
    uint64_t unknown, lineless, undivided; /* what notes will count */
} toll_symbolizer;

/* symbolize_frames.c */

/* For each frame, which file has its debug information. */
toll_status toll_symbolizer_match(toll_symbolizer *s);

/* The frame with what its debug information says of the function. */
toll_frame toll_symbolizer_function(const toll_debug *debug, const toll_frame *frame);

/* Add the function at the line of `address`, and with inlines what was inlined there, below
 * `parent`. *out is the innermost node. */
toll_status toll_symbolizer_add_place(toll_symbolizer *s, const toll_debug *debug,
                                      const toll_frame *frame, uint64_t address,
                                      toll_node_id parent, toll_node_id *out);

/* symbolize_stretches.c */

/* Are there stretches in the code of a file? Its lines must be known, too. */
bool toll_symbolizer_has_stretches(const toll_symbolizer *s, size_t file);

/* Does the node itself have executions? */
bool toll_symbolizer_has_run(const toll_symbolizer *s, toll_node_id node);

/* Read the instructions of all stretches that ran. */
toll_status toll_symbolizer_read_stretches(toll_symbolizer *s);

/* Those of the stretch of a node that has run. */
const toll_wasm_step *toll_symbolizer_stretch_of(const toll_symbolizer *s, toll_node_id node,
                                                 size_t *count);
void toll_symbolizer_free_stretches(toll_symbolizer *s);

#endif
