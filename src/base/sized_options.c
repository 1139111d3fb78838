/* sized_options.c - see sized_options.h. */
#include "base/sized_options.h"

#include "base/fail.h"

#include <stdint.h>
#include <string.h>
#include <toll/version.h>

enum { MOST_BYTES = 4096 }; /* a larger size was never set: it is uninitialised memory */

static toll_status check_size(size_t size, const char *type, toll_error *err)
{
    if (size >= sizeof size && size <= MOST_BYTES)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "%s.size is %zu; set it to sizeof(%s), and the fields you do not use to 0",
                     type, size, type);
}

static toll_status check_rest(const uint8_t *bytes, size_t from, size_t to, const char *type,
                              toll_error *err)
{
    for (size_t i = from; i < to; i++)
        if (bytes[i])
            return toll_fail(err, TOLL_E_ARGUMENT,
                             "%s: a field at byte %zu is set, which libtoll %s does not have; load "
                             "the libtoll of the headers, or leave the field 0",
                             type, i, TOLL_VERSION_STRING);
    return TOLL_OK;
}

toll_status toll_options_copy(void *own, size_t own_size, const void *given, const char *type,
                              toll_error *err)
{
    size_t size = own_size;
    memset(own, 0, own_size);
    if (given) {
        memcpy(&size, given, sizeof size);
        toll_status status = check_size(size, type, err);
        if (!status)
            status = check_rest(given, own_size, size, type, err);
        if (status)
            return status;
        memcpy(own, given, size < own_size ? size : own_size);
    }
    memcpy(own, &own_size, sizeof own_size);
    return TOLL_OK;
}
