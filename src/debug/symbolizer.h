/* symbolizer.h - the state of toll_profile_symbolize: symbolize.c goes over the profile's nodes,
 * symbolize_frames.c makes frames of debug information. For src/debug only. */
#ifndef TOLL_DEBUG_SYMBOLIZER_H
#define TOLL_DEBUG_SYMBOLIZER_H

#include "base/fail.h"
#include "debug/debug_data.h"
#include "wasm/stretches.h"

/* The instructions of a module; made when they are first wanted. Those of the function that was
 * wanted last are kept: a profile has a function's stretches together, thousands of some. */
typedef struct toll_symbolizer_code {
    toll_wasm_module module;
    toll_wasm_stretches *stretches;
    bool is_open;
    uint32_t function; /* UINT32_MAX: none */
    const toll_wasm_step *steps;
    size_t step_count;
} toll_symbolizer_code;

typedef struct toll_symbolizer {
    toll_mem mem;
    const toll_profile *in;
    toll_profile *out;
    const toll_debug *const *debugs;
    size_t debug_count;
    const toll_wasm_costs *costs;
    bool inlines;
    toll_error *err;
    toll_symbolizer_code *codes; /* by debug file */
    uint32_t executions;         /* the column, or TOLL_NONE */
    uint32_t blocks;             /* the column for executions of stretches, or TOLL_NONE */
    size_t *files;               /* by frame: its debug file; SIZE_MAX: none */
    toll_node_id *nodes;         /* by node: the one in `out` */
    toll_debug_place *places;    /* of an address */
    size_t place_capacity;
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

#endif
