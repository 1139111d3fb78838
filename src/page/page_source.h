/* page_source.h - collects the source files that a page contains. For the page's files alone. */
#ifndef TOLL_PAGE_PAGE_SOURCE_H
#define TOLL_PAGE_PAGE_SOURCE_H

#include "report/stack_tree.h"

#include <toll/report.h>

typedef struct toll_page_source {
    toll_output *json;    /* an object: the text of each file by its path; NULL: there are none */
    toll_output *origins; /* an object: where texts are from that are not the file's own */
    uint32_t origin_count;
    toll_page_sources files;
} toll_page_source;

/* Collect the files, those whose functions cost most first: of functions with lines, or of all
 * functions if the options say so. Call toll_page_source_free also on failure. Errors:
 * TOLL_E_NOMEM, those of options->source. */
toll_status toll_page_source_create(toll_page_source *source, const toll_stack_tree *tree,
                                    const toll_page_options *options, toll_error *err);
void toll_page_source_free(toll_page_source *source);

#endif
