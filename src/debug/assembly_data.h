/* assembly_data.h - declares the state of a toll_assembly: assembly_cells.c finds the cost of each
 * instruction, assembly.c lists those of a function. For src/debug only.
 *
 * A profile has executions by address. For a module, they are executions of stretches: each of its
 * instructions ran that often. For a Solana program, they are executions of instructions, with
 * their costs. From these a list of cells is made, one for each instruction, by function, line and
 * address. */
#ifndef TOLL_DEBUG_ASSEMBLY_DATA_H
#define TOLL_DEBUG_ASSEMBLY_DATA_H

#include "debug/assembly_code.h"
#include "debug/symbolizer.h"

/* An instruction. */
typedef struct toll_assembly_cell {
    uint32_t function; /* in `functions` */
    uint32_t file, line;
    const char *at_file; /* the line's file, if it differs from the function's; else "" */
    uint64_t address;
    int64_t self, executions;
} toll_assembly_cell;

/* The profile's values at an address, summed over all stacks. */
typedef struct toll_assembly_count {
    toll_frame_id frame;
    uint32_t file;
    uint64_t address;
    int64_t self, executions;
} toll_assembly_count;

struct toll_assembly {
    toll_symbolizer s; /* maps frames to files; its profile is the given one */
    bool inlines;
    toll_assembly_code *codes; /* by file */
    toll_profile *functions;   /* a profile whose frames are the functions of cells */
    char *type;                /* the value that the cells are for; NULL if there are none yet */
    toll_assembly_cell *cells;
    size_t cell_count, cell_capacity;
    toll_assembly_count *counts;
    size_t count_count, count_capacity;
    toll_instruction *list;
    size_t list_capacity;
    toll_buffer texts;
};

/* Does this frame have an address in a program? */
bool toll_assembly_is_counted(const toll_assembly *assembly, toll_frame_id frame);

/* Make the cells again, with costs in that value. */
toll_status toll_assembly_make_cells(toll_assembly *assembly, toll_value_type value);

#endif
