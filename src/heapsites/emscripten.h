/* emscripten.h - reads the data of Emscripten's heap profiler, which a page saves by
 * JSON.stringify(emscriptenMemoryProfiler): the format "emscripten". */
#ifndef TOLL_HEAPSITES_EMSCRIPTEN_H
#define TOLL_HEAPSITES_EMSCRIPTEN_H

#include "format/format_row.h"

toll_sniff toll_emscripten_sniff(const uint8_t *data, size_t size);
toll_status toll_emscripten_read(toll_read_job *job, toll_error *err);

#endif
