/* fail.h - reports a failure: fills the caller's toll_error and returns its status.
 *
 *     if (size > left)
 *         return toll_fail(err, TOLL_E_SYNTAX, "%s: ...; fetch the file again", name);
 *
 * Messages have three parts: where, what is wrong, what to do. */
#ifndef TOLL_BASE_FAIL_H
#define TOLL_BASE_FAIL_H

#include <stdbool.h>
#include <toll/error.h>

/* Set *err (which may be NULL) and return `status`. Text that does not fit is cut. */
toll_status toll_fail(toll_error *err, toll_status status, const char *format, ...)
    TOLL_PRINTF(3, 4);

/* Report that an argument is NULL and must not be. Returns TOLL_E_ARGUMENT. */
toll_status toll_fail_null(toll_error *err, const char *argument);

/* Report "not enough memory ...". The text needs no memory. */
toll_status toll_fail_nomem(toll_error *err);

/* The first failure of a reader or decoder. It is part of the reader's state; every function of the
 * reader returns false once there is one, so that steps are joined by &&:
 *
 *     return read_head(r) && read_body(r) &&
 *            toll_ok(&r->failure, toll_profile_add_note(p, text, count, r->failure.err));
 *
 * Zeroed except for `err`: nothing has failed. */
typedef struct toll_failure {
    toll_error *err; /* the caller's, for the first failure; NULL if the caller wants none, or after
                      * the first failure */
    toll_status status;
} toll_failure;

/* Keep `status` if it is the first failure. True as long as nothing has failed. */
bool toll_ok(toll_failure *failure, toll_status status);

/* Fail because memory ran out. Always false. */
bool toll_no_memory(toll_failure *failure);

#endif
