/* assembly_data.h - the state of a toll_assembly: assembly_cells.c finds what each instruction
 * cost, assembly.c gives those of a function. For src/debug only.
 *
 * A profile has executions by address: of a module those of stretches, each of which is so many of
 * each of its instructions; of a program of Solana those of instructions, with their costs. From
 * these a list of cells is made, an instruction each, by function, line and address. */
#ifndef TOLL_DEBUG_ASSEMBLY_DATA_H
#define TOLL_DEBUG_ASSEMBLY_DATA_H

#include "debug/assembly_code.h"
#include "debug/symbolizer.h"

/* An instruction. */
typedef struct toll_assembly_cell {
    uint32_t function; /* in `functions` */
    uint32_t file, line;
    const char *at_file; /* of the line, where it is another than the function's; else "" */
    uint64_t address;
    int64_t self, executions;
} toll_assembly_cell;

/* What the profile has at an address, over all stacks. */
typedef struct toll_assembly_count {
    toll_frame_id frame;
    uint32_t file;
    uint64_t address;
    int64_t self, executions;
} toll_assembly_count;

struct toll_assembly {
    toll_symbolizer s; /* which files are whose; its profile is the one given */
    bool inlines;
    toll_assembly_code *codes; /* by file */
    toll_profile *functions;   /* its frames: the functions of cells */
    char *type;                /* of the value that the cells are of; NULL: there are none yet */
    toll_assembly_cell *cells;
    size_t cell_count, cell_capacity;
    toll_assembly_count *counts;
    size_t count_count, count_capacity;
    toll_instruction *list;
    size_t list_capacity;
    toll_buffer texts;
};

/* Does the profile have an address of a program at this frame? */
bool toll_assembly_is_counted(const toll_assembly *assembly, toll_frame_id frame);

/* Make the cells anew, with costs of that value. */
toll_status toll_assembly_make_cells(toll_assembly *assembly, toll_value_type value);

#endif
