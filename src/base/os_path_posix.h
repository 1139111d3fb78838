/* os_path_posix.h - what the files of POSIX systems share: the description of a file. Empty
 * elsewhere. */
#ifndef TOLL_BASE_OS_PATH_POSIX_H
#define TOLL_BASE_OS_PATH_POSIX_H

#ifndef _WIN32

#include "base/os.h"

#include <sys/stat.h>

void toll_os_describe(const struct stat *st, toll_os_info *info);

#endif

#endif
