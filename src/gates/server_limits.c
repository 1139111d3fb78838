/* server_limits.c - see server_limits.h. This is the table of the limits.
 *
 * Pyroscope: pkg/validation/limits.go, pkg/validation/validate.go, pkg/distributor/distributor.go
 * and pkg/pprof/pprof.go of github.com/grafana/pyroscope at the tag v2.2.0. The server adds four
 * labels to a series: __name__, __delta__, pyroscope_spy, service_name. So 26 of its 30 labels
 * remain for a stack, which is less than the 100 labels that a stack may have. */
#include "gates/server_limits.h"

#include "base/fail.h"

#include <string.h>

#define PYROSCOPE "pyroscope", "2.2.0"
#define REFUSED "the profile is refused"

static const toll_server_limit rows[] = {
    { PYROSCOPE, TOLL_MEASURE_SIZE, 4 << 20, "bytes of pprof, uncompressed", REFUSED,
      "-validation.max-profile-size-bytes=0" },
    { PYROSCOPE, TOLL_MEASURE_SIZE, 2 << 20, "bytes of pprof in one push", REFUSED,
      "-distributor.ingestion-burst-size-mb=N" },
    { PYROSCOPE, TOLL_MEASURE_STACKS, 16000, "stacks", REFUSED,
      "-validation.max-profile-stacktrace-samples=0" },
    { PYROSCOPE, TOLL_MEASURE_DEPTH, 1000, "frames of a stack",
      "the innermost frames are cut off, without an error",
      "-validation.max-profile-stacktrace-depth=0" },
    { PYROSCOPE, TOLL_MEASURE_NAME, 65535, "bytes of a name",
      "the beginnings of names are cut off, without an error",
      "-validation.max-profile-symbol-value-length=0" },
    { PYROSCOPE, TOLL_MEASURE_NEGATIVE, 0, "negative values of a stack",
      "the stacks are left out, without an error", NULL },
    { PYROSCOPE, TOLL_MEASURE_DASHES, 0, "columns with - in their names", REFUSED, NULL },
    { PYROSCOPE, TOLL_MEASURE_AGE, 3600, "seconds since the profile began", REFUSED,
      "-validation.reject-older-than=0" },
    { PYROSCOPE, TOLL_MEASURE_LABELS, 26, "labels of a stack", REFUSED,
      "-validation.max-label-names-per-series=N" },
    { PYROSCOPE, TOLL_MEASURE_LABEL_NAME, 1024, "bytes of a label's name", REFUSED,
      "-validation.max-length-label-name=N" },
    { PYROSCOPE, TOLL_MEASURE_LABEL_VALUE, 2048, "bytes of a label's value", REFUSED,
      "-validation.max-length-label-value=N" },
};
enum { ROWS = sizeof rows / sizeof *rows };

const toll_server_limit *toll_server_limits(const char *server, size_t *count, toll_error *err)
{
    const toll_server_limit *first = NULL;
    *count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].server, server) == 0) {
            first = first ? first : &rows[i];
            ++*count;
        }
    if (!first)
        toll_fail(err, TOLL_E_NOT_FOUND,
                  "no limits of a server '%s' are known; there are those of %s", server,
                  rows[0].server);
    return first;
}
