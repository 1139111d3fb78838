/* view.h - toll view as a function, which toll run --view uses as well. */
#ifndef TOLL_CLI_VIEW_H
#define TOLL_CLI_VIEW_H

#include "options.h"

#include <stdio.h>

/* Write the page of paths[0], or of its comparison with paths[1], to settings->output. If that is
 * NULL, write a temporary file, print its path to `place`, and open it in the browser. If paths[0]
 * has no timeline, that of settings->timeline is used, unless it is NULL. Returns an exit
 * status. */
int toll_view(toll_settings *settings, int count, char **paths, FILE *place);

/* Open an existing page; print a message if that is not possible. */
void toll_view_open(const toll_settings *settings, const char *path);

#endif
