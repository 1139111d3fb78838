/* debug_beside.h - finds files that debug information names by a path or URL. They are searched
 * only in the program's folder, wherever they were when it was linked. */
#ifndef TOLL_DEBUG_DEBUG_BESIDE_H
#define TOLL_DEBUG_DEBUG_BESIDE_H

#include "base/buffer.h"
#include "debug/dwarf_read.h"

/* Write the path of the file with that name, in the folder of `path`, to `room`. NULL: no
 * memory. */
const char *toll_debug_beside(toll_buffer *room, const char *path, const char *name, size_t size);

/* The files of split DWARF in the folder of the program's file: regular files of bounded size.
 * `path` must stay valid. */
toll_split_source toll_debug_split_beside(const char *path);

#endif
