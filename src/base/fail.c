/* fail.c - see fail.h. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

toll_status toll_fail(toll_error *err, toll_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

toll_status toll_fail_null(toll_error *err, const char *argument)
{
    return toll_fail(err, TOLL_E_ARGUMENT, "the argument '%s' must not be NULL", argument);
}

toll_status toll_fail_nomem(toll_error *err)
{
    return toll_fail(err, TOLL_E_NOMEM,
                     "out of memory; raise --max-memory or close other programs");
}

bool toll_ok(toll_failure *failure, toll_status status)
{
    if (status && !failure->status) {
        failure->status = status;
        failure->err = NULL; /* a later failure must not overwrite the text of the first */
    }
    return !failure->status;
}

bool toll_no_memory(toll_failure *failure)
{
    return toll_ok(failure, toll_fail_nomem(failure->err));
}

const char *toll_status_name(toll_status status)
{
    switch (status) {
    case TOLL_OK: return "TOLL_OK";
    case TOLL_E_NOMEM: return "TOLL_E_NOMEM";
    case TOLL_E_LIMIT: return "TOLL_E_LIMIT";
    case TOLL_E_OVERFLOW: return "TOLL_E_OVERFLOW";
    case TOLL_E_ARGUMENT: return "TOLL_E_ARGUMENT";
    case TOLL_E_STATE: return "TOLL_E_STATE";
    case TOLL_E_NOT_FOUND: return "TOLL_E_NOT_FOUND";
    case TOLL_E_IO: return "TOLL_E_IO";
    case TOLL_E_UNKNOWN_FORMAT: return "TOLL_E_UNKNOWN_FORMAT";
    case TOLL_E_UNSUPPORTED: return "TOLL_E_UNSUPPORTED";
    case TOLL_E_SYNTAX: return "TOLL_E_SYNTAX";
    case TOLL_E_TRUNCATED: return "TOLL_E_TRUNCATED";
    case TOLL_E_INVARIANT: return "TOLL_E_INVARIANT";
    }
    return "TOLL_E_(unknown)";
}
