/* profile_output.h - writes the profile of a recording, the profile since a mark, reports, and the
 * sum of added profiles.
 *
 * Owns the mark, the sum, and the options for writing them. */
#ifndef TOLL_HOSTS_WASM_PROFILE_OUTPUT_H
#define TOLL_HOSTS_WASM_PROFILE_OUTPUT_H

/* The labels of everything that is written; NULL: none. */
const char *host_labels(void);

#endif
