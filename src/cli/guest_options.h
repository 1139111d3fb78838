/* guest_options.h - the settings that are for one guest alone, as its reader takes them. */
#ifndef TOLL_CLI_GUEST_OPTIONS_H
#define TOLL_CLI_GUEST_OPTIONS_H

#include "options.h"

/* Complete the settings' options of guests, and list them in settings->readers, which they must not
 * outlive. Returns how many there are: one for each guest of this build. */
size_t toll_choose_guest_options(toll_settings *settings);

#endif
