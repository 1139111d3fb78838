/* short_name.h - names of functions of C++ and Rust as tables have room for them.
 *
 * "std::__2::vector<int, std::__2::allocator<int> >::push_back[abi:v15006](int&&)" is
 * "std::vector<...>::push_back(...)". Inline namespaces of standard libraries (std::__2,
 * std::__cxx11) and tags of the ABI are left out, arguments of templates and lists of parameters
 * are folded. Names of operators, (anonymous namespace), lambdas and Rust's "<T as Trait>::method"
 * stay readable. A name without "::" and without "<" is no such name, and stays as it is; so does
 * what of a name has no partner, such as a bracket that never closes. */
#ifndef TOLL_DEMANGLE_SHORT_NAME_H
#define TOLL_DEMANGLE_SHORT_NAME_H

#include "base/buffer.h"

/* How much of a name is shown; zeroed: as little as can be. */
typedef struct toll_name_view {
    const uint8_t *shown; /* by byte of the name: not 0: what this bracket opens is not folded.
                             NULL: none is */
    bool scopes;          /* with inline namespaces and tags of the ABI */
} toll_name_view;

/* A part of a name that is folded, from the bracket that opens it to the one that closes it. */
typedef struct toll_name_part {
    uint32_t at, size;
} toll_name_part;

/* Append a name in its short form; it is valid UTF-8 if the name is, and never longer. The parts
 * that are folded are appended to `folded` (may be NULL) as toll_name_part, from left to right.
 * `room` is emptied and used for brackets. O(length). False: no memory. */
bool toll_append_short_name(toll_buffer *out, const char *name, const toll_name_view *view,
                            toll_buffer *folded, toll_buffer *room);

#endif
