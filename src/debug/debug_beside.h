/* debug_beside.h - files beside a program's file that its debug information names by a path or a
 * URL. They are looked for in the program's folder alone, wherever they were when it was linked. */
#ifndef TOLL_DEBUG_DEBUG_BESIDE_H
#define TOLL_DEBUG_DEBUG_BESIDE_H

#include "base/buffer.h"
#include "debug/dwarf_read.h"

/* The path of the file of that name beside the one at `path`, in `room`. NULL: no memory. */
const char *toll_debug_beside(toll_buffer *room, const char *path, const char *name, size_t size);

/* The files of split DWARF beside the program's file at `path`, which is kept: ordinary files of
 * bounded size. */
toll_split_source toll_debug_split_beside(const char *path);

#endif
