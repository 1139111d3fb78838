/* run_labels.c - the labels of toll run: those of the variable TOLL_LABELS, but for keys that
 * --label sets, and those of --label. The process that is profiled finds all of them in the
 * variable. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Is there a line of `set` with the key of that piece? */
static bool is_set(const char *set, const char *piece, size_t size)
{
    const char *equals = memchr(piece, '=', size);
    for (const char *line = set; equals && *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, piece, (size_t)(equals - piece) + 1) == 0)
            return true;
    return false;
}

/* Put the pieces of the variable's text whose keys are not set. Returns the end of what was put. */
static char *put_others(char *text, const char *own, const char *set)
{
    const char *ends = strchr(own, '\n') ? "\n" : ",";
    for (const char *piece = own; *piece;) {
        piece += strspn(piece, " \t\r");
        size_t size = strcspn(piece, ends);
        if (size && !is_set(set, piece, size)) {
            memcpy(text, piece, size);
            text += size;
            *text++ = '\n';
        }
        piece += size + (piece[size] != 0);
    }
    return text;
}

int toll_run_set_labels(const toll_settings *s)
{
    const char *own = getenv("TOLL_LABELS"), *set = s->format.labels ? s->format.labels : "";
    toll_error err = { TOLL_OK, "" };
    own = own ? own : "";
    if (!*own && !*set)
        return -1;
    char *text = calloc(2 * strlen(own) + strlen(set) + 2, 1);
    bool good = text != NULL;
    if (good) {
        strcpy(put_others(text, own, set), set);
        good = setenv("TOLL_LABELS", text, 1) == 0;
    }
    if (!good)
        err = (toll_error){ TOLL_E_NOMEM, "out of memory" };
    else
        toll_labels_check(text, &err);
    free(text);
    if (!err.status)
        return -1;
    return err.status == TOLL_E_ARGUMENT
               ? toll_complain(TOLL_EXIT_USAGE, "run: --label, TOLL_LABELS: %s", err.text)
               : toll_complain(TOLL_EXIT_BAD_INPUT, "%s", err.text);
}
