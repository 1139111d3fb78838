/* run_labels.c - sets the labels of toll run: those of the variable TOLL_LABELS, except for keys
 * that --label sets, and those of --label. The profiled process reads all of them from the
 * variable. */
#include "base/buffer.h"
#include "base/fail.h"
#include "profile/label_list.h"
#include "run.h"

#include <stdlib.h>

int toll_run_set_labels(const toll_settings *s)
{
    const char *own = getenv("TOLL_LABELS"), *set = s->format.labels ? s->format.labels : "";
    const toll_mem mem = toll_mem_from(NULL);
    toll_error err = { TOLL_OK, "" };
    toll_buffer lines;
    if (!(own && *own) && !*set)
        return -1;
    toll_buffer_init(&lines, &mem);
    toll_status status = toll_label_lists_join(own ? own : "", set, &lines, &err);
    if (!status && setenv("TOLL_LABELS", (const char *)lines.data, 1))
        status = toll_fail_nomem(&err);
    toll_buffer_free(&lines);
    if (!status)
        return -1;
    return status == TOLL_E_ARGUMENT
               ? toll_complain(TOLL_EXIT_USAGE, "run: --label, TOLL_LABELS: %s", err.text)
               : toll_complain(TOLL_EXIT_BAD_INPUT, "%s", err.text);
}
