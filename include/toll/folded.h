/* folded.h - what the reader of "folded", folded stacks, can be told. The struct is handed to it as
 * options of "folded": see toll_reader_options in format.h.
 *
 * A file of folded stacks says neither what its numbers are nor in which unit.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_FOLDED_OPTIONS_H
#define TOLL_FOLDED_OPTIONS_H

#include <stddef.h>

typedef struct toll_folded_options {
    size_t size; /* sizeof(toll_folded_options), as for all options: see toll.h */
    /* What its numbers are: "gas"; NULL: "samples". Of a file with two numbers a line (before and
     * after) the columns keep these names. */
    const char *value;
    const char *unit; /* NULL: "count" */
} toll_folded_options;

#define TOLL_FOLDED_OPTIONS_INIT TOLL_SIZED_INIT(toll_folded_options)

#endif
