/* timeline_part.h - writes a timeline, or the part of it that was chosen: one level of a kernel's
 * run. See timeline_part in toll/embedder.h. */
#ifndef TOLL_HOSTS_WASM_TIMELINE_PART_H
#define TOLL_HOSTS_WASM_TIMELINE_PART_H

#include <toll/toll.h>

/* Write the chosen part of the recording's timeline, or `profile` if it has none. */
toll_status host_write_part(const toll_profile *profile, const char *format,
                            const toll_format_options *options, toll_output *out);

#endif
