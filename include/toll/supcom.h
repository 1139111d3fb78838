/* supcom.h - options of the reader of "supcom", logs of Supreme Commander. Pass the struct as
 * options of "supcom": see toll_reader_options in format.h.
 *
 * A libtoll built without it (-DTOLL_SUPCOM=OFF) does not have the format.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_SUPCOM_OPTIONS_H
#define TOLL_SUPCOM_OPTIONS_H

#include <stddef.h>

typedef struct toll_supcom_options {
    size_t size; /* sizeof(toll_supcom_options), as for all options: see toll.h */
    /* 1: a callee is directly under its caller, without a frame `CALLER->LINE` for the line of
     * the call between the two. */
    int fold_call_lines;
    int reserved; /* 0 */
} toll_supcom_options;

#define TOLL_SUPCOM_OPTIONS_INIT TOLL_SIZED_INIT(toll_supcom_options)

#endif
