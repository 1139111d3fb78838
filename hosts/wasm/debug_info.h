/* debug_info.h - keeps the debug information of recorded modules (host_debug_info), and adds lines
 * to profiles with it. */
#ifndef TOLL_HOSTS_WASM_DEBUG_INFO_H
#define TOLL_HOSTS_WASM_DEBUG_INFO_H

#include <stdbool.h>
#include <toll/toll.h>

/* Turn the addresses in *profile into lines. *profile may become a new profile. `keeps_blocks`: the
 * format can keep the addresses beside the lines (toll_symbolize_options.blocks). */
toll_status host_symbolize(toll_profile **profile, bool keeps_blocks);

#endif
