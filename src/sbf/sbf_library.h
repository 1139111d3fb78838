/* sbf_library.h - names functions of Rust's libraries in stripped programs, by their code.
 *
 * A function of a library has the same code in every program that was compiled by the same tools,
 * apart from what depends on its place: where jumps and calls lead, and addresses of data. The
 * rest, its shape, is hashed: for each instruction the opcode and the registers; the offset, if it
 * does not jump; and the constant, if it is no call and no 64-bit one. The hash is FNV-1a of 64
 * bits. */
#ifndef TOLL_SBF_SBF_LIBRARY_H
#define TOLL_SBF_SBF_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct toll_sbf_library_shape {
    uint64_t hash;
    uint32_t size; /* instructions */
    const char *name;
} toll_sbf_library_shape;

/* Sorted by hash, then size (library_shapes.c). */
extern const toll_sbf_library_shape toll_sbf_library_shapes[];
extern const size_t toll_sbf_library_shape_count;

/* The name, not mangled, of the function that begins at slot `pc` of a program's text; NULL: it has
 * no shape that is known. If several shapes fit, the longest is it. Cost: O(size of the function)
 * and no more than the longest shape. Any thread. */
const char *toll_sbf_library_name(const uint8_t *text, size_t text_size, uint64_t pc);

#endif
