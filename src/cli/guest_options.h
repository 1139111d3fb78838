/* guest_options.h - passes settings that are for one format only, a guest's or folded stacks, to
 * the reader of that format. */
#ifndef TOLL_CLI_GUEST_OPTIONS_H
#define TOLL_CLI_GUEST_OPTIONS_H

#include "options.h"

/* Complete the settings' options of single formats, and list them in settings->readers, which must
 * not outlive the settings. Returns their number: folded stacks', and one for each guest of this
 * build. */
size_t toll_choose_guest_options(toll_settings *settings);

#endif
