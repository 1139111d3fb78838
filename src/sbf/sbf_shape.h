/* sbf_shape.h - names for the functions of a stripped program, from another build of it that has
 * names: of the functions that have the same code in both. */
#ifndef TOLL_SBF_SBF_SHAPE_H
#define TOLL_SBF_SBF_SHAPE_H

#include "sbf/sbf_elf.h"

typedef struct toll_sbf_shapes {
    size_t functions; /* of the build */
    size_t found;     /* of these, how many the program has */
} toll_sbf_shapes;

/* Add a symbol (TOLL_SBF_BY_SHAPE) to those of the program for each function of the build whose
 * code is the program's at exactly one place, and that no other function of the build has, apart
 * from what a linker writes into code: the targets of calls, and addresses. False: no memory; the
 * program's symbols are then as they were, or have some more. Cost: n log n of both. */
bool toll_sbf_shapes_add(toll_sbf_symbols *program, const toll_sbf_symbols *build,
                         toll_sbf_shapes *out);

#endif
