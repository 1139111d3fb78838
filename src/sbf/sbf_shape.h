/* sbf_shape.h - names the functions of a stripped program by another build that has names, if
 * both have the same code. */
#ifndef TOLL_SBF_SBF_SHAPE_H
#define TOLL_SBF_SBF_SHAPE_H

#include "sbf/sbf_elf.h"

typedef struct toll_sbf_shapes {
    size_t functions; /* functions of the build */
    size_t found;     /* how many of them the program has */
} toll_sbf_shapes;

/* Add a symbol (TOLL_SBF_BY_SHAPE) to the program for each function of the build whose code is at
 * exactly one place of the program, and that no other function of the build has. What a linker
 * writes into code is ignored: the targets of calls, and addresses. False: no memory; then the
 * program has some of the new symbols or none. Cost: n log n of both. */
bool toll_sbf_shapes_add(toll_sbf_symbols *program, const toll_sbf_symbols *build,
                         toll_sbf_shapes *out);

#endif
