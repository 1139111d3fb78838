/* attach_collect.h - reads what a process has recorded for toll attach (attach_request.h). Nothing
 * in it is trusted. */
#ifndef TOLL_CLI_ATTACH_COLLECT_H
#define TOLL_CLI_ATTACH_COLLECT_H

#include <stdint.h>
#include <sys/types.h>
#include <toll/profile.h>

/* Add up the profiles in the first `whole` bytes of the memory with the descriptor `from`. `name`
 * is what messages call it. *sum is a new profile, or NULL if there is none, and after a failure.
 * Errors: those of toll_profile_read and toll_profile_merge, and TOLL_E_TRUNCATED. */
toll_status toll_attach_collect(const toll_allocator *allocator, int from, uint64_t whole,
                                const char *name, toll_profile **sum, toll_error *err);

#endif
