/* view.h - toll view, for toll run --view as well. */
#ifndef TOLL_CLI_VIEW_H
#define TOLL_CLI_VIEW_H

#include "options.h"

#include <stdio.h>

/* Write the page of paths[0], or of it beside paths[1], to settings->output; if that is NULL, to a
 * temporary file: then print to `place` where that is, and open it in the browser. If paths[0] has
 * no order in time, it is that of settings->timeline, unless that is NULL. An exit status. */
int toll_view(toll_settings *settings, int count, char **paths, FILE *place);

/* Open a page that is there, and say so if that is not possible. */
void toll_view_open(const toll_settings *settings, const char *path);

#endif
