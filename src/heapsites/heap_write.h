/* heap_write.h - writes heap sites to a file, a piece at a time, so that the page can run in
 * between.
 *
 * speedscope: three sampled profiles: bytes by site, which is shown first; the heap's growth;
 * objects by site. perfview: a sample for each site, in both forms of such a file. sites: JSON with
 * everything known about each site, innermost frame first. pprof: a profile, which the last step
 * writes as a whole. The sites must be sorted. Each file has notes on what was omitted or is not
 * known. */
#ifndef TOLL_HEAPSITES_HEAP_WRITE_H
#define TOLL_HEAPSITES_HEAP_WRITE_H

#include "heapsites/heap_sites.h"

typedef struct toll_heap_writer toll_heap_writer;

/* `sites` must outlive the writer, and not change. Errors: TOLL_E_UNKNOWN_FORMAT, TOLL_E_NOMEM. */
toll_status toll_heap_writer_create(const toll_heap_sites *sites, const char *format,
                                    toll_heap_writer **out, toll_error *err);
void toll_heap_writer_free(toll_heap_writer *writer); /* NULL is fine */

/* Write up to `most` more sites to `out`; *more: call it again. */
toll_status toll_heap_writer_step(toll_heap_writer *writer, size_t most, toll_output *out,
                                  bool *more, toll_error *err);

#endif
