/* debug_data.h - declares the parts of a toll_debug. For src/debug only. */
#ifndef TOLL_DEBUG_DEBUG_DATA_H
#define TOLL_DEBUG_DEBUG_DATA_H

#include "base/buffer.h"
#include "debug/address_map.h"
#include "debug/dwarf_read.h"
#include "debug/source_texts.h"

#include <toll/debug.h>

struct toll_debug {
    toll_mem mem;
    toll_buffer path, build_id, remark; /* each with a NUL after it */
    toll_buffer source_map;             /* the path of the one that was read, with a NUL after it */
    toll_source_texts texts;            /* that are in it */
    toll_address_map map;
    toll_buffer module;  /* of a module: TOLL_CODE_FILE_HEAD bytes, then its bytes; else empty */
    toll_buffer program; /* the same of a BPF or SBF file */
    bool has_functions;
    toll_dwarf_parts parts; /* the parts that were read */
};

/* Like toll_debug_open, from an input, with files of split DWARF from a given source. For tests,
 * whose programs name no other files. */
toll_status toll_debug_read_split(const toll_allocator *allocator, toll_input *in,
                                  const toll_split_source *split, toll_debug **out,
                                  toll_error *err);

/* For programs without known functions (source map, split DWARF): the file of the first line in the
 * code of the function around `address`; "" if there is none. */
const char *toll_debug_file_by_lines(const toll_debug *debug, uint64_t address);

#endif
