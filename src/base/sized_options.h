/* sized_options.h - copies and checks the structs of options that callers pass to public functions.
 *
 * The first field of each struct is its size in bytes when the caller was compiled. So a struct can
 * grow without a new binary interface: programs that were built before a field existed get its
 * default, which is 0.
 *
 * A new field is the last one, and begins at or after the old end of the struct. No such struct may
 * have padding at its end: otherwise a new field could be in the former padding, which callers do
 * not set. tests/unit/test_options.c checks each struct. */
#ifndef TOLL_BASE_SIZED_OPTIONS_H
#define TOLL_BASE_SIZED_OPTIONS_H

#include <stddef.h>
#include <toll/error.h>

/* Copy the caller's options into `own`, a struct of own_size bytes.
 *   given  the caller's struct; NULL: all fields are 0
 *   type   its name, for messages
 * Fields beyond the caller's size are 0. A caller's struct may be larger than `own` if the rest of
 * it is 0. own->size is own_size afterwards. Errors: TOLL_E_ARGUMENT (no size, or fields that this
 * version does not know are set). */
toll_status toll_options_copy(void *own, size_t own_size, const void *given, const char *type,
                              toll_error *err);

#endif
