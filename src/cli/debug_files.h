/* debug_files.h - the files of --debug: opens them, and gives a profile names and lines by them. */
#ifndef TOLL_CLI_DEBUG_FILES_H
#define TOLL_CLI_DEBUG_FILES_H

#include "job.h"

/* Replace *profile by one with the debug information of the settings' files; of a folder those
 * count that the profile is of; and of those of --elf, with lines. Nothing without these. Returns
 * an exit status, after a message if it failed. */
int toll_debug_files_apply(toll_job *job, toll_profile **profile);

#endif
