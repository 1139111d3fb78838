/* server_limits.c - see server_limits.h. This is the table of the limits.
 *
 * Pyroscope: pkg/validation/limits.go, pkg/validation/validate.go, pkg/distributor/distributor.go
 * and pkg/pprof/pprof.go of github.com/grafana/pyroscope at the tag v2.2.0. The server adds four
 * labels to a series: __name__, __delta__, pyroscope_spy, service_name. So 26 of its 30 labels
 * remain for a stack, which is less than the 100 labels that a stack may have.
 *
 * Parca: pkg/debuginfo/client.go (the largest message, which pkg/server/server.go sets for
 * profiles, too), pkg/profilestore/profilecolumnstore.go (a type of profiles must be a selector of
 * Prometheus, NAME:TYPE:UNIT:PERIOD TYPE:PERIOD UNIT) and pkg/normalizer/normalizer.go (labels) of
 * github.com/parca-dev/parca at the tag v0.28.0. It limits neither the number nor the depth of
 * stacks, nor the age of a profile; values may be negative. */
#include "gates/server_limits.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

#define PYROSCOPE "pyroscope", "2.2.0"
#define PARCA "parca", "0.28.0"
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
    { PARCA, TOLL_MEASURE_SIZE, 64 << 20, "bytes of pprof, uncompressed",
      "the profile is refused, unless it is compressed to less", NULL },
    { PARCA, TOLL_MEASURE_NO_METRICS, 0,
      "types and units with other characters than A-Za-z0-9_:", REFUSED, NULL },
    { PARCA, TOLL_MEASURE_NO_NAMES, 0, "labels of a stack with other characters than A-Za-z0-9_",
      "in their names these characters become _, without an error", NULL },
    { PARCA, TOLL_MEASURE_REPEATED, 0, "labels of a stack with the name of an earlier one",
      "only the first value is kept, without an error", NULL },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The names of all servers, joined by commas. */
static void list_servers(char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < ROWS && used < size; i++)
        if (i == 0 || strcmp(rows[i].server, rows[i - 1].server) != 0)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", rows[i].server);
}

const toll_server_limit *toll_server_limits(const char *server, size_t *count, toll_error *err)
{
    const toll_server_limit *first = NULL;
    *count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].server, server) == 0) {
            first = first ? first : &rows[i];
            ++*count;
        }
    if (!first) {
        char servers[80];
        list_servers(servers, sizeof servers);
        toll_fail(err, TOLL_E_NOT_FOUND,
                  "no limits of a server '%s' are known; there are those of %s", server, servers);
    }
    return first;
}
