/* folded.h - options of the reader of "folded", folded stacks. Pass the struct as options of
 * "folded": see toll_reader_options in format.h.
 *
 * A file of folded stacks names neither the type nor the unit of its numbers.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_FOLDED_OPTIONS_H
#define TOLL_FOLDED_OPTIONS_H

#include <stddef.h>

typedef struct toll_folded_options {
    size_t size; /* sizeof(toll_folded_options), as for all options: see toll.h */
    /* The type of its numbers: "gas"; NULL: "samples". In a file with two numbers a line, the
     * columns keep their names: before and after. */
    const char *value;
    const char *unit; /* NULL: "count" */
} toll_folded_options;

#define TOLL_FOLDED_OPTIONS_INIT TOLL_SIZED_INIT(toll_folded_options)

#endif
