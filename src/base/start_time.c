/* start_time.c - when a run began, as its profile says it. See toll/profile.h. */
#include "base/fail.h"
#include "base/os.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <toll/profile.h>

enum { A_SECOND = 1000000000 };

toll_status toll_start_time(int64_t *out, toll_error *err)
{
    const char *set = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds;
    if (!out)
        return toll_fail_null(err, "out");
    *out = 0;
    if (!set || !*set) {
        *out = (int64_t)toll_os_real_ns();
        return TOLL_OK;
    }
    if (!toll_text_u64(set, strlen(set), &seconds) || seconds > INT64_MAX / A_SECOND)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "SOURCE_DATE_EPOCH=%.60s: it has to be a whole number of seconds since "
                         "1970, up to %" PRId64 ", such as the output of date +%%s",
                         set, INT64_MAX / A_SECOND);
    *out = (int64_t)seconds * A_SECOND;
    return TOLL_OK;
}
