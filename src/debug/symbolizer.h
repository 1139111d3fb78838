/* symbolizer.h - the state of toll_profile_symbolize. symbolize.c goes over the profile's nodes,
 * symbolize_frames.c makes frames of debug information, symbolize_stretches.c reads the
 * instructions of stretches, symbolize_again.c finds the lines that were made of stretches
 * before. For src/debug only. */
#ifndef TOLL_DEBUG_SYMBOLIZER_H
#define TOLL_DEBUG_SYMBOLIZER_H

#include "base/fail.h"
#include "base/u64map.h"
#include "debug/debug_data.h"
#include "wasm/stretches.h"

/* A stretch that the profile has executions of. */
typedef struct toll_symbolizer_stretch {
    uint64_t address;
    size_t file;
    toll_frame_id frame; /* that has its address */
    size_t first, count; /* its instructions, in `steps`; none: there is no such stretch */
} toll_symbolizer_stretch;

/* The lines of one function that were made of stretches before, below one node, with what is
 * inlined in them. The stretches are known, as they were kept. */
typedef struct toll_symbolizer_lines {
    int64_t ticks;     /* of the lines */
    int64_t stretches; /* the same by the stretches and the costs of their instructions */
    bool fits;         /* both are known, and no sum has overflowed */
} toll_symbolizer_lines;

typedef struct toll_symbolizer {
    toll_mem mem;
    const toll_profile *in;
    toll_profile *out;
    const toll_debug *const *debugs;
    size_t debug_count;
    const toll_wasm_costs *costs;
    bool inlines, skip_line_zero;
    bool wants_again; /* lines that were made of stretches before are to be made again */
    toll_error *err;
    uint32_t executions;      /* the column, or TOLL_NONE */
    uint32_t blocks;          /* the column for executions of stretches, or TOLL_NONE */
    uint32_t kept_blocks;     /* the same in `in` */
    size_t *files;            /* by frame: its debug file; SIZE_MAX: none */
    toll_node_id *nodes;      /* by node: the one in `out` */
    toll_debug_place *places; /* of an address */
    size_t place_capacity;
    toll_symbolizer_stretch *stretches; /* by file and address */
    size_t stretch_count, stretch_capacity;
    uint32_t *stretch_of;  /* by frame: in `stretches`; TOLL_NONE: none */
    toll_wasm_step *steps; /* of all stretches */
    size_t step_count, step_capacity;
    toll_symbolizer_lines *lines; /* that are made again, if their ticks are equal */
    size_t line_count, line_capacity;
    uint32_t *lines_of;      /* by node: in `lines`; TOLL_NONE: in none. NULL: there are none */
    uint8_t *is_needed;      /* by node: for what is not in `lines` */
    toll_u64map lines_index; /* parent and function -> in `lines` */
    uint32_t line_ticks;     /* the column of the ticks of lines, or TOLL_NONE */
    bool makes_all_again;    /* there is no line but those */
    bool has_inlined;        /* `in` has frames of inlined functions */
    uint64_t unknown, lineless, undivided, inlined_callers; /* what notes will count, */
    uint64_t skipped; /* and the ticks of instructions charged to the line before them */
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

/* Does an instruction have no line of its own? Where nothing is known of it that is not said. */
toll_status toll_symbolizer_lacks_line(toll_symbolizer *s, const toll_debug *debug,
                                       uint64_t address, bool *out);

/* symbolize_stretches.c */

/* Are there stretches in the code of a file? Its lines must be known, too. */
bool toll_symbolizer_has_stretches(const toll_symbolizer *s, size_t file);

/* Does the node itself have executions? */
bool toll_symbolizer_has_run(const toll_symbolizer *s, toll_node_id node);

/* The executions of a stretch whose lines were made before. 0: it is no such stretch. */
int64_t toll_symbolizer_kept(const toll_symbolizer *s, toll_node_id node);

/* Read the instructions of all stretches that ran. */
toll_status toll_symbolizer_read_stretches(toll_symbolizer *s);

/* Those of the stretch of a node that has run. */
const toll_wasm_step *toll_symbolizer_stretch_of(const toll_symbolizer *s, toll_node_id node,
                                                 size_t *count);
void toll_symbolizer_free_stretches(toll_symbolizer *s);

/* symbolize_again.c */

/* Find the lines that were made of stretches before. After toll_symbolizer_read_stretches. */
toll_status toll_symbolizer_find_lines(toll_symbolizer *s);

/* Is the node one of them, or one of their stretches, and are they made again? Only if their ticks
 * are those of the stretches. */
bool toll_symbolizer_is_made_again(const toll_symbolizer *s, toll_node_id node);

/* Of how many functions the lines are not made again since their ticks are others. */
uint64_t toll_symbolizer_count_unequal(const toll_symbolizer *s);

void toll_symbolizer_free_lines(toll_symbolizer *s);

#endif
