/* guest_options.h - the settings that are for one format alone, a guest's or folded stacks, as its
 * reader takes them. */
#ifndef TOLL_CLI_GUEST_OPTIONS_H
#define TOLL_CLI_GUEST_OPTIONS_H

#include "options.h"

/* Complete the settings' options of single formats, and list them in settings->readers, which they
 * must not outlive. Returns how many there are: folded stacks', and one for each guest of this
 * build. */
size_t toll_choose_guest_options(toll_settings *settings);

#endif
