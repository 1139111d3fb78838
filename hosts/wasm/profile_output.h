/* profile_output.h - what comes out of a recording: profiles, the same since a mark, reports; and
 * profiles that are added up without a recording. Owns the mark, the sum, and how these are
 * written. */
#ifndef TOLL_HOSTS_WASM_PROFILE_OUTPUT_H
#define TOLL_HOSTS_WASM_PROFILE_OUTPUT_H

/* The labels of all that is written; NULL: none. */
const char *host_labels(void);

#endif
