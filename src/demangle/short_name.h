/* short_name.h - shortens names of C++ and Rust functions so that they fit into tables.
 *
 * "std::__2::vector<int, std::__2::allocator<int> >::push_back[abi:v15006](int&&)" is
 * "std::vector<...>::push_back(...)". Inline namespaces of standard libraries (std::__2,
 * std::__cxx11) and ABI tags are omitted. Template arguments and parameter lists are folded. Names
 * of operators, (anonymous namespace), lambdas and Rust's "<T as Trait>::method" stay readable. A
 * name without "::" and without "<" is not shortened. A bracket without a partner is not
 * changed. */
#ifndef TOLL_DEMANGLE_SHORT_NAME_H
#define TOLL_DEMANGLE_SHORT_NAME_H

#include "base/buffer.h"

/* How much of a name is shown; zeroed: as little as possible. */
typedef struct toll_name_view {
    const uint8_t *shown; /* for each byte of the name: not 0 if the part that this bracket opens is
                           * shown. NULL: no part is */
    bool scopes;          /* show inline namespaces and ABI tags */
} toll_name_view;

/* A part of a name that is folded, from the bracket that opens it to the one that closes it. */
typedef struct toll_name_part {
    uint32_t at, size;
} toll_name_part;

/* Append the short form of a name. It is valid UTF-8 if the name is, and never longer than the
 * name. The parts that are folded are appended to `folded` (may be NULL) as toll_name_part, from
 * left to right. `room` is emptied and used for brackets. O(length). False: no memory. */
bool toll_append_short_name(toll_buffer *out, const char *name, const toll_name_view *view,
                            toll_buffer *folded, toll_buffer *room);

#endif
