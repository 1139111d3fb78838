/* sized_options.h - the structs of options that callers hand to public functions.
 *
 * The first field of each is its size in bytes as the caller's compiler saw it, so that a struct
 * can grow without a new binary interface: programs that were built before a field existed get its
 * default, which is 0.
 *
 * A new field is the last one, and begins at or after the end of the struct as it was. So that none
 * ever lies in what was padding, whose bytes callers do not set, no such struct has padding at its
 * end: tests/unit/test_options.c holds each of them to that. */
#ifndef TOLL_BASE_SIZED_OPTIONS_H
#define TOLL_BASE_SIZED_OPTIONS_H

#include <stddef.h>
#include <toll/error.h>

/* Copy the caller's options into `own`, a struct of own_size bytes.
 *   given  the caller's struct; NULL: all fields are 0
 *   type   its name, for messages
 * Fields beyond the caller's size are 0. A caller's struct may be larger than `own` if what lies
 * beyond is 0. own->size is own_size afterwards.
 * Errors: TOLL_E_ARGUMENT (no size, or fields that this version does not know are set). */
toll_status toll_options_copy(void *own, size_t own_size, const void *given, const char *type,
                              toll_error *err);

#endif
